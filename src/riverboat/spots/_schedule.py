"""Schedules of discounts: how fast a spot's solver forgets, as data.

Discounted CFR (Brown & Sandholm, AAAI 2019) multiplies, in iteration t, positive regrets by
t^alpha / (t^alpha + 1), negative ones by t^beta / (t^beta + 1), and the average by
(t / (t + 1))^gamma. Here the three exponents may move with t, and the average may start again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riverboat.errors import GameError, SpotError

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Schedule:
    """How regrets and the average are discounted, iteration by iteration.

    Parameters
    ----------
    first, last
        The exponents (alpha, beta, gamma) at the start and from iteration `over` on; between they
        move in a straight line. `inf` keeps all, `-inf` nothing.
    over
        Iterations from `first` to `last`.
    lag
        Iterations by which the discounts of regrets lag behind: with 1 the regrets of the first
        iteration, which are those of even play, count for nothing.
    restart
        The average starts again at the powers of this number; 0 = never.
    own_reach
        Whether the average weighs a strategy by the player's own reach. Without it each hand's
        strategies count alike, however rarely it came there.
    predictive
        Whether the last regrets are added as a prediction of the next (PCFR+).

    Examples
    --------
    >>> SCHEDULES["linear"].factors(1, 2).tolist()
    [[0.5, 0.5, 0.5, 1.0]]
    """

    first: tuple[float, float, float]
    last: tuple[float, float, float] | None = None
    over: int = 0
    lag: int = 0
    restart: int = 0
    own_reach: bool = True
    predictive: bool = False

    def __post_init__(self) -> None:
        if self.restart < 0 or self.restart == 1 or self.over < 0 or self.lag < 0:
            raise GameError(
                f"a schedule restarts at powers of 2 or more, or never (0), not of {self.restart}; "
                f"moves over 0 iterations or more, not {self.over}; and lags by 0 or more, not "
                f"{self.lag}"
            )

    def exponents(self, iteration: int) -> tuple[float, float, float]:
        """Return (alpha, beta, gamma) of an iteration, which count from 0."""
        if self.last is None or not self.over:
            return self.last or self.first
        share = min(1.0, iteration / self.over)
        pairs = zip(self.first, self.last, strict=True)
        alpha, beta, gamma = (a if a == b else a + (b - a) * share for a, b in pairs)
        return alpha, beta, gamma

    def factors(self, begin: int, end: int, *, running_mean: bool = False) -> NDArray[np.float32]:
        """Return what is multiplied in each iteration.

        Parameters
        ----------
        begin, end
            Iterations, from 0.
        running_mean
            Whether the average is a mean of the strategies instead of their sum.

        Returns
        -------
        ndarray
            `[iterations, 4] float32`: factors of positive and of negative regrets, of the average,
            and of the strategy that is added to it.
        """
        rows = [self._row(t) for t in range(0 if running_mean else begin, end)]
        if running_mean:
            total = 0.0
            for t, (positive, negative, keep, _) in enumerate(rows):
                total = total * keep + 1
                rows[t] = positive, negative, 1 - 1 / total, 1 / total
            rows = rows[begin:]
        return np.array(rows, dtype=np.float32).reshape(-1, 4)

    def _row(self, iteration: int) -> tuple[float, float, float, float]:
        """Return the factors of one iteration."""
        alpha, beta, gamma = self.exponents(iteration)
        age = iteration - _last_power(iteration, self.restart)
        old = max(iteration - self.lag, 0)
        return _kept(old, alpha), _kept(old, beta), _mean_kept(age, gamma), 1.0


def _last_power(iteration: int, base: int) -> int:
    """Return the largest power of a base that is not above the iteration; 0 below 1."""
    if not base or not iteration:
        return 0
    power = 1
    while power * base <= iteration:
        power *= base
    return power


def _kept(iteration: int, exponent: float) -> float:
    """Return t^x / (t^x + 1)."""
    if exponent in (math.inf, -math.inf):
        return 1.0 if exponent > 0 else 0.0
    power = float(iteration**exponent) if iteration else float(exponent == 0)
    return power / (power + 1)


def _mean_kept(iteration: int, exponent: float) -> float:
    """Return (t / (t + 1))^x."""
    return float((iteration / (iteration + 1)) ** exponent) if iteration else 0.0


#: A ramp from fast forgetting to slow: docs/spots.md compares it with the others.
DEFAULT = Schedule((1.5, 0.0, 6.0), (1.25, 0.5, 4.0), over=200)

#: By name. `pfs` is what postflop-solver does: the average restarts and ignores the own reach.
SCHEDULES: dict[str, Schedule] = {
    "ramp": DEFAULT,
    "pfs": Schedule((1.5, 0.0, 3.0), lag=1, restart=4, own_reach=False),
    "dcfr": Schedule((1.5, 0.0, 2.0)),
    "slow": Schedule((1.25, 0.5, 4.0)),
    "linear": Schedule((1.0, 1.0, 1.0)),
    "cfr+": Schedule((math.inf, -math.inf, 2.0)),
    "pcfr+": Schedule((math.inf, -math.inf, 2.0), predictive=True),
}


def find_schedule(schedule: str | Schedule) -> Schedule:
    """Return a schedule, or the one of a name."""
    if isinstance(schedule, Schedule):
        return schedule
    if schedule not in SCHEDULES:
        raise SpotError(f"there is no schedule {schedule!r}: there are {', '.join(SCHEDULES)}")
    return SCHEDULES[schedule]


def schedule_text(schedule: Schedule) -> str:
    """Return a schedule's name, or its numbers where it has none."""
    named = (name for name, known in SCHEDULES.items() if known == schedule)
    return next(named, repr(schedule))
