"""Many spots at once: on a graphics card as one, on the CPU one after the other."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat.errors import RiverboatError
from riverboat.gpu import DeviceSpot, gpu_cards, packed
from riverboat.spots._device_engine import (
    check_device_options,
    device_bytes,
    flat_spot,
    next_check,
)
from riverboat.spots._devices import check_device
from riverboat.spots._engine import Engine
from riverboat.spots._schedule import DEFAULT, Schedule, find_schedule
from riverboat.spots._slices import Budget
from riverboat.spots._solve import Solving, SpotReport, solve
from riverboat.work import num_cores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from riverboat.gpu import FlatSpot, Mode
    from riverboat.spots._devices import Device
    from riverboat.spots._solution import Solution
    from riverboat.spots._spot import Spot

__all__ = ["solve_many"]

_FIRST_CHECK: Final = 10  # iterations
_MOST_ITERATIONS: Final = 10_000
_MEMORY_SHARE: Final = 0.6  # of what is free on the card, for one pack
_FLOP_CARDS: Final = 3


def solve_many(  # noqa: PLR0913 - options by keyword
    spots: Sequence[Spot],
    *,
    target: float = 0.003,
    iterations: int | None = None,
    threads: int = 0,
    schedule: str | Schedule = DEFAULT,
    device: Device = "cpu",
) -> Iterator[Solution]:
    """Solve many spots; yield their solutions in order.

    On a graphics card as many as fit are solved at once, until all are at the target: so a thousand
    rivers take little longer than one. Their `seconds` are then those of all of them.

    Parameters
    ----------
    spots
        What to solve, of any streets.
    target
        Part of each pot.
    iterations
        At most so many.
    threads, schedule, device
        As in `solve`; `auto` takes a card where there is one and the spots are several.

    Examples
    --------
    >>> from riverboat.spots import Spot, solve_many
    >>> spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh", menu="a")
    >>> [round(each.facts.values[0], 1) for each in solve_many([spot, spot], target=0.0005)]
    [13.3, 13.3]
    """
    budget = Budget(target, None, iterations)
    known = find_schedule(schedule)
    if _on_card(device, known, len(spots)):
        yield from _solved_packs(spots, budget, known, threads or num_cores())
        return
    for spot in spots:
        yield solve(
            spot, target=target, iterations=iterations, threads=threads, schedule=known
        ).finish()


def _on_card(device: Device, schedule: Schedule, count: int) -> bool:
    """Whether a card solves them; else the CPU serves."""
    check_device(device)
    if device == "cpu" or (device == "auto" and count < 2):
        return False
    try:
        check_device_options({"schedule": schedule})
        gpu_cards()
    except RiverboatError:
        return False
    return True


def _solved_packs(
    spots: Sequence[Spot], budget: Budget, schedule: Schedule, threads: int
) -> Iterator[Solution]:
    """Solve as many at once as fit into the card's memory."""
    waiting: list[tuple[Spot, Engine, FlatSpot]] = []
    room = _MEMORY_SHARE * gpu_cards()[0].free_bytes
    taken = 0
    for spot in spots:
        engine = _waiting_engine(spot, schedule, threads)
        flat = flat_spot(engine)
        needed = device_bytes(flat)
        if waiting and taken + needed > room:
            yield from _Pack(waiting, budget).solved()
            waiting, taken = [], 0
        waiting.append((spot, engine, flat))
        taken += needed
    if waiting:
        yield from _Pack(waiting, budget).solved()


class _WaitingEngine(Engine):
    """Holds what the card found: its memory is taken when tables are brought, not before."""

    _prefaults = False


def _waiting_engine(spot: Spot, schedule: Schedule, threads: int) -> Engine:
    """Return a spot's engine. Many wait: only a flop's boards are worth threads of their own."""
    first, second = (each.weights for each in spot.ranges)
    return _WaitingEngine(
        spot.tree(),
        spot.cards,
        (first, second),
        schedule=schedule,
        threads=threads if len(spot.cards) == _FLOP_CARDS else 1,
    )


class _Pack:
    """Spots that a card solves together."""

    def __init__(self, spots: Sequence[tuple[Spot, Engine, FlatSpot]], budget: Budget) -> None:
        self.spots, self.engines, self.flats = zip(*spots, strict=True)
        self.budget = budget
        self.targets = np.array([budget.target * spot.pot for spot in self.spots])
        whole = packed(self.flats)
        self.device = DeviceSpot(whole, own_reach=self.engines[0].own_reach)
        self.start = whole.start
        self.begins = [
            np.cumsum([0, *(len(flat.start[p]) for flat in self.flats)])[:-1] for p in (0, 1)
        ]
        self.iteration = 0

    def solved(self) -> Iterator[Solution]:
        """Solve all, and give each its tables."""
        began = time.perf_counter()
        self._run()
        best = [self._won(player, "best") for player in (0, 1)]
        values = [self._won(player, "average") for player in (0, 1)]
        seconds = time.perf_counter() - began
        averages = [self.device.average[player].get() for player in (0, 1)]
        begins = [0, 0]
        for i, (spot, engine) in enumerate(zip(self.spots, self.engines, strict=True)):
            for player in (0, 1):
                table = engine._core.table("average", player)
                table[...] = averages[player][begins[player] : begins[player] + table.size]
                begins[player] += table.size
            engine.iteration = self.iteration
            chips = float(best[0][i] + best[1][i] - values[0][i] - values[1][i]) / 2
            event: Any = "finished" if chips <= self.targets[i] else "stopped"
            report = SpotReport(
                event=event,
                iteration=self.iteration,
                seconds=seconds,
                exploitability=chips,
                share=chips / spot.pot,
                best_responses=(float(best[0][i]), float(best[1][i])),
                values=(float(values[0][i]), float(values[1][i])),
            )
            solving = Solving(spot, engine, self.budget, (), pace=1)
            solving.report, solving.device = report, "gpu"
            yield solving.solution

    def _run(self) -> None:
        """Iterate until all are at the target."""
        most = self.budget.iterations or _MOST_ITERATIONS
        following = min(_FIRST_CHECK, most)
        before: tuple[int, float] | None = None
        while True:
            engine = self.engines[0]
            factors = np.empty((following - self.iteration, 4), dtype=np.float32)
            engine._discounts.factors_into(self.iteration, factors)
            self.device.run(factors)
            self.iteration = following
            # The spot that is furthest from its target says when to look again.
            worst = float((self._exploitability() / np.maximum(self.targets, 1e-300)).max())
            if worst <= 1 or self.iteration >= most:
                return
            now = (self.iteration, worst)
            following = min(most, next_check(1.0, before, now))
            before = now

    def _exploitability(self) -> NDArray[np.float64]:
        best = self._won(0, "best") + self._won(1, "best")
        sums = [engine._core.constant_sum for engine in self.engines]
        if None in sums:
            return (best - self._won(0, "average") - self._won(1, "average")) / 2
        return (best - np.array(sums, dtype=np.float64)) / 2

    def _won(self, player: int, mode: Mode) -> NDArray[np.float64]:
        """[spots] chips of a deal."""
        values = self.device.root_values(player, mode)
        deals = np.array([engine._core.deals(player) for engine in self.engines])
        sums = np.add.reduceat(self.start[player] * values, self.begins[player])
        chips: NDArray[np.float64] = sums / deals
        return chips
