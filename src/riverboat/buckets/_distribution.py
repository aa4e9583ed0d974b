"""Buckets by clusters of strength distributions.

Two hands with the same mean strength can be very different: a small pair is slightly ahead on
every runout, a flush draw wins either everything or nothing. So hands are compared by the
distribution of their river strength over the runouts, as a cumulative histogram of 49 bins, and
clustered by k-means.

The distance is the squared difference of cumulative distributions, summed over the bins (the
Cramer distance). The earth mover's distance, in one dimension the sum of absolute differences of
the same numbers, takes the distance between bins into account too. But only for the squared
distance the means are the best centroids, as k-means requires, and it is fast in whole numbers.

The flop is potential-aware: besides the river strength over the 1,081 runouts it uses the mean
strength on the turn over the 47 next cards, so that it also matters when a hand improves.
(Ganzfried & Sandholm 2014 compare distributions over clusters of the next street instead; ours is
a one-dimensional version of that.) On the river strength is one number, and k-means has an exact
solution. Preflop there are 169 classes, or clusters of them.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isqrt
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.buckets._fixed import ClassesRule
from riverboat.buckets._kmeans import Points, assigned, k_means, line_limits
from riverboat.buckets._percentiles import LimitsRule
from riverboat.buckets._rule import AbstractionProgress, BucketKind, FitTask, Parameters, StreetRule
from riverboat.buckets._streets import (
    MOST_POINTS,
    NUM_DEALS,
    dead_holes,
    num_boards,
    points_of,
    street_named,
)
from riverboat.cards import (
    CLASS_COMBOS,
    HOLE_CLASS,
    NUM_CLASSES,
    STREETS,
    HandStrength,
    StreetName,
    board_multiplicities,
    board_size,
)
from riverboat.errors import AbstractionError
from riverboat.runs import in_order

_STREETS: Final[tuple[StreetName, ...]] = ("flop", "turn")
_LEVELS: Final = _core.NUM_BINS - 1
#: Keeps squared distances, at most 48 * unit^2, below 2^31.
_UNIT: Final = isqrt((2**31 - 1) // _LEVELS)
_POTENTIAL: Final = 0.5
#: A larger sample changes the mean squared distance over all hands by less than 1 %: see bench.
SAMPLE: Final = 250_000
_MOST_BUCKETS: Final = 1 << 16


class DistributionRule(StreetRule):
    """Buckets of the flop or the turn by the nearest centroid.

    Parameters
    ----------
    street
        `flop` or `turn`.
    units
        The value of probability 1 in the cumulative distribution of river strength, and (flop
        only, 0 on the turn) in that of the next street's mean strength.
    centroids
        [buckets, 96 or 48] int16, by ascending sum, which means by ascending mean strength.
    """

    name: ClassVar[str] = "distribution"

    def __init__(
        self, street: StreetName, units: tuple[int, int], centroids: NDArray[np.int16]
    ) -> None:
        self._street = street_named(street, _STREETS)
        self._size = board_size(self._street)
        self._units = _checked_units(self._street, units)
        rows = self._units if self._street == "flop" else self._units[:1]
        self._centroids = checked_centroids(np.repeat(rows, _LEVELS), centroids)

    @property
    def num_buckets(self) -> int:
        """One bucket for each centroid."""
        return len(self._centroids)

    @property
    def centroids(self) -> NDArray[np.int16]:
        """The centroids, [buckets, 96 or 48]."""
        return self._centroids

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Return the bucket of one hand, from its strength on all runouts."""
        cards = (int(hole[0]), int(hole[1]))
        return _core.distribution_bucket(cards, list(board), self._units, self._centroids)

    def fill(self, tables: HandStrength, begin: int, out: NDArray[Any]) -> None:
        """Write the buckets of canonical boards begin, begin + 1, .. into [boards, 1326]."""
        rows = out if out.dtype == np.uint16 else np.empty(out.shape, np.uint16)
        river, turn = tables.cells("river"), tables.cells("turn")
        _core.distribution_buckets_into(
            self._size, begin, river, turn, self._units, self._centroids, rows
        )
        if rows is not out:
            out[:] = rows

    def parameters(self) -> Parameters:
        """Return street and units."""
        return {"street": self._street, "units": list(self._units)}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return the centroids."""
        return {"centroids": self._centroids}

    @classmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the rule."""
        run_out, following = parameters["units"]
        return cls(parameters["street"], (run_out, following), arrays["centroids"])


class Distribution(BucketKind):
    """Clusters of distributions of river strength.

    Preflop 169 buckets are the starting classes, and fewer are clusters of them. On the river
    buckets are intervals of strength with the optimal limits.
    """

    name: ClassVar[str] = "distribution"
    sentence: ClassVar[str] = "k-means of the distributions of river strength over the runouts"
    rules: ClassVar[tuple[type[StreetRule], ...]] = (ClassesRule, DistributionRule, LimitsRule)

    def fit(self, task: FitTask) -> StreetRule:
        """Fit the buckets of one street."""
        if task.street == "preflop":
            return _fit_classes(task, task.num_buckets or 0)
        count = checked_count(task)
        if task.street == "river":
            masses = river_counts(task.tables()).sum(axis=0)
            return LimitsRule("river", "points", line_limits(masses, count))
        return fit_clusters(task)


