"""Points of a sweep: the grid, the scores, and where the best one lies."""

import itertools
import math
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from riverboat.arena import Estimate, parse_grid

__all__ = [
    "THRESHOLDS",
    "Scored",
    "as_good",
    "best",
    "grid_points",
    "nearest",
    "parameters_text",
    "spread_of_optimum",
    "told_apart",
]

_REPETITIONS = 4_000
#: The bots' settings in words.
THRESHOLDS = {"low": "fold up to", "high": "raise above"}


class Scored(msgspec.Struct, frozen=True):
    """A point and its score: a share of games, or chips a hand."""

    parameters: dict[str, float]
    mean: float
    margin: float
    """Half the 95 % interval; -1 where one unit tells nothing."""

    @classmethod
    def of(cls, parameters: Mapping[str, float], estimate: Estimate) -> "Scored":
        """Take it from a match."""
        known = math.isfinite(estimate.margin)
        return cls(dict(parameters), estimate.mean, estimate.margin if known else -1.0)


def grid_points(grids: Mapping[str, str]) -> list[dict[str, float]]:
    """Return the points of a grid; those with `low` above `high` make no sense and are left out.

    Parameters
    ----------
    grids
        Of each parameter, `first:last:step` or `a,b,c`.

    Examples
    --------
    >>> grid_points({"low": "0.2,0.8", "high": "0.5,1"})
    [{'low': 0.2, 'high': 0.5}, {'low': 0.2, 'high': 1.0}, {'low': 0.8, 'high': 1.0}]
    """
    values = [parse_grid(f"{name}={text}")[1] for name, text in grids.items()]
    points = [dict(zip(grids, each, strict=True)) for each in itertools.product(*values)]
    return [point for point in points if point.get("low", 0.0) <= point.get("high", 1.0)]


def best(points: Sequence[Scored]) -> Scored:
    """Return the point with the greatest score, the first of equals."""
    return max(points, key=lambda point: point.mean)


def as_good(points: Sequence[Scored]) -> list[Scored]:
    """Return the points that cannot be told from the best one: any may be the optimum.

    A point is told apart if the 95 % interval of the difference, from the margins of both points,
    leaves zero out. Points share their deals, so the true interval is rather narrower.

    Examples
    --------
    >>> points = [Scored({"a": 1.0}, 0.565, 0.03), Scored({"a": 2.0}, 0.6, 0.03)]
    >>> len(as_good(points)), len(as_good([*points, Scored({"a": 3.0}, 0.9, 0.1)]))
    (2, 1)
    """
    top = best(points)
    return [point for point in points if not told_apart(point, top)]


def told_apart(first: Scored, second: Scored) -> bool:
    """Return whether the interval of the difference of two scores leaves zero out.

    Examples
    --------
    >>> told_apart(Scored({}, 0.5, 0.03), Scored({}, 0.6, 0.04))
    True
    >>> told_apart(Scored({}, 0.5, 0.03), Scored({}, 0.54, 0.04))
    False
    """
    if min(first.margin, second.margin) < 0:
        return False
    return abs(first.mean - second.mean) > math.hypot(first.margin, second.margin)


def nearest(points: Sequence[Scored], wanted: Mapping[str, float]) -> Scored:
    """Return the point that lies nearest to some parameters."""
    return min(
        points,
        key=lambda point: sum((point.parameters[name] - at) ** 2 for name, at in wanted.items()),
    )


def spread_of_optimum(
    points: Sequence[Scored], name: str, games: int, seed: int
) -> tuple[float, float]:
    """Return where the best point of such a sweep comes to lie, in 95 of 100 repetitions.

    Each repetition plays `games` independent games at every point, won with the probabilities
    that were measured, and keeps the parameter of its best point. So it tells how much of an
    optimum is luck.

    Examples
    --------
    >>> sure = [Scored({"high": 0.1}, 0.2, 0.0), Scored({"high": 0.6}, 0.9, 0.0)]
    >>> spread_of_optimum(sure, "high", 500, seed=1)
    (0.6, 0.6)
    """
    random = np.random.default_rng(seed)
    chances = np.clip([point.mean for point in points], 0.0, 1.0)
    won = random.binomial(games, chances, size=(_REPETITIONS, len(points)))
    # Of equal points any may be named: a little noise draws one.
    winners = np.argmax(won + random.random(won.shape) / 2, axis=1)
    values = np.array([point.parameters[name] for point in points])[winners]
    low, high = np.quantile(values, [0.025, 0.975], method="nearest")
    return float(low), float(high)


def parameters_text(parameters: Mapping[str, float]) -> str:
    """Write the thresholds of a point; `low` and `high` are the bots' settings.

    Examples
    --------
    >>> parameters_text({"low": 0.1, "high": 0.6})
    'fold up to 0.1, raise above 0.6'
    """
    return ", ".join(
        f"{THRESHOLDS.get(name, name)} {value:g}" for name, value in parameters.items()
    )
