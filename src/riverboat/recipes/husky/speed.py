"""How fast cards are evaluated and hands are played, on one core."""

import time
from collections.abc import Callable
from functools import partial

import msgspec
import numpy as np

from riverboat.arena import play_match
from riverboat.cards import evaluate, evaluate_batch
from riverboat.game import Hand, catalogue, simulate
from riverboat.recipes.husky.data import husky
from riverboat.recipes.run import Run

__all__ = ["SeatSpeed", "Speeds", "measure_speeds"]

_HANDS = 512
_BATCH = 50_000


class SeatSpeed(msgspec.Struct, frozen=True):
    """Hands a second at a table of some seats, everybody checks and calls."""

    seats: int
    bots: float
    """Call bots in a whole match: views, times, duplicate deals, sums, intervals."""
    rules: float
    """The rules driven from Python, one call for each action."""
    random: float
    """Uniformly random play inside the core."""


class Speeds(msgspec.Struct, frozen=True):
    """What one core does in a second of its own time."""

    one_by_one: dict[int, float]
    """Evaluations a second from Python, one call each, by number of cards."""
    batch: dict[int, float]
    """The same for many hands in one call."""
    tables: list[SeatSpeed]

    def table(self, seats: int) -> SeatSpeed | None:
        """Return the figures of a table; None if it was not measured."""
        return next((row for row in self.tables if row.seats == seats), None)


def measure_speeds(run: Run) -> Speeds:
    """Measure everything, figure by figure."""
    return run.step("speed", Speeds, lambda: _measure(run))


def _measure(run: Run) -> Speeds:
    plan = husky()
    seconds = plan.speed.seconds.of(run)
    counts = plan.seats.counts.of(run)
    deals = np.array(
        [np.random.default_rng(row).permutation(52)[:7] for row in range(_HANDS)], np.uint8
    )
    many = np.tile(deals, (_BATCH // _HANDS, 1))
    run.tell(0.05, "evaluates hands")
    one = {n: _per_second(partial(_one_by_one, deals[:, :n].tolist()), seconds) for n in (5, 6, 7)}
    batch = {n: _per_second(partial(_batch, many[:, :n].copy()), seconds) for n in (5, 6, 7)}
    tables = []
    for index, seats in enumerate(counts):
        run.tell(0.2 + 0.8 * index / len(counts), f"plays with {seats} seats")
        tables.append(_table(seats, seconds))
    return Speeds(one, batch, tables)


def _per_second(work: Callable[[], int], seconds: float) -> float:
    """Best rate of as many rounds as fit, by processor time: the machine may be busy."""
    work()
    best, end = 0.0, time.process_time() + seconds
    while True:
        start = time.process_time()
        done = work()
        now = time.process_time()
        best = max(best, done / max(now - start, 1e-9))
        if now >= end:
            return best


def _one_by_one(hands: list[list[int]]) -> int:
    for hand in hands:
        evaluate(hand)
    return len(hands)


def _batch(hands: np.ndarray) -> int:
    return len(evaluate_batch(hands))


def _table(seats: int, seconds: float) -> SeatSpeed:
    return SeatSpeed(
        seats,
        _per_second(partial(_play_bots, seats), seconds),
        _per_second(partial(_play_rules, seats), seconds),
        _per_second(partial(_play_random, seats), seconds),
    )


def _play_bots(seats: int) -> int:
    hands = 200 * seats
    return play_match(["fish"] * seats, hands=hands, seed=1).hands


def _play_rules(seats: int) -> int:
    spec = catalogue("nolimit-100bb", seats)
    for seed in range(500):
        hand = Hand(spec, seed=seed)
        while not hand.finished:
            hand.check_or_call()
        hand.payoffs()
    return 500


def _play_random(seats: int) -> int:
    return simulate(catalogue("nolimit-100bb", seats), 10_000, seed=1).hands
