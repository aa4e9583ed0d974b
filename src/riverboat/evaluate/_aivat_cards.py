"""Hold'em cards as AIVAT counts them, and the value of checking down."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from riverboat.cards import HOLES, NUM_CARDS, equity_against_each, hole_index, live_holes

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Cards = tuple[int, ...]
_FIRST, _SECOND = HOLES.astype(np.intp).T


class HoldemCards:
    """The 1,326 hole pairs, and the boards.

    Examples
    --------
    >>> cards = HoldemCards()
    >>> cards.deals((0, 1, 2, 3), 3).shape, int(cards.live((0, 1)).sum())
    ((17296, 3), 1225)
    """

    def index(self, hole: _Cards) -> int:
        """Return the number of a hole pair."""
        return hole_index(*hole)

    def live(self, cards: _Cards) -> NDArray[np.float64]:
        """Return 1 for each pair that has none of these cards, else 0."""
        return live_holes(cards).astype(np.float64)

    def shares(self, hole: _Cards, board: _Cards) -> NDArray[np.float64]:
        """Return how often each pair wins against `hole`, exactly."""
        return _shares(hole, board)

    def deals(self, dealt: _Cards, count: int) -> NDArray[np.intp]:
        """Return all flops, or all next cards."""
        return _deals(frozenset(dealt), count)

    def room(self, weights: NDArray[np.float64], new: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the weight of pairs that each deal leaves: all, less those with one, plus both."""
        by_card = np.bincount(_FIRST, weights, NUM_CARDS) + np.bincount(_SECOND, weights, NUM_CARDS)
        both = np.zeros((NUM_CARDS, NUM_CARDS))
        both[_FIRST, _SECOND] = both[_SECOND, _FIRST] = weights
        room: NDArray[np.float64] = weights.sum() - by_card[new].sum(axis=1)
        for one, other in combinations(range(new.shape[1]), 2):
            room += both[new[:, one], new[:, other]]
        return room.clip(0.0)  # differences of sums


@lru_cache(maxsize=16)
def _deals(dealt: frozenset[int], count: int) -> NDArray[np.intp]:
    left = np.array([card for card in range(NUM_CARDS) if card not in dealt])
    return left[_choices(len(left), count)]


@lru_cache(maxsize=8)
def _choices(total: int, count: int) -> NDArray[np.intp]:
    return np.array(list(combinations(range(total), count)), np.intp)


@lru_cache(maxsize=64)
def _shares(hole: _Cards, board: _Cards) -> NDArray[np.float64]:
    found = live_holes((*hole, *board)) - equity_against_each(hole, board)
    return np.maximum(found, 0.0)
