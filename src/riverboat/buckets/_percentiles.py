"""Buckets between limits of hand strength: equal masses (percentiles) or equal widths (bins).

Strengths are the exact counts of the hand-strength tables, so the limits are computed by counting
deals, without rounding. Hands of equal strength are always in the same bucket.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Final, Literal, Self, cast, get_args

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets._fixed import ClassesRule
from riverboat.buckets._rule import BucketKind, FitTask, Parameters, StreetRule
from riverboat.buckets._streets import (
    AFTER_PREFLOP,
    MOST_POINTS,
    num_boards,
    points_of,
    street_named,
)
from riverboat.cards import (
    CLASS_COMBOS,
    CLASS_HOLES,
    NUM_CLASSES,
    NUM_HOLES,
    HandStrength,
    StreetName,
    board_multiplicities,
    board_size,
    run_out_points,
)
from riverboat.errors import AbstractionError
from riverboat.runs import in_order

Measure = Literal["points", "squares"]


class LimitsRule(StreetRule):
    """Buckets of one postflop street between limits of strength.

    Parameters
    ----------
    street
        `flop`, `turn` or `river`.
    measure
        `points`: sum of half-points over the runouts. `squares`: sum of their squares.
    limits
        [buckets - 1] int64, ascending: the smallest value of each bucket but the first.
    """

    name: ClassVar[str] = "limits"

    def __init__(self, street: StreetName, measure: Measure, limits: NDArray[Any]) -> None:
        self._street = street_named(street, AFTER_PREFLOP)
        if measure not in get_args(Measure):
            raise AbstractionError(
                f"the measure of strength must be points or squares, not {measure!r}"
            )
        self._measure = measure
        given = np.asarray(limits)
        if given.ndim != 1 or given.dtype.kind not in "iu" or (np.diff(given) <= 0).any():
            raise AbstractionError("limits between buckets must be ascending whole numbers")
        self._limits = given.astype(np.int64)

    @property
    def num_buckets(self) -> int:
        """One more than the number of limits."""
        return len(self._limits) + 1

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Return the bucket of one hand, from its strength on all runouts."""
        points = run_out_points(list(hole), list(board)).astype(np.int64)
        value = points.sum() if self._measure == "points" else points @ points
        return int(self._limits.searchsorted(value, "right"))

    def fill(self, tables: HandStrength, begin: int, out: NDArray[Any]) -> None:
        """Write the buckets of canonical boards begin, begin + 1, .. into [boards, 1326]."""
        values = table_values(tables, self._street, self._measure, begin, begin + len(out))
        if self._measure == "points":
            out[:] = self._by_points[values]  # -1, of dead pairs, is the last entry
        else:
            out[:] = self._limits.searchsorted(values, "right")
            out[values < 0] = 0

    @cached_property
    def _by_points(self) -> NDArray[np.uint16]:
        """Bucket of every number of points, then 0 for dead pairs."""
        every = np.arange(MOST_POINTS[self._street] + 2)
        buckets = self._limits.searchsorted(every, "right").astype(np.uint16)
        buckets[-1] = 0
        return buckets

    def parameters(self) -> Parameters:
        """Return street and measure."""
        return {"street": self._street, "measure": self._measure}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return the limits."""
        return {"limits": self._limits}

    @classmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the rule."""
        street, measure = parameters["street"], parameters["measure"]
        return cls(street_named(street), cast("Measure", measure), arrays["limits"])


def table_values(
    tables: HandStrength, street: StreetName, measure: Measure, begin: int, end: int
) -> NDArray[np.int64]:
    """Return the values of hands on boards begin to end - 1, [boards, 1326]; -1 if dead."""
    points = points_of(tables.cells(street)[begin:end])
    if measure == "points":
        return points
    live = points >= 0
    if street == "river":
        return np.where(live, points * points, -1)
    squares: NDArray[Any] = tables.squares(street)[begin:end]
    return np.where(live, squares.astype(np.int64), -1)


_CHUNK = 512
_MULTIPLICITY_BITS = np.int64(5)  # a canonical board represents at most 24 boards
_RULES: Final = (ClassesRule, LimitsRule)

_Masses = tuple[NDArray[np.int64], NDArray[np.int64]]
# By street and measure; independent of the folder of the tables.
_COUNTED: dict[tuple[StreetName, Measure], _Masses] = {}


