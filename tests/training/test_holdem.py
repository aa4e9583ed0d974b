"""Training on the deck of 52: buckets, trained responses, files in 8 bits."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riverboat.blueprint import Blueprint
from riverboat.training import RunFiles, load_recipe, prepare_run, train
from training.test_run import assert_same_tables

# Two streets, one bet on each: 76,895 buckets on the flop, a million entries.
TWO_STREETS: dict[str, Any] = {
    "game": {
        "stacks": [1000, 1000],
        "blinds": [5, 10],
        "betting": "fixed-limit",
        "streets": [
            {"hole": 2, "bet_size": 10, "max_raises": 1},
            {"board": 3, "bet_size": 10, "max_raises": 1},
        ],
    },
    "menu": "min",
    "cards": "suitless 2",
    "scheme": "chance",
    "threads": 1,
    "budget": {"iterations": 20_000},
    "bound": {"seconds": 0.2, "deals": 500},
}


def test_holdem_is_trained_measured_and_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, broken = RunFiles.of(tmp_path / "whole"), RunFiles.of(tmp_path / "broken")
    recipe = load_recipe(TWO_STREETS)
    *_, last = train(recipe, whole.blueprint, plot=False)
    assert last.measured is not None
    assert not last.measured.exact
    assert last.measured.low < last.measured.exploitability < last.measured.high
    assert last.measured.cost > 0.4  # both seats
    short = recipe.changed({"budget": {"iterations": 9_000}, "bound.every": 0.0})
    list(train(short, broken.blueprint, plot=False))
    with monkeypatch.context() as patched:
        patched.setattr(
            "riverboat.training._plan.fitted_abstraction", None
        )  # nothing is fitted anew
        cards = prepare_run(recipe, broken.blueprint, resume=True).cards
    assert cards is not None
    assert cards.num_buckets == (169, 76_895)
    list(train(recipe.changed({"bound.every": 0.0}), broken.blueprint, resume=True, plot=False))
    assert_same_tables(whole, broken)
    opened = Blueprint.open(whole.blueprint)
    assert opened.deals().num_buckets == opened.num_buckets


def test_a_small_file_is_the_same_strategy(tmp_path: Path) -> None:
    """8 bits are 255ths: a probability is off by less than one of them."""
    plain, small = RunFiles.of(tmp_path / "plain"), RunFiles.of(tmp_path / "small")
    recipe = load_recipe({**TWO_STREETS, "bound": {"every": 0}})
    list(train(recipe, plain.blueprint, plot=False))
    list(
        train(
            recipe.changed({"file": {"values": "uint8", "pruned": True}}),
            small.blueprint,
            plot=False,
        )
    )
    assert small.blueprint.stat().st_size < plain.blueprint.stat().st_size / 2
    difference = Blueprint.open(plain.blueprint).dense() - Blueprint.open(small.blueprint).dense()
    assert np.abs(difference).max() < 1 / 255
