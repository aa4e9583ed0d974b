"""OpenSpiel as a witness: our strategies have the same NashConv and value there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from riverboat.evaluate import exploitability
from riverboat.solve import Scheme, Solver
from solve.games import classic
from solve.openspiel_policy import openspiel_policy

pyspiel: Any = pytest.importorskip("pyspiel")

pytestmark = pytest.mark.peer

GAMES = {
    "kuhn": "kuhn_poker",
    "leduc": "leduc_poker",
    "kuhn3": "kuhn_poker(players=3)",
}
SCHEMES = {
    "untrained": (Scheme("external"), 0),
    "external": (Scheme("external"), 1_000),
    "outcome": (Scheme("outcome"), 10_000),
    "full cfr+": (Scheme("full", "cfr+", "linear"), 100),
    "pure": (Scheme("pure"), 3_000),
}


@pytest.mark.parametrize("name", SCHEMES)
@pytest.mark.parametrize("game", GAMES)
def test_same_nash_conv_and_values(game: str, name: str) -> None:
    scheme, iterations = SCHEMES[name]
    deals = classic(game)
    if deals.tree.num_players > 2 and scheme.sampling not in {"external", "outcome", "pure"}:
        scheme = Scheme("external", "linear", "linear", step=100)
    solver = Solver(deals, scheme, seed=2)
    solver.run_all(iterations=iterations)
    strategy = solver.strategy()
    theirs = pyspiel.load_game(GAMES[game])
    policy = openspiel_policy(theirs, deals, strategy)
    found = exploitability(deals, strategy)
    assert pyspiel.nash_conv(theirs, policy) == pytest.approx(found.nash_conv, abs=1e-6)
    values = pyspiel.expected_returns(
        theirs.new_initial_state(), pyspiel.PartialTabularPolicy(policy), -1, True
    )
    assert np.allclose(values, found.values, atol=1e-9)


def test_every_information_state_is_exported() -> None:
    """12 in Kuhn (Kuhn 1950); OpenSpiel counts 936 in Leduc, where it tells suits apart."""
    for name, count in (("kuhn", 12), ("leduc", 936)):
        deals = classic(name)
        strategy = Solver(deals, Scheme("external")).strategy()
        assert len(openspiel_policy(pyspiel.load_game(GAMES[name]), deals, strategy)) == count
