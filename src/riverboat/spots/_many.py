"""Solve many spots: on a GPU in packs, on the CPU one after the other.

A pack holds spots of similar size; a GPU solves as many at once as fit into its memory.
"""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat.errors import GpuError
from riverboat.gpu import DeviceSpot, Mode, gpu_cards, last_street, packed
from riverboat.runs import Clock, Slices, Stop, available_memory, num_cores
from riverboat.spots._device_engine import flat_spot, next_check, packed_bytes
from riverboat.spots._engine import Engine
from riverboat.spots._forecast import Place
from riverboat.spots._inputs import find_schedule
from riverboat.spots._settings import SolveSettings
from riverboat.spots._solve import Solving, SpotReport, solve
from riverboat.spots._spot import Spot

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from riverboat.gpu import FlatSpot, LastStreet, TableName
    from riverboat.spots._inputs import Schedule
    from riverboat.spots._settings import Device
    from riverboat.tree import Tree

_MEMORY_SHARE: Final = 0.6  # of free GPU memory, for one part
_FULL: Final = 1000  # items of a pack that keep a large GPU busy
#: Fields that determine a betting tree, besides the street.
_BETTING: Final = tuple(
    field for field in Spot.__struct_fields__ if field not in {"board", "oop", "ip"}
)

#: Number of streets, warps per block, and log2 of the rows.
_Size = tuple[int, int, int]

_FIRST_CHECK: Final = 10  # iterations
_MOST_ITERATIONS: Final = 10_000
_AHEAD: Final = 2**22  # numbers of a table per download


@dataclass(frozen=True, slots=True)
class Waiting:
    """A spot that waits for the GPU; its engine will hold the results."""

    spot: Spot
    engine: Engine
    flat: FlatSpot
    last: LastStreet
    size: _Size
    """Equal within a pack, because the largest spot of a pack determines the launches."""

    @property
    def bytes(self) -> int:
        """GPU memory, without the rows of blocks, which a pack shares."""
        return packed_bytes(self.flat, predictive=self.engine.schedule.predictive)


def fitting(
    spots: Sequence[Spot], schedule: Schedule, threads: int, stop: Stop
) -> Iterator[list[Waiting]]:
    """Split the spots, in order, into parts that fit into GPU memory and main memory."""
    room = _room()
    part: list[Waiting] = []
    sizes: dict[_Size, LastStreet] = {}
    taken = 0
    for waiting in _prepare(spots, schedule, threads):
        if stop.asked:
            return
        size, needed = waiting.size, waiting.bytes
        joined = {**sizes, size: waiting.last.joined(sizes.get(size))}
        if part and taken + needed + _scratch(joined) > room:
            yield part
            part, joined, taken = [], {size: waiting.last}, 0
            room = _room()
        part.append(waiting)
        sizes, taken = joined, taken + needed
    if part:
        yield part


def _room() -> float:
    """Memory for a part, bytes."""
    return _MEMORY_SHARE * min(gpu_cards()[0].free_bytes, available_memory())


def pack_numbers(part: Sequence[Waiting]) -> list[int]:
    """Return the number of each spot's pack.

    The slowest spot of a pack determines its iterations. So a pack has spots of the same street
    and of similar numbers of hands and lines; too few to keep a GPU busy join the next larger.
    """
    sizes: dict[_Size, LastStreet] = {}
    for waiting in part:
        sizes[waiting.size] = waiting.last.joined(sizes.get(waiting.size))
    numbers = _numbers(sizes)
    return [numbers[waiting.size] for waiting in part]


def _numbers(sizes: Mapping[_Size, LastStreet]) -> dict[_Size, int]:
    """Number of the pack of each size."""
    numbers: dict[_Size, int] = {}
    number = busy = 0
    for size in sorted(sizes):
        if busy >= _FULL:
            number, busy = number + 1, 0
        numbers[size] = number
        busy += sizes[size].items
    return numbers


def _scratch(sizes: Mapping[_Size, LastStreet]) -> int:
    """Memory of the block rows of all packs, bytes."""
    packs: dict[int, LastStreet] = {}
    for size, number in _numbers(sizes).items():
        packs[number] = sizes[size].joined(packs.get(number))
    return sum(last.scratch_bytes for last in packs.values())


class _WaitingEngine(Engine):
    """Holds results of the GPU; its memory is used only once tables are downloaded."""

    _prefaults = False


def _prepare(spots: Sequence[Spot], schedule: Schedule, threads: int) -> Iterator[Waiting]:
    """Build the engines and flat arrays, in threads; rivers are too small to gain from threads.

    Spots that differ only by their cards share a tree.
    """
    trees: dict[object, Tree] = {}

    def tree_of(spot: Spot) -> Tree:
        key = spot.street, *(getattr(spot, name) for name in _BETTING)
        if key not in trees:
            trees[key] = spot.tree()
        return trees[key]

    make = partial(_waiting, schedule=schedule, threads=threads)
    with ThreadPoolExecutor(threads) as pool:
        for begin in range(0, len(spots), threads):
            some = spots[begin : begin + threads]
            rivers = all(spot.street == "river" for spot in some)
            yield from (map if rivers else pool.map)(make, some, [tree_of(spot) for spot in some])


