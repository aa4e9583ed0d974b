"""How fast Pure CFR runs, beside the program that the thesis follows."""

import time

import msgspec
import numpy as np

from riverboat import _core
from riverboat.game import catalogue
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.yerevan.cards import limit_setup
from riverboat.seeds.yerevan.data import amounts
from riverboat.seeds.yerevan.trial import workers_of
from riverboat.solve import SCHEMES, Deals, Solver, enumerate_deals
from riverboat.tree import Tree

__all__ = ["Pace", "Speed", "measure_speed", "pace_of"]

# Canonical boards of preflop, flop, turn and river.
_BOARDS = (1, 1755, 16432, 134459)


class Pace(msgspec.Struct, frozen=True):
    """How fast a solver ran."""

    clock: float
    """Iterations a second of the clock, all threads together; other programs slow it down."""
    processor: float
    """Iterations a processor second: the time of all threads is added up."""


class Speed(msgspec.Struct, frozen=True):
    """Iterations from a fresh start, by both times."""

    leduc: Pace
    blind_cards: Pace
    """Limit hold'em with real cards that nobody sees: one bucket a street."""
    one_thread: Pace
    """Limit hold'em with the recipe's buckets."""
    all_threads: Pace
    threads: int
    """As many as cores, or fewer."""
    seconds: float
    """Of the clock, over which each was taken."""


def measure_speed(run: Reproduction) -> Speed:
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
        solver = Solver(deals, SCHEMES["pure"], seed=run.seed, threads=each)
        speeds.append(pace_of(solver, seconds))
    return Speed(speeds[0], speeds[1], speeds[2], speeds[3], threads, seconds)


def pace_of(solver: Solver, seconds: float) -> Pace:
    """Let a solver run for so many seconds of the clock, and count its iterations.

    Examples
    --------
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), SCHEMES["pure"])
    >>> pace = pace_of(solver, 0.01)
    >>> pace.clock > 0 and pace.processor > 0
    True
    """
    solver.run_all(seconds=seconds / 10)  # touches pages
    before = solver.iterations
    used, began = time.process_time(), time.perf_counter()
    for _ in solver.slices(seconds=seconds):
        pass
    by_clock, by_processor = time.perf_counter() - began, time.process_time() - used
    done = solver.iterations - before
    return Pace(done / max(by_clock, 1e-9), done / max(by_processor, 1e-9))


def _blind(tree: Tree) -> Deals:
    """Deal real cards that fall into one bucket."""
    tables = [np.zeros((boards, 1326), np.uint8) for boards in _BOARDS]
    return Deals(tree, _core.holdem_dealer(tree.compiled, tables, [1] * 4, []))
