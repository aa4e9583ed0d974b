"""k-means: kernels against their twins, seeds, threads, empty clusters."""

import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from buckets.quality import squared_error
from riverboat import _core
from riverboat.buckets._kmeans import Clusters, Points, assigned, k_means, line_limits
from riverboat.errors import AbstractionError
from twins.distribution import best_line_spread, line_spread, lloyd_step


def random_points(rng: np.random.Generator, count: int, width: int, most: int = 4_700) -> Points:
    """Falling rows, as distributions are."""
    rows = -np.sort(-rng.integers(0, most + 1, (count, width)), axis=1)
    return Points(rows.astype(np.int16), rng.integers(1, 25, count, dtype=np.uint32))


def ascending(rows: NDArray[np.int16]) -> NDArray[np.int16]:
    return np.ascontiguousarray(rows[rows.sum(axis=1, dtype=int).argsort(kind="stable")])


@pytest.mark.parametrize("width", [8, 48, 96])
@pytest.mark.parametrize("most", [3, 4_700])  # 3: many equal distances
def test_one_step_is_its_twins(width: int, most: int) -> None:
    points = random_points(np.random.default_rng(width + most), 200, width, most)
    centroids = ascending(points.rows[:40])
    labels, distances = np.zeros(200, np.uint16), np.zeros(200, np.int32)
    cost = _core.assign_points_into(points.rows, points.weights, centroids, labels, distances)
    sums, masses = np.zeros((40, width), np.int64), np.zeros(40, np.int64)
    _core.add_members_into(points.rows, points.weights, labels, sums, masses)
    expected = lloyd_step(points.rows.tolist(), points.weights.tolist(), centroids.tolist())
    assert labels.tolist() == expected[0]
    assert cost == expected[1] == int(distances @ points.weights.astype(np.int64))
    for total, mass, mean in zip(sums, masses, expected[2], strict=True):
        assert (mean is None) == (mass == 0)
        if mean is not None:
            assert ((2 * total + mass) // (2 * mass)).tolist() == mean


def test_the_squared_error_of_any_clusters() -> None:
    points = random_points(np.random.default_rng(5), 100, 48)
    labels = np.random.default_rng(6).integers(0, 7, 100).astype(np.uint16)
    total = 0.0
    for cluster in range(7):
        own = labels == cluster
        weights = points.weights[own, None].astype(float)
        mean = (points.rows[own] * weights).sum(axis=0) / weights.sum()
        total += float((weights * (points.rows[own] - mean) ** 2).sum())
    assert squared_error(points, labels, 7) == pytest.approx(total / points.mass)


def same(one: Clusters, other: Clusters) -> bool:
    return np.array_equal(one.centroids, other.centroids) and one == Clusters(
        one.centroids, other.squared_error, other.steps
    )


@pytest.mark.threads
def test_threads_change_nothing_and_seeds_do() -> None:
    points = random_points(np.random.default_rng(1), 3_000, 48)
    first = k_means(points, 25, seed=4, threads=1)
    for threads in (2, 5):
        assert same(first, k_means(points, 25, seed=4, threads=threads))
    assert not same(first, k_means(points, 25, seed=5, threads=1))


def test_both_builds_agree() -> None:
    code = """
import numpy as np
from riverboat import _core
from riverboat.buckets._kmeans import Points, k_means
rows = -np.sort(-np.random.default_rng(1).integers(0, 4700, (2000, 96)), axis=1).astype(np.int16)
found = k_means(Points(rows, np.ones(2000, np.uint32)), 30, seed=2)
print(_core.ISA, found.squared_error, found.steps, hash(found.centroids.tobytes()))
"""
    printed = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "RIVERBOAT_ISA": isa, "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split(" ", 1)
        for isa in ("baseline", _core.ISA)
    ]
    assert [isa for isa, _ in printed] == ["baseline", _core.ISA]
    assert printed[0][1] == printed[1][1]


def test_the_result_is_a_local_optimum() -> None:
    points = random_points(np.random.default_rng(2), 400, 48)
    found = k_means(points, 10, seed=1)
    labels, error = assigned(points, found.centroids)
    assert error == found.squared_error
    # Moving every centroid to the mean of its points gains less than the step that was the last.
    assert squared_error(points, labels, 10) == pytest.approx(error, rel=1e-3)
    assert (np.diff(found.centroids.sum(axis=1, dtype=int)) >= 0).all()


@pytest.mark.parametrize("count", [1, 7, 29, 30])
def test_no_cluster_is_empty(count: int) -> None:
    """30 different points, most of them many times, and some next to each other."""
    rng = np.random.default_rng(count)
    rows = random_points(rng, 30, 48).rows
    rows[10:20] = rows[:10]
    rows[10:20, 0] += 1
    rows = rows[np.concatenate([np.arange(30), rng.integers(0, 5, 300)])]
    points = Points(rows, np.ones(330, np.uint32))
    found = k_means(points, count, seed=3)
    labels, error = assigned(points, found.centroids)
    assert np.array_equal(np.unique(labels), np.arange(count))
    if count == 30:
        assert error == 0


def test_too_many_clusters_are_refused() -> None:
    rows = np.repeat(random_points(np.random.default_rng(1), 5, 48).rows, 3, axis=0)
    with pytest.raises(
        AbstractionError, match="6 buckets are too many: there are only 5 different"
    ):
        k_means(Points(rows, np.ones(15, np.uint32)), 6, seed=1)


@pytest.mark.parametrize("seed", range(20))
def test_no_limits_on_a_line_are_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    masses = rng.integers(0, 30, 12) * rng.integers(0, 2, 12)
    masses[[2, 9]] = 7
    for count in range(1, min(6, int(np.count_nonzero(masses))) + 1):
        limits = line_limits(masses, count).tolist()
        assert len(limits) == count - 1
        assert line_spread(masses.tolist(), limits) == best_line_spread(masses.tolist(), count)
        parts = np.split(masses, limits)
        assert all(part.sum() > 0 for part in parts)


def test_a_line_has_no_more_clusters_than_numbers() -> None:
    with pytest.raises(
        AbstractionError, match="3 buckets are not possible: 2 strengths allow 1 to 2"
    ):
        line_limits(np.array([0, 4, 0, 1]), 3)
