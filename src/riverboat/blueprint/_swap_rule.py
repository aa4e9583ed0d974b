"""Which card a swap gives away: as in training, the one worth less beside a random other card.

See `riverboat.buckets.swap_values`. All numbers are whole: ties fall as in training.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riverboat.cards import card_text, run_out_points

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.cards import HandStrength
    from riverboat.game import View

_HALF_POINTS = {3: 1_081 * 1_980, 4: 46 * 1_980}


class SwapRule:
    """Chooses the card of a swap.

    Parameters
    ----------
    tables
        The hand-strength tables. Without them a choice on the flop takes some tenths of a
        second.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("discard-2017"), hole=["2cAd", "??"], board="AhKs9cTd4h")
    >>> hand.play("ck/sskk/s")
    >>> SwapRule().card(hand.view(0))
    '2c'
    """

    def __init__(self, tables: HandStrength | None = None) -> None:
        self._tables = tables

    def card(self, view: View) -> str:
        """Return the text of the card that a swap gives away."""
        low, high = sorted(view.hole)
        values = self._values(view.board, (low, high))
        return card_text(high if values[0] > values[1] else low)

    def _values(self, board: tuple[int, ...], pair: tuple[int, int]) -> tuple[int, int]:
        """Sum of the strength of each card with every other one, in half-points."""
        alive = [card for card in range(52) if card not in board]
        partners = [[card for card in alive if card != own] for own in pair]
        if self._tables is None:
            first, second = (
                sum(int(run_out_points([own, card], list(board)).sum()) for card in cards)
                for own, cards in zip(pair, partners, strict=True)
            )
            return first, second
        means = self._tables.board_strength(list(board)).mean
        points = np.rint(np.nan_to_num(means) * _HALF_POINTS[len(board)]).astype(np.int64)
        first, second = (
            int(points[_hole_indexes(own, np.array(cards))].sum())
            for own, cards in zip(pair, partners, strict=True)
        )
        return first, second


def _hole_indexes(own: int, others: NDArray[np.int64]) -> NDArray[np.int64]:
    """Indexes of the holes of a card with others; `hole_index` one by one takes a millisecond."""
    low, high = np.minimum(own, others), np.maximum(own, others)
    indexes: NDArray[np.int64] = high * (high - 1) // 2 + low
    return indexes