def checked_count(task: FitTask) -> int:
    """Return the number of buckets of a street with a board; refuse an impossible one."""
    count = task.num_buckets or 0
    if not 1 <= count <= _MOST_BUCKETS:
        raise AbstractionError(f"a street can have 1 to {_MOST_BUCKETS:,} buckets, not {count:,}")
    return count


def distribution_units(street: StreetName, potential: float = _POTENTIAL) -> tuple[int, int]:
    """Return the units of the two parts of a feature.

    Parameters
    ----------
    street
        The street; only the flop uses the next street.
    potential
        Share of the next street's part in the squared distance, 0 to 1.

    Examples
    --------
    >>> distribution_units("flop"), distribution_units("turn")
    ((4729, 4729), (6688, 0))
    """
    if not 0 <= potential <= 1:
        raise AbstractionError(f"potential must be from 0 to 1, not {potential}")
    share = potential if street == "flop" else 0.0
    return int(_UNIT * (1 - share) ** 0.5), int(_UNIT * share**0.5)


def fit_clusters(
    task: FitTask,
    *,
    potential: float = _POTENTIAL,
    sample: int | None = SAMPLE,
    threads: int | None = None,
) -> DistributionRule:
    """Fit the buckets of the flop or the turn.

    Parameters
    ----------
    task
        Street, number of buckets, tables and seed.
    potential
        On the flop, the share of the next street's part in the squared distance.
    sample
        Approximate number of hands to cluster, weighted by their numbers of deals; None = all.
    threads
        Number of threads; all cores by default. The result does not depend on it.
    """
    street, count = street_named(task.street, _STREETS), task.num_buckets or 0
    units = distribution_units(street, potential)
    points = sampled_points(task.tables(), street, units, sample=sample, seed=task.seed)

    def report(done: int, total: int) -> None:
        task.progress(AbstractionProgress("fit", street, done, total))

    clusters = k_means(points, count, task.seed, threads=threads, progress=report)
    return DistributionRule(street, units, clusters.centroids)


def _fit_classes(task: FitTask, count: int) -> ClassesRule:
    if not 1 <= count <= NUM_CLASSES:
        raise AbstractionError(f"preflop can have 1 to {NUM_CLASSES} buckets, not {count}")
    if count == NUM_CLASSES:
        return ClassesRule.lossless()
    points = class_points(task.tables(), distribution_units("flop"))
    return ClassesRule(assigned(points, k_means(points, count, task.seed).centroids)[0])


def _checked_units(street: StreetName, units: tuple[int, int]) -> tuple[int, int]:
    run_out, following = units
    whole = isinstance(run_out, int) and isinstance(following, int)
    valid = whole and run_out >= 0 and following >= 0 and (street == "flop" or following == 0)
    if not valid or run_out**2 + following**2 > _UNIT**2:
        raise AbstractionError(
            f"units {units} of the {street} are not possible: they are whole numbers from 0 on, "
            f"the sum of their squares at most {_UNIT**2:,}, and the second 0 except on the flop"
        )
    return run_out, following


def checked_centroids(limits: NDArray[Any], centroids: NDArray[Any]) -> NDArray[np.int16]:
    """Return centroids as a contiguous array; refuse impossible ones.

    Parameters
    ----------
    limits
        [width] the largest value of each entry.
    centroids
        [buckets, width] int16, by ascending sum.
    """
    given = np.ascontiguousarray(centroids)
    if given.dtype != np.int16 or given.ndim != 2:
        raise AbstractionError(f"centroids must be rows of int16, not {given.shape} {given.dtype}")
    if given.shape[1] != len(limits) or not 1 <= len(given) <= _MOST_BUCKETS:
        raise AbstractionError(
            f"centroids must be 1 to {_MOST_BUCKETS:,} rows of {len(limits)}, not {given.shape}"
        )
    if (given < 0).any() or (given > limits).any():
        raise AbstractionError("centroids must be from 0 to the units")
    if (np.diff(given.sum(axis=1, dtype=np.int64)) < 0).any():
        raise AbstractionError("centroids must ascend in strength")
    return given


_BINS: Final = _core.NUM_BINS
# Boards at a time: some hundredths of a second.
_CHUNK: Final[dict[StreetName, int]] = {"flop": 16, "turn": 64, "river": 512}
_RIVER_CHUNK: Final = 16_384


def sampled_points(
    tables: HandStrength,
    street: StreetName,
    units: tuple[int, int],
    *,
    sample: int | None,
    seed: int,
) -> Points:
    """Return distributions of hands on the flop or the turn.

    Parameters
    ----------
    tables
        The hand-strength tables.
    street
        `flop` or `turn`.
    units
        See `DistributionRule`.
    sample, seed
        As for `points_of_sample`.
    """
    describe = partial(cell_features, tables, street, units)
    return points_of_sample(street, describe, sample=sample, seed=seed)


