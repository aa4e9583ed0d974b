"""How a walk is cut: into parts by boards, into launches of kernels, and what blocks of them take.

The last street of some boards comes after that of others, so that rows are few; values of the last
street are read once, on the street before. An exact check, whose numbers are twice as long, walks a
flop in two parts, and takes hardly more memory than training does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.gpu._flat import FlatSpot

CHECK_PARTS: Final = 2
_FLOAT, _DOUBLE = 4, 8

LANE_BYTES: Final = 16  # some terminals side by side
PAYS: Final = 8  # numbers of a lane
WARP: Final = 32
_HANDS: Final = 4  # of a thread that has all of a hand
_MOST_WARPS: Final = 10
_CARDS: Final = 52
_PROCESSORS, _WARPS_AT_ONCE = 132, 16  # of an H200, and warps of the last street on each


class Part(NamedTuple):
    """Some boards of the street before the last, and their successors."""

    last: NDArray[np.int32]
    """Items of the last street."""
    above: NDArray[np.int32]
    """Items of the street before it; empty with one street."""
    begin: int
    end: int
    """Range of the values of `last`."""


def walk_parts(spot: FlatSpot, player: int, parts: int) -> list[Part]:
    """Return the parts of a walk, split by boards before the last street; of many spots one."""
    view, levels = spot.views[player], spot.levels(player)
    begin = int(view.item_rows[levels[0], 1].min())
    if len(levels) == 1 or (view.item[:, 2] < 0).sum() > 1:
        above = levels[1] if len(levels) > 1 else np.zeros(0, dtype=np.int32)
        return [Part(levels[0], above, begin, view.value_size)]
    # Successors of consecutive boards are consecutive boards, items and rows.
    boards = view.item[levels[1], 0]
    last_boards = view.item[levels[0], 0]
    found = []
    for some in np.array_split(np.unique(boards), parts):
        if len(some):
            first = spot.first_child[some[0]]
            end = spot.first_child[some[-1]] + spot.num_children[some[-1]]
            last = levels[0][(last_boards >= first) & (last_boards < end)]
            above = levels[1][(boards >= some[0]) & (boards <= some[-1])]
            found.append((last, above))
    begins = [int(view.item_rows[last[0], 1]) for last, _ in found]
    ends = [*begins[1:], view.value_size]
    return [Part(*both, *of) for both, *of in zip(found, begins, ends, strict=True)]


def row_numbers(spot: FlatSpot, parts: int) -> tuple[int, int]:
    """Return the numbers of the rows of reach and of values, the larger of both players."""
    values = [view.value_size for view in spot.views]
    for player in (0, 1) if parts > 1 else ():
        found = walk_parts(spot, player, parts)
        values[player] = found[0].begin + max(part.end - part.begin for part in found)
    return max(view.reach_size for view in spot.views), max(values)


def row_bytes(spot: FlatSpot) -> int:
    """Return the bytes of rows; training and exact checks share them."""
    sizes = (
        [size * each for each in row_numbers(spot, parts)]
        for size, parts in ((_FLOAT, 1), (_DOUBLE, CHECK_PARTS))
    )
    return sum(max(pair) for pair in zip(*sizes, strict=True))


class Shape:
    """Launch sizes for the items of a level.

    Attributes
    ----------
    items, lanes, exits, leaves, orbits
        How many there are, of an item the most; whether suits can be renamed.
    own_chunks, other_chunks
        Warps for all hands of the traverser, and of the other player.
    rows
        Numbers of an item's reaches and values on the last street, the most.
    threads, shared_bytes
        Of a block that has all hands; without the steps of a segment.
    """

    def __init__(self, spot: FlatSpot, player: int, items: NDArray[np.int32]) -> None:
        view, mine, other = spot.views[player], spot.hands[player], spot.hands[1 - player]
        boards, segments = view.item[items, 0], view.item[items, 1]
        own, there = mine.padded[boards].astype(np.int64), other.padded[boards].astype(np.int64)
        self.items = len(items)
        self.own_chunks, self.other_chunks = -(-int(own.max()) // 32), -(-int(there.max()) // 32)
        self.lanes, self.exits, self.leaves = (
            int(view.bound(name)[segments].max()) for name in ("lanes", "num_exits", "leaves")
        )
        self.orbits = bool((mine.orbit_begin[boards + 1] > mine.orbit_begin[boards]).any())
        self.rows, warps = _rows_and_warps(spot, player, items)
        self.threads = WARP * warps
        others = int(other.count[boards].max())
        self.shared_bytes = LANE_BYTES * (4 * others + 1 + _CARDS + _MOST_WARPS)
        self._stages = view.stages()[np.unique(segments)]

    def program_bytes(self, *, double: bool) -> int:
        """Return the bytes of a segment's steps in shared memory."""
        _, downs, _, ups, _, children, _, lanes = self._stages.T
        pays = lanes * PAYS * (8 if double else 4) // 16
        return 16 * int((downs + ups + lanes + pays + (children + 3) // 4).max())


class LastStreet(NamedTuple):
    """Sizes of the last street of one or several spots: the maximum of both players."""

    items: int
    rows: int
    """Numbers of an item's reaches and values."""
    warps: int
    """Of a block."""

    @property
    def scratch_bytes(self) -> int:
        """Estimated bytes of block rows on a large GPU; a smaller GPU needs less."""
        blocks = min(self.items, _PROCESSORS * max(2, _WARPS_AT_ONCE // self.warps))
        return 8 * self.rows * -(-blocks // 2)  # of an exact check: half as many, twice as long

    def joined(self, other: LastStreet | None) -> LastStreet:
        """Return the sizes of both in one pack."""
        if other is None:
            return self
        rows, warps = max(self.rows, other.rows), max(self.warps, other.warps)
        return LastStreet(self.items + other.items, rows, warps)


def last_street(spot: FlatSpot) -> LastStreet:
    """Return the sizes of a spot's last street."""
    found = []
    for player in (0, 1):
        items = spot.levels(player)[0]
        found.append((len(items), *_rows_and_warps(spot, player, items)))
    return LastStreet(*(max(pair) for pair in zip(*found, strict=True)))


def _rows_and_warps(spot: FlatSpot, player: int, items: NDArray[np.int32]) -> tuple[int, int]:
    """Numbers of an item's rows, and warps of a block that has all hands: the most."""
    view = spot.views[player]
    boards, segments = view.item[items, 0], view.item[items, 1]
    hands = max(1, *(int(each.padded[boards].max()) for each in spot.hands))
    warps = -(-hands // (WARP * _HANDS))
    return int(view.bound("rows")[segments].max()) * WARP * _HANDS * warps, warps
