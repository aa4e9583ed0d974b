"""Buckets between limits of hand strength: percentiles and fixed bins.

A hand's value is a whole number: its half-points summed over the run-outs (E[HS], the mean
strength), or the sum of their squares (E[HS^2], which likes hands that win much or nothing). Its
bucket is the number of limits that it reaches. Tables and single hands are compared with the same
limits, and both values are exact, so that training and play cannot disagree.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Literal, Self, cast, get_args

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets._rule import Parameters, StreetRule
from riverboat.buckets._streets import AFTER_PREFLOP, MOST_POINTS, points_of, street_named
from riverboat.cards import HandStrength, StreetName, run_out_points
from riverboat.errors import AbstractionError

__all__ = ["LimitsRule", "Measure", "table_values"]

Measure = Literal["points", "squares"]


class LimitsRule(StreetRule):
    """Buckets of one street after the flop, between limits of strength.

    Parameters
    ----------
    street
        `flop`, `turn` or `river`.
    measure
        `points`: sum of half-points over the run-outs. `squares`: sum of their squares.
    limits
        [buckets - 1] int64, ascending: the least value of each bucket but the first.
    """

    name: ClassVar[str] = "limits"

    def __init__(self, street: StreetName, measure: Measure, limits: NDArray[Any]) -> None:
        self._street = street_named(street, AFTER_PREFLOP)
        if measure not in get_args(Measure):
            raise AbstractionError(f"strength is measured in points or squares, not {measure!r}")
        self._measure = measure
        given = np.asarray(limits)
        if given.ndim != 1 or given.dtype.kind not in "iu" or (np.diff(given) <= 0).any():
            raise AbstractionError("limits between buckets are whole numbers that ascend")
        self._limits = given.astype(np.int64)

    @property
    def num_buckets(self) -> int:
        """One more than limits."""
        return len(self._limits) + 1

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Bucket of one hand, from the strengths of all its run-outs."""
        points = run_out_points(list(hole), list(board)).astype(np.int64)
        value = points.sum() if self._measure == "points" else points @ points
        return int(self._limits.searchsorted(value, "right"))

    def fill(self, tables: HandStrength, begin: int, out: NDArray[Any]) -> None:
        """Write the buckets of canonical boards begin, begin + 1, .. into [boards, 1326]."""
        values = table_values(tables, self._street, self._measure, begin, begin + len(out))
        if self._measure == "points":
            out[:] = self._by_points[values]  # dead holes, -1, take the last
        else:
            out[:] = self._limits.searchsorted(values, "right")
            out[values < 0] = 0

    @cached_property
    def _by_points(self) -> NDArray[np.uint16]:
        """Bucket of every number of points, and a last one, 0, for dead holes."""
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
        """Make it from what was saved."""
        street, measure = parameters["street"], parameters["measure"]
        return cls(street_named(street), cast("Measure", measure), arrays["limits"])


def table_values(
    tables: HandStrength, street: StreetName, measure: Measure, begin: int, end: int
) -> NDArray[np.int64]:
    """Values of the hands on canonical boards begin to end - 1, [boards, 1326]; -1 if dead."""
    points = points_of(tables.cells(street)[begin:end])
    if measure == "points":
        return points
    live = points >= 0
    if street == "river":
        return np.where(live, points * points, -1)
    squares: NDArray[Any] = tables.squares(street)[begin:end]
    return np.where(live, squares.astype(np.int64), -1)
