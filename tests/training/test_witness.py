"""The whole way, from the command to the file, on games whose answer is known."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from riverboat.blueprint import Blueprint
from riverboat.cli._app import make_app
from riverboat.evaluate import Exploitability, exploitability
from riverboat.solve import Scheme, Solver, enumerate_deals
from riverboat.training import RunFiles, load_recipe, train
from riverboat.tree import Tree
from sizes import few_or_many

# Southey et al. 2005 define the game; its value is -0.0856 for the first player, as OpenSpiel's
# exploitability_test.py and many papers have it.
LEDUC_VALUE = -0.0856

# Hold'em with nine cards: two hole cards, a flop of three, best five of five; fixed limit.
NINE_CARDS: dict[str, Any] = {
    "stacks": [40, 40],
    "blinds": [1, 2],
    "betting": "fixed-limit",
    "streets": [
        {"hole": 2, "bet_size": 2, "max_raises": 2},
        {"board": 3, "bet_size": 4, "max_raises": 2},
    ],
    "ranks": "QKA",
    "suits": "chs",
    "name": "nine cards",
}


def trained(path: Path, recipe: dict[str, Any]) -> Exploitability:
    """Train and return the exact values of what is in the file."""
    files = RunFiles.of(path)
    *_, last = train(load_recipe(recipe), files.blueprint, plot=False)
    assert last.event == "finished"
    blueprint = Blueprint.open(files.blueprint)
    return exploitability(blueprint.deals(), blueprint.dense(np.float64))


def test_leduc_through_the_command_and_the_file(tmp_path: Path) -> None:
    out = tmp_path / "leduc.blueprint"
    result = CliRunner().invoke(make_app(), ["train", "leduc", "-o", str(out), "--json"])
    assert result.exit_code == 0, result.output
    values = json.loads(result.stdout)
    blueprint = Blueprint.open(out)
    exact = exploitability(blueprint.deals(), blueprint.dense(np.float64))
    assert exact.values[0] == pytest.approx(LEDUC_VALUE, abs=0.0005)
    assert exact.exploitability < 0.0005
    assert values["measured"]["exploitability"] == pytest.approx(exact.exploitability, abs=1e-5)
    assert values["measured"]["exact"] is True


@pytest.mark.parametrize("iterations", few_or_many(20_000, 400_000))
def test_sampled_and_full_width_agree_on_a_reduced_deck(tmp_path: Path, iterations: int) -> None:
    """The value v of a profile with NashConv n is within n of the game's: so |v - v'| <= n + n'.

    In a zero-sum game a best response of either seat brings its value to the game's value or
    beyond, so v - n <= game value <= v + n.
    """
    base = {"game": NINE_CARDS, "menu": "min", "threads": 1, "seed": 2, "bound": {"every": 0}}
    full = trained(
        tmp_path / "full", {**base, "scheme": "full cfr+ linear", "budget": {"iterations": 150}}
    )
    sampled = trained(
        tmp_path / "sampled",
        {**base, "scheme": "external linear linear", "budget": {"iterations": iterations}},
    )
    deals = enumerate_deals(Tree(load_recipe({**base}).spec, "min"))
    uniform = exploitability(deals, Solver(deals, Scheme("full")).strategy())
    assert full.nash_conv < 0.01 * uniform.nash_conv
    # It falls with the root of the iterations.
    assert sampled.nash_conv < 0.05 * (400_000 / iterations) ** 0.5 * uniform.nash_conv
    assert abs(full.values[0] - sampled.values[0]) <= full.nash_conv + sampled.nash_conv
