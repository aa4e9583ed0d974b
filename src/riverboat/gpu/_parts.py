"""A walk in parts: the last street of some boards after that of others, so that rows are few.

Values of the last street are read once, on the street before. An exact check, whose numbers are
twice as long, walks a flop in two parts, and takes hardly more memory than training does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.gpu._flat import FlatSpot

CHECK_PARTS: Final = 2
_FLOAT, _DOUBLE = 4, 8


class Part(NamedTuple):
    """Some boards of the street before the last, and what follows them."""

    last: NDArray[np.int32]
    """Items of the last street."""
    above: NDArray[np.int32]
    """Items of the street before it; none where there is one street."""
    begin: int
    end: int
    """Where values of `last` are."""


def walk_parts(spot: FlatSpot, player: int, parts: int) -> list[Part]:
    """Return the parts of a walk, by boards before the last street: many spots at once are one."""
    view, levels = spot.views[player], spot.levels(player)
    begin = int(view.item_rows[levels[0], 1].min())
    if len(levels) == 1 or (view.item[:, 2] < 0).sum() > 1:
        above = levels[1] if len(levels) > 1 else np.zeros(0, dtype=np.int32)
        return [Part(levels[0], above, begin, view.value_size)]
    # Boards that follow each other are followed by boards, items and rows that do.
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
    """Return how many numbers rows of reaches and of values have, for either player."""
    values = [view.value_size for view in spot.views]
    for player in (0, 1) if parts > 1 else ():
        found = walk_parts(spot, player, parts)
        values[player] = found[0].begin + max(part.end - part.begin for part in found)
    return max(view.reach_size for view in spot.views), max(values)


def row_bytes(spot: FlatSpot) -> int:
    """Return what rows take, of training and of an exact check, which share their memory."""
    sizes = (
        [size * each for each in row_numbers(spot, parts)]
        for size, parts in ((_FLOAT, 1), (_DOUBLE, CHECK_PARTS))
    )
    return sum(max(pair) for pair in zip(*sizes, strict=True))
