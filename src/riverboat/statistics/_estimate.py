"""One number with its uncertainty: a mean, its standard error, and how its interval is made."""

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

# Margins up to this are what sums of equal numbers leave over, not digits to show.
_NOISE = 1e-12

#: How an interval is made: Student's t with `units` - 1 degrees of freedom; the normal
#: distribution, for many units; Wilson's, for shares between 0 and 1.
IntervalKind = Literal["student", "normal", "share"]


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


class Estimate(msgspec.Struct, frozen=True):
    """A mean, how sure it is, and from how many independent units.

    Parameters
    ----------
    mean
        In the caller's unit.
    error
        The standard error of the mean, same unit; None where it is not known.
    units
        Independent observations behind it; with fewer than 2 nothing is known of its error.
    kind
        How the interval is made.

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
        """Return a number that has no error."""
        return cls(mean, 0.0, 0, "normal")

    @classmethod
    def with_margin(cls, mean: float, margin: float, units: int = 0) -> "Estimate":
        """Take half the width of a 95 % interval as it stands; infinite = not known."""
        error = margin / NORMAL_95 if math.isfinite(margin) else None
        return cls(mean, error, units, "normal")

    @property
    def standard_error(self) -> float:
        """Of the mean; infinite where it is not known."""
        return math.inf if self.error is None else self.error

    @property
    def known(self) -> bool:
        """Whether anything is known of the error."""
        return math.isfinite(self.margin)

    @property
    def margin(self) -> float:
        """Half the width of the 95 % interval; infinite where it is not known."""
        if self.kind == "share":
            low, high = self.interval
            return (high - low) / 2
        if self.error is None or (self.kind == "student" and self.units < 2):
            return math.inf
        quantile = NORMAL_95 if self.kind == "normal" else student_95(self.units - 1)
        return quantile * self.error

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the mean."""
        if self.kind == "share":
            return self._share_interval()
        return self.mean - self.margin, self.mean + self.margin

    def _share_interval(self) -> tuple[float, float]:
        """Wilson's interval for as many trials as would give the same error.

        Where all units agree on 0 or 1, for as many trials as there are units.
        """
        if self.units < 2 or self.error is None:
            return 0.0, 1.0
        doubt = self.mean * (1 - self.mean)
        if doubt > 0 and self.error == 0:
            return self.mean, self.mean  # such as a bot that shares every duplicate game
        trials = doubt / self.error**2 if doubt > 0 else self.units
        return wilson(self.mean * trials, trials)

    @property
    def sign(self) -> int:
        """1 or -1 if the interval lies on one side of zero, else 0: not decided."""
        low, high = self.interval
        return 1 if low > 0 else -1 if high < 0 else 0

    def minus(self, other: "Estimate | float", expected: float = 0.0) -> "Estimate":
        """Return the difference, less what is expected, as if both were independent.

        Where they share their deals the true interval is rather narrower. Intervals of shares are
        lopsided: the margin is that of the side on which zero lies (Newcombe 1998, method 10).

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
        counts = [each.units for each in (self, other) if each.units]
        return Estimate.with_margin(mean, below if mean > 0 else above, min(counts, default=0))

    def scaled(self, factor: float) -> "Estimate":
        """Return the same in another unit."""
        error = None if self.error is None else self.error * abs(factor)
        return Estimate(self.mean * factor, error, self.units, self.kind)

    def text(self, sign: str = "") -> str:
        """Write mean and margin, both to the second digit of the margin.

        Parameters
        ----------
        sign
            `+` to write that of a gain, too.

        Examples
        --------
        >>> Estimate.with_margin(4757.61, 144.8).text(), Estimate.with_margin(1.434, 1.44).text("+")
        ('4,758 ± 145', '+1.4 ± 1.4')
        >>> Estimate.with_margin(7.04, 0.996).text(), Estimate.with_margin(7e-16, 1.6e-15).text()
        ('7.0 ± 1.0', '0.00 ± 0.00')
        """
        if not self.known:
            digits = ".2g" if 0 < abs(self.mean) < 1 else ",.1f"
            return f"{self.mean:{sign}{digits}} ± ?"
        margin = self.margin
        rounded = float(f"{margin:.2g}") if margin > _NOISE else 0.0  # 0.996 has the digits of 1.0
        places = max(0, 1 - math.floor(math.log10(rounded))) if rounded else 2
        return f"{self.mean:{sign},.{places}f} ± {margin:,.{places}f}"

    def as_values(self) -> dict[str, Any]:
        """Return mean and interval for JSON; null where it is not known."""
        low, high = (x if math.isfinite(x) else None for x in self.interval)
        return {"mean": self.mean, "interval_95": [low, high]}


def estimate_columns(
    name: str, estimates: Sequence[Estimate | None]
) -> dict[str, list[float | None]]:
    """Return columns of a table: the means, and the 95 % intervals; None where there is none.

    Examples
    --------
    >>> estimate_columns("score", [Estimate.with_margin(2.0, 1.0), None])
    {'score': [2.0, None], 'score_low': [1.0, None], 'score_high': [3.0, None]}
    """
    return {
        name: [None if each is None else each.mean for each in estimates],
        f"{name}_low": [None if each is None else each.interval[0] for each in estimates],
        f"{name}_high": [None if each is None else each.interval[1] for each in estimates],
    }


def as_good_as_best(estimates: Sequence[Estimate]) -> list[int]:
    """Return the places of those that cannot be told from the greatest: any may be the best.

    One is told apart if the 95 % interval of the difference leaves zero out.

    Examples
    --------
    >>> points = [Estimate.with_margin(0.565, 0.03), Estimate.with_margin(0.6, 0.03)]
    >>> as_good_as_best(points), as_good_as_best([*points, Estimate.with_margin(0.9, 0.1)])
    ([0, 1], [2])
    """
    best = max(estimates, key=lambda estimate: estimate.mean, default=None)
    if best is None:
        return []
    return [i for i, each in enumerate(estimates) if each is best or each.minus(best).sign == 0]


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
    """Estimate a share from what was counted, with Wilson's interval; unknown without trials.

    For the mean of probabilities the interval is too wide: none is further from its mean than 0
    or 1 is.

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


@dataclass(frozen=True, slots=True)
class PowerLaw:
    """A fitted power law, with 95 % intervals."""

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
        Positive numbers, at least two different x.

    Examples
    --------
    >>> law = fit_power_law([1, 16, 81], [0.65, 0.325, 0.65 / 3])  # husky's N ** -1/4
    >>> round(law.factor, 6), round(law.exponent, 6)
    (0.65, -0.25)
    """
    if len(x) != len(y) or len(set(x)) < 2 or min(*x, *y) <= 0:
        raise ArenaError("a power law is fitted to two or more pairs of positive numbers")
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
