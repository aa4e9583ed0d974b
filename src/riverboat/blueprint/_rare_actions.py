"""Thresholding: actions that a strategy takes rarely are left out, as a bot plays it.

The average of a finite training keeps a rest of what was tried early and was wrong. Leaving out
what is rare won matches (Ganzfried, Sandholm and Waugh, "Strategy Purification and Thresholding",
AAMAS 2012). With the threshold 1 only the likeliest action is left, which they call purification;
that can be predicted, and a bot that learns finds it out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from riverboat.blueprint._layout import GroupRows

__all__ = ["block_without_rare", "row_without_rare", "shown_as", "without_rare"]


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


def row_without_rare(row: NDArray[Any], threshold: float) -> NDArray[np.float64]:
    """Do the same to one row, [actions]; all of it stays where the threshold is 0."""
    wide = row.astype(np.float64)
    if not threshold:
        return wide
    kept = np.where(wide >= min(threshold, wide.max()), wide, 0)
    shares: NDArray[np.float64] = kept / kept.sum()
    return shares


def block_without_rare(block: NDArray[Any], rows: GroupRows, threshold: float) -> NDArray[Any]:
    """Do the same to a chunk, [buckets, entries]."""
    if not threshold:
        return block
    wide = block.astype(np.float64)
    kept = np.where(wide >= rows.spread(np.minimum(threshold, rows.greatest(wide))), wide, 0)
    shares: NDArray[Any] = kept / rows.spread(rows.sums(kept))
    return shares.astype(block.dtype)


def shown_as(threshold: float) -> str:
    """Say which strategy that is: of the file, or of a bot.

    Examples
    --------
    >>> shown_as(0), shown_as(0.3)
    ('as trained', 'as played: actions rarer than 30 % left out')
    """
    if not threshold:
        return "as trained"
    return f"as played: actions rarer than {100 * threshold:.3g} % left out"
