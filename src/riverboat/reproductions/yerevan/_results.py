"""What a run finds, and what follows from it by counting and comparing."""

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from riverboat.statistics import Estimate, mean_estimate

_MOST_LOG = 700.0  # of a float


class Ratio(Estimate, frozen=True):
    """How many times one is the other: an estimate of the logarithm, so that 1 decides."""

    def text(self, sign: str = "") -> str:
        """Write the ratio with its interval.

        Examples
        --------
        >>> Ratio(0.0, 0.0, 3).text(), Ratio(0.0, None, 1).text()
        ('1.00 (1.00 to 1.00)', '1.00 (not sure)')
        """
        times, low, high = (math.exp(min(_MOST_LOG, x)) for x in (self.mean, *self.interval))
        interval = f"{low:,.2f} to {high:,.2f}" if self.known else "not sure"
        return f"{times:{sign},.2f} ({interval})"


def ratio(ours: Sequence[float], other: Sequence[float]) -> Ratio:
    """Return how many times ours the other is, by the means of logarithms over seeds.

    One run on its own counts as exact: vanilla CFR draws nothing.

    Examples
    --------
    >>> ratio([100, 110, 90], [200, 210, 190]).sign, ratio([100, 110, 90], [100, 110, 90]).sign
    (1, 0)
    """
    logs = [np.log(np.maximum(values, 1e-9)) for values in (ours, other)]
    means = [mean_estimate(each) for each in logs]
    errors = [each.error or 0.0 for each in means]
    # Welch's test with the fewer degrees of freedom: on the safe side.
    units = min((each.units for each in means if each.units > 1), default=1)
    return Ratio(means[1].mean - means[0].mean, math.hypot(*errors), units)


class Setting(msgspec.Struct, frozen=True):
    """What this run trained and played."""

    rivals: tuple[str, ...]
    """Source documents whose CFR bots were trained for limit."""


class Pace(msgspec.Struct, frozen=True):
    """How fast a solver ran."""

    clock: float
    """Iterations a second of the clock, all threads together; other programs slow it down."""
    processor: float
    """Iterations a processor second: the time of all threads is added up."""


class Speed(msgspec.Struct, frozen=True):
    """Iterations from a fresh start, by both times."""

    leduc: Pace
    blind_cards: Pace
    """Limit hold'em with real cards that nobody sees: one bucket a street."""
    one_thread: Pace
    """Limit hold'em with the recipe's buckets."""
    all_threads: Pace
    threads: int
    """As many as cores, or fewer."""
    seconds: float
    """Of the clock, over which each was taken."""


class Point(msgspec.Struct, frozen=True):
    """A measurement during a training."""

    seconds: float
    """Processor time of the training so far."""
    iterations: int
    exploitability: Estimate
    """mbb a hand."""


class Trial(msgspec.Struct, frozen=True):
    """One training, measured on its way."""

    points: tuple[Point, ...]
    nodes: int
    table_bytes: int
    infosets: int
    visited: int

    @property
    def last(self) -> Point:
        """How it ended."""
        return self.points[-1]

    @property
    def speed(self) -> float:
        """Iterations a processor second."""
        return self.last.iterations / max(self.last.seconds, 1e-9)


class Runs(msgspec.Struct, frozen=True):
    """Trainings that differ in nothing but their seed; what they average is over seeds."""

    label: str
    trials: tuple[Trial, ...]
    hands: int = 0
    """Names of hands on the flop, where a small deck was dealt."""

    @property
    def seconds(self) -> float:
        """Processor time of one training."""
        return sum(trial.last.seconds for trial in self.trials) / len(self.trials)

    @property
    def speed(self) -> float:
        """Iterations a processor second."""
        done = sum(trial.last.iterations for trial in self.trials)
        return done / max(self.seconds * len(self.trials), 1e-9)

    @property
    def nodes_per_second(self) -> float:
        """Decision nodes a processor second."""
        return sum(trial.nodes for trial in self.trials) / (self.seconds * len(self.trials))

    @property
    def columns(self) -> list[list[Point]]:
        """The measurements that all trainings have, each by seed."""
        count = min(len(trial.points) for trial in self.trials)
        return [[trial.points[at] for trial in self.trials] for at in range(count)]

    def at(self, place: int) -> list[float]:
        """Return the exploitability at a measurement, by seed."""
        return [trial.points[place].exploitability.mean for trial in self.trials]

    @property
    def exploitability(self) -> Estimate | float:
        """At the end; without an interval where there is one training."""
        ends = np.array(self.at(-1))
        return mean_estimate(ends) if len(ends) > 1 else float(ends[0])


class Training(msgspec.Struct, frozen=True):
    """The long run of Pure CFR."""

    trial: Trial
    threads: int
    preparing: float
    """Seconds of the clock until the first iteration: cards from the cache, or built."""
    decisions: int
    buckets: tuple[int, ...]
    """By street."""
    recall: bool
    """Whether buckets tell those of earlier streets."""
    value: Estimate
    """Of the small blind under the average strategy, mbb a hand."""
    blueprint_bytes: int


