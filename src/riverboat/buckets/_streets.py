"""The four streets, and hand strength in whole numbers.

Strength is counted in half-points: 2 for a win and 1 for a tie, over every hand of the opponent
and every runout. Nothing is rounded, so that limits between buckets are exact.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import (
    HOLES,
    NUM_BOARDS,
    STREETS,
    HandStrength,
    StreetName,
    board_cards,
    board_size,
)
from riverboat.errors import AbstractionError, CardError

#: Streets with a board.
AFTER_PREFLOP: Final[tuple[StreetName, ...]] = ("flop", "turn", "river")

_POINTS: Final = 1_980
#: Half-points of a hand that always wins, by street.
MOST_POINTS: Final[dict[StreetName, int]] = {
    "preflop": 2_118_760 * _POINTS,
    "flop": 1_081 * _POINTS,
    "turn": 46 * _POINTS,
    "river": _POINTS,
}
#: Boards times live hole pairs, by street.
NUM_DEALS: Final[dict[StreetName, int]] = {
    "preflop": 1_326,
    "flop": 22_100 * 1_176,
    "turn": 270_725 * 1_128,
    "river": 2_598_960 * 1_081,
}


def num_boards(street: StreetName) -> int:
    """Return the number of canonical boards of a street; 1 preflop (the empty board)."""
    return NUM_BOARDS.get(board_size(street), 1)


def street_named(name: object, allowed: tuple[StreetName, ...] = STREETS) -> StreetName:
    """Return a street by name, or raise AbstractionError."""
    for street in allowed:
        if name == street:
            return street
    raise AbstractionError(f"{name!r} is not a street here: use {', '.join(allowed)}")


def points_of(cells: NDArray[Any]) -> NDArray[np.int64]:
    """Return half-points 2 * win + tie of cells [.., 2] of the strength tables; -1 if dead."""
    points: NDArray[np.int64] = cells[..., 0].astype(np.int64)
    dead = cells[..., 0] == np.iinfo(cells.dtype).max
    points *= 2
    points += cells[..., 1]
    points[dead] = -1
    return points


def dead_holes(street: StreetName, begin: int, end: int) -> NDArray[np.bool_]:
    """Return which hole pairs share a card with boards begin to end - 1: [boards, 1326]."""
    boards = np.uint64(1) << board_cards(board_size(street))[begin:end].astype(np.uint64)
    holes = np.uint64(1) << HOLES.astype(np.uint64)
    touched: NDArray[np.bool_] = (boards.sum(axis=1)[:, None] & holes.sum(axis=1)) != 0
    return touched


_CHUNK = 256


def pair_points(tables: HandStrength, street: StreetName) -> NDArray[np.int32]:
    """Return the strength of each hole pair on each board of a street, in half-points.

    Returns
    -------
    [boards, 1326] int32
        -1 for pairs that share a card with the board.
    """
    cells = tables.cells(street)
    points = np.empty(cells.shape[:2], np.int32)
    for begin in range(0, len(cells), _CHUNK):
        points[begin : begin + _CHUNK] = points_of(cells[begin : begin + _CHUNK])
    return points


def swap_values(tables: HandStrength, street: StreetName) -> NDArray[np.uint32]:
    """Return the value of keeping each card, for a swap on a street.

    A player with cards a and b who swaps b gets a random card for it. The mean strength is then
    the sum over all cards r of strength(a, r), minus strength(a, b), divided by the number of
    cards. A player who swaps a instead has the same sum for b, minus the same strength(a, b). So
    the player keeps the card with the greater sum.

    Parameters
    ----------
    tables
        The hand-strength tables.
    street
        `flop` or `turn`.

    Returns
    -------
    [boards, 52] uint32
        The sums by canonical board and card, in half-points of the tables; 0 for cards on the
        board.
    """
    if street not in {"flop", "turn"}:
        raise CardError(f"cards are swapped on the flop or the turn, not on the {street}")
    cells = tables.cells(street)
    high, low = np.tril_indices(52, -1)
    pair_of = np.zeros((52, 52), np.intp)
    pair_of[high, low] = pair_of[low, high] = np.arange(len(high))
    others = np.array([np.delete(pair_of[card], card) for card in range(52)])
    values = np.empty((len(cells), 52), np.uint32)
    for begin in range(0, len(cells), _CHUNK):
        points = np.maximum(points_of(cells[begin : begin + _CHUNK]), 0)  # 0 on dead holes
        values[begin : begin + _CHUNK] = points[:, others].sum(axis=2)
    return values
