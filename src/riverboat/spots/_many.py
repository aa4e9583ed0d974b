"""Many spots at once: on a graphics card as one, on the CPU one after the other."""

from __future__ import annotations

import time
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from riverboat.errors import GpuError
from riverboat.gpu import DeviceSpot, gpu_cards, packed, warps
from riverboat.spots._device_engine import device_bytes, flat_spot, next_check
from riverboat.spots._devices import check_device
from riverboat.spots._engine import Engine
from riverboat.spots._schedule import DEFAULT, Schedule, find_schedule
from riverboat.spots._slices import Budget
from riverboat.spots._solve import Solving, SpotReport, solve
from riverboat.work import available_memory, num_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from riverboat.gpu import FlatSpot, Mode, TableName
    from riverboat.spots._devices import Device
    from riverboat.spots._solution import Solution
    from riverboat.spots._spot import Spot

    _Waiting = tuple[Spot, Engine, FlatSpot]

__all__ = ["solve_many", "solving_many"]

_FIRST_CHECK: Final = 10  # iterations
_MOST_ITERATIONS: Final = 10_000
_PIECE_SECONDS: Final = 0.1  # between looks at the clock
_MEMORY_SHARE: Final = 0.6  # of what is free on the card, for what is solved before the next
_FULL: Final = 1000  # items of a pack that keep a large card busy
_FLOP_CARDS: Final = 3


def solve_many(  # noqa: PLR0913 - options by keyword
    spots: Sequence[Spot],
    *,
    target: float = 0.003,
    iterations: int | None = None,
    seconds: float | None = None,
    threads: int = 0,
    schedule: str | Schedule = DEFAULT,
    device: Device = "cpu",
) -> Iterator[Solution]:
    """Solve many spots; yield their solutions in order.

    On a graphics card as many of like size as fit are solved at once, until all are at the target:
    so a thousand rivers take little longer than one. Their `seconds` are then those of all of them.

    Parameters
    ----------
    spots
        What to solve, of any streets.
    target
        Part of each pot.
    iterations, seconds
        At most so many of each; on a card of those that are solved at once.
    threads, schedule, device
        As in `solve`; `auto` takes a card where there is one and the spots are several.

    Examples
    --------
    >>> from riverboat.spots import Spot, solve_many
    >>> spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh", menu="a")
    >>> [round(each.facts.values[0], 1) for each in solve_many([spot, spot], target=0.0005)]
    [13.3, 13.3]
    """
    for each in solving_many(
        spots,
        target=target,
        iterations=iterations,
        seconds=seconds,
        threads=threads,
        schedule=schedule,
        device=device,
    ):
        yield each.solution


def solving_many(  # noqa: PLR0913 - options by keyword
    spots: Sequence[Spot],
    *,
    target: float = 0.003,
    iterations: int | None = None,
    seconds: float | None = None,
    threads: int = 0,
    schedule: str | Schedule = DEFAULT,
    device: Device = "cpu",
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Solving]:
    """Solve as `solve_many` does; yield each with its engine, to be asked more or to go on.

    `stopped` is asked now and then: what is being solved then ends as it stands, and the rest is
    left out.

    Examples
    --------
    >>> from riverboat.spots import Spot, solving_many
    >>> spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh", menu="a")
    >>> [each.engine.best_values(0, 0).shape for each in solving_many([spot, spot], target=0.01)]
    [(1326,), (1326,)]
    """
    known = find_schedule(schedule)
    if _on_card(device, len(spots)):
        budget = Budget(target, seconds, iterations)
        yield from _solved_packs(spots, budget, known, threads or num_cores(), stopped)
        return
    for spot in spots:
        if stopped():
            return
        solving = solve(
            spot,
            target=target,
            seconds=seconds,
            iterations=iterations,
            threads=threads,
            schedule=known,
        )
        solving.stopped = stopped
        solving.finish()
        yield solving


def _on_card(device: Device, count: int) -> bool:
    """Whether a card solves them; else the CPU serves."""
    check_device(device)
    if device == "cpu" or (device == "auto" and count < 2):
        return False
    try:
        gpu_cards()
    except GpuError:
        return False
    return True


def _solved_packs(
    spots: Sequence[Spot],
    budget: Budget,
    schedule: Schedule,
    threads: int,
    stopped: Callable[[], bool],
) -> Iterator[Solving]:
    """Solve what fits into the card's memory, in packs of like size; yield all in order."""
    for waiting in _fitting(spots, schedule, threads):
        numbers = _packs_by_size([flat for _, _, flat in waiting])
        packs: list[list[_Waiting]] = [[] for _ in range(max(numbers) + 1)]
        for number, each in zip(numbers, waiting, strict=True):
            packs[number].append(each)
        waiting.clear()  # whoever takes a solution decides how long its memory is held
        solved = [_solved(pack, budget, stopped) for pack in packs]
        for number in numbers:
            yield from islice(solved[number], 1)


def _solved(pack: list[_Waiting], budget: Budget, stopped: Callable[[], bool]) -> Iterator[Solving]:
    """Solve a pack when its first solution is asked for; none if somebody stopped it before."""
    if not stopped():
        yield from _Pack(pack, budget, stopped).solved()


