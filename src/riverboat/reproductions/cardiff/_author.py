"""What the author's figures tell of his program: the rows of figure 19, and figure 15's float32."""

from collections.abc import Iterator
from itertools import product
from sys import getsizeof

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets import rank_buckets
from riverboat.cards import board_cards, board_multiplicities
from riverboat.evaluate import exploitability
from riverboat.game import catalogue
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions.cardiff._recipe import DATA, toy_game
from riverboat.reproductions.cardiff._results import Precision, RowCount, RowCounts
from riverboat.solve import SCHEMES, Solver, enumerate_deals
from riverboat.statistics import Estimate
from riverboat.tree import DECISION, Tree

_MOST_RAISES = 6
_SHOWN = 3
_STARTING_HANDS = 169
_COMMONEST = 12 / 1326  # of the deals: a starting class of two ranks, not suited
_NODES = 2_000
_ACTIONS = 3


def count_rows(run: ReproductionRun) -> RowCounts:
    """Search the caps on raises for a tree with as many rows as figure 19 has."""
    run.tell(0.0, "counts rows")
    chances, wanted = _flop_chances(), DATA.published["rows_before"].value
    counts = [_row_count(menu, _decisions(menu), chances) for menu in _menus()]
    nearest = sorted(counts, key=lambda each: abs(each.rows.mean - wanted))
    own = next(each for each in counts if each.menu == DATA.effort["full"].menu)
    half = _row_count("min ; cap 5", _half_tree("min ; cap 5"), chances)
    return RowCounts(len(chances), len(counts), (*nearest[:_SHOWN], own), half)


def _menus() -> Iterator[str]:
    """Caps of both players together, street by street, and of each player."""
    for before, after in product(range(1, _MOST_RAISES + 1), repeat=2):
        yield f"min ; cap {before} / min ; cap {after}"
    for before, after in product(range(1, _MOST_RAISES // 2 + 1), repeat=2):
        same = before == after
        yield f"min ; cap {before} each" + ("" if same else f" / min ; cap {after} each")


def _decisions(menu: str) -> tuple[int, int]:
    before, flop = Tree(toy_game(2), menu).num_decisions
    return before, flop


def _half_tree(menu: str) -> tuple[int, int]:
    """Count only those flop decisions that follow a call, or check, of the second player."""
    tree = Tree(toy_game(2), menu)
    decisions = np.flatnonzero((tree.kind == DECISION) & (tree.street == 1))
    lines = [tree.line(node).partition("/")[0] for node in decisions.tolist()]
    closed = sum(1 for line in lines if sum(map(line.count, "kcb")) % 2 == 0)
    return tree.num_decisions[0], closed


def _flop_chances() -> NDArray[np.float64]:
    """[hands] the probability of each hand of the author's cards that can be dealt on the flop."""
    cells = rank_buckets(2).tables[1]
    high, low = np.tril_indices(52, -1)
    boards = board_cards(3)[:, :, None]
    dead = ((boards == high) | (boards == low)).any(axis=1)
    weights = np.where(dead, 0, board_multiplicities(3)[:, None]).astype(np.float64)
    counts = np.bincount(cells.ravel(), weights.ravel())
    chances: NDArray[np.float64] = counts[counts > 0] / counts.sum()
    return chances


def _row_count(menu: str, decisions: tuple[int, int], chances: NDArray[np.float64]) -> RowCount:
    """Expect how many rows are visited: a walk of a deal visits all lines of both hands."""
    before, flop = decisions
    found = []
    for deals in (1, 2):
        missed = np.exp(-chances * deals * DATA.published["iterations"].value)
        rows = before * _STARTING_HANDS + flop * float((1 - missed).sum())
        error = flop * float((missed * (1 - missed)).sum()) ** 0.5
        found.append(Estimate(rows, error, 0, "normal"))
    return RowCount(menu, decisions, *found)


def compare_precision(run: ReproductionRun) -> Precision:
    """Train Leduc hold'em with tables of both dtypes, and weigh the author's information sets."""
    iterations, found = DATA.amounts(run).precision_iterations, dict[str, float]()
    dtypes: tuple[type[np.floating], ...] = (np.float64, np.float32)
    for part, dtype in run.parts(dtypes):
        part.tell(0.0, np.dtype(dtype).name)
        found[np.dtype(dtype).name] = _rounded_training(iterations, dtype)
    weights = {np.dtype(dtype).name: _node_bytes(dtype) for dtype in dtypes}
    visits = _COMMONEST * DATA.published["iterations"].value
    return Precision(iterations, found, weights, visits)


def _rounded_training(iterations: int, dtype: type[np.floating]) -> float:
    """Exploitability of vanilla CFR whose sums are rounded to a dtype after every iteration."""
    solver = Solver(enumerate_deals(Tree(catalogue("leduc"), "min")), SCHEMES["cfr"])
    for _ in range(iterations):
        solver.run_all(iterations=1)
        for table in (solver.regrets, solver.average):
            table[:] = table.astype(dtype)
    return exploitability(solver.deals, solver.strategy()).exploitability


def _node_bytes(dtype: type[np.floating]) -> float:
    """Bytes of one information set that has two small arrays, as Python keeps it."""
    kept = {
        f"AKs 234 rrc{number:04}": (np.zeros(_ACTIONS, dtype), np.zeros(_ACTIONS, dtype))
        for number in range(_NODES)
    }
    parts = (part for key, arrays in kept.items() for part in (key, arrays, *arrays))
    return (getsizeof(kept) + sum(map(getsizeof, parts))) / _NODES