class EquityBins(BucketKind):
    """Buckets of equal width of E[HS], the equity against a random hand.

    Bin k of n contains strengths from k/n to below (k + 1)/n; 1 is in the last bin.
    """

    name: ClassVar[str] = "equity-bins"
    sentence: ClassVar[str] = "bins of equal width of mean strength E[HS]"
    rules: ClassVar[tuple[type[StreetRule], ...]] = _RULES
    example_counts: ClassVar[str] = "3/4/3/4"

    def fit(self, task: FitTask) -> StreetRule:
        """Compute the limits."""
        count, most = _count(task), MOST_POINTS[task.street]
        limits = np.array([-(-k * most // count) for k in range(1, count)], np.int64)
        if task.street == "preflop":
            values = _class_values(task.tables(), "points")
            return _class_rule(limits.searchsorted(values, "right"))
        return LimitsRule(task.street, "points", limits)


class Percentile(BucketKind):
    """Buckets of equal mass by E[HS], the mean hand strength; possibly fewer than requested."""

    name: ClassVar[str] = "percentile"
    sentence: ClassVar[str] = "the same number of deals in each bucket, by mean strength E[HS]"
    rules: ClassVar[tuple[type[StreetRule], ...]] = _RULES

    def fit(self, task: FitTask) -> StreetRule:
        """Count the deals of each strength."""
        return _fit_masses(task, "points")


class PercentileSquared(BucketKind):
    """Buckets of equal mass by E[HS^2]; on the river that is the order of E[HS] itself."""

    name: ClassVar[str] = "percentile-squared"
    sentence: ClassVar[str] = (
        "the same number of deals in each bucket, by mean squared strength E[HS^2]"
    )
    rules: ClassVar[tuple[type[StreetRule], ...]] = _RULES

    def fit(self, task: FitTask) -> StreetRule:
        """Count the deals of each sum of squares."""
        return _fit_masses(task, "points" if task.street == "river" else "squares")


def _count(task: FitTask) -> int:
    return 1 if task.num_buckets is None else task.num_buckets


def _fit_masses(task: FitTask, measure: Measure) -> StreetRule:
    count, street = _count(task), task.street
    if street == "preflop":
        if count >= NUM_CLASSES:
            return ClassesRule.lossless()
        own = _class_values(task.tables(), measure)
        values, places = np.unique(own, return_inverse=True)
        masses = np.bincount(places, CLASS_COMBOS).astype(np.int64)
        return _class_rule(_equal_masses(values, masses, count).searchsorted(own, "right"))
    return LimitsRule(street, measure, _equal_masses(*_masses(task, measure), count))


def _masses(task: FitTask, measure: Measure) -> _Masses:
    """Return the values that occur on a street, ascending, and their numbers of deals; cached."""
    key = task.street, measure
    if key not in _COUNTED:
        masses_of = _masses_of_points if measure == "points" else _masses_of_squares
        _COUNTED[key] = masses_of(task.tables(), task.street)
    return _COUNTED[key]


def _equal_masses(
    values: NDArray[np.int64], masses: NDArray[np.int64], count: int
) -> NDArray[np.int64]:
    """Return the limits between at most `count` buckets of ascending values.

    The middle of a value's mass determines its bucket; empty buckets are removed.
    """
    below = np.cumsum(masses) - masses
    middles = (2 * below + masses) * count // (2 * int(masses.sum()))
    limits: NDArray[np.int64] = values[1:][np.diff(middles) > 0]
    return limits


def _class_rule(buckets: NDArray[Any]) -> ClassesRule:
    """Number the buckets of starting classes without gaps."""
    return ClassesRule(np.unique(buckets, return_inverse=True)[1])


def _class_values(tables: HandStrength, measure: Measure) -> NDArray[np.int64]:
    """Return the value of each starting class, [169]."""
    holes = [int(members[0]) for members in CLASS_HOLES]
    if measure == "points":
        return points_of(tables.cells("preflop")[0, holes])
    return tables.squares("preflop")[0, holes].astype(np.int64)


def _masses_of_points(tables: HandStrength, street: StreetName) -> _Masses:
    """Return the strengths in points that occur, ascending, and their numbers of deals."""
    weights = board_multiplicities(board_size(street)).astype(np.float64)
    size = MOST_POINTS[street] + 2

    def count(begin: int) -> NDArray[np.float64]:
        points = table_values(tables, street, "points", begin, begin + _CHUNK)
        repeated = np.repeat(weights[begin : begin + len(points)], NUM_HOLES)
        return np.bincount(points.ravel() + 1, repeated, size).astype(np.float64, copy=False)

    total = np.zeros(size)  # whole numbers below 2^53: exact
    for counts in in_order(count, range(0, num_boards(street), _CHUNK)):
        total += counts
    masses = total[1:].astype(np.int64)  # the first entry counts dead pairs
    values = np.flatnonzero(masses)
    return values, masses[values]


def _masses_of_squares(tables: HandStrength, street: StreetName) -> _Masses:
    """Return the sums of squares that occur, ascending, and their numbers of deals."""
    squares = table_values(tables, street, "squares", 0, num_boards(street))
    weights = board_multiplicities(board_size(street)).astype(np.int64)
    squares <<= _MULTIPLICITY_BITS  # value and weight in one number, to sort them in place
    squares += weights[:, None]
    keys = squares[squares > 0]
    keys.sort()
    values = keys >> _MULTIPLICITY_BITS
    firsts = np.flatnonzero(np.diff(values, prepend=-1))
    masses = np.add.reduceat(keys & ((1 << _MULTIPLICITY_BITS) - 1), firsts)
    return values[firsts], masses
