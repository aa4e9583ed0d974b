"""Six algorithms at equal processor time, measured exactly.

The game is limit hold'em with the whole betting tree and few buckets that never forget, its cards
tabulated (`tabulated`), so that vanilla can run and exploitability is exact. Each sampled
algorithm is run with several seeds.
"""

import time
from functools import partial
from threading import Event

import msgspec
import numpy as np

from riverboat import _core
from riverboat.evaluate import exploitability
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.yerevan.cards import limit_setup
from riverboat.seeds.yerevan.data import MBB, Trial, amounts, recipe
from riverboat.seeds.yerevan.tabulated import tabulate
from riverboat.seeds.yerevan.trial import run_jobs, run_trial
from riverboat.solve import SCHEMES, Deals, Solver

__all__ = ["Exact", "compare_exactly"]


class Exact(msgspec.Struct, frozen=True):
    """What the comparison found."""

    cards: str
    sequences: int
    """Bucket sequences of a player on the river."""
    deals: int
    """Different deals of the table."""
    counted: int
    """Sampled deals that it was counted on."""
    infosets: int
    trials: tuple[Trial, ...]
    current: tuple[float, ...]
    """Exploitability of Pure's last strategy instead of its average, by seed; mbb a hand."""
    elsewhere: tuple[float, float]
    """Exploitability of one Pure strategy on this table, and on one counted on other deals."""


def compare_exactly(run: Reproduction) -> Exact:
    """Train every algorithm for the same processor time on one thread, and measure exactly."""
    given = amounts(run)
    setup = limit_setup(run, cards=given.exact_cards)
    run.tell(0.0, "counts deals")
    table = tabulate(setup.deals, given.exact_deals, run.seed)
    other = tabulate(setup.deals, given.exact_deals, run.seed + 1)
    kept: dict[int, Solver] = {}
    jobs = []
    for name in recipe().schemes:
        # Vanilla draws nothing: all its runs are the same.
        for number in range(1 if name == "cfr" else given.exact_seeds):
            deals = setup.deals if name == "public-chance" else table
            solver = Solver(deals, SCHEMES[name], seed=run.seed + number)
            if name == "pure":
                kept[number] = solver
            jobs.append(partial(_trial, name, solver, table, given.exact_times))
    trials = run_jobs(run, jobs, "six algorithms")
    here, there = (_exactly(deals, kept[0]) for deals in (table, other))
    return Exact(
        given.exact_cards,
        max(setup.deals.num_buckets),
        table.num_deals or 0,
        given.exact_deals,
        trials[0].infosets,
        tuple(trials),
        tuple(_current(table, solver) for solver in kept.values()),
        (here, there),
    )


def _trial(name: str, solver: Solver, table: Deals, times: tuple[float, ...], stop: Event) -> Trial:
    return run_trial(
        name, solver, times, lambda each: (_exactly(table, each), 0.0),
        clock=time.thread_time, stop=stop,
    )  # fmt: skip


def _exactly(table: Deals, solver: Solver) -> float:
    """Return exploitability in the table's game, mbb a hand."""
    return exploitability(table, solver.strategy()).exploitability * MBB


def _current(table: Deals, solver: Solver) -> float:
    """Return the exploitability of the strategy that the regrets stand for."""
    strategy = np.empty(len(solver.regrets))
    positive = np.maximum(solver.regrets, 0).astype(np.float64)
    _core.normalise_into(table.compiled, positive, strategy)
    return exploitability(table, strategy).exploitability * MBB