def points_of_sample(
    street: StreetName,
    describe: Callable[[NDArray[Any], NDArray[Any]], NDArray[np.int16]],
    *,
    sample: int | None,
    seed: int,
) -> Points:
    """Draw hands on a street, and return their points.

    Parameters
    ----------
    street
        A street with a board.
    describe
        Returns the points of cells: canonical boards, hole pairs.
    sample
        Approximate number of deals to draw. A hand is drawn with a probability proportional to its
        number of deals, and has weight 1. None = all hands, with their numbers of deals as weights.
    seed
        Random seed.
    """
    multiplicities = board_multiplicities(board_size(street)).astype(np.uint32)
    share = None if sample is None else sample / NUM_DEALS[street]

    def draw(begin: int) -> tuple[NDArray[np.int16], NDArray[np.uint32]]:
        weights = multiplicities[begin : begin + _CHUNK[street]]
        drawn = ~dead_holes(street, begin, begin + len(weights))
        if share is not None:
            random = np.random.default_rng([seed, STREETS.index(street), begin])
            drawn &= random.random(drawn.shape) < share * weights[:, None]
        rows, holes = np.nonzero(drawn)
        masses = weights[rows] if share is None else np.ones(len(rows), np.uint32)
        return describe(begin + rows, holes), masses

    parts = list(in_order(draw, range(0, num_boards(street), _CHUNK[street])))
    return Points(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def cell_features(
    tables: HandStrength,
    street: StreetName,
    units: tuple[int, int],
    boards: NDArray[np.integer[Any]],
    holes: NDArray[np.integer[Any]],
) -> NDArray[np.int16]:
    """Return distributions of hole pairs on canonical boards, [cells, 96 or 48].

    Entry j of 48 is the share of runouts on which the hand ends above bin j of 49, times the unit,
    rounded. On the flop 48 more entries describe the mean strength after the next card. Cells of
    the same board should be consecutive, for speed.
    """
    width = 2 * _LEVELS if street == "flop" else _LEVELS
    features = np.empty((len(boards), width), np.int16)
    cells = boards.astype(np.uint32), holes.astype(np.uint16)
    river, turn = tables.cells("river"), tables.cells("turn")
    _core.cell_features_into(board_size(street), *cells, river, turn, units, features)
    return features


def class_points(tables: HandStrength, units: tuple[int, int]) -> Points:
    """Return distributions of the 169 classes: river strength, and mean strength on the flop."""
    rivers = river_counts(tables)
    most = rivers.shape[1] - 1
    firsts = [-(-index * most // _BINS) for index in range(_BINS)]
    by_bin = np.add.reduceat(rivers, firsts, axis=1)
    rows = [_shares(by_bin, units[0]), _shares(_flop_counts(tables), units[1])]
    return Points(np.hstack(rows), CLASS_COMBOS.astype(np.uint32))


def river_counts(tables: HandStrength) -> NDArray[np.int64]:
    """Return the number of deals by starting class and strength on the river, [169, 1981]."""
    cells = tables.cells("river")
    weights = board_multiplicities(5).astype(np.uint32)
    groups = HOLE_CLASS.astype(np.uint16)

    def count(begin: int) -> NDArray[np.int64]:
        part = slice(begin, begin + _RIVER_CHUNK)
        counts = np.zeros((NUM_CLASSES, MOST_POINTS["river"] + 1), np.int64)
        _core.count_river_points_into(cells[part], weights[part], groups, counts)
        return counts

    total = np.zeros((NUM_CLASSES, MOST_POINTS["river"] + 1), np.int64)
    for counts in in_order(count, range(0, len(cells), _RIVER_CHUNK)):
        total += counts
    return total


def _flop_counts(tables: HandStrength) -> NDArray[np.int64]:
    """Return the number of deals by starting class and bin of flop strength, [169, 49]."""
    points = points_of(tables.cells("flop"))
    bins = np.minimum(points * _BINS // MOST_POINTS["flop"], _BINS - 1)
    keys = HOLE_CLASS.astype(np.int64) * _BINS + bins
    deals = np.broadcast_to(board_multiplicities(3)[:, None], keys.shape)
    live = points >= 0
    counts = np.bincount(keys[live], deals[live], NUM_CLASSES * _BINS)  # below 2^53: exact
    return counts.astype(np.int64).reshape(NUM_CLASSES, _BINS)


def _shares(counts: NDArray[np.int64], unit: int) -> NDArray[np.int16]:
    """Return the share of deals above each bin but the last, in units, rounded, [169, 48]."""
    total = counts.sum(axis=1, keepdims=True)
    above = total - counts.cumsum(axis=1)[:, :-1]
    shares: NDArray[np.int64] = (2 * above * unit + total) // (2 * total)
    return shares.astype(np.int16)
