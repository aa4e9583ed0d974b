"""Tests of a strategy by its own values: noise is no regret, and wrong actions are found."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from bots.strategy_files import random_strategy
from cli.typed import riverboat
from riverboat.blueprint import Blueprint
from riverboat.cards import HOLE_CLASS, HandStrength
from riverboat.decision import Decision
from riverboat.errors import BlueprintError
from riverboat.evaluate import _audit, audit
from riverboat.evaluate._audit import _regret


@pytest.fixture(scope="module")
def strategy(tables: HandStrength, tmp_path_factory: pytest.TempPathFactory) -> Blueprint:
    """Random probabilities: nothing is in order."""
    path = tmp_path_factory.mktemp("audit") / "random.blueprint"
    return Blueprint.open(
        random_strategy(
            path, "nolimit-100bb", "2.5x, a ; cap 3 / a ; cap 1", "equity-bins 13/4/3/4", tables
        )
    )


def test_a_random_strategy_is_found_out(strategy: Blueprint) -> None:
    found = audit(strategy, 0.4, runouts=32, rivers=40, seed=3)
    assert [row.line for row in found.preflop] == ["", "b25", "b25b63", "c"]
    assert all(abs(sum(row.frequencies.values()) - 1) < 1e-5 for row in found.preflop)
    assert found.preflop[0].regret.sign == 1
    assert found.river.interval[0] > 0.05
    assert [bool(row.pairs) for row in found.preflop] == [True, True, True, False]
    assert found == audit(strategy, 0.4, runouts=32, rivers=40, seed=3)
    assert found.as_dict()["river"]["mean"] == found.river.mean


def test_a_higher_bar_finds_fewer_rivers(
    strategy: Blueprint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the same decisions those in which the pot itself could be won are fewer."""
    found = audit(strategy, 0.4, runouts=16, rivers=40, seed=3)
    monkeypatch.setattr(_audit, "_MUCH", 1.0)
    assert audit(strategy, 0.4, runouts=16, rivers=40, seed=3).river.mean < found.river.mean


def test_noise_is_no_regret(strategy: Blueprint) -> None:
    """All actions are worth the same; mean within 4.5 standard errors of 0 over 40 draws."""
    values = strategy.query().all_values
    exact, rng = values.actions(0, samples=2), np.random.default_rng(1)

    def noisy() -> Decision:
        noise = rng.normal(size=(169, exact.action_values.shape[1]))[HOLE_CLASS]
        return replace(exact, action_values=exact.own_values[:, None] + noise)

    fitted = np.array([_regret([noisy() for _ in range(8)]).mean for _ in range(40)])
    assert abs(fitted.mean()) < 4.5 * fitted.std(ddof=1) / 40**0.5
    naive = np.nanmean(np.nanmax(noisy().action_values - exact.own_values[:, None], axis=1))
    assert naive > 0.5  # the best of three normal draws has mean 0.85


def test_the_command(strategy: Blueprint) -> None:
    words = ["audit", str(strategy.path), "--runouts", "16", "--rivers", "1", "--seed", "3"]
    shown = riverboat(*words).stdout
    assert "EV regret, mbb" in shown
    assert re.search(
        r"River decisions with .*: \d+\.\d % \(.* to .*\) of 1", " ".join(shown.split())
    )
    values = json.loads(riverboat(*words, "--as-played", "--json").stdout)
    assert [row["line"] for row in values["preflop"]] == ["", "b25", "b25b63", "c"]
    assert values["threshold"] == strategy.threshold


@pytest.mark.parametrize(("runouts", "rivers"), [(15, 1), (16, 0)])
def test_too_few_runouts_or_rivers_are_refused(
    strategy: Blueprint, runouts: int, rivers: int
) -> None:
    sentence = f"{runouts} runouts and {rivers} rivers: at least 16 and 1"
    with pytest.raises(BlueprintError, match=sentence):
        audit(strategy, runouts=runouts, rivers=rivers)
