"""Spots as flat arrays, which the core compiles for all devices; several spots packed as one."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat import _core

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

#: Names of the columns of `FlatView.bounds`.
FLAT_BOUNDS: Final = _core.FLAT_BOUNDS
#: By part of a flat spot, the arrays in the kernels' order: name, NumPy type, columns.
FLAT_ARRAYS: Final = _core.flat_arrays()
#: What the player plays whose values are computed.
Mode = _core.WalkMode

_COLUMNS: Final = {name: column for column, name in enumerate(FLAT_BOUNDS)}

#: In `FlatHands.moved`: the hand is not on the board.
NOWHERE: Final = 0xFFFF


@dataclass(frozen=True, slots=True)
class FlatHands:
    """One player's hands on all boards, one board after the other: core/spots/flat.hpp.

    Attributes
    ----------
    count, padded, begin
        `[boards]` hands of a board, numbers in its rows, and where they begin below.
    parent, same
        `[hands] uint16` places on the board before, and of the other player's same hand.
    record
        `[hands, 8] uint16` where a hand finds the sums over the other's hands: all that are weaker,
        and not stronger; of those with its first card, then its second, the same; and all of both.
    listed, lists
        `[hands, 2]` places in the lists of the hand's cards, `[boards, 53]` where lists begin.
    moved_begin, moved
        Where a hand of the board before is on a board.
    orbit_begin, orbit_ends, orbits
        Isomorphic hands.
    base, base_row
        `[boards]` where a board's numbers and rows begin in the tables.
    """

    count: NDArray[np.int32]
    padded: NDArray[np.int32]
    begin: NDArray[np.int64]
    parent: NDArray[np.uint16]
    same: NDArray[np.uint16]
    record: NDArray[np.uint16]
    listed: NDArray[np.uint16]
    lists: NDArray[np.uint16]
    moved_begin: NDArray[np.int64]
    moved: NDArray[np.uint16]
    orbit_begin: NDArray[np.int32]
    orbit_ends: NDArray[np.int32]
    orbits: NDArray[np.uint16]
    base: NDArray[np.int64]
    base_row: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class FlatView:
    """What a traverser runs, all segments one after the other: core/spots/flat.hpp.

    Attributes
    ----------
    bounds
        `[segments, 12]` rows, leaves, and where the segment's parts are: see `bound`.
    down, up, children, exits, entries, lanes, pays
        Steps by level, ways out and in, and the ends of lines with their payoffs, chips.
    item, item_rows
        `[items, 4]` board, segment, item before (below 0: -1 less the place of its root's reach),
        street; `[items, 2]` where reaches and values are.
    """

    bounds: NDArray[np.int32]
    down_levels: NDArray[np.int32]
    up_levels: NDArray[np.int32]
    down: NDArray[np.int32]
    up: NDArray[np.int32]
    children: NDArray[np.int32]
    exits: NDArray[np.int32]
    entries: NDArray[np.int32]
    lanes: NDArray[np.int32]
    pays: NDArray[np.float64]
    item: NDArray[np.int32]
    item_rows: NDArray[np.int64]
    reach_size: int
    value_size: int

    def bound(self, name: str) -> NDArray[np.int32]:
        """Return `[segments]` the bounds with a name of `FlatBounds` in core/spots/flat.hpp."""
        return self.bounds[:, _COLUMNS[name]]

    def stages(self) -> NDArray[np.int32]:
        """Return `[segments, 8]`: where the steps of each segment are.

        The first step down and how many; likewise steps up, children and lanes.
        """
        begin = self.bound("first_down")
        first_down = self.down_levels[begin]
        downs = self.down_levels[begin + self.bound("down_levels")] - first_down
        begin = self.bound("first_up")
        first_up = self.up_levels[begin]
        ups = self.up_levels[begin + self.bound("up_levels")] - first_up
        counts = np.concatenate([[0], np.cumsum(self.up[:, 2])])
        children = counts[first_up + ups] - counts[first_up]
        columns = (first_down, downs, first_up, ups, np.cumsum(children) - children, children)
        lanes = self.bound("first_lane"), self.bound("lanes")
        return np.stack([*columns, *lanes], axis=1).astype(np.int32)


@dataclass(frozen=True, slots=True)
class FlatSpot:
    """One or several spots as flat arrays.

    Attributes
    ----------
    hands, views
        Of both players.
    first_child, num_children, weight
        `[boards]` those that follow a board, and the chance of it times the boards it stands for.
    segments, segment_items
        `[segments, 4]` street, first exit before it, entries, whether it is of the last street;
        `[segments, 2]` an item's number is first + board * second.
    start
        Each player's reaches at the roots, `[padded hands of all roots] float64`.
    num_numbers, num_rows
        Of each player's tables.
    """

    hands: tuple[FlatHands, FlatHands]
    views: tuple[FlatView, FlatView]
    first_child: NDArray[np.int32]
    num_children: NDArray[np.int32]
    weight: NDArray[np.float64]
    segments: NDArray[np.int32]
    segment_items: NDArray[np.int32]
    start: tuple[NDArray[np.float64], NDArray[np.float64]]
    num_numbers: tuple[int, int]
    num_rows: tuple[int, int]

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays of hands and views."""
        parts = (*self.hands, *self.views)
        found = [getattr(part, name) for part in parts for name in part.__dataclass_fields__]
        return sum(each.nbytes for each in found if isinstance(each, np.ndarray))

    def levels(self, player: int) -> list[NDArray[np.int32]]:
        """Return the items by number of streets to the last one; the last street is 0."""
        view = self.views[player]
        if self.segments[:, 3].all():  # rivers
            return [np.arange(len(view.item), dtype=np.int32)]
        segment = view.item[:, 1]
        depth = _streets_left(self)[segment]
        return [
            np.flatnonzero(depth == each).astype(np.int32) for each in range(int(depth.max()) + 1)
        ]

    def roots(self, player: int) -> NDArray[np.int64]:
        """Return `[padded hands of all roots]` positions of their values."""
        view, padded = self.views[player], self.hands[player].padded
        items = np.flatnonzero(view.item[:, 2] < 0)
        board, segment = view.item[items, 0], view.item[items, 1]
        row = view.entries[view.bound("first_entry")[segment], 1]
        hands = padded[board].astype(np.int64)
        begins = view.item_rows[items, 1] + row * hands
        return np.repeat(begins - _begins(hands), hands) + np.arange(hands.sum())


def _streets_left(spot: FlatSpot) -> NDArray[np.int32]:
    """[segments] number of streets to the last one."""
    left = np.where(spot.segments[:, 3] != 0, 0, -1).astype(np.int32)
    view = spot.views[0]
    for segment in reversed(range(len(left))):  # those behind come later
        if left[segment] < 0:
            first, count = (view.bound(name)[segment] for name in ("first_exit", "num_exits"))
            left[segment] = 1 + left[view.exits[first : first + count, 2]].max()
    return left


# ---- Many spots as one


def packed(spots: Sequence[FlatSpot]) -> FlatSpot:
    """Return several spots as one: concatenated arrays, with shifted indices."""
    if len(spots) == 1:
        return spots[0]
    boards = _begins(len(each.weight) for each in spots)
    segments = _begins(len(each.segments) for each in spots)
    items = _begins(len(each.views[0].item) for each in spots)
    numbering = [each.segment_items.copy() for each in spots]
    for i, each in enumerate(numbering):
        each[:, 0] += items[i] - boards[i] * each[:, 1]
    sums = [
        (sum(each.num_numbers[p] for each in spots), sum(each.num_rows[p] for each in spots))
        for p in (0, 1)
    ]
    return FlatSpot(
        hands=(_packed_hands(spots, 0), _packed_hands(spots, 1)),
        views=(
            _packed_views(spots, 0, (boards, segments, items)),
            _packed_views(spots, 1, (boards, segments, items)),
        ),
        first_child=_joined(spots, "first_child", boards),
        num_children=_joined(spots, "num_children"),
        weight=_joined(spots, "weight"),
        segments=_joined(spots, "segments"),
        segment_items=np.concatenate(numbering),
        start=(_starts(spots, 0), _starts(spots, 1)),
        num_numbers=(sums[0][0], sums[1][0]),
        num_rows=(sums[0][1], sums[1][1]),
    )


def _begins(sizes: Iterable[int]) -> NDArray[np.int64]:
    """Begins of consecutive parts of these sizes."""
    return np.cumsum([0, *sizes])[:-1]


def _starts(spots: Sequence[FlatSpot], player: int) -> NDArray[np.float64]:
    return np.concatenate([each.start[player] for each in spots])


def _joined(parts: Sequence[Any], name: str, moved: Iterable[int] | None = None) -> Any:
    """Concatenate an array of all parts, each shifted by its number of `moved`."""
    arrays = [getattr(part, name) for part in parts]
    whole = np.concatenate(arrays)
    return whole if moved is None else whole + _repeated(moved, arrays, whole.dtype)


def _repeated(numbers: Iterable[int], arrays: Sequence[Any], dtype: Any) -> NDArray[Any]:
    """Repeat each number for the rows of its array."""
    return np.repeat(np.asarray(numbers, dtype=dtype), [len(array) for array in arrays])


def _packed_hands(spots: Sequence[FlatSpot], player: int) -> FlatHands:
    parts = [each.hands[player] for each in spots]
    moved: dict[str, Iterable[int]] = {
        "begin": _begins(len(part.same) for part in parts),
        "moved_begin": _begins(len(part.moved) for part in parts),
        "base": _begins(each.num_numbers[player] for each in spots),
        "base_row": _begins(each.num_rows[player] for each in spots),
    }
    orbits = _begins(len(part.orbit_ends) - 1 for part in parts)
    members = _begins(len(part.orbits) for part in parts)
    ends = [part.orbit_ends[1:] + m for part, m in zip(parts, members, strict=True)]
    begins = [part.orbit_begin[:-1] + m for part, m in zip(parts, orbits, strict=True)]
    last = sum(len(part.orbit_ends) - 1 for part in parts)
    made: dict[str, Any] = {
        "orbit_ends": np.concatenate([[0], *ends]).astype(np.int32),
        "orbit_begin": np.concatenate([*begins, [last]]).astype(np.int32),
    }
    names = (field.name for field in fields(FlatHands))
    return FlatHands(
        **{n: made[n] if n in made else _joined(parts, n, moved.get(n)) for n in names}
    )


def _packed_views(
    spots: Sequence[FlatSpot], player: int, moved: tuple[NDArray[np.int64], ...]
) -> FlatView:
    boards, segments, items = moved
    parts = [each.views[player] for each in spots]
    other = [len(each.start[1 - player]) for each in spots]
    by = {
        name: _begins(len(getattr(part, name)) for part in parts)
        for name in ("down_levels", "up_levels", "down", "up", "children", "exits", "entries")
    }
    by["lanes"] = _begins(len(part.lanes) for part in parts)
    reach = _begins(part.reach_size for part in parts)
    values = _begins(part.value_size for part in parts)
    roots = _begins(other)
    columns = {
        "first_down": "down_levels",
        "first_up": "up_levels",
        "first_exit": "exits",
        "first_entry": "entries",
        "first_lane": "lanes",
    }
    names = (field.name for field in fields(FlatView) if not field.name.endswith("_size"))
    whole = {name: _joined(parts, name) for name in names}

    def move(name: str, column: int | None, numbers: NDArray[np.int64]) -> None:
        array = whole[name]
        by_row = _repeated(numbers, [getattr(part, name) for part in parts], array.dtype)
        rows = array if column is None else array[:, column]
        rows += by_row

    for bound, name in columns.items():
        move("bounds", _COLUMNS[bound], by[name])
    move("up", 0, by["children"])
    move("exits", 2, segments)
    move("item", 0, boards)
    move("item", 1, segments)
    inside = whole["item"][:, 2] >= 0
    place = [_repeated(each, [part.item for part in parts], np.int32) for each in (items, -roots)]
    whole["item"][:, 2] += np.where(inside, *place)
    move("item_rows", 0, reach)
    move("item_rows", 1, values)
    move("down_levels", None, by["down"])
    move("up_levels", None, by["up"])
    sizes = sum(part.reach_size for part in parts), sum(part.value_size for part in parts)
    return FlatView(**whole, reach_size=sizes[0], value_size=sizes[1])
