"""Thresholding: actions that a strategy takes rarely are left out.

The average of a finite training keeps a rest of what was tried early and was wrong. Leaving out
what is rare won matches (Ganzfried, Sandholm and Waugh, "Strategy Purification and Thresholding",
AAMAS 2012). With the threshold 1 only the likeliest action is left, which they call purification;
that can be predicted, and a bot that learns finds it out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["without_rare"]


def without_rare(strategy: Mapping[str, float], threshold: float) -> dict[str, float]:
    """Leave out actions that are rarer than a threshold; the others grow in proportion.

    Parameters
    ----------
    strategy
        Probability by action.
    threshold
        From 0 to 1. The likeliest action always stays; of equals all do.

    Examples
    --------
    >>> without_rare({"f": 0.1, "c": 0.5, "b60": 0.125, "b100": 0.25}, 0.2)
    {'f': 0.0, 'c': 0.6666666666666666, 'b60': 0.0, 'b100': 0.3333333333333333}
    """
    least = min(threshold, max(strategy.values()))
    kept = {action: p if p >= least else 0.0 for action, p in strategy.items()}
    total = sum(kept.values())
    return {action: p / total for action, p in kept.items()}
