"""The same six algorithms with the seed's own number of buckets.

Exploitability is then a lower bound from trained responses, which finds less the worse it is
trained; so the strategies are also played against each other, inside the abstraction.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import combinations

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.arena import Estimate
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won
from riverboat.seeds.yerevan.cards import bound_by_response, limit_setup
from riverboat.seeds.yerevan.data import MBB, Trial, amounts, recipe
from riverboat.seeds.yerevan.tabulated import sample_deals, table_of
from riverboat.seeds.yerevan.trial import run_trial, workers_of
from riverboat.solve import SCHEMES, Deals, Solver

__all__ = ["SameTime", "compare_at_size", "duel"]

_Strategy = NDArray[np.float32]
_CHUNK = 250
_SPARE = 0.25  # of the step is for the duels


class SameTime(msgspec.Struct, frozen=True):
    """What the comparison found."""

    trials: tuple[Trial, ...]
    table_deals: int
    """Deals that vanilla walks in every iteration."""
    duels: dict[str, Won]
    """By "first v second": what the first wins in the abstract game, mbb a hand."""


def compare_at_size(run: Reproduction) -> SameTime:
    """Train every algorithm for the same processor time; measure; play them against each other."""
    given = amounts(run)
    setup = limit_setup(run)
    measure = bound_by_response(run, setup.deals)
    names = tuple(recipe().schemes)
    trials, strategies = [], {}
    for index, name in enumerate(names):
        solver = _solver(run, name, setup.deals)
        tell = partial(_tell, run, name, index / len(names), 1 / len(names))
        trials.append(run_trial(name, solver, (given.same_time,), measure, tell=tell))
        strategies[name] = solver.strategy(np.float32)
    pairs = list(combinations(names, 2))
    duels = {}
    for index, (first, second) in enumerate(pairs):
        run.tell(1 - _SPARE + _SPARE * index / len(pairs), f"{first} v {second}")
        duels[f"{first} v {second}"] = duel(
            setup.deals, strategies[first], strategies[second],
            given.duel_deals, run.seed + 2, workers_of(run),
        )  # fmt: skip
    return SameTime(tuple(trials), given.table_deals, duels)


def _tell(run: Reproduction, name: str, begin: float, width: float, done: float) -> None:
    run.tell((1 - _SPARE) * (begin + width * done), name)


def _solver(run: Reproduction, name: str, deals: Deals) -> Solver:
    """Make a solver; vanilla gets a table of sampled deals, and has one thread."""
    if name != "cfr":
        return Solver(deals, SCHEMES[name], seed=run.seed, threads=workers_of(run))
    rows = sample_deals(deals, amounts(run).table_deals, run.seed)
    return Solver(table_of(deals, rows, np.ones(len(rows))), SCHEMES[name], seed=run.seed)


def duel(  # noqa: PLR0913, PLR0917 - a game, two strategies, and how they are compared
    deals: Deals, first: _Strategy, second: _Strategy, count: int, seed: int, threads: int
) -> Won:
    """Return what a strategy wins from another inside the abstraction, mbb a hand.

    Each deal is walked for all actions of both, in both seats: only the luck of the cards is
    left, and of that half.

    Parameters
    ----------
    deals
        The game.
    first, second
        [entries] probabilities.
    count, seed
        Deals, and the seed of their cards.
    threads
        That share the work.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import enumerate_deals
    >>> from riverboat.tree import Tree
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), SCHEMES["cfr"])
    >>> uniform = solver.strategy(np.float32)
    >>> abs(duel(solver.deals, uniform, uniform, 100, 1, 1).mean) < 1e-6  # against itself
    True
    """
    values = np.zeros((2, count))

    def walk(begin: int) -> None:
        end = min(count, begin + _CHUNK)
        for seat in range(2):
            part = np.empty(end - begin)
            _core.score_deals_into(deals.compiled, seat, first, second, seed, begin, part)
            values[seat, begin:end] = part

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(walk, range(0, count, _CHUNK)))
    pairs = values.mean(axis=0) * MBB
    error = float(pairs.std(ddof=1)) / count**0.5
    return Won.of(Estimate(float(pairs.mean()), error, count), 2 * count)
