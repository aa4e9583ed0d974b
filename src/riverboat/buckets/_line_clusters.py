"""k-means of numbers on a line, solved exactly.

Clusters of numbers are intervals, so the best ones are found by dynamic programming over the
limits between them (Wang & Song 2011). Nothing is random here, and no other limits have a
smaller mean squared distance.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
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
    weights = masses[values] / masses.sum()
    centred = values - float((weights * values).sum())  # keeps the squares small
    mass, total, square = (
        np.concatenate([[0.0], np.cumsum(weights * centred**power)]) for power in range(3)
    )
    firsts = _core.line_clusters(mass, total, square, count)
    return values[firsts[1:]].astype(np.int64)