def _packs_by_size(flats: Sequence[FlatSpot]) -> list[int]:
    """Return the number of each spot's pack.

    A pack is launched as its largest spot needs it, and iterated as its slowest: so spots of the
    same street with about as many hands go together, and too few to keep a card busy with the
    next larger ones.
    """
    sizes = [_size(flat) for flat in flats]
    items: dict[tuple[int, int], int] = {}
    for size, flat in zip(sizes, flats, strict=True):
        items[size] = items.get(size, 0) + len(flat.views[0].item)
    numbers: dict[tuple[int, int], int] = {}
    number = busy = 0
    for size in sorted(items):
        if busy >= _FULL:
            number, busy = number + 1, 0
        numbers[size] = number
        busy += items[size]
    return [numbers[size] for size in sizes]


def _size(flat: FlatSpot) -> tuple[int, int]:
    """Streets to the end, and warps of a block that has all hands."""
    return len(flat.levels(0)), max(warps(int(hands.padded.max())) for hands in flat.hands)


def _fitting(spots: Sequence[Spot], schedule: Schedule, threads: int) -> Iterator[list[_Waiting]]:
    """Cut the spots, in order: a part fits into the card, and its tables here."""
    waiting: list[_Waiting] = []
    room = _MEMORY_SHARE * min(gpu_cards()[0].free_bytes, available_memory())
    taken = 0
    for spot in spots:
        engine = _waiting_engine(spot, schedule, threads)
        flat = flat_spot(engine)
        needed = device_bytes(flat, predictive=schedule.predictive)
        if waiting and taken + needed > room:
            yield waiting
            waiting, taken = [], 0
        waiting.append((spot, engine, flat))
        taken += needed
    if waiting:
        yield waiting


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
    """Spots that a card solves together; those that are done leave the list."""

    def __init__(
        self, waiting: list[_Waiting], budget: Budget, stopped: Callable[[], bool]
    ) -> None:
        self.waiting, self.budget, self.stopped = waiting, budget, stopped
        self.targets = np.array([budget.target * spot.pot for spot, _, _ in waiting])
        flats = [flat for _, _, flat in waiting]
        whole = packed(flats)
        self.engines = [engine for _, engine, _ in waiting]
        first = self.engines[0]
        self.device = DeviceSpot(
            whole, own_reach=first.own_reach, predictive=first.schedule.predictive
        )
        self.start = whole.start
        self.begins = [np.cumsum([0, *(len(flat.start[p]) for flat in flats)])[:-1] for p in (0, 1)]
        self.iteration, self.piece = 0, 1
        self.began = time.perf_counter()

    def solved(self) -> Iterator[Solving]:
        """Solve all, and give each its tables."""
        self._run()
        best = np.stack([self._won(player, "best") for player in (0, 1)], axis=1)
        values = np.stack([self._won(player, "average") for player in (0, 1)], axis=1)
        seconds = time.perf_counter() - self.began
        begins = [0, 0]
        self.engines.clear()  # whoever takes a solution decides how long its memory is held
        for i, target in enumerate(self.targets):
            spot, engine, _ = self.waiting.pop(0)
            chips = float(best[i].sum() - values[i].sum()) / 2
            reached = chips <= target
            self._bring(engine, begins, ("average",) if reached else tuple(self.device.tables))
            solving = Solving(spot, engine, self.budget, (), pace=1)
            solving.slices.seconds = seconds
            solving.device = "gpu"
            solving.report = SpotReport(
                event="finished" if reached else "stopped",
                iteration=self.iteration,
                seconds=seconds,
                exploitability=chips,
                share=chips / spot.pot,
                best_responses=(float(best[i, 0]), float(best[i, 1])),
                values=(float(values[i, 0]), float(values[i, 1])),
            )
            yield solving

    def _bring(self, engine: Engine, begins: list[int], names: Sequence[TableName]) -> None:
        """Fill an engine's tables: the next ones of the pack. Who is to go on needs them all."""
        tables = engine.state()
        for player in (0, 1):
            size = tables[f"average{player}"].size
            part = slice(begins[player], begins[player] + size)
            for name in names if size else ():
                self.device.tables[name][player][part].get(out=tables[f"{name}{player}"])
            begins[player] += size
        engine.iteration = self.iteration

    def _run(self) -> None:
        """Iterate until all are at the target."""
        most = self.budget.iterations or _MOST_ITERATIONS
        following = min(_FIRST_CHECK, most)
        before: tuple[int, float] | None = None
        while True:
            ended = self._iterate_to(following)
            # The spot that is furthest from its target says when to look again.
            worst = float((self._exploitability() / np.maximum(self.targets, 1e-300)).max())
            if worst <= 1 or ended or self.iteration >= most:
                return
            now = (self.iteration, worst)
            following = min(most, next_check(1.0, before, now))
            before = now

    def _iterate_to(self, end: int) -> bool:
        """Iterate in pieces; return whether the clock or somebody ends it before."""
        while self.iteration < end:
            began = time.perf_counter()
            count = min(self.piece, end - self.iteration)
            factors = np.empty((count, 4), dtype=np.float32)
            self.engines[0]._discounts.factors_into(self.iteration, factors)
            self.device.run(factors)
            self.iteration += count
            now = time.perf_counter()
            self.piece = max(1, int(_PIECE_SECONDS * count / max(now - began, 1e-9)))
            spent = self.budget.seconds is not None and now - self.began > self.budget.seconds
            if spent or self.stopped():
                return True
        return False

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
