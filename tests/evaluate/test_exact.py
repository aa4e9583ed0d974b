"""Exact evaluation takes strategies only; enumeration takes games that it can tell."""

import numpy as np
import pytest

from riverboat.errors import SolveError
from riverboat.evaluate import exploitability, response_bound
from riverboat.game import GameSpec, Street, catalogue
from riverboat.solve import Scheme, Solver, enumerate_deals
from riverboat.tree import Tree

DEALS = enumerate_deals(Tree(catalogue("kuhn"), "min"))
UNIFORM = Solver(DEALS, Scheme("full")).strategy()


@pytest.mark.parametrize(
    ("strategy", "sentence"),
    [
        (UNIFORM * np.nan, "finite and not negative"),
        (-UNIFORM, "finite and not negative"),
        (UNIFORM * 3, "sum to 1"),
        (UNIFORM[:-1], "24 entries"),
        (None, "24 entries"),
        ("even", "array of probabilities"),
    ],
)
def test_what_is_no_strategy_is_refused(strategy: object, sentence: str) -> None:
    with pytest.raises(SolveError, match=sentence):
        exploitability(DEALS, strategy)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(SolveError, match=sentence):
        response_bound(DEALS, strategy, iterations=10)  # type: ignore[arg-type]  # wrong on purpose


def test_hole_cards_on_later_streets_are_refused() -> None:
    streets = (Street(hole=1), Street(hole=1, board=3))
    spec = GameSpec(stacks=(20, 20), blinds=(1, 2), streets=streets, ranks="TJQKA", suits="hs")
    with pytest.raises(SolveError, match="hole cards on later streets"):
        enumerate_deals(Tree(spec, "a"))


def test_delay_of_pure_cfr() -> None:
    solver = Solver(DEALS, Scheme("pure", delay=1, step=100), seed=1)
    solver.run_all(iterations=100)
    assert not solver.average.any()
    solver.run_all(iterations=1)
    assert solver.average.any()
