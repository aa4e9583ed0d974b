"""Many spots at once: on a GPU as one, on the CPU one after the other.

A GPU solves spots of similar size together, as many as fit into its memory.
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
from riverboat.gpu import DeviceSpot, gpu_cards, last_street, packed
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

    from riverboat.gpu import FlatSpot, LastStreet, Mode, TableName
    from riverboat.spots._inputs import Schedule
    from riverboat.spots._settings import Device
    from riverboat.tree import Tree

_MEMORY_SHARE: Final = 0.6  # of what is free on the card, for what is solved before the next
_FULL: Final = 1000  # items of a pack that keep a large card busy
#: What a betting tree depends on, besides the street.
_BETTING: Final = tuple(
    field for field in Spot.__struct_fields__ if field not in {"board", "oop", "ip"}
)

#: Streets to the end, warps of a block, and rows to a power of two.
_Size = tuple[int, int, int]

_FIRST_CHECK: Final = 10  # iterations
_MOST_ITERATIONS: Final = 10_000
_AHEAD: Final = 2**22  # numbers of a table that come at once


@dataclass(frozen=True, slots=True)
class Waiting:
    """A spot that waits for a card; its engine holds what the card will have found."""

    spot: Spot
    engine: Engine
    flat: FlatSpot
    last: LastStreet
    size: _Size
    """What must be alike in a pack, which is launched as its largest spot needs it."""

    @property
    def bytes(self) -> int:
        """On the card, without the rows of blocks, which a pack shares."""
        return packed_bytes(self.flat, predictive=self.engine.schedule.predictive)


def fitting(
    spots: Sequence[Spot], schedule: Schedule, threads: int, stop: Stop
) -> Iterator[list[Waiting]]:
    """Cut the spots, in order: a part fits into the card, and its tables here."""
    room = _room()
    part: list[Waiting] = []
    sizes: dict[_Size, LastStreet] = {}
    taken = 0
    for each in _made(spots, schedule, threads):
        if stop.asked:
            return
        size, needed = each.size, each.bytes
        joined = {**sizes, size: each.last.joined(sizes.get(size))}
        if part and taken + needed + _scratch(joined) > room:
            yield part
            part, joined, taken = [], {size: each.last}, 0
            room = _room()
        part.append(each)
        sizes, taken = joined, taken + needed
    if part:
        yield part


def _room() -> float:
    """Bytes for a part."""
    return _MEMORY_SHARE * min(gpu_cards()[0].free_bytes, available_memory())


def pack_numbers(part: Sequence[Waiting]) -> list[int]:
    """Return the number of each spot's pack.

    A pack is iterated as its slowest spot needs it, too. So spots of the same street and about as
    many hands and lines go together, and too few to keep a card busy with the next larger ones.
    """
    sizes: dict[_Size, LastStreet] = {}
    for each in part:
        sizes[each.size] = each.last.joined(sizes.get(each.size))
    numbers = _numbers(sizes)
    return [numbers[each.size] for each in part]


def _numbers(sizes: Mapping[_Size, LastStreet]) -> dict[_Size, int]:
    """The pack of each size."""
    numbers: dict[_Size, int] = {}
    number = busy = 0
    for size in sorted(sizes):
        if busy >= _FULL:
            number, busy = number + 1, 0
        numbers[size] = number
        busy += sizes[size].items
    return numbers


def _scratch(sizes: Mapping[_Size, LastStreet]) -> int:
    """Bytes of the rows of blocks of all packs."""
    packs: dict[int, LastStreet] = {}
    for size, number in _numbers(sizes).items():
        packs[number] = sizes[size].joined(packs.get(number))
    return sum(last.scratch_bytes for last in packs.values())


class _WaitingEngine(Engine):
    """Holds what the card found: its memory is taken when tables are brought, not before."""

    _prefaults = False


def _made(spots: Sequence[Spot], schedule: Schedule, threads: int) -> Iterator[Waiting]:
    """Make what waits, some at once; a river takes less than a thread that waits for Python.

    Spots that differ by their cards only have one tree.
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
    """Make it. Many wait: only a flop's boards are worth threads of their own."""
    first, second = (each.weights for each in spot.ranges)
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
    """Solve many spots; yield each, solved, in order. Each has its `solution` and its `engine`.

    On a graphics card as many of like size as fit are solved at once, until all are at the target:
    so a thousand rivers take little longer than one. Their `seconds` are then those of all of them.
    What a card did not bring to the target can go on.

    Parameters
    ----------
    spots
        What to solve, of any streets.
    settings
        Of each. Budgets are those of spots that a card solves at once, which has at most 10,000
        iterations, 32 bits and no locks; `auto` takes a card where the spots are several.
    stop
        After it what is being solved ends as it stands, and the rest is left out, in the midst of
        the others, too.

    Examples
    --------
    >>> from riverboat.spots import SolveSettings, Spot, solve_many
    >>> spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh", menu="a")
    >>> found = solve_many([spot, spot], SolveSettings(target=0.0005))
    >>> [round(each.solution.facts.values[0], 1) for each in found]
    [13.3, 13.3]
    """
    stop = stop or Stop()
    if _on_card(settings.device, len(spots)):
        yield from _solved_packs(spots, settings, stop)
        return
    for spot in spots:
        if stop.asked:
            return
        yield _on_cpu(spot, settings, stop)


