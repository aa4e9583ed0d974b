"""Which hole card a swap gives up: the one that is worth less beside a random other card."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import HandStrength, StreetName
from riverboat.errors import CardError

__all__ = ["swap_values"]

_CHUNK = 256


def swap_values(tables: HandStrength, street: StreetName) -> NDArray[np.uint32]:
    """Value of keeping each card, for a swap after the board of a street.

    Whoever holds a and b and swaps b gets a random card in its place. His mean strength then
    is the sum over all cards r of strength(a, r), less strength(a, b), by the number of cards;
    keeping b instead, the same sum for b, less the same strength(a, b). So a is kept if its sum
    is greater.

    Parameters
    ----------
    tables
        The hand-strength tables.
    street
        `flop` or `turn`.

    Returns
    -------
    [boards, 52] uint32
        The sums by canonical board and card, in half-points of the tables; 0 of cards on the
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
        points = _points(cells[begin : begin + _CHUNK])
        values[begin : begin + _CHUNK] = points[:, others].sum(axis=2)
    return values


def _points(cells: NDArray[Any]) -> NDArray[np.int64]:
    """2 * win + tie; 0 on dead holes."""
    points: NDArray[np.int64] = 2 * cells[..., 0].astype(np.int64) + cells[..., 1]
    points[cells[..., 0] == np.iinfo(cells.dtype).max] = 0
    return points