def _waiting(spot: Spot, tree: Tree, schedule: Schedule, threads: int) -> Waiting:
    """Build the engine and flat arrays; only the boards of a flop are worth several threads."""
    first, second = (held.weights for held in spot.ranges)
    engine = _WaitingEngine(
        tree,
        spot.cards,
        (first, second),
        schedule=schedule,
        threads=threads if spot.street == "flop" else 1,
    )
    flat = flat_spot(engine)
    last = last_street(flat)
    size = len(flat.levels(0)), last.warps, last.rows.bit_length()
    return Waiting(spot, engine, flat, last, size)


def solve_many(
    spots: Sequence[Spot],
    settings: SolveSettings = SolveSettings(),  # noqa: B008 - frozen
    stop: Stop | None = None,
) -> Iterator[Solving]:
    """Solve many spots; yield each when it is solved, in order, with `solution` and `engine`.

    A GPU solves as many spots of similar size at once as fit into its memory, until all reach the
    target: a thousand rivers take little longer than one. `seconds` is then the time of all of
    them. A spot that did not reach the target can be resumed.

    Parameters
    ----------
    spots
        The spots, of any streets.
    settings
        Settings of each spot. On a GPU limits apply to all spots that are solved at once, with at
        most 10,000 iterations, 32 bits and no locks; `auto` uses a GPU for two or more spots.
    stop
        A stop request: the spots being solved end as they are, all others are left out.

    Examples
    --------
    >>> from riverboat.spots import SolveSettings, Spot, solve_many
    >>> spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh", menu="a")
    >>> solves = solve_many([spot, spot], SolveSettings(target=0.0005))
    >>> [round(solving.solution.facts.values[0], 1) for solving in solves]
    [13.3, 13.3]
    """
    stop = stop or Stop()
    if _use_gpu(settings.device, len(spots)):
        yield from _solve_packs(spots, settings, stop)
        return
    for spot in spots:
        if stop.asked:
            return
        yield _on_cpu(spot, settings, stop)


def _use_gpu(device: Device, count: int) -> bool:
    """Whether a GPU solves the spots."""
    if device == "cpu" or (device == "auto" and count < 2):
        return False
    try:
        gpu_cards()
    except GpuError:
        return False
    return True


def _solve_packs(spots: Sequence[Spot], settings: SolveSettings, stop: Stop) -> Iterator[Solving]:
    """Solve part by part in packs of similar size; yield all spots in order."""
    schedule, threads = find_schedule(settings.schedule), settings.threads or num_cores()
    for part in fitting(spots, schedule, threads, stop):
        numbers = pack_numbers(part)
        packs = [
            [waiting for waiting, number in zip(part, numbers, strict=True) if number == pack]
            for pack in range(max(numbers) + 1)
        ]
        part.clear()  # the caller decides how long a solution's memory is kept
        solved = [_solve_pack(pack, settings, stop) for pack in packs]
        left = Counter(numbers)
        for number in numbers:
            solving = next(solved[number], None)
            left[number] -= 1
            if not left[number]:
                solved[number].close()  # frees its tables on the GPU
            if solving is not None:
                yield solving


def _solve_pack(
    pack: list[Waiting], settings: SolveSettings, stop: Stop
) -> Generator[Solving, None, None]:
    """Solve a pack lazily, when its first solution is requested; nothing after a stop.

    If GPU memory does not suffice, the pack is halved, down to a single spot, which the CPU solves.
    """
    if stop.asked:
        return
    solved = _Pack(list(pack), settings, stop).solved()
    try:
        first = next(solved)
    except GpuError as error:
        notice = f"Solving on the CPU: {error}."
    else:
        pack.clear()
        yield first
        yield from solved
        return
    if len(pack) == 1:
        solving = _on_cpu(pack[0].spot, settings.changed(threads=0), stop)
        solving.notice = notice
        yield solving
        return
    half = len(pack) // 2
    halves = pack[:half], pack[half:]
    pack.clear()
    for part in halves:
        yield from _solve_pack(part, settings, stop)


def _on_cpu(spot: Spot, settings: SolveSettings, stop: Stop) -> Solving:
    solving = solve(spot, settings.changed(device="cpu"))
    solving.finish(stop)
    return solving


