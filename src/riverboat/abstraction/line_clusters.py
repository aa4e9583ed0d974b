"""k-means of numbers on a line, solved exactly.

Clusters of numbers are intervals, so the best ones are found by dynamic programming over the
limits between them (Wang & Song 2011). Nothing is random here, and no other limits have a
smaller mean squared distance.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import AbstractionError

__all__ = ["line_limits"]


def line_limits(masses: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Limits between the best clusters of the numbers 0, 1, 2, ...

    Parameters
    ----------
    masses
        [numbers] weight of each number.
    count
        Number of clusters; not more than there are numbers with a weight.

    Returns
    -------
    [count - 1] int64
        The least number of each cluster but the first.

    Examples
    --------
    >>> line_limits(np.array([5, 5, 0, 0, 1, 9]), 2)
    array([4])
    """
    values = np.flatnonzero(masses)
    if not 1 <= count <= len(values):
        raise AbstractionError(
            f"{count} buckets are not possible: there are 1 to {len(values)}, one for each strength"
        )
    spread = _spreads(values, masses[values])
    lowest = spread[0].copy()  # of one cluster, by its last value
    firsts = np.zeros((count, len(values)), np.int64)
    for clusters in range(1, count):
        costs = lowest[:-1, None] + spread[1:]  # [first - 1, last]
        firsts[clusters, 1:] = costs.argmin(axis=0)[1:] + 1
        lowest[1:] = costs.min(axis=0)[1:]
        lowest[:clusters] = np.inf
    limits, last = [], len(values) - 1
    for clusters in range(count - 1, 0, -1):
        first = int(firsts[clusters, last])
        limits.append(int(values[first]))
        last = first - 1
    return np.array(limits[::-1], np.int64)


def _spreads(values: NDArray[np.int64], masses: NDArray[np.int64]) -> NDArray[np.float64]:
    """Weighted squared distance to the mean of values first .. last, [first, last].

    Infinite where first > last.
    """
    weights = masses / masses.sum()
    centred = values - float(weights @ values)
    moments = [np.concatenate([[0.0], np.cumsum(weights * centred**power)]) for power in range(3)]
    mass, mean, square = (each[None, 1:] - each[:-1, None] for each in moments)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread: NDArray[np.float64] = square - mean**2 / mass
    ordered = np.triu(np.ones_like(spread, bool))
    return np.where(ordered, np.maximum(spread, 0.0), np.inf)
