"""How an optimum changes with the number of opponents: y = factor * x ** exponent."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from riverboat.errors import ArenaError
from riverboat.statistics._estimate import student_95


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
