"""The verdict, the last line of a result: which bot won, or that the result is inconclusive.

A bot has won if it is significantly (95 %) ahead of every other bot. If no bot has won, the verdict
names the number of hands that would be enough to detect a difference of a round size.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.statistics import Estimate, ratio_estimate

# Differences that a longer match should detect, in mbb/hand; 100 is a clear advantage.
_TARGETS = (100, 50, 20, 10, 5, 2, 1)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The winner of a match or tournament, or that the result is inconclusive.

    Attributes
    ----------
    leader
        The bot with the best result.
    decided
        Whether the leader is significantly ahead of all other bots.
    won
        The leader's result: mbb/hand (or thousandths of an ante), or the share of freeze-outs won.
    interval
        95 % confidence interval of `won`.
    hands
        Hands played; freeze-outs if `won` is a share of them.
    even
        Whether all results are exactly equal: identical bots on duplicate deals.
    tells, needed
        If the result is inconclusive: a difference in mbb/hand, and about how many hands are needed
        to detect it (None if unknown).

    Examples
    --------
    >>> from riverboat.arena import play_match
    >>> verdict = play_match(["fold", "checkcall"], hands=400, seed=1).verdict()
    >>> verdict.leader, verdict.decided
    ('checkcall', True)
    """

    leader: str
    decided: bool
    won: Estimate
    interval: tuple[float, float]
    hands: int
    even: bool = False
    tells: float | None = None
    needed: int | None = None

    @classmethod
    def from_values(cls, values: Mapping[str, Any], hands: int) -> "Verdict":
        """Return the verdict that `as_values` wrote; `hands` is the number of hands played.

        Examples
        --------
        >>> won = Estimate.with_margin(12.0, 278.0)
        >>> verdict = Verdict("fish", False, won, won.interval, 4_000, False, 100, 31_000)
        >>> Verdict.from_values(verdict.as_values(), 4_000).needed
        31000
        """
        low, high = (math.inf if x is None else float(x) for x in values["interval_95"])
        won = Estimate.with_margin(values["mean"], (high - low) / 2 if high < math.inf else high)
        return cls(
            values["leader"],
            values["winner"] is not None,
            won,
            (low, high),
            hands,
            low == high == 0,
            values["tells_mbb_per_hand"],
            values["hands_needed"],
        )

    def as_values(self) -> dict[str, Any]:
        """Return the verdict for JSON."""
        return {
            "winner": self.leader if self.decided else None,
            "leader": self.leader,
            "mean": self.won.mean,
            "interval_95": [x if math.isfinite(x) else None for x in self.interval],
            "tells_mbb_per_hand": self.tells,
            "hands_needed": self.needed,
        }


def judge_units(
    names: Sequence[str], totals: NDArray[np.float64], sizes: NDArray[np.int64], factor: float = 1.0
) -> Verdict:
    """Return the verdict on the winnings of bots in independent units.

    Parameters
    ----------
    names
        Names of the bots.
    totals, sizes
        [units, bots] winnings, and [units] hands (or freeze-outs).
    factor
        Converts winnings per hand to the unit of the verdict.

    Examples
    --------
    >>> won = np.array([[9.0, -9.0], [7.0, -7.0], [8.0, -8.0]])
    >>> judge_units(["a", "b"], won, np.array([2, 2, 2])).decided
    True
    """
    results = [ratio_estimate(column, sizes).scaled(factor) for column in totals.T]
    first = max(range(len(names)), key=lambda bot: results[bot].mean)
    ahead = [
        ratio_estimate(totals[:, first] - totals[:, bot], sizes).scaled(factor)
        for bot in range(len(names))
        if bot != first
    ]
    closest = min(ahead, key=lambda gap: gap.mean)
    decided = all(gap.sign == 1 for gap in ahead)
    played, won = int(sizes.sum()), results[first]
    # Heads-up, one bot wins what the other loses, so the gap is twice the winnings.
    margin = won.margin if len(names) == 2 else closest.margin
    tells, needed = (None, None) if decided else hands_to_tell(margin, played)
    even = len(sizes) > 1 and not np.ptp(totals)
    return Verdict(names[first], decided, won, won.interval, played, even, tells, needed)


def hands_to_tell(
    margin: float, hands: int, targets: Sequence[float] = _TARGETS
) -> tuple[float | None, int | None]:
    """Return a round difference that is too small for `hands`, and the hands that would detect it.

    Parameters
    ----------
    margin
        Half the 95 % interval after `hands`; it shrinks with the square root of the hands.
    hands
        Hands played.
    targets
        Candidate differences, the greatest first.

    Examples
    --------
    >>> hands_to_tell(278.0, 4_000), hands_to_tell(30.0, 4_000)
    ((100, 31000), (20, 9000))
    """
    if not math.isfinite(margin) or margin <= 0:
        return None, None
    target = next((value for value in targets if value < margin), targets[-1])
    needed = hands * (margin / target) ** 2
    unit = 10 ** max(0, math.floor(math.log10(needed)) - 1)  # two digits: an estimate
    return target, math.ceil(needed / unit) * unit
