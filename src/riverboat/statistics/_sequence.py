"""A confidence sequence: confidence intervals that are valid after every observation.

If you look at an ordinary 95 % interval again and again, it is wrong more often than 5 % of the
time. The intervals of a confidence sequence all contain the mean with probability 95 %, so a match
may stop as soon as one of them lies on one side of 0.

This is the predictable plug-in empirical-Bernstein sequence of Waudby-Smith & Ramdas (2024),
"Estimating means of bounded random variables by betting", theorem 2. It needs bounded
observations (a bot cannot win or lose more than the stacks) and assumes no distribution. It is
valid for any number of observations, and wider than an ordinary interval of as many.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import ArenaError

_LARGEST_BET = 0.75  # any constant below 1 is valid


@dataclass(slots=True)
class ConfidenceSequence:
    """Confidence sequence for the mean of bounded observations.

    Parameters
    ----------
    low, high
        Bounds of an observation.
    error
        Probability that any of the intervals misses the mean.

    Examples
    --------
    >>> sequence = ConfidenceSequence(-1.0, 1.0)
    >>> sequence.add(np.full(2000, 0.2))
    >>> low, high = sequence.interval
    >>> 0.1 < low < 0.2 < high < 0.3
    True
    """

    low: float
    high: float
    error: float = 0.05
    _count: int = 0
    _sum: float = 0.0
    _squares: float = 0.0
    _bets: float = 0.0
    _weighted: float = 0.0
    _spread: float = 0.0
    _best: tuple[float, float] = (0.0, 1.0)

    def __post_init__(self) -> None:
        """Check that the bounds are in order and the error is a probability."""
        if not (self.low < self.high and 0 < self.error < 1):
            raise ArenaError(
                f"a confidence sequence needs low < high and an error between 0 and 1, "
                f"not {self.low}, {self.high}, {self.error}"
            )

    def add(self, observations: NDArray[np.float64]) -> None:
        """Add observations, in order."""
        if not len(observations):
            return
        values = (np.asarray(observations, float) - self.low) / (self.high - self.low)
        if values.min() < -1e-9 or values.max() > 1 + 1e-9:
            wrong = np.asarray(observations)[(values < -1e-9) | (values > 1 + 1e-9)][0]
            raise ArenaError(f"observation {wrong:g} is not between {self.low:g} and {self.high:g}")
        times = self._count + np.arange(1, len(values) + 1)
        # Estimates of mean and variance before and after each observation; they begin at 1/2, 1/4.
        sums = self._sum + np.cumsum(values)
        means = (0.5 + sums) / (times + 1)
        before = np.concatenate([[(0.5 + self._sum) / (self._count + 1)], means[:-1]])
        squares = self._squares + np.cumsum((values - means) ** 2)
        variances = (0.25 + squares) / (times + 1)
        first = (0.25 + self._squares) / (self._count + 1)
        variances_before = np.concatenate([[first], variances[:-1]])
        squared = 2 * math.log(2 / self.error) / (variances_before * times * np.log1p(times))
        bets = np.minimum(np.sqrt(squared), _LARGEST_BET)
        spreads = (values - before) ** 2 * (-np.log1p(-bets) - bets)  # 4 v psi_E(bet)
        self._look(bets, values, spreads)
        self._count += len(values)
        self._sum, self._squares = float(sums[-1]), float(squares[-1])

    def _look(
        self, bets: NDArray[np.float64], values: NDArray[np.float64], spreads: NDArray[np.float64]
    ) -> None:
        """Intersect the interval with those after each new observation."""
        all_bets = self._bets + np.cumsum(bets)
        weighted = self._weighted + np.cumsum(bets * values)
        spread = self._spread + np.cumsum(spreads)
        centre = weighted / all_bets
        half = (math.log(2 / self.error) + spread) / all_bets
        self._best = (
            max(self._best[0], float((centre - half).max())),
            min(self._best[1], float((centre + half).min())),
        )
        self._bets, self._weighted = float(all_bets[-1]), float(weighted[-1])
        self._spread = float(spread[-1])

    @property
    def count(self) -> int:
        """Number of observations so far."""
        return self._count

    @property
    def interval(self) -> tuple[float, float]:
        """Confidence interval of the mean, in the unit of the observations."""
        width = self.high - self.low
        return self.low + width * self._best[0], self.low + width * self._best[1]

    @property
    def sign(self) -> int:
        """1 or -1 if the interval lies above or below 0, else 0."""
        low, high = self.interval
        return 1 if low > 0 else -1 if high < 0 else 0
