"""Starting regrets: the probabilities that the formula says, at every decision."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from riverboat import _core
from riverboat.errors import SolveError
from riverboat.game import GameSpec, Street, catalogue
from riverboat.solve import (
    Deals,
    Scheme,
    Solver,
    bucket_outcomes,
    bucket_win_rates,
    enumerate_deals,
    starting_regrets,
)
from riverboat.tree import DECISION, Tree
from solve.games import classic
from twins.response import Dealt


def rates_of(deals: Deals) -> list[np.ndarray[Any, Any]]:
    rng = np.random.default_rng(7)
    return [rng.random(count) for count in deals.num_buckets]


def no_limit() -> Deals:
    """Decisions of two, three and four actions, on two streets."""
    spec = GameSpec(
        stacks=(12, 12),
        blinds=(1, 2),
        streets=(Street(hole=1), Street(board=1)),
        showdown="leduc",
        ranks="2345",
        suits="c",
    )
    return enumerate_deals(Tree(spec, "min, 100%, a"))


@pytest.mark.parametrize("game", ["leduc", "kuhn3", "no limit"])
def test_formula(game: str) -> None:
    """Written out: node by node, deal by deal."""
    deals = no_limit() if game == "no limit" else classic(game)
    tree, rates = deals.tree, rates_of(deals)
    regrets = starting_regrets(deals, rates, 40)
    assert regrets.dtype == np.float32
    for stream in range(30):
        dealt = Dealt(deals, *deals.compiled.draw(1, stream))
        for node in np.flatnonzero(tree.kind == DECISION).tolist():
            group = int(tree.group[node])
            rate = rates[group][dealt.buckets[group]]
            pot = int(tree.contributions[node].sum())
            actions = tree.actions(node)
            assert actions[0] in {"f", "k"}
            wanted = [1 - rate] + [rate / (len(actions) - 1)] * (len(actions) - 1)
            found = regrets[dealt.row(node)] / (40 * pot)
            np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_outcomes_are_the_win_rates() -> None:
    deals = classic("leduc")
    counted, rates = bucket_outcomes(deals, 5_000, seed=3), bucket_win_rates(deals, 5_000, seed=3)
    for counts, rate in zip(counted, rates, strict=True):
        dealt = counts.sum(axis=1)
        np.testing.assert_allclose((counts[:, 0] + counts[:, 1] / 2) / dealt, rate)
    assert all(counts.sum() == 5_000 for counts in counted)


def test_first_strategy_is_the_win_rate() -> None:
    """Full-width CFR with an iteration of no weight: its first average is the start."""
    deals = classic("leduc")
    rates = rates_of(deals)
    start = starting_regrets(deals, rates, 1)
    solver = Solver(deals, Scheme("full"), starting_regrets=start)
    solver.run_all(iterations=1)
    dealt = Dealt(deals, *deals.compiled.draw(1, 1))
    rate = rates[int(deals.tree.group[0])][dealt.buckets[int(deals.tree.group[0])]]
    np.testing.assert_allclose(solver.strategy()[dealt.row(0)], [1 - rate, rate], rtol=1e-6)


def test_swaps_start_from_uniform_play() -> None:
    tree = Tree(catalogue("discard-2017"), "a ; cap 1")
    groups = len(tree.group_player)
    # One bucket everywhere: only the order of the tables matters here.
    lines = tree.num_players * 2 ** sum(s.discard == "swap" for s in tree.spec.streets)
    compiled = _core.enumerated_dealer(
        tree.compiled, np.zeros(groups, np.uint32), np.zeros(lines, np.uint32), np.ones(1)
    )
    deals = Deals(tree, compiled, None, 1)
    regrets = starting_regrets(deals, [[0.3]] * groups, 1)
    swaps = [n for n in np.flatnonzero(tree.kind == DECISION).tolist() if "s" in tree.actions(n)]
    assert swaps
    for node in swaps[:50]:
        begin = compiled.base(int(tree.group[node])) + int(tree.offset[node])
        assert regrets[begin : begin + 2].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("rates", "pseudo", "sentence"),
    [
        ([[0.5] * 3], 1, "for each group, with \\[3, 3\\] buckets, not arrays of the shapes"),
        ([[0.5] * 3, [0.5] * 4], 1, "not arrays of the shapes"),
        ([[0.5] * 3, [0.5, 1.1, 0]], 1, "group 1 has 1.1"),
        ([[math.nan] * 3, [0.5] * 3], 1, "group 0 has nan"),
        ([["a"] * 3, [0.5] * 3], 1, "numbers from 0 to 1"),
        (None, 1, "numbers from 0 to 1"),
        ([[0.5] * 3] * 2, -1, "pseudo_iterations=-1"),
        ([[0.5] * 3] * 2, math.inf, "pseudo_iterations=inf"),
    ],
)
def test_bad_input_gets_sentences(rates: Any, pseudo: float, sentence: str) -> None:
    with pytest.raises(SolveError, match=sentence):
        starting_regrets(classic("kuhn"), rates, pseudo)