def _on_card(device: Device, count: int) -> bool:
    """Whether a card solves them; else the CPU serves."""
    if device == "cpu" or (device == "auto" and count < 2):
        return False
    try:
        gpu_cards()
    except GpuError:
        return False
    return True


def _solved_packs(spots: Sequence[Spot], settings: SolveSettings, stop: Stop) -> Iterator[Solving]:
    """Solve what fits into the card's memory, in packs of like size; yield all in order."""
    schedule, threads = find_schedule(settings.schedule), settings.threads or num_cores()
    for part in fitting(spots, schedule, threads, stop):
        numbers = pack_numbers(part)
        packs = [
            [each for each, number in zip(part, numbers, strict=True) if number == pack]
            for pack in range(max(numbers) + 1)
        ]
        part.clear()  # whoever takes a solution decides how long its memory is held
        solved = [_solved(pack, settings, stop) for pack in packs]
        left = Counter(numbers)
        for number in numbers:
            found = next(solved[number], None)
            left[number] -= 1
            if not left[number]:
                solved[number].close()  # its tables on the card are not needed any more
            if found is not None:
                yield found


def _solved(
    pack: list[Waiting], settings: SolveSettings, stop: Stop
) -> Generator[Solving, None, None]:
    """Solve a pack when its first solution is asked for; none if somebody stopped it before.

    Where the card's memory does not suffice its halves are solved, in the end one by the CPU.
    """
    if stop.asked:
        return
    solved = _Pack(list(pack), settings, stop).solved()
    try:
        first = next(solved)
    except GpuError as error:
        notice = f"The CPU solves it: {error}."
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
        yield from _solved(part, settings, stop)


def _on_cpu(spot: Spot, settings: SolveSettings, stop: Stop) -> Solving:
    solving = solve(spot, settings.changed(device="cpu"))
    solving.finish(stop)
    return solving


class _Brought:
    """A table on the card that is read from its beginning: many small parts come at once."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self._begin, self._here = 0, np.zeros(0, dtype=table.dtype)

    def into(self, part: slice, out: NDArray[Any]) -> None:
        """Bring a part that lies behind the last."""
        if part.stop > self._begin + len(self._here):
            self._begin = part.start
            self._here = self._table[part.start : max(part.stop, part.start + _AHEAD)].get()
        out[...] = self._here[part.start - self._begin : part.stop - self._begin]


class _Pack:
    """Spots that a card solves together; those that are done leave the list."""

    def __init__(self, waiting: list[Waiting], settings: SolveSettings, stop: Stop) -> None:
        self.waiting, self.settings, self.stop = waiting, settings, stop
        self.targets = np.array([settings.target * each.spot.pot for each in waiting])
        self.engines = [each.engine for each in waiting]
        self.following, self.slices = _FIRST_CHECK, Slices(self._iterate)

    def _start(self) -> None:
        """Bring all to the card."""
        self.began = time.perf_counter()
        flats = [each.flat for each in self.waiting]
        whole, first = packed(flats), self.engines[0]
        self.device = DeviceSpot(
            whole, own_reach=first.own_reach, predictive=first.schedule.predictive
        )
        self.brought = {
            name: [_Brought(table) for table in both] for name, both in self.device.tables.items()
        }
        self.start = whole.start
        self.begins = [np.cumsum([0, *(len(flat.start[p]) for flat in flats)])[:-1] for p in (0, 1)]

    def solved(self) -> Iterator[Solving]:
        """Solve all, and give each its tables."""
        self._start()
        self._run()
        best = np.stack([self._won(player, "best") for player in (0, 1)], axis=1)
        values = np.stack([self._won(player, "average") for player in (0, 1)], axis=1)
        seconds = time.perf_counter() - self.began
        begins = [0, 0]
        self.engines.clear()  # whoever takes a solution decides how long its memory is held
        for i, target in enumerate(self.targets):
            waiting = self.waiting.pop(0)
            spot, engine = waiting.spot, waiting.engine
            chips = float(best[i].sum() - values[i].sum()) / 2
            reached = chips <= target
            self._bring(engine, begins, ("average",) if reached else tuple(self.device.tables))
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

    def _bring(self, engine: Engine, begins: list[int], names: Sequence[TableName]) -> None:
        """Fill an engine's tables: the next ones of the pack. Who is to go on needs them all."""
        tables = engine.state()
        for player in (0, 1):
            size = tables[f"average{player}"].size
            part = slice(begins[player], begins[player] + size)
            for name in names if size else ():
                self.brought[name][player].into(part, tables[f"{name}{player}"])
            begins[player] += size
        engine.iteration = self.slices.iterations

    def _run(self) -> None:
        """Iterate until all are at the target."""
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
            # The spot that is furthest from its target says when to look again.
            worst = float((self._exploitability() / np.maximum(self.targets, 1e-300)).max())
            if worst <= 1:
                return
            now = (self.slices.iterations, worst)
            self.following, before = next_check(1.0, before, now), now

    def _iterate(self, first: int, last: int) -> int:
        """Iterate to the next check at most."""
        end = min(last, self.following)
        factors = np.empty((end - first, 4), dtype=np.float32)
        self.engines[0]._discounts.factors_into(first, factors)
        self.device.run(factors)
        return end

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
