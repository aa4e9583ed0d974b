"""How likely each hand makes a move that was seen: ranges by Bayes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riverboat.game import Action
from riverboat.translation import share_of_smaller

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.bots import HandStrategies
    from riverboat.game import View


def likelihood(rows: HandStrategies, view: View, action: str) -> NDArray[np.float64]:
    """Return `[1326]`: how often each hand of a strategy makes a move.

    A bet that the strategy never makes counts as its two neighbours, by pseudo-harmonic shares:
    below its smallest bet the smaller neighbour is no bet. Any other move that it never makes
    tells nothing.

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
    move = Action(action)
    if move.kind != "bet":
        return np.ones(len(rows.rows))
    pot = max(view.pot + view.to_call, 1)  # none without forced bets
    price = max(view.bets)
    sizes = {0.0: "k" if view.legal.check else "c"} | {
        (bet.amount - price) / pot: str(bet)
        for bet in map(Action, rows.actions)
        if bet.kind == "bet"
    }
    return _between(rows, sizes, (move.amount - price) / pot)


def _between(rows: HandStrategies, sizes: dict[float, str], size: float) -> NDArray[np.float64]:
    """The rows of the neighbours of a size, mixed."""
    smaller = max(each for each in sizes if each <= size)
    larger = min((each for each in sizes if each > size), default=smaller)
    if larger == smaller:
        return rows.column(sizes[smaller])
    share = share_of_smaller(size, smaller, larger)
    return share * rows.column(sizes[smaller]) + (1 - share) * rows.column(sizes[larger])


def spread(
    reach: NDArray[np.float64], live: NDArray[np.bool_], share: float
) -> NDArray[np.float64]:
    """Return a range that adds up to 1, with a share of it spread evenly over all live hands.

    A model of an opponent is wrong somewhere: without the share a hand that he never has by the
    model could not be reckoned with.

    Examples
    --------
    >>> spread(np.array([3.0, 1.0, 5.0]), np.array([True, True, False]), 0.2).round(2).tolist()
    [0.7, 0.3, 0.0]
    """
    held = np.where(live, reach, 0.0)
    even = np.where(live, 1 / np.count_nonzero(live), 0.0)
    total = float(held.sum())
    if not total > 0:
        return even
    return (1 - share) * held / total + share * even