class Exact(msgspec.Struct, frozen=True):
    """Six algorithms, measured exactly."""

    sequences: int
    """Bucket sequences of a player on the river."""
    deals: int
    """Different deals of the table."""
    algorithms: tuple[Runs, ...]
    """Pure first."""
    current: tuple[float, ...]
    """Exploitability of Pure's last strategy instead of its average, by seed; mbb a hand."""
    elsewhere: tuple[float, float]
    """Exploitability of one Pure strategy on this table, and on one counted on other deals."""
    as_written: tuple[float, ...]
    """As `current`, of the whole walk by chance sampling: section 3.4.1 word for word."""

    @property
    def pure(self) -> Runs:
        """Pure's trainings."""
        return self.algorithms[0]

    @property
    def times_pure(self) -> dict[str, Ratio]:
        """How many times as exploitable as Pure the others are."""
        ours, *others = self.algorithms
        return {each.label: ratio(ours.at(-1), each.at(-1)) for each in others}

    @property
    def current_over_average(self) -> Ratio:
        """How many times as exploitable as the average Pure's last strategy is."""
        return ratio(self.pure.at(-1), self.current)

    @property
    def as_written_over_pure(self) -> Ratio:
        """How many times as exploitable as Pure's average the algorithm of section 3.4.1 is."""
        return ratio(self.pure.at(-1), self.as_written)


class SameTime(msgspec.Struct, frozen=True):
    """The same six with many buckets, one training each."""

    trials: dict[str, Trial]
    """By algorithm, Pure first."""
    duels: dict[str, dict[str, Estimate]]
    """What the first wins from the second in the abstract game, mbb a hand; each pair once."""

    @property
    def pure_duels(self) -> dict[str, Estimate]:
        """What Pure's training wins from the others."""
        return self.duels[next(iter(self.trials))]

    def won(self, one: str, other: str) -> Estimate | None:
        """Return what one wins from another; nothing from itself."""
        if other in self.duels.get(one, {}):
            return self.duels[one][other]
        return self.duels[other][one].scaled(-1) if one != other else None


class ThreeHanded(msgspec.Struct, frozen=True):
    """Three-handed no-limit, one training each."""

    trials: dict[str, Trial]
    """By algorithm, Pure first."""
    decisions: int
    """Of the betting tree."""
    won: dict[str, dict[str, Estimate]]
    """What the first wins at a table with two of the second, mbb a hand."""

    @property
    def over_pure(self) -> dict[str, Estimate]:
        """What each of the others wins from two of Pure's, less what Pure wins from two of it."""
        pure, *others = self.trials
        return {each: self.won[each][pure].minus(self.won[pure][each]) for each in others}


class Need(msgspec.Struct, frozen=True):
    """What the deck of 52 would need with one way to name hands."""

    label: str
    hands: tuple[int, ...]
    """By street."""
    infosets: int
    table_bytes: int


class Isomorphism(msgspec.Struct, frozen=True):
    """Pure CFR with and without isomorphism and buckets."""

    cards: int
    deals: int
    """All of the small deck."""
    named: tuple[Runs, ...]
    """By way to name hands: each by itself, classes, then buckets."""
    needs: tuple[Need, ...]
    looked_up: float
    """Processor seconds to deal nine cards and find all eight buckets in tables over isomorphic
    boards."""
    on_the_fly: float
    """The same, with every strength counted anew."""
    iterations: float
    """Iterations a processor second of Pure CFR with the tables, dealing included."""

    @property
    def rate_on_the_fly(self) -> float:
        """Iterations a processor second if every strength were counted anew."""
        return 1 / (self.on_the_fly + 1 / self.iterations)

    @property
    def faster(self) -> dict[str, Ratio]:
        """How many times as fast as with every hand by itself iterations are."""
        every, *others = [(each.label, [t.speed for t in each.trials]) for each in self.named]
        return {label: ratio(every[1], speeds) for label, speeds in others}

    @property
    def without_isomorphism(self) -> Ratio:
        """How many times as exploitable as with it."""
        every, classes, *_ = self.named
        return ratio(classes.at(-1), every.at(-1))

    @property
    def without_buckets(self) -> dict[int, tuple[Ratio, Ratio]]:
        """How many times as exploitable as with so many, at the first and the last measurement."""
        _, classes, *buckets = self.named
        return {
            each.hands: (ratio(each.at(0), classes.at(0)), ratio(each.at(-1), classes.at(-1)))
            for each in buckets
        }

    @property
    def alike(self) -> dict[tuple[int, int], list[int]]:
        """Numbers of buckets by how they came out at first and in the end."""
        found: dict[tuple[int, int], list[int]] = {}
        for hands, (first, last) in self.without_buckets.items():
            found.setdefault((first.sign, last.sign), []).append(hands)
        return found


class Match(msgspec.Struct, frozen=True):
    """What our bot wins from an opponent, mbb a hand."""

    won: Estimate
    hands: int


class Played(msgspec.Struct, frozen=True):
    """The trained bot's matches."""

    matches: dict[str, Match]
    """By the opponent's label."""
    failures: int
    """Answers of our bot that were not allowed, late, or errors."""

    @property
    def best_first(self) -> dict[str, Match]:
        """The same, from the greatest win to the greatest loss."""
        return dict(sorted(self.matches.items(), key=lambda each: -each[1].won.mean))

    @property
    def won(self) -> dict[str, Estimate]:
        """What was won, in that order."""
        return {label: match.won for label, match in self.best_first.items()}


class Rivalled(msgspec.Struct, frozen=True):
    """How a rival's training ended."""

    iterations: int
    seconds: float
    """Of the processor, all threads together."""


class Found(msgspec.Struct, frozen=True):
    """All that a run found."""

    setting: Setting
    speed: Speed
    training: Training
    exact: Exact
    same: SameTime
    three: ThreeHanded
    cards: Isomorphism
    rivals: dict[str, Rivalled]
    """CFR bots of the other source documents, trained for limit as long as ours."""
    played: Played
