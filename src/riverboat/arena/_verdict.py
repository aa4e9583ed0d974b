"""Who won: the last line of a result, by one rule.

A bot has won if it is surely (95 %) ahead of every other. Where nobody has, the number of hands is
told that would be enough to see a difference of a round size.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.statistics import Estimate, ratio_estimate

# What a longer match is to tell, in thousandths of a blind a hand: a bot that wins 100 is better.
_TARGETS = (100, 50, 20, 10, 5, 2, 1)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a result says.

    Attributes
    ----------
    leader
        The bot with the greatest result.
    decided
        Whether it is surely ahead of all others.
    won
        Its result: thousandths of a big blind (or ante) a hand, or the share of freeze-outs won.
    interval
        95 % interval of `won`.
    hands
        That were played; freeze-outs where the share of them counts.
    even
        Whether not a chip was won or lost, nor could be: equal bots on duplicate deals.
    tells, needed
        Where it is not decided: a difference, and about how many hands would tell it (None where
        that cannot be said).

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
        """Return what `as_values` wrote of a result of so many hands, as a ledger keeps it.

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
        """Return it for JSON."""
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
    """Judge by what each bot won in independent units.

    Parameters
    ----------
    names
        By bot.
    totals, sizes
        [units, bots] what was won, and [units] in how many hands (or freeze-outs).
    factor
        From what was won to the unit of the verdict.

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
    # Heads-up one wins what the other loses: it is ahead by twice of that.
    doubt = won.margin if len(names) == 2 else closest.margin
    tells, needed = (None, None) if decided else hands_to_tell(doubt, played)
    even = len(sizes) > 1 and not np.ptp(totals)
    return Verdict(names[first], decided, won, won.interval, played, even, tells, needed)


def hands_to_tell(
    margin: float, hands: int, targets: Sequence[float] = _TARGETS
) -> tuple[float | None, int | None]:
    """Return a round difference that so many hands do not tell, and how many would.

    Parameters
    ----------
    margin
        Half the 95 % interval after `hands`; it shrinks with their square root.
    hands
        That were played.
    targets
        Differences that are worth telling, the greatest first.

    Examples
    --------
    >>> hands_to_tell(278.0, 4_000), hands_to_tell(30.0, 4_000)
    ((100, 31000), (20, 9000))
    """
    if not math.isfinite(margin) or margin <= 0:
        return None, None
    target = next((each for each in targets if each < margin), targets[-1])
    needed = hands * (margin / target) ** 2
    unit = 10 ** max(0, math.floor(math.log10(needed)) - 1)  # two digits: it is a guess
    return target, math.ceil(needed / unit) * unit
