"""River buckets by opponent cluster hand strength (OCHS).

Two river hands with the same strength against a random hand can do differently against a range: top
pair beats nearly all weak starting hands and half of the best ones, a low flush on a board with
four cards of its suit beats most of either. So a hand is described by its equity against each of
eight clusters of the opponent's starting hands, and hands are clustered by k-means with the squared
distance. (Johanson, Burch, Valenzano & Bowling 2013, "Evaluating State-Space Abstractions in
Extensive-Form Games". There starting hands are clustered by the earth mover's distance of their
distributions; here they are the eight preflop buckets of the kind `distribution`.)
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.buckets._distribution import (
    SAMPLE,
    Distribution,
    DistributionRule,
    checked_centroids,
    checked_count,
    points_of_sample,
)
from riverboat.buckets._fixed import ClassesRule
from riverboat.buckets._kmeans import Points, k_means
from riverboat.buckets._rule import AbstractionProgress, FitTask, Parameters, StreetRule
from riverboat.cards import HOLE_CLASS, HandStrength
from riverboat.errors import AbstractionError

_CLUSTERS: Final = _core.NUM_OPPONENT_CLUSTERS


class OpponentClustersRule(StreetRule):
    """Buckets of the river by the nearest centroid.

    Parameters
    ----------
    clusters
        [169] cluster of each starting class of the opponent, 0 to 7.
    centroids
        [buckets, 8] int16: equity against each cluster in units of 1/16,383, by ascending sum.
    """

    name: ClassVar[str] = "ochs"
    needs_tables: ClassVar[bool] = False

    def __init__(self, clusters: NDArray[Any], centroids: NDArray[np.int16]) -> None:
        self._classes = ClassesRule(clusters)
        if self._classes.num_buckets > _CLUSTERS:
            raise AbstractionError(
                f"clusters of the opponent's hands must be 0 to {_CLUSTERS - 1}, "
                f"not up to {self._classes.num_buckets - 1}"
            )
        self._clusters = self._classes.arrays()["buckets"][HOLE_CLASS].astype(np.uint8)
        self._centroids = checked_centroids(np.full(_CLUSTERS, _core.EQUITY_UNIT), centroids)

    @property
    def num_buckets(self) -> int:
        """One bucket for each centroid."""
        return len(self._centroids)

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Return the bucket of one hand, from its equity against each cluster."""
        cards = (int(hole[0]), int(hole[1]))
        return _core.opponent_bucket(cards, list(board), self._clusters, self._centroids)

    def fill(self, tables: HandStrength, begin: int, out: NDArray[Any]) -> None:  # noqa: ARG002 - the interface of rules
        """Write the buckets of canonical boards begin, begin + 1, .. into [boards, 1326]."""
        rows = out if out.dtype == np.uint16 else np.empty(out.shape, np.uint16)
        _core.opponent_buckets_into(begin, self._clusters, self._centroids, rows)
        if rows is not out:
            out[:] = rows

    def parameters(self) -> Parameters:
        """Return no parameters."""
        return {}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return the clusters by starting class, and the centroids."""
        return {"clusters": self._classes.arrays()["buckets"], "centroids": self._centroids}

    @classmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:  # noqa: ARG003 - the interface of rules
        """Restore the rule."""
        return cls(arrays["clusters"], arrays["centroids"])


class OpponentClusters(Distribution):
    """On the river, clusters of equities against clusters of the opponent's hands.

    Before the river it is the kind `distribution`.
    """

    name: ClassVar[str] = "ochs"
    sentence: ClassVar[str] = (
        "on the river k-means of the equities against 8 clusters of hands; before it distribution"
    )
    rules: ClassVar[tuple[type[StreetRule], ...]] = (
        ClassesRule,
        DistributionRule,
        OpponentClustersRule,
    )

    def fit(self, task: FitTask) -> StreetRule:
        """Fit the buckets of one street."""
        return fit_river(task) if task.street == "river" else super().fit(task)


def fit_river(
    task: FitTask, *, clusters: NDArray[Any] | None = None, sample: int = SAMPLE
) -> OpponentClustersRule:
    """Fit the buckets of the river.

    Parameters
    ----------
    task
        Number of buckets, tables and seed.
    clusters
        [169] cluster of each starting class; by default `opponent_clusters`.
    sample
        Approximate number of hands to cluster, weighted by their numbers of deals.
    """
    count = checked_count(task)
    known = opponent_clusters(task) if clusters is None else clusters
    points = opponent_points(known, sample=sample, seed=task.seed)

    def report(done: int, total: int) -> None:
        task.progress(AbstractionProgress("fit", "river", done, total))

    found = k_means(points, count, task.seed, progress=report)
    return OpponentClustersRule(known, found.centroids)


def opponent_clusters(task: FitTask) -> NDArray[np.uint16]:
    """Return the cluster of each starting class, [169]: the preflop buckets of `distribution 8`."""
    preflop = FitTask("preflop", _CLUSTERS, task.tables, task.seed, task.progress)
    return Distribution().fit(preflop).arrays()["buckets"]


def opponent_points(clusters: NDArray[Any], *, sample: int, seed: int) -> Points:
    """Return the equities of sampled river hands against clusters of starting classes.

    Parameters
    ----------
    clusters
        [169] cluster of each starting class.
    sample, seed
        As for `points_of_sample`.
    """
    by_hole = clusters[HOLE_CLASS].astype(np.uint8)

    def describe(boards: NDArray[Any], holes: NDArray[Any]) -> NDArray[np.int16]:
        features = np.empty((len(boards), _CLUSTERS), np.int16)
        cells = boards.astype(np.uint32), holes.astype(np.uint16)
        _core.opponent_features_into(*cells, by_hole, features)
        return features

    return points_of_sample("river", describe, sample=sample, seed=seed)
