"""Which of many spots a graphics card solves together: those of like size, as many as fit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from riverboat.gpu import gpu_cards, last_street
from riverboat.runs import available_memory
from riverboat.spots._device_engine import flat_spot, packed_bytes
from riverboat.spots._engine import Engine
from riverboat.spots._spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from riverboat.gpu import FlatSpot, LastStreet
    from riverboat.runs import Stop
    from riverboat.spots._schedule import Schedule
    from riverboat.tree import Tree

_MEMORY_SHARE: Final = 0.6  # of what is free on the card, for what is solved before the next
_FULL: Final = 1000  # items of a pack that keep a large card busy
#: What a betting tree depends on, besides the street.
_BETTING: Final = tuple(
    field for field in Spot.__struct_fields__ if field not in {"board", "oop", "ip"}
)

#: Streets to the end, warps of a block, and rows to a power of two.
_Size = tuple[int, int, int]


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
