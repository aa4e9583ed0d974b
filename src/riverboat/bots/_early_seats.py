"""Seats that act before the first one of a strategy, at tables with more players than its own.

A strategy for six players has no seat before LJ. At a table of seven to nine such a seat plays LJ's
opening range, less the weakest hands: an eighth of the range for each seat before LJ, itself
included. Hands are ordered by their equity against a random hand.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from riverboat.bots._all_hands import HandStrategies
from riverboat.cards import best_holes
from riverboat.runs import warn_once

if TYPE_CHECKING:
    from numpy.typing import NDArray

_log: Final = logging.getLogger("riverboat.bots")
_KEPT: Final = 7 / 8  # of the range, for each seat


def tightened(strategies: HandStrategies, seats: int) -> HandStrategies:
    """Return an opening strategy without its weakest hands.

    Parameters
    ----------
    strategies
        The strategy of the first seat of the tree, as the first player to act.
    seats
        Number of seats before it that are still to act, the acting one included.

    Examples
    --------
    >>> import numpy as np
    >>> always = HandStrategies(("f", "b25"), np.tile([0.0, 1.0], (1326, 1)))
    >>> opened = tightened(always, 2).column("b25")
    >>> [round(float(share), 4) for share in (opened.mean(), opened.max(), opened.min())]  # 49/64
    [0.7656, 1.0, 0.0]
    """
    if "f" not in strategies.actions:
        return strategies
    fold = strategies.actions.index("f")
    played = 1 - strategies.rows[:, fold]
    order = _order()
    before = np.concatenate([[0.0], np.cumsum(played[order])[:-1]])
    room = played.sum() * _KEPT**seats - before
    kept = np.ones(len(played))
    kept[order] = np.clip(room / np.maximum(played[order], 1e-12), 0, 1)
    rows = strategies.rows * kept[:, None]
    rows[:, fold] = 1 - kept * played
    return HandStrategies(strategies.actions, rows)


def note(players: int, tree: int) -> None:
    """Say once that a table has more seats than the strategy."""
    warn_once(
        _log,
        f"This table has {players} seats and the strategy {tree}: seats before its first one play "
        "that seat's opening range without the weakest hands, an eighth of it for each seat.",
        about=("early seats", str(players)),
    )


@lru_cache(maxsize=1)
def _order() -> NDArray[np.intp]:
    return best_holes(100)
