"""k-means on rows of whole numbers, with the same result for every number of threads.

Lloyd's algorithm (1982) from greedy k-means++ starting centroids (Arthur & Vassilvitskii 2007).
Points are int16, sums and costs are integers, and means are rounded to whole numbers, so that the
order of additions does not change a result. Squared distances must be below 2^31.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.errors import AbstractionError
from riverboat.runs import num_cores

_CANDIDATES: Final = 3
_MOST_STEPS: Final = 80
_LEAST_GAIN: Final = 2e-4
_FAR: Final = np.iinfo(np.int32).max
_T = TypeVar("_T")


@dataclass(frozen=True)
class Points:
    """Weighted points to cluster.

    Attributes
    ----------
    rows
        [points, 8, 48 or 96] int16, not negative.
    weights
        [points] uint32: number of deals of each point.
    """

    rows: NDArray[np.int16]
    weights: NDArray[np.uint32]

    @property
    def mass(self) -> int:
        """Sum of the weights."""
        return int(self.weights.sum(dtype=np.int64))


@dataclass(frozen=True)
class Clusters:
    """The result of k-means.

    Attributes
    ----------
    centroids
        [clusters, width] int16, in ascending order of their sums. Each has at least one point.
    squared_error
        Mean squared distance of the points to their centroids.
    steps
        Number of steps of Lloyd's algorithm.
    """

    centroids: NDArray[np.int16]
    squared_error: float
    steps: int


def k_means(
    points: Points,
    count: int,
    seed: int,
    *,
    threads: int | None = None,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> Clusters:
    """Cluster weighted points.

    Parameters
    ----------
    points
        Points, of which at least `count` are different.
    count
        Number of clusters, 1 to 65,536.
    seed
        Random seed of the starting centroids.
    threads
        Number of threads; all cores by default. The result does not depend on it.
    progress
        Called with (done, total) steps; it may end before the total.

    Examples
    --------
    >>> rows = np.repeat(np.array([[0], [1], [50], [52]], np.int16), 48, axis=1)
    >>> clusters = k_means(Points(rows, np.ones(4, np.uint32)), 2, seed=1)
    >>> clusters.centroids[:, 0]
    array([ 1, 51], dtype=int16)
    """
    with _Slices(points, threads) as slices:
        centroids = _seeds(slices, count, np.random.default_rng([seed, count]), progress)
        best = 0
        for step in range(1, _MOST_STEPS + 1):
            centroids = _ascending(centroids)
            cost = slices.assign(centroids)
            progress(count + step, count + _MOST_STEPS)
            sums, masses = slices.members(count)
            settled = step > 1 and best - cost < _LEAST_GAIN * cost
            if masses.all() and (settled or step == _MOST_STEPS):
                break
            best = cost
            centroids = _means(centroids, sums, masses)
            _move_idle(slices, centroids, masses)
        centroids, cost = _without_idle(slices, centroids)
        return Clusters(centroids, cost / points.mass, step)


def assigned(
    points: Points, centroids: NDArray[np.int16], threads: int | None = None
) -> tuple[NDArray[np.uint16], float]:
    """Return the cluster of each point, [points], and the mean squared distance."""
    with _Slices(points, threads) as slices:
        cost = slices.assign(centroids)
        return slices.labels, cost / points.mass


class _Slices:
    """Points in slices for several threads, with the cluster and distance of each point."""

    def __init__(self, points: Points, threads: int | None) -> None:
        self.points = points
        self.labels = np.zeros(len(points.rows), np.uint16)
        self.distances = np.full(len(points.rows), _FAR, np.int32)
        self._threads = threads or num_cores()
        self._pool = ThreadPoolExecutor(self._threads)
        limits = np.linspace(0, len(points.rows), 4 * self._threads + 1).astype(int)
        self._slices = [slice(*pair) for pair in pairwise(limits)]

    def __enter__(self) -> "_Slices":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def _map(
        self, kernel: Callable[[NDArray[np.int16], NDArray[np.uint32], slice], _T]
    ) -> list[_T]:
        def run(part: slice) -> _T:
            return kernel(self.points.rows[part], self.points.weights[part], part)

        return list(self._pool.map(run, self._slices))

    def assign(self, centroids: NDArray[np.int16]) -> int:
        """Compute the cluster and distance of each point; return the cost."""
        return sum(
            self._map(
                lambda rows, weights, part: _core.assign_points_into(
                    rows, weights, centroids, self.labels[part], self.distances[part]
                )
            )
        )

    def members(self, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the sums of each cluster's points, [count, width], and weights, [count]."""

        def add(
            rows: NDArray[np.int16], weights: NDArray[np.uint32], part: slice
        ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
            sums, masses = np.zeros((count, rows.shape[1]), np.int64), np.zeros(count, np.int64)
            _core.add_members_into(rows, weights, self.labels[part], sums, masses)
            return sums, masses

        parts = self._map(add)
        return (
            np.sum([sums for sums, _ in parts], axis=0, dtype=np.int64),
            np.sum([masses for _, masses in parts], axis=0, dtype=np.int64),
        )

    def cost_with(self, centroid: NDArray[np.int16]) -> int:
        """Return the cost with one more centroid."""
        return sum(
            self._map(
                lambda rows, weights, part: _core.cost_with(
                    rows, weights, centroid, self.distances[part]
                )
            )
        )

    def add_centroid(self, centroid: NDArray[np.int16]) -> int:
        """Reduce distances to which the new centroid is nearer; return the cost."""
        return sum(
            self._map(
                lambda rows, weights, part: _core.lower_distances(
                    rows, weights, centroid, self.distances[part]
                )
            )
        )


def _seeds(
    slices: _Slices,
    count: int,
    random: np.random.Generator,
    progress: Callable[[int, int], object],
) -> NDArray[np.int16]:
    """Draw starting centroids in proportion to weight times squared distance to the previous ones.

    Of several candidates the one that reduces the cost most is chosen.
    """
    rows, weights = slices.points.rows, slices.points.weights
    chosen = np.empty((count, rows.shape[1]), np.int16)
    slices.distances[:] = 1  # the first is drawn by weight only
    cost = slices.points.mass
    for index in range(count):
        if cost == 0:
            raise AbstractionError(
                f"{count} buckets are too many: there are only {index} different hands"
            )
        targets = random.integers(cost, size=_CANDIDATES if index else 1, dtype=np.uint64)
        drawn = [_core.point_at(weights, slices.distances, int(target)) for target in targets]
        best = min(drawn, key=lambda point: slices.cost_with(rows[point])) if index else drawn[0]
        chosen[index] = rows[best]
        if index == 0:
            slices.distances[:] = _FAR
        cost = slices.add_centroid(chosen[index])
        progress(index + 1, count + _MOST_STEPS)
    return chosen


def _ascending(centroids: NDArray[np.int16]) -> NDArray[np.int16]:
    order = centroids.sum(axis=1, dtype=np.int64).argsort(kind="stable")
    return np.ascontiguousarray(centroids[order])


def _means(
    centroids: NDArray[np.int16], sums: NDArray[np.int64], masses: NDArray[np.int64]
) -> NDArray[np.int16]:
    """Return rounded means; a cluster without points keeps its centroid."""
    mass = np.maximum(masses, 1)[:, None]
    means = (2 * sums + mass) // (2 * mass)
    return np.where(masses[:, None] > 0, means, centroids).astype(np.int16)


def _move_idle(slices: _Slices, centroids: NDArray[np.int16], masses: NDArray[np.int64]) -> None:
    """Move centroids without points to the points with the largest distances."""
    idle = np.flatnonzero(masses == 0)
    if not len(idle):
        return
    taken: list[NDArray[np.int16]] = []
    for point in (-slices.distances.astype(np.int64)).argsort(kind="stable"):
        row = slices.points.rows[point]
        if len(taken) == len(idle) or slices.distances[point] == 0:
            break
        if not any(np.array_equal(row, other) for other in taken):
            taken.append(row)
    for centroid, row in zip(idle, taken, strict=False):
        centroids[centroid] = row


def _without_idle(slices: _Slices, centroids: NDArray[np.int16]) -> tuple[NDArray[np.int16], int]:
    """Move centroids until each has a point; each move reduces the cost, so the loop ends."""
    while True:
        centroids = _ascending(centroids)
        cost = slices.assign(centroids)
        masses = slices.members(len(centroids))[1]
        if masses.all():
            return centroids, cost
        _move_idle(slices, centroids, masses)


def line_limits(masses: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return the limits between the optimal clusters of the numbers 0, 1, 2, ...

    Parameters
    ----------
    masses
        [numbers] the weight of each number.
    count
        Number of clusters; at most the number of positive weights.

    Returns
    -------
    [count - 1] int64
        The smallest number of each cluster but the first.

    Examples
    --------
    >>> line_limits(np.array([5, 5, 0, 0, 1, 9]), 2)
    array([4])
    """
    values = np.flatnonzero(masses)
    if not 1 <= count <= len(values):
        raise AbstractionError(
            f"{count} buckets are not possible: {len(values)} strengths allow 1 to {len(values)}"
        )
    weights = masses[values] / masses.sum()
    centred = values - float((weights * values).sum())  # for small squares
    mass, total, square = (
        np.concatenate([[0.0], np.cumsum(weights * centred**power)]) for power in range(3)
    )
    firsts = _core.line_clusters(mass, total, square, count)
    return values[firsts[1:]].astype(np.int64)
