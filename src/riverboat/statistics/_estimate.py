"""Estimates: a mean, its standard error and its 95 % confidence interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.errors import ArenaError

#: 97.5 % quantile of the normal distribution.
NORMAL_95 = 1.959963984540054
# 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom (any statistics handbook).
_STUDENT = (
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
    2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
    2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
)  # fmt: skip

# Smaller margins are rounding errors in sums of equal numbers; they are shown as 0.
_NOISE = 1e-12

#: Kind of confidence interval: `student`, Student's t with `units` - 1 degrees of freedom;
#: `normal`, the normal distribution, for many units; `share`, Wilson's, for shares from 0 to 1.
IntervalKind = Literal["student", "normal", "share"]


def student_95(freedom: int) -> float:
    """97.5 % quantile of Student's t; infinite with no degrees of freedom.

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


class Estimate(msgspec.Struct, frozen=True):
    """A mean, its standard error, and the number of independent observations.

    Parameters
    ----------
    mean
        The mean, in the caller's unit.
    error
        The standard error of the mean, in the same unit; None if it is unknown.
    units
        Independent observations; with fewer than 2 the standard error is unknown.
    kind
        Kind of confidence interval.

    Examples
    --------
    >>> won = Estimate(412.0, 30.0, 4_000)
    >>> won.sign, won.text(), won.minus(Estimate(400.0, 30.0, 4_000)).sign
    (1, '412 ± 59', 0)
    >>> Estimate(7.0, None).text(), Estimate(0.0432, None).text()
    ('7.0 ± ?', '0.043 ± ?')
    """

    mean: float
    error: float | None
    units: int = 0
    kind: IntervalKind = "student"

    @classmethod
    def exact(cls, mean: float) -> "Estimate":
        """Return an estimate whose error is 0."""
        return cls(mean, 0.0, 0, "normal")

    @classmethod
    def with_margin(cls, mean: float, margin: float, units: int = 0) -> "Estimate":
        """Return an estimate with a given 95 % margin; infinity means unknown."""
        error = margin / NORMAL_95 if math.isfinite(margin) else None
        return cls(mean, error, units, "normal")

    @property
    def standard_error(self) -> float:
        """Standard error of the mean; infinite if it is unknown."""
        return math.inf if self.error is None else self.error

    @property
    def known(self) -> bool:
        """Whether the margin is known."""
        return math.isfinite(self.margin)

    @property
    def margin(self) -> float:
        """Half the width of the 95 % confidence interval; infinite if it is unknown."""
        if self.kind == "share":
            low, high = self.interval
            return (high - low) / 2
        if self.error is None or (self.kind == "student" and self.units < 2):
            return math.inf
        quantile = NORMAL_95 if self.kind == "normal" else student_95(self.units - 1)
        return quantile * self.error

    @property
    def interval(self) -> tuple[float, float]:
        """95 % confidence interval of the mean."""
        if self.kind == "share":
            return self._share_interval()
        return self.mean - self.margin, self.mean + self.margin

    def _share_interval(self) -> tuple[float, float]:
        """Wilson's interval for the number of trials that gives the same standard error.

        If all observations are 0 or all are 1, the number of trials is `units`.
        """
        if self.units < 2 or self.error is None:
            return 0.0, 1.0
        variance = self.mean * (1 - self.mean)
        if variance > 0 and self.error == 0:
            return self.mean, self.mean  # such as a bot that draws every duplicate game
        trials = variance / self.error**2 if variance > 0 else self.units
        return wilson(self.mean * trials, trials)

    @property
    def sign(self) -> int:
        """1 or -1 if the confidence interval lies on one side of 0; else 0, inconclusive."""
        low, high = self.interval
        return 1 if low > 0 else -1 if high < 0 else 0

    def minus(self, other: "Estimate | float", expected: float = 0.0) -> "Estimate":
        """Return the difference to another estimate minus `expected`, assuming independence.

        If both estimates come from the same deals, the true interval is narrower. Intervals of
        shares are asymmetric: the margin is that of the side on which 0 lies (Newcombe 1998,
        method 10).

        Examples
        --------
        >>> few, many = share_estimate(0, 3), share_estimate(400, 1_000)
        >>> few.minus(many).sign, share_estimate(0, 30).minus(many).sign
        (0, -1)
        """
        if not isinstance(other, Estimate):
            other = Estimate.exact(other)
        (low, high), (other_low, other_high) = self.interval, other.interval
        mean = self.mean - other.mean - expected
        below = math.hypot(self.mean - low, other_high - other.mean)
        above = math.hypot(high - self.mean, other.mean - other_low)
        counts = [estimate.units for estimate in (self, other) if estimate.units]
        return Estimate.with_margin(mean, below if mean > 0 else above, min(counts, default=0))

    def scaled(self, factor: float) -> "Estimate":
        """Return the estimate in another unit."""
        error = None if self.error is None else self.error * abs(factor)
        return Estimate(self.mean * factor, error, self.units, self.kind)

    def text(self, sign: str = "") -> str:
        """Write mean and margin, both rounded to two significant digits of the margin.

        Parameters
        ----------
        sign
            `+` writes a plus sign before a positive mean.

        Examples
        --------
        >>> Estimate.with_margin(4757.61, 144.8).text(), Estimate.with_margin(1.434, 1.44).text("+")
        ('4,758 ± 145', '+1.4 ± 1.4')
        >>> Estimate.with_margin(7.04, 0.996).text(), Estimate.with_margin(7e-16, 1.6e-15).text()
        ('7.0 ± 1.0', '0.00 ± 0.00')
        >>> Estimate.with_margin(3429.877, 5.8e-12).text()  # equal but for rounding
        '3,429.88 ± 0.00'
        """
        if not self.known:
            digits = ".2g" if 0 < abs(self.mean) < 1 else ",.1f"
            return f"{self.mean:{sign}{digits}} ± ?"
        margin, noise = self.margin, _NOISE * max(1.0, abs(self.mean))
        rounded = float(f"{margin:.2g}") if margin > noise else 0.0  # 0.996 rounds to 1.0
        places = max(0, 1 - math.floor(math.log10(rounded))) if rounded else 2
        return f"{self.mean:{sign},.{places}f} ± {margin:,.{places}f}"

    def as_values(self) -> dict[str, Any]:
        """Return mean and confidence interval for JSON; an unknown bound is null."""
        low, high = (x if math.isfinite(x) else None for x in self.interval)
        return {"mean": self.mean, "interval_95": [low, high]}


