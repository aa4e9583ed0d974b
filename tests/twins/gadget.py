"""Safe re-solving: each hand of the opponent chooses before the root of a spot.

Burch, Johanson & Bowling, "Solving imperfect information games using decomposition", AAAI 2014
(`resolve`); Moravcik et al., "Refining subgames in large imperfect information games", AAAI 2016
(`maxmargin`); the notes of Slumbot, 2019 (`combined`).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Literal

from riverboat.cards import hole_index

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["PlainGadget"]

Hand = tuple[int, int]
Vector = dict[Hand, float]
Factors = tuple[float, float, float]


class PlainGadget:
    """The opponent's choices, for `PlainSpot`.

    Parameters
    ----------
    player
        The opponent.
    values
        1,326 numbers: what his hands were worth at the root before, chips.
    mode
        `resolve`: a hand enters, or takes its value. `maxmargin`: he chooses the hand, and its
        value is taken from what it wins. `combined`: his range, part of what enters, an even share.
    cap, even
        Of `combined`: the most entries and the even share, as parts of the range.

    Examples
    --------
    >>> gadget = PlainGadget(0, [2.0] * 1326)
    >>> gadget.start([{(0, 1): 1.0}, {(2, 3): 1.0}], pot=4.0)
    >>> gadget.learn({(0, 1): 3.0}, (1, 1, 1))  # entering won more
    >>> gadget.play((1, 1, 1))
    {(0, 1): 1.0}
    """

    def __init__(
        self,
        player: int,
        values: Sequence[float],
        mode: Literal["resolve", "maxmargin", "combined"] = "resolve",
        cap: float = 0.2,
        even: float = 0.1,
    ) -> None:
        self.player = player
        self.values = values
        self.mode = mode
        self.cap = cap
        self.even = even

    def start(self, ranges: Sequence[Vector], pot: float) -> None:
        """Take the hands of a spot."""
        mine, other = ranges[self.player], ranges[1 - self.player]
        self.pot = pot
        self.met = {
            hand: sum(w for o, w in other.items() if not set(o) & set(hand)) for hand in mine
        }
        self.worth = {hand: float(self.values[hole_index(*hand)]) for hand in mine}
        self.range = {hand: weight / max(mine.values()) for hand, weight in mine.items()}
        self.regrets: defaultdict[Hand, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self.sums = dict.fromkeys(mine, 0.0)
        self.weight = 0.0

    def choice(self) -> Vector:
        """Return the probability that each hand enters, or that it is chosen."""
        gains = {hand: max(self.regrets[hand][0], 0.0) for hand in self.met}
        if self.mode == "maxmargin":
            total = sum(gains.values())
            return {hand: gain / total if total else 1 / len(gains) for hand, gain in gains.items()}
        totals = {hand: gain + max(self.regrets[hand][1], 0.0) for hand, gain in gains.items()}
        return {hand: gains[hand] / totals[hand] if totals[hand] else 0.5 for hand in gains}

    def reach(self) -> Vector:
        """Return the opponent's reach at the root."""
        choice = self.choice()
        if self.mode == "maxmargin":
            return {hand: p / self.met[hand] for hand, p in choice.items()}
        if self.mode == "resolve":
            return choice
        entries = {hand: (1 - w) * choice[hand] for hand, w in self.range.items()}
        total, entered = sum(self.range.values()), sum(entries.values())
        kept = min(1.0, self.cap * total / entered) if entered else 1.0
        even = self.even * (total + kept * entered) / len(entries)
        return {hand: min(w + kept * entries[hand] + even, 1.0) for hand, w in self.range.items()}

    def play(self, factors: Factors) -> Vector:
        """Return the reach of this iteration, which the average collects."""
        reach, keep = self.reach(), factors[2]
        self.sums = {hand: total * keep + reach[hand] for hand, total in self.sums.items()}
        self.weight = self.weight * keep + 1
        return reach

    def learn(self, entered: Vector, factors: Factors) -> None:
        """Learn from what each hand wins by entering, times the other's reach."""
        choice = self.choice()
        gains = {hand: value - self.worth[hand] * self.met[hand] for hand, value in entered.items()}
        if self.mode == "maxmargin":
            gains = {hand: gain / self.met[hand] for hand, gain in gains.items()}
            mean = sum(choice[hand] * gain for hand, gain in gains.items())
            changes = {hand: (gain - mean, 0.0) for hand, gain in gains.items()}
        else:
            changes = {h: ((1 - choice[h]) * gain, -choice[h] * gain) for h, gain in gains.items()}
        for hand, new in changes.items():
            old = self.regrets[hand]
            kept = [r * (factors[0] if r > 0 else factors[1]) for r in old]
            self.regrets[hand] = [r + change for r, change in zip(kept, new, strict=True)]

    def mean_reach(self) -> Vector:
        """Return the average of the reach."""
        if not self.weight:
            return self.reach()
        return {hand: total / self.weight for hand, total in self.sums.items()}

    def value(self, entered: Vector, best: bool) -> float:
        """Return what the opponent wins of a deal with the average or the best choice, chips."""
        reach = self.mean_reach()
        terms = {hand: self.worth[hand] * met for hand, met in self.met.items()}
        if self.mode == "combined":
            return sum(reach[h] * v for h, v in entered.items()) / self._deals(reach)
        if self.mode == "maxmargin" and best:
            return max((v - terms[h]) / self.met[h] for h, v in entered.items())
        if self.mode == "maxmargin":
            return sum(reach[h] * (v - terms[h]) for h, v in entered.items())
        if best:
            return sum(max(v, terms[h]) for h, v in entered.items()) / self._deals(reach)
        both = (reach[h] * v + (1 - reach[h]) * terms[h] for h, v in entered.items())
        return sum(both) / self._deals(reach)

    def other_value(self, won: float) -> float:
        """Return what the other wins of a deal who wins this much where hands enter."""
        reach = self.mean_reach()
        for hand, met in self.met.items():
            if self.mode == "maxmargin":
                won += reach[hand] * met * self.worth[hand]
            if self.mode == "resolve":
                won += (1 - reach[hand]) * met * (self.pot - self.worth[hand])
        return won / self._deals(reach)

    def _deals(self, reach: Vector) -> float:
        if self.mode == "maxmargin":
            return 1.0
        if self.mode == "resolve":
            return sum(self.met.values())
        return sum(reach[hand] * met for hand, met in self.met.items())
