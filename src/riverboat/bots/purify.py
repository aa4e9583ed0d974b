"""Purification: one action for each decision, where training left a mixture.

The average of a finite training keeps a rest of what was tried early and was wrong; and where
two actions are worth the same, either will do. Playing the likeliest one won matches (Ganzfried,
Sandholm and Waugh, "Strategy Purification and Thresholding", AAMAS 2012). Here it is done as by
Brown, Ganzfried and Sandholm ("Hierarchical Abstraction, Distributed Equilibrium Computation, and
Post-Processing", AAMAS 2015), who weigh all bets together and are quicker to fold than to call: a
call pays off all bets of the opponent, those that the abstraction reads wrongly too. What is
purified can be predicted, and so it is no strategy for whoever studies his opponents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["purified"]


def purified(strategy: Mapping[str, float], threshold: float) -> dict[str, float]:
    """Return a strategy that takes one action only.

    Parameters
    ----------
    strategy
        Probability by action.
    threshold
        Folds that are more frequent than this are always made. Else the likeliest of a fold, a
        check or call, and all bets together is taken; of bets the likeliest one. Of equals it is
        the earlier action.

    Examples
    --------
    >>> purified({"f": 0.1, "c": 0.4, "b60": 0.2, "b100": 0.3}, 0.3)
    {'f': 0.0, 'c': 0.0, 'b60': 0.0, 'b100': 1.0}
    >>> purified({"f": 0.4, "c": 0.6}, 0.3)
    {'f': 1.0, 'c': 0.0}
    """
    chosen = "f" if strategy.get("f", 0.0) > threshold else _likeliest(strategy)
    return {action: float(action == chosen) for action in strategy}


def _likeliest(strategy: Mapping[str, float]) -> str:
    bets = [action for action in strategy if action[0] == "b"]
    others = [action for action in strategy if action[0] != "b"]
    best = max(others, key=lambda action: strategy[action], default="")
    if bets and (not best or sum(strategy[bet] for bet in bets) > strategy[best]):
        return max(bets, key=lambda bet: strategy[bet])
    return best