def estimate_columns(
    name: str, estimates: Sequence[Estimate | None]
) -> dict[str, list[float | None]]:
    """Return table columns of the means and their 95 % intervals; None for a missing estimate.

    Examples
    --------
    >>> estimate_columns("score", [Estimate.with_margin(2.0, 1.0), None])
    {'score': [2.0, None], 'score_low': [1.0, None], 'score_high': [3.0, None]}
    """
    return {
        name: [None if one is None else one.mean for one in estimates],
        f"{name}_low": [None if one is None else one.interval[0] for one in estimates],
        f"{name}_high": [None if one is None else one.interval[1] for one in estimates],
    }


def as_good_as_best(estimates: Sequence[Estimate]) -> list[int]:
    """Return the indexes of the greatest mean and of all that do not differ significantly from it.

    A difference is significant if its 95 % confidence interval does not contain 0.

    Examples
    --------
    >>> points = [Estimate.with_margin(0.565, 0.03), Estimate.with_margin(0.6, 0.03)]
    >>> as_good_as_best(points), as_good_as_best([*points, Estimate.with_margin(0.9, 0.1)])
    ([0, 1], [2])
    """
    best = max(estimates, key=lambda estimate: estimate.mean, default=None)
    if best is None:
        return []
    return [i for i, one in enumerate(estimates) if one is best or one.minus(best).sign == 0]


def mean_estimate(values: NDArray[np.float64], kind: IntervalKind = "student") -> Estimate:
    """Estimate the mean of independent values, [units].

    Examples
    --------
    >>> mean_estimate(np.array([1.0, 3.0])).mean
    2.0
    """
    if len(values) < 2:
        return Estimate(float(values.mean()) if len(values) else 0.0, None, len(values), kind)
    error = float(values.std(ddof=1)) / len(values) ** 0.5
    return Estimate(float(values.mean()), error, len(values), kind)


