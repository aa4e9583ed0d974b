"""A leaderboard: Bradley-Terry ratings with intervals (Bradley & Terry 1952).

The strength s of a bot is such that it wins a unit (a duplicate deal, a session) against another
with probability s / (s + s'). Strengths are shown on the Elo scale: 400 points are 10 to 1, the
mean is 0. A rating counts who wins, not how much; the chips are in the cross table.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import ArenaError
from riverboat.statistics import Estimate

_ELO = 400 / math.log(10)
_PRIOR = 0.5  # wins given to each side of every pair, so that no strength is infinite
_STEPS = 10_000


def bradley_terry(wins: NDArray[np.float64] | Sequence[Sequence[float]]) -> list[Estimate]:
    """Rate bots by their wins against each other, in Elo points.

    Parameters
    ----------
    wins
        [bots, bots] units that the row's bot won against the column's; a tie is half of one
        for each. The diagonal is ignored.

    Examples
    --------
    >>> first, second = bradley_terry([[0, 750], [250, 0]])  # 3 to 1 is 191 points
    >>> round(first.mean - second.mean)
    191
    """
    table = np.array(wins, float)
    count = len(table)
    if table.shape != (count, count) or count < 2 or not (table >= 0).all():
        raise ArenaError("wins are a square table of numbers from 0 on, for 2 bots or more")
    np.fill_diagonal(table, 0)
    met = (table + table.T) > 0
    table = table + _PRIOR * met
    games = table + table.T
    strengths = _strengths(table, games)
    chances = strengths[:, None] / (strengths[:, None] + strengths[None, :])
    information = -games * chances * chances.T
    np.fill_diagonal(information, 0)
    np.fill_diagonal(information, -information.sum(axis=1))
    variances = np.diag(np.linalg.pinv(information, rcond=1e-12))
    logs = np.log(strengths)
    errors = _ELO * np.sqrt(np.maximum(variances, 0.0))
    return [
        Estimate(float(_ELO * (log - logs.mean())), float(error), kind="normal")
        for log, error in zip(logs, errors, strict=True)
    ]


def _strengths(wins: NDArray[np.float64], games: NDArray[np.float64]) -> NDArray[np.float64]:
    """Maximise the likelihood by Hunter's (2004) minorise-maximise steps."""
    strengths = np.ones(len(wins))
    for _ in range(_STEPS):
        rates = games / (strengths[:, None] + strengths[None, :])
        new = wins.sum(axis=1) / rates.sum(axis=1)
        new /= math.exp(np.log(new).mean())
        if np.abs(np.log(new / strengths)).max() < 1e-10:
            return np.asarray(new)
        strengths = new
    return strengths
