"""How fast Pure CFR runs, beside the program that the thesis follows."""

import time

import msgspec
import numpy as np

from riverboat import _core
from riverboat.game import catalogue
from riverboat.recipes.run import Run
from riverboat.recipes.yerevan.cards import limit_setup
from riverboat.recipes.yerevan.data import amounts
from riverboat.recipes.yerevan.trial import workers_of
from riverboat.solve import SCHEMES, Deals, Solver, enumerate_deals
from riverboat.tree import Tree

__all__ = ["Speed", "measure_speed"]

# Canonical boards of preflop, flop, turn and river.
_BOARDS = (1, 1755, 16432, 134459)
_FOREVER = 1e9


class Speed(msgspec.Struct, frozen=True):
    """Iterations a second, from a fresh start.

    By processor time: what threads with a core of their own do, whatever else runs.
    """

    leduc: float
    blind_cards: float
    """Limit hold'em with real cards that nobody sees: one bucket a street."""
    one_thread: float
    """Limit hold'em with the recipe's buckets."""
    all_threads: float
    threads: int
    seconds: float
    """Of processor time of each thread over which each was taken."""


def measure_speed(run: Run) -> Speed:
    """Time Pure CFR on Leduc and on limit hold'em."""
    limit = limit_setup(run)
    threads = workers_of(run)
    works = (
        (enumerate_deals(Tree(catalogue("leduc"), "min")), 1),
        (_blind(limit.tree), 1),
        (limit.deals, 1),
        (limit.deals, threads),
    )
    seconds = amounts(run).speed_seconds
    speeds = []
    for index, (deals, each) in enumerate(works):
        run.tell(index / len(works), deals.tree.spec.name)
        speeds.append(_speed(deals, each, seconds, run.seed))
    return Speed(speeds[0], speeds[1], speeds[2], speeds[3], threads, seconds)


def _speed(deals: Deals, threads: int, seconds: float, seed: int) -> float:
    solver = Solver(deals, SCHEMES["pure"], seed=seed, threads=threads)
    solver.run_all(seconds=seconds / 10)  # touches pages
    before, began = solver.iterations, time.process_time()
    for _ in solver.slices(seconds=_FOREVER):
        if time.process_time() - began >= seconds * threads:
            break
    return (solver.iterations - before) / (time.process_time() - began) * threads


def _blind(tree: Tree) -> Deals:
    """Deal real cards that fall into one bucket."""
    tables = [np.zeros((boards, 1326), np.uint8) for boards in _BOARDS]
    return Deals(tree, _core.holdem_dealer(tree.compiled, tables, [1] * 4, []))
