"""The predictable plug-in empirical-Bernstein sequence, as theorem 2 of the paper reads.

Waudby-Smith & Ramdas (2024), "Estimating means of bounded random variables by betting".
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["betting_interval"]


def _psi(bet: float) -> float:
    return (-math.log(1 - bet) - bet) / 4


def betting_interval(values: Sequence[float], error: float, largest: float) -> tuple[float, float]:
    """The running intersection after all values, which lie between 0 and 1.

    Examples
    --------
    >>> low, high = betting_interval([0.4, 0.6] * 500, 0.05, 0.75)
    >>> 0.4 < low < 0.5 < high < 0.6
    True
    """
    low, high = 0.0, 1.0
    mean, variance = 0.5, 0.25
    total = deviation = 0.0
    bets = weighted = spread = 0.0
    for t, value in enumerate(values, start=1):
        bet = min(math.sqrt(2 * math.log(2 / error) / (variance * t * math.log(1 + t))), largest)
        bets += bet
        weighted += bet * value
        spread += 4 * (value - mean) ** 2 * _psi(bet)
        half = (math.log(2 / error) + spread) / bets
        low, high = max(low, weighted / bets - half), min(high, weighted / bets + half)
        total += value
        mean = (0.5 + total) / (t + 1)
        deviation += (value - mean) ** 2
        variance = (0.25 + deviation) / (t + 1)
    return low, high
