"""Quality of clustered buckets: mean squared distances over all hands (some minutes).

    cd tests && uv run python -m buckets.quality

k-means is compared with percentiles, a sample with all hands (250,000 hands shall come within 2 %),
and a flop that knows the turn with one that does not.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.buckets import (
    KINDS,
    FitTask,
    StreetRule,
    dead_holes,
    fit_clusters,
    no_progress,
    num_boards,
)
from riverboat.buckets._distribution import distribution_units, sampled_points
from riverboat.buckets._kmeans import Points, assigned
from riverboat.cards import NUM_HOLES, HandStrength, StreetName

SAMPLES = (60_000, 125_000, 250_000, 500_000)


def squared_error(points: Points, labels: NDArray[np.uint16], count: int) -> float:
    """Return the mean squared distance of points to the mean of their cluster."""
    sums = np.zeros((count, points.rows.shape[1]), np.int64)
    masses = np.zeros(count, np.int64)
    squares = _core.add_members_into(points.rows, points.weights, labels, sums, masses)
    held = masses > 0
    explained = (sums[held].astype(np.float64) ** 2).sum(axis=1) / masses[held]
    return float((squares - explained.sum()) / points.mass)


def labels_of(rule: StreetRule, street: StreetName, tables: HandStrength) -> NDArray[np.uint16]:
    """Return the bucket of every live pair on every board, in the order of `sampled_points`."""
    table = np.zeros((num_boards(street), NUM_HOLES), np.uint16)
    rule.fill(tables, 0, table)
    return table[~dead_holes(street, 0, len(table))]


def parts_of(points: Points) -> dict[str, Points]:
    """Return the two halves of a flop's feature."""
    return {
        "river": Points(np.ascontiguousarray(points.rows[:, :48]), points.weights),
        "next": Points(np.ascontiguousarray(points.rows[:, 48:]), points.weights),
    }


def quality(tables: HandStrength) -> Iterator[tuple[str, float]]:
    """Return the mean squared distance over all flops, in shares of certainty."""
    units = distribution_units("flop")
    task = FitTask("flop", 200, lambda: tables, 0, no_progress)
    every = sampled_points(tables, "flop", units, sample=None, seed=0)
    full = assigned(every, fit_clusters(task, sample=None).centroids)[1]
    yield "flop, k-means on all hands", full / units[0] ** 2
    for sample in SAMPLES:
        fitted = fit_clusters(task, sample=sample)
        error = assigned(every, fitted.centroids)[1]
        name = f"flop, k-means on {sample:,} hands, against all"
        yield name, error / full
    for name, kind in (("E[HS]", "percentile"), ("E[HS^2]", "percentile-squared")):
        error = squared_error(every, labels_of(KINDS[kind].fit(task), "flop", tables), 200)
        yield f"flop, percentiles of {name}, against k-means", error / full
    parts = parts_of(every)
    for potential in (0.0, 0.5, 1.0):
        labels = labels_of(fit_clusters(task, potential=potential), "flop", tables)
        for part, points in parts.items():
            error = squared_error(points, labels, 200) / units[0] ** 2
            name = f"flop, potential {potential}: distance in the {part} part"
            yield name, error


def turn_quality(tables: HandStrength) -> Iterator[tuple[str, float]]:
    """Return the same for a large sample of turns, drawn separately from the fit."""
    units = distribution_units("turn")
    task = FitTask("turn", 200, lambda: tables, 0, no_progress)
    fresh = sampled_points(tables, "turn", units, sample=2_000_000, seed=99)
    full = assigned(fresh, fit_clusters(task, sample=2_000_000).centroids)[1]
    yield "turn, k-means on 2,000,000 hands", full / units[0] ** 2
    for sample in SAMPLES:
        error = assigned(fresh, fit_clusters(task, sample=sample).centroids)[1]
        name = f"turn, k-means on {sample:,} hands, against 2,000,000"
        yield name, error / full


if __name__ == "__main__":
    opened = HandStrength()
    for rows in (quality(opened), turn_quality(opened)):
        for name, value in rows:
            print(f"{value:10.4f}  {name}")