def share_estimate(count: float, trials: int) -> Estimate:
    """Estimate a share from a count of successes, with Wilson's interval.

    With no trials the share is unknown. For a mean of probabilities the interval is too wide,
    because probabilities vary less than outcomes of 0 and 1.

    Examples
    --------
    >>> low, high = share_estimate(17, 38).interval
    >>> round(low, 2), round(high, 2), share_estimate(0, 0).interval
    (0.3, 0.6, (0.0, 1.0))
    """
    if not trials:
        return Estimate(0.0, None, 0, "share")
    share = count / trials
    return Estimate(share, math.sqrt(share * (1 - share) / trials), trials, "share")


def ratio_estimate(totals: NDArray[np.float64], sizes: NDArray[np.int64]) -> Estimate:
    """Estimate the ratio of total to size from independent units, such as chips per hand.

    Parameters
    ----------
    totals
        [units] chips of each unit.
    sizes
        [units] hands of each unit. With equal sizes the result is the ordinary mean.

    Examples
    --------
    >>> ratio_estimate(np.array([1.0, 3.0]), np.array([1, 1])).mean
    2.0
    """
    units, size = len(totals), float(sizes.sum())
    if not units or not size:
        return Estimate(0.0, None)
    mean = float(totals.sum()) / size
    if units < 2:
        return Estimate(mean, None, units)
    residuals = totals - mean * sizes
    error = math.sqrt(float((residuals**2).sum()) * units / (units - 1)) / size
    return Estimate(mean, error, units)


def moments_estimate(count: float, total: float, squares: float) -> Estimate:
    """Estimate a mean from count, sum and sum of squares.

    Examples
    --------
    >>> moments_estimate(2, 4.0, 10.0) == mean_estimate(np.array([1.0, 3.0]))
    True
    """
    units = int(count)
    if units < 1:
        return Estimate(0.0, None)
    mean = total / units
    if units < 2:
        return Estimate(mean, None, units)
    variance = max(0.0, squares - units * mean * mean) / (units - 1)
    return Estimate(mean, math.sqrt(variance / units), units)


def wilson(successes: float, trials: float) -> tuple[float, float]:
    """95 % confidence interval of a probability (Wilson 1927).

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


@dataclass(frozen=True, slots=True)
class PowerLaw:
    """A fitted power law, with 95 % confidence intervals."""

    factor: float
    exponent: float
    factor_interval: tuple[float, float]
    exponent_interval: tuple[float, float]

    def at(self, x: float) -> float:
        """Return the value at x."""
        return float(self.factor * x**self.exponent)


def fit_power_law(x: Sequence[float], y: Sequence[float]) -> PowerLaw:
    """Fit y = factor * x ** exponent by least squares of the logarithms.

    Parameters
    ----------
    x, y
        Positive numbers; at least two different x.

    Examples
    --------
    >>> law = fit_power_law([1, 16, 81], [0.65, 0.325, 0.65 / 3])  # husky's N ** -1/4
    >>> round(law.factor, 6), round(law.exponent, 6)
    (0.65, -0.25)
    """
    if len(x) != len(y) or len(set(x)) < 2 or min(*x, *y) <= 0:
        raise ArenaError(
            "a power law needs positive numbers, as many y as x, and at least two different x"
        )
    logs, values = np.log(np.array(x, float)), np.log(np.array(y, float))
    centred = logs - logs.mean()
    spread = float((centred**2).sum())
    exponent = float((centred * values).sum()) / spread
    height = float(values.mean()) - exponent * float(logs.mean())
    freedom = len(logs) - 2
    residuals = values - height - exponent * logs
    error = math.sqrt(float((residuals**2).sum()) / freedom) if freedom else math.inf
    quantile = student_95(freedom)
    slope_margin = quantile * error / math.sqrt(spread)
    height_margin = quantile * error * math.sqrt(1 / len(logs) + float(logs.mean()) ** 2 / spread)
    return PowerLaw(
        math.exp(height),
        exponent,
        (math.exp(height - height_margin), math.exp(min(height + height_margin, 700))),
        (exponent - slope_margin, exponent + slope_margin),
    )
