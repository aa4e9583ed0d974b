"""Pineapple's rule for discards: swap a card if that gains 0.02 of equity.

For each own card the mean equity over all cards that may come instead is
compared with the equity of standing pat (MIT Pokerbots 2017, team Pineapple).
Equity is against one unknown hand and does not foresee later swaps.
"""

from typing import Final

import numpy as np

from riverboat.bots._moves import keep_cards
from riverboat.bots._win_rate import hand_strength
from riverboat.cards import card_text
from riverboat.game import View

__all__ = ["GAIN", "discard", "swap_values"]

#: Equity that a swap must gain.
GAIN: Final = 0.02


def swap_values(view: View) -> tuple[float, tuple[float, ...]]:
    """Return the equity of standing pat, and the mean equity after giving each own card away.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("discard-2017"), hole=["2c7d", "AsAd"], board="AhAcKsQh3c", seed=1)
    >>> hand.play("ck")
    >>> hand.stand()
    >>> stand, swaps = swap_values(hand.view(0))
    >>> stand < min(swaps)
    True
    """
    strength = hand_strength().board_strength(view.board).mean
    gone = {*view.hole, *view.board, *view.discarded}
    fresh = np.array([card for card in range(52) if card not in gone])

    def mean_with(kept: int) -> float:
        low, high = np.minimum(fresh, kept), np.maximum(fresh, kept)
        return float(strength[high * (high - 1) // 2 + low].mean())

    low, high = sorted(view.hole)
    stand = float(strength[high * (high - 1) // 2 + low])
    first, second = view.hole
    return stand, (mean_with(second), mean_with(first))


def discard(view: View, gain: float = GAIN) -> str:
    """Choose in a discard phase: stand pat, or swap the card whose loss gains most.

    In games without tables the cards are kept.
    """
    if not view.legal.stand or not view.spec.is_holdem or min(view.hole + view.board) < 0:
        return keep_cards(view)
    stand, values = swap_values(view)
    best = max(range(2), key=lambda index: values[index])
    if values[best] - stand < gain:
        return "s"
    return f"d{card_text(view.hole[best])}"
