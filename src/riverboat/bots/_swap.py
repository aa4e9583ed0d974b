"""Pineapple's two rules for discards: by equity, and by the expected score.

For each hole card the rules compare the mean over all replacement cards with standing pat (MIT
Pokerbots 2017, team Pineapple). The CFR code swaps if that gains 0.02 of equity against one unknown
hand, without later swaps. The report's backup bot uses the expected score, 1 - rank/7462 of the
best five cards now, which ignores future board cards.
"""

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from riverboat.bots._moves import keep_cards
from riverboat.bots._win_rate import hand_strength
from riverboat.cards import card_text, evaluate_batch, hole_index, num_strengths
from riverboat.game import View

#: Minimum gain of equity for a swap.
GAIN: Final = 0.02

SwapValues = tuple[float, tuple[float, ...]]
"""The value of standing pat, and of discarding each hole card."""


def swap_values(view: View) -> SwapValues:
    """Return the equity of standing pat, and the mean equity after discarding each hole card.

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

    stand = float(strength[hole_index(*view.hole)])
    first, second = view.hole
    return stand, (mean_with(second), mean_with(first))


def discard(view: View, gain: float = GAIN) -> str:
    """Choose in a discard phase: stand pat, or swap the card whose loss gains the most equity.

    In games without tables the bot keeps its cards.
    """
    return _swap(view, swap_values, gain)


def swap_scores(view: View) -> SwapValues:
    """Return the score of standing pat, and the expected score after discarding each hole card.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("discard-2017"), hole=["2c7d", "AsAd"], board="AhAcKsQh3c", seed=1)
    >>> hand.play("ck")
    >>> stand, swaps = swap_scores(hand.view(1))  # four aces
    >>> stand > max(swaps)
    True
    """
    gone = {*view.hole, *view.board, *view.discarded}
    fresh = [card for card in range(52) if card not in gone]

    def mean_of(hands: list[tuple[int, ...]]) -> float:
        return float(evaluate_batch(hands).mean()) / num_strengths()

    first, second = ([(kept, card, *view.board) for card in fresh] for kept in view.hole)
    return mean_of([(*view.hole, *view.board)]), (mean_of(second), mean_of(first))


def discard_by_score(view: View) -> str:
    """Choose in a discard phase by the expected score: swap if that raises it."""
    return _swap(view, swap_scores, math.ulp(0.0))


def _swap(view: View, values_of: Callable[[View], SwapValues], least: float) -> str:
    """Swap the card whose loss gains most, if it gains at least `least`."""
    if not view.legal.stand or not view.spec.is_holdem or min(view.hole + view.board) < 0:
        return keep_cards(view)
    stand, values = values_of(view)
    gains = [value - stand for value in values]
    best = max(range(2), key=gains.__getitem__)
    return "s" if gains[best] < least else f"d{card_text(view.hole[best])}"