class _Download:
    """Downloads a table in order: many small parts in one transfer."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self._begin, self._here = 0, np.zeros(0, dtype=table.dtype)

    def into(self, part: slice, out: NDArray[Any]) -> None:
        """Copy a part that follows the last one."""
        if part.stop > self._begin + len(self._here):
            self._begin = part.start
            self._here = self._table[part.start : max(part.stop, part.start + _AHEAD)].get()
        out[...] = self._here[part.start - self._begin : part.stop - self._begin]


class _Pack:
    """Spots that a GPU solves together; a spot leaves the list once it is yielded."""

    def __init__(self, waiting: list[Waiting], settings: SolveSettings, stop: Stop) -> None:
        self.waiting, self.settings, self.stop = waiting, settings, stop
        self.targets = np.array([settings.target * item.spot.pot for item in waiting])
        self.engines = [item.engine for item in waiting]
        self.following, self.slices = _FIRST_CHECK, Slices(self._iterate)

    def _start(self) -> None:
        """Upload all spots."""
        self.began = time.perf_counter()
        flats = [item.flat for item in self.waiting]
        whole, first = packed(flats), self.engines[0]
        self.device = DeviceSpot(
            whole, own_reach=first.own_reach, predictive=first.schedule.predictive
        )
        self.downloads = {
            name: [_Download(table) for table in both] for name, both in self.device.tables.items()
        }
        self.start = whole.start
        self.begins = [np.cumsum([0, *(len(flat.start[p]) for flat in flats)])[:-1] for p in (0, 1)]

    def solved(self) -> Iterator[Solving]:
        """Solve all spots; yield each with its tables."""
        self._start()
        self._run()
        best = np.stack([self._won(player, Mode.best) for player in (0, 1)], axis=1)
        values = np.stack([self._won(player, Mode.average) for player in (0, 1)], axis=1)
        seconds = time.perf_counter() - self.began
        begins = [0, 0]
        self.engines.clear()  # the caller decides how long a solution's memory is kept
        for i, target in enumerate(self.targets):
            waiting = self.waiting.pop(0)
            spot, engine = waiting.spot, waiting.engine
            chips = float(best[i].sum() - values[i].sum()) / 2
            reached = chips <= target
            self._download(engine, begins, ("average",) if reached else tuple(self.device.tables))
            solving = Solving(spot, engine, self.settings, Place("gpu", "", 1.0))
            solving.slices.seconds = seconds
            solving.report = SpotReport(
                event="finished" if reached else "stopped",
                iteration=self.slices.iterations,
                seconds=seconds,
                exploitability=chips,
                share=chips / spot.pot,
                best_responses=(float(best[i, 0]), float(best[i, 1])),
                values=(float(values[i, 0]), float(values[i, 1])),
                device=solving.device,
            )
            yield solving

    def _download(self, engine: Engine, begins: list[int], names: Sequence[TableName]) -> None:
        """Fill the tables of the pack's next engine; resuming needs all tables."""
        tables = engine.state()
        for player in (0, 1):
            size = tables[f"average{player}"].size
            part = slice(begins[player], begins[player] + size)
            for name in names if size else ():
                self.downloads[name][player].into(part, tables[f"{name}{player}"])
            begins[player] += size
        engine.iteration = self.slices.iterations

    def _run(self) -> None:
        """Iterate until all spots reach the target, or a limit."""
        seconds = self.settings.seconds
        until: dict[Clock, float] = {"iterations": self.settings.iterations or _MOST_ITERATIONS}
        if seconds is not None:
            until["wall"] = self.began + seconds
        before: tuple[int, float] | None = None
        self.slices.advance(1)
        for _ in chain([None], self.slices.run(until)):
            if self.stop.asked:
                return
            if self.slices.iterations < self.following:
                continue
            # The spot furthest from its target determines the next check.
            worst = float((self._exploitability() / np.maximum(self.targets, 1e-300)).max())
            if worst <= 1:
                return
            now = (self.slices.iterations, worst)
            self.following, before = next_check(1.0, before, now), now

    def _iterate(self, first: int, last: int) -> int:
        """Iterate, at most up to the next check."""
        end = min(last, self.following)
        factors = np.empty((end - first, 4), dtype=np.float32)
        self.engines[0]._discounts.factors_into(first, factors)
        self.device.run(factors)
        return end

    def _exploitability(self) -> NDArray[np.float64]:
        best = self._won(0, Mode.best) + self._won(1, Mode.best)
        sums = [engine._core.constant_sum for engine in self.engines]
        if None in sums:
            return (best - self._won(0, Mode.average) - self._won(1, Mode.average)) / 2
        return (best - np.array(sums, dtype=np.float64)) / 2

    def _won(self, player: int, mode: Mode) -> NDArray[np.float64]:
        """[spots] EV in chips."""
        values = self.device.root_values(player, mode)
        deals = np.array([engine._core.deals(player) for engine in self.engines])
        sums = np.add.reduceat(self.start[player] * values, self.begins[player])
        chips: NDArray[np.float64] = sums / deals
        return chips
