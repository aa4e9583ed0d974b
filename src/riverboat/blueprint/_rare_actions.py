"""Thresholding: a bot checks or calls where a strategy bets or folds rarely.

The rule, everywhere: **a bet, raise or fold that is rarer than the threshold, and not the likeliest
action, is left out, and its probability goes to the check or call.** So no hand folds more often
than it was trained to. Swaps do not change.

The average strategy of a finite training contains remains of early, wrong actions; leaving out rare
actions won matches (Ganzfried, Sandholm and Waugh, "Strategy Purification and Thresholding", AAMAS
2012). That paper and Riverboat 0.1 leave out all rare actions and scale up the others: so rare
calls became folds, and bluffing won against the bot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from riverboat.blueprint._layout import GroupRows

PASSIVE: Final = ("k", "c")


def without_rare(strategy: Mapping[str, float], threshold: float) -> dict[str, float]:
    """Replace bets, raises and folds that are rarer than a threshold by the check or call.

    Parameters
    ----------
    strategy
        Probability by action.
    threshold
        From 0 to 1. The likeliest action always stays; of equally likely ones all stay.

    Examples
    --------
    >>> without_rare({"f": 0.125, "c": 0.5, "b60": 0.125, "b100": 0.25}, 0.2)
    {'f': 0.0, 'c': 0.75, 'b60': 0.0, 'b100': 0.25}
    """
    passive = next((action for action in strategy if action in PASSIVE), None)
    if passive is None:  # a swap
        return dict(strategy)
    least = min(threshold, max(strategy.values()))
    rare = [a for a, p in strategy.items() if p < least and a != passive]
    kept = {**strategy, **dict.fromkeys(rare, 0.0)}
    kept[passive] += sum(strategy[a] for a in rare)
    return kept


def rows_without_rare(
    rows: NDArray[Any], actions: Sequence[str], threshold: float
) -> NDArray[np.float64]:
    """Apply `without_rare` to rows of one decision, [..., actions]; threshold 0 changes nothing."""
    wide = rows.astype(np.float64)
    passive = [index for index, action in enumerate(actions) if action in PASSIVE]
    if not threshold or not passive:
        return wide
    rare = wide < np.minimum(threshold, wide.max(axis=-1, keepdims=True))
    rare[..., passive] = False
    wide[..., passive] += np.where(rare, wide, 0).sum(axis=-1, keepdims=True)
    wide[rare] = 0
    return wide


def block_without_rare(block: NDArray[Any], rows: GroupRows, threshold: float) -> NDArray[Any]:
    """Apply `without_rare` to a chunk, [buckets, entries]."""
    if not threshold:
        return block
    wide = block.astype(np.float64)
    rare = wide < rows.spread(np.minimum(threshold, rows.greatest(wide)))
    rare &= ~rows.passive & np.logical_or.reduceat(rows.passive, rows.starts)[rows.owners]
    moved = rows.spread(rows.sums(np.where(rare, wide, 0)))
    shares: NDArray[Any] = np.where(rare, 0, wide + np.where(rows.passive, moved, 0))
    return shares.astype(block.dtype)


def shown_as(threshold: float) -> str:
    """Describe a strategy with a threshold: as trained, or as played.

    Examples
    --------
    >>> shown_as(0), shown_as(0.3)
    ('as trained', 'as played: bets and folds rarer than 30 % left out')
    """
    if not threshold:
        return "as trained"
    return f"as played: bets and folds rarer than {100 * threshold:.3g} % left out"
