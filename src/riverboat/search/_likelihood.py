"""How likely each hand makes a move that was seen: ranges by Bayes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riverboat.translation import share_of_smaller

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.bots import HandStrategies
    from riverboat.game import View

__all__ = ["likelihood", "spread"]


def likelihood(rows: HandStrategies, view: View, action: str) -> NDArray[np.float64]:
    """Return `[1326]`: how often each hand of a strategy makes a move.

    A bet that the strategy never makes counts as its two neighbours, by pseudo-harmonic shares:
    below its smallest bet the smaller neighbour is no bet.

    Parameters
    ----------
    rows
        What the strategy does with each hand.
    view
        The table before the move.
    action
        The move.
    """
    if action in rows.actions:
        return rows.column(action)
    passive = "k" if view.legal.check else "c"
    if action[0] != "b":
        return np.zeros(len(rows.rows))
    pot = view.pot + view.to_call
    price = max(view.bets)
    sizes = {0.0: passive} | {
        (int(each[1:]) - price) / pot: each for each in rows.actions if each[0] == "b"
    }
    return _between(rows, sizes, (int(action[1:]) - price) / pot)


def _between(rows: HandStrategies, sizes: dict[float, str], size: float) -> NDArray[np.float64]:
    """The rows of the neighbours of a size, mixed."""
    smaller = max(each for each in sizes if each <= size)
    larger = min((each for each in sizes if each > size), default=smaller)
    if larger == smaller:
        return rows.column(sizes[smaller])
    share = share_of_smaller(size, smaller, larger)
    return share * rows.column(sizes[smaller]) + (1 - share) * rows.column(sizes[larger])


def spread(reach: NDArray[np.float64], dead: NDArray[np.bool_], share: float) -> NDArray[np.float64]:
    """Return a range that adds up to 1, with a share of it spread evenly over all live hands.

    A model of an opponent is wrong somewhere: without the share a hand that he never has by the
    model could not be reckoned with.
    """
    live = np.where(dead, 0.0, reach)
    even = ~dead / np.count_nonzero(~dead)
    total = live.sum()
    if total <= 0:
        return even
    return (1 - share) * live / total + share * even
