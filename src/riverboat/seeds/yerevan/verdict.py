"""Which of two is better, by an interval; and sentences that say so."""

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from riverboat.arena import Estimate
from riverboat.report import listed

__all__ = ["Versus", "mean_and_margin", "sorted_out", "versus"]


class Versus(msgspec.Struct, frozen=True):
    """How many times as exploitable another is; above 1 is worse."""

    ratio: float
    low: float
    high: float

    @property
    def sign(self) -> int:
        """1 if the other is surely worse, -1 if surely better, else 0."""
        return 1 if self.low > 1 else -1 if self.high < 1 else 0

    def text(self) -> str:
        """Write it with its interval.

        Examples
        --------
        >>> Versus(1.5, 1.2, 1.9).text()
        '1.50 (1.20 to 1.90)'
        """
        if not math.isfinite(self.high):
            return f"{self.ratio:,.2f} (not sure)"
        return f"{self.ratio:,.2f} ({self.low:,.2f} to {self.high:,.2f})"


def versus(ours: Sequence[float], other: Sequence[float]) -> Versus:
    """Compare exploitabilities of runs with several seeds, by the means of their logarithms.

    One run on its own counts as exact: vanilla CFR draws nothing.

    Examples
    --------
    >>> versus([100, 110, 90], [200, 210, 190]).sign
    1
    >>> versus([100, 110, 90], [100, 110, 90]).sign
    0
    """
    logs = [np.log(np.maximum(values, 1e-9)) for values in (ours, other)]
    errors = [each.std(ddof=1) ** 2 / len(each) if len(each) > 1 else 0.0 for each in logs]
    # Welch's test with the fewer degrees of freedom: on the safe side.
    units = min((len(each) for each in logs if len(each) > 1), default=1)
    mean = float(logs[1].mean() - logs[0].mean())
    margin = Estimate(mean, math.sqrt(sum(errors)), units).margin
    if not math.isfinite(margin):
        return Versus(math.exp(mean), 0.0, math.inf)
    low, high = (math.exp(min(700.0, mean + sign * margin)) for sign in (-1, 1))
    return Versus(math.exp(mean), low, high)


def mean_and_margin(values: Sequence[float]) -> tuple[float, float | None]:
    """Return a mean and half its 95 % interval; None where one value was exact or alone.

    Examples
    --------
    >>> mean_and_margin([5.0])
    (5.0, None)
    """
    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, None
    error = float(np.std(values, ddof=1)) / len(values) ** 0.5
    return mean, Estimate(mean, error, len(values)).margin


def sorted_out(subject: str, signs: dict[str, int], claim: str) -> str:
    """Say whom somebody surely beats, whom not, and what becomes of a claim.

    Parameters
    ----------
    subject
        Who is compared.
    signs
        By the other's name: 1 = the subject is surely better, -1 surely worse, 0 not sure.
    claim
        What it would mean to be better than all.

    Examples
    --------
    >>> print(sorted_out("Pure", {"outcome": 1, "external": -1}, "the best"))
    Pure is better than outcome and worse than external. So it is not the best.
    """
    better, worse, unsure = (
        listed([name for name, found in signs.items() if found == sign], none="")
        for sign in (1, -1, 0)
    )
    parts = []
    if better:
        parts.append(f"better than {better}")
    if worse:
        parts.append(f"worse than {worse}")
    if unsure:
        parts.append(f"not surely different from {unsure}")
    if worse:
        end = f"So it is not {claim}."
    elif unsure:
        end = f"Whether it is {claim} is not settled by this run."
    else:
        end = f"So it is {claim}."
    return f"{subject} is {listed(parts)}. {end}"
