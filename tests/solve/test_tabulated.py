"""Tables of sampled deals: the same game as their rows, merged or not, with the whole buckets."""

import numpy as np
import pytest

from riverboat.errors import SolveError
from riverboat.evaluate import exploitability
from riverboat.game import catalogue
from riverboat.solve import (
    SCHEMES,
    DealRows,
    Deals,
    Solver,
    enumerate_deals,
    merge_deals,
    sample_deals,
    tabulate,
)
from riverboat.solve import _sampled as module
from riverboat.tree import Tree


@pytest.fixture(scope="module")
def leduc() -> Deals:
    return enumerate_deals(Tree(catalogue("leduc"), "min"))


def _values(table: Deals) -> tuple[float, ...]:
    uniform = Solver(table, SCHEMES["cfr"]).strategy()
    found = exploitability(table, uniform)
    return (found.exploitability, *found.values)


def test_a_merged_table_is_the_same_game(leduc: Deals, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, merged = (tabulate(leduc, 70, 3, merged=each) for each in (False, True))
    assert plain.num_buckets == merged.num_buckets == leduc.num_buckets
    buckets, strengths = sample_deals(leduc, 70, 3)
    winner = np.sign(strengths[:, :1, 0].astype(int) - strengths[:, 1:, 0])
    different = np.unique(np.concatenate([buckets, winner], axis=1), axis=0)
    assert (plain.num_deals, merged.num_deals) == (71, len(different) + 1)
    assert _values(plain) == pytest.approx(_values(merged), rel=1e-9, abs=1e-9)
    monkeypatch.setattr(module, "_CHUNK", 32)
    assert _values(tabulate(leduc, 70, 3, merged=True)) == _values(merged)


def test_a_long_table_comes_near_the_game(leduc: Deals) -> None:
    table = tabulate(leduc, 200_000, 1, merged=True)
    assert table.num_deals == (leduc.num_deals or 0) + 1
    # 4.747222: NashConv of uniform play (OpenSpiel). The shares of 24 deals err by at most
    # 0.8 * sqrt(24 / 200,000) = 0.0088 together; at most 13 chips hang on each, in two seats.
    assert 2 * _values(table)[0] == pytest.approx(4.747222, abs=0.23)


def test_vanilla_learns_the_table(leduc: Deals) -> None:
    table = tabulate(leduc, 500, 2, merged=True)
    solver = Solver(table, SCHEMES["cfr"])
    before = exploitability(table, solver.strategy()).exploitability
    solver.run_all(iterations=12)
    assert exploitability(table, solver.strategy()).exploitability < 0.75 * before


def test_many_buckets_do_not_run_into_each_other() -> None:
    draws = np.random.default_rng(1)
    buckets = draws.choice(np.array([0, 1, 1 << 20], np.uint32), (500, 5))
    strengths = draws.integers(0, 3, (500, 2, 1)).astype(np.uint32)
    merged, weights = merge_deals(DealRows(buckets, strengths), np.ones(500))
    winner = np.sign(strengths[:, 0].astype(int) - strengths[:, 1])
    rows, counts = np.unique(
        np.concatenate([buckets[:, ::-1], winner], axis=1), axis=0, return_counts=True
    )
    assert (merged.buckets == rows[:, -2::-1]).all()
    assert (weights == counts).all()


def test_lines_of_swaps_are_compared_with_each_other() -> None:
    strengths = np.random.default_rng(1).integers(0, 3, (200, 2, 4)).astype(np.uint32)
    rows = DealRows(np.zeros((200, 3), np.uint32), strengths)
    merged, weights = merge_deals(rows, np.arange(200.0))
    assert weights.sum() == np.arange(200).sum()
    orders = {_order(each) for each in rows.strengths.reshape(200, 8).tolist()}
    kept = [_order(each) for each in merged.strengths.reshape(-1, 8).tolist()]
    assert len(kept) == len(orders)
    assert set(kept) == orders


def _order(strengths: list[int]) -> tuple[int, ...]:
    ladder = sorted(set(strengths))
    return tuple(ladder.index(each) for each in strengths)


def test_a_table_has_a_deal(leduc: Deals) -> None:
    with pytest.raises(
        SolveError, match="count=0 is not allowed: it must be a whole number from 1"
    ):
        tabulate(leduc, 0, 1)
