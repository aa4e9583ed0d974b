"""Means with 95 % intervals, from independent units of unequal size."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Estimate", "Share", "moments_estimate", "ratio_estimate", "student_95", "wilson"]

NORMAL_95 = 1.959963984540054
# 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom (any statistics handbook).
_STUDENT = (
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
    2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
    2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
)  # fmt: skip


def student_95(freedom: int) -> float:
    """97.5 % quantile of Student's t; infinite without a degree of freedom.

    Examples
    --------
    >>> student_95(4), round(student_95(60), 3)  # 2.776 and 2.000 in every table
    (2.7764, 2.0)
    """
    if freedom < 1:
        return math.inf
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    z = NORMAL_95  # Cornish-Fisher expansion, error below 1e-5 from 30 on
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, how sure it is, and from how many independent units."""

    mean: float
    standard_error: float
    units: int

    @property
    def margin(self) -> float:
        """Half the width of the 95 % interval."""
        if self.units < 2:
            return math.inf
        return student_95(self.units - 1) * self.standard_error

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the mean."""
        return self.mean - self.margin, self.mean + self.margin

    def scaled(self, factor: float) -> "Estimate":
        """Return the same in another unit."""
        return Estimate(self.mean * factor, self.standard_error * abs(factor), self.units)

    def as_values(self) -> dict[str, Any]:
        """Return mean and interval for JSON; null where it is not known."""
        low, high = (None if math.isinf(x) or math.isnan(x) else x for x in self.interval)
        return {"mean": self.mean, "interval_95": [low, high]}


@dataclass(frozen=True, slots=True)
class Share(Estimate):
    """A share between 0 and 1, whose interval stays there.

    Wilson's interval for as many trials as would give the same error; where all units agree on
    0 or 1, for as many trials as there are units.

    Examples
    --------
    >>> low, high = Share(1.0, 0.0, 250).interval
    >>> round(low, 3), round(high, 3)
    (0.985, 1.0)
    """

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the share."""
        if self.units < 2:
            return 0.0, 1.0
        doubt = self.mean * (1 - self.mean)
        if doubt > 0 and self.standard_error == 0:
            return self.mean, self.mean  # such as a bot that shares every duplicate game
        trials = doubt / self.standard_error**2 if doubt > 0 else self.units
        return wilson(self.mean * trials, trials)

    @property
    def margin(self) -> float:
        """Half the width of the 95 % interval."""
        low, high = self.interval
        return (high - low) / 2


def ratio_estimate(totals: NDArray[np.float64], sizes: NDArray[np.int64]) -> Estimate:
    """Estimate the total per size from independent units, such as chips a hand.

    Parameters
    ----------
    totals
        [units] chips of each unit.
    sizes
        [units] hands of each unit. If all are equal this is the usual mean and its error.

    Examples
    --------
    >>> ratio_estimate(np.array([1.0, 3.0]), np.array([1, 1])).mean
    2.0
    """
    units, size = len(totals), float(sizes.sum())
    if not units or not size:
        return Estimate(0.0, math.inf, 0)
    mean = float(totals.sum()) / size
    if units < 2:
        return Estimate(mean, math.inf, units)
    residuals = totals - mean * sizes
    error = math.sqrt(float((residuals**2).sum()) * units / (units - 1)) / size
    return Estimate(mean, error, units)


def moments_estimate(count: float, total: float, squares: float) -> Estimate:
    """Estimate a mean from count, sum and sum of squares."""
    units = int(count)
    if units < 1:
        return Estimate(0.0, math.inf, 0)
    mean = total / units
    if units < 2:
        return Estimate(mean, math.inf, units)
    variance = max(0.0, squares - units * mean * mean) / (units - 1)
    return Estimate(mean, math.sqrt(variance / units), units)


def wilson(successes: float, trials: float) -> tuple[float, float]:
    """95 % interval of a probability (Wilson 1927).

    Examples
    --------
    >>> low, high = wilson(0, 10)
    >>> round(low, 3), round(high, 3)
    (0.0, 0.278)
    """
    if trials <= 0:
        return 0.0, 1.0
    share, z2 = successes / trials, NORMAL_95**2
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    spread = NORMAL_95 * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2))
    half = spread / (1 + z2 / trials)
    return max(0.0, centre - half), min(1.0, centre + half)
