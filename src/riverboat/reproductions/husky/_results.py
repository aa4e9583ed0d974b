"""What a run finds, and what follows from it by choosing, counting and subtracting."""

from collections.abc import Mapping, Sequence

import msgspec

from riverboat.errors import ArenaError
from riverboat.reproductions._work import Trained, mean_of
from riverboat.statistics import Estimate, as_good_as_best, fit_power_law

#: What the bots that play from a strategy are called in all of the report.
CFR, WIDE, DEFAULT = "CFR", "wide CFR", "Riverboat's default"


class Setting(msgspec.Struct, frozen=True):
    """What this run played."""

    fewest_seats: int
    """Of the tables whose speed is measured."""
    most_seats: int
    opponents: tuple[int, ...]
    """Numbers of Fish."""
    tables: tuple[int, ...]
    """Seats of each table."""


class Rate(msgspec.Struct, frozen=True):
    """How much is done in a second, over rounds of equal length."""

    median: float
    low: float
    high: float
    """The slowest and the fastest round."""
    rounds: int

    @property
    def rounded(self) -> float:
        """The median, of which three digits count."""
        return float(f"{self.median:.3g}")


class SeatSpeed(msgspec.Struct, frozen=True):
    """Hands a second at a table of some seats, everybody checks and calls."""

    bots: Rate
    """Call bots in a whole match: views, times, duplicate deals, sums, intervals."""
    rules: Rate
    """The rules driven from Python, one call for each action."""
    random: Rate
    """Uniformly random play inside the core."""


class Speeds(msgspec.Struct, frozen=True):
    """What one core does in a second of its own time."""

    one_by_one: dict[int, Rate]
    """Evaluations a second from Python, one call each, by number of cards."""
    batch: dict[int, Rate]
    """The same for many hands in one call."""
    tables: dict[int, SeatSpeed]
    """By seats."""
    hands: int
    """Random hands that are evaluated in turn."""


class Scored(msgspec.Struct, frozen=True):
    """A point of a sweep and its score: a share of games, or chips a hand."""

    parameters: dict[str, float]
    score: Estimate


class Points(msgspec.Struct, frozen=True):
    """Points of a sweep, scored in one way."""

    points: tuple[Scored, ...]

    @property
    def best(self) -> Scored:
        """The point with the greatest score, the first of equals."""
        return max(self.points, key=lambda point: point.score.mean)

    @property
    def as_good(self) -> list[Scored]:
        """The points that cannot be told from the best one: any may be the optimum.

        Points share their deals, so the true interval of a difference is rather narrower.
        """
        places = as_good_as_best([point.score for point in self.points])
        return [self.points[place] for place in places]

    @property
    def equals(self) -> int:
        """How many points have exactly the best score."""
        return sum(point.score.mean == self.best.score.mean for point in self.points)

    def at(self, parameters: Mapping[str, float]) -> Scored:
        """Return the point that lies nearest to these parameters."""

        def distance(point: Scored) -> float:
            return sum((point.parameters[name] - at) ** 2 for name, at in parameters.items())

        return min(self.points, key=distance)

    def nearest(self, high: float) -> Scored:
        """Return the point whose threshold to raise lies nearest to this one."""
        return self.at({"high": high})

    def range_of(self, name: str) -> tuple[float, float]:
        """Return the range of a threshold in which points may be the best."""
        values = [point.parameters[name] for point in self.as_good]
        return min(values), max(values)


class Pair(msgspec.Struct, frozen=True):
    """The same points, scored in two ways."""

    games: Points
    """Share of games won."""
    chips: Points
    """Chips a hand, stacks reset after each."""


class Again(msgspec.Struct, frozen=True):
    """What was played with another seed."""

    sweeps: dict[str, Pair]
    """The authors' optimum, our best by games, our best by chips, of each sweep."""
    claim: Pair
    """Fish against Honest with a threshold of one half; one point."""


class Law(msgspec.Struct, frozen=True):
    """Optimum = factor * opponents ^ exponent."""

    factor: float
    exponent: Estimate

    @classmethod
    def fitted(cls, sweeps: dict[int, Points]) -> "Law | None":
        """Fit the best thresholds by number of opponents; None where there is no law to fit.

        Examples
        --------
        >>> def swept(high):
        ...     return Points((Scored({"high": high}, Estimate.exact(1.0)),))
        >>> law = Law.fitted({1: swept(0.8), 16: swept(0.4), 81: swept(0.8 / 3)})
        >>> round(law.factor, 6), round(law.exponent.mean, 6)
        (0.8, -0.25)
        """
        optima = [points.best.parameters["high"] for points in sweeps.values()]
        try:
            law = fit_power_law(list(sweeps), optima)
        except ArenaError:
            return None
        margin = law.exponent_interval[1] - law.exponent
        return cls(law.factor, Estimate.with_margin(law.exponent, margin))


class Translated(msgspec.Struct, frozen=True):
    """Against one size of raises."""

    won: dict[str, Estimate]
    """Chips a hand of husky's CFR bot, by the rule of translation, and of wide CFR."""
    hands: int
    after_translation: float
    """Share of the CFR bot's decisions in its tree, but after a bet that was read as another."""
    untrained: float
    off_tree: float


class Block(msgspec.Struct, frozen=True):
    """Some hands on end: chips a hand over all seeds, which are the units."""

    first: int
    last: int
    won: Estimate


class Learnt(msgspec.Struct, frozen=True):
    """How Killer fares against one opponent; chips."""

    seeds: int
    hands: tuple[int, ...]
    """Numbers of hands at which the curve is kept."""
    mean: tuple[float, ...]
    """Winnings so far, mean over seeds."""
    low: tuple[float, ...]
    """95 of 100 seeds lie between low and high."""
    high: tuple[float, ...]
    blocks: tuple[Block, ...]
    final: Block
    """The last third."""
    ahead: float
    """Share of seeds that are ahead at the end."""
    share: float
    """Of the last third's rate, at which Killer counts as having learnt."""

    @property
    def wins(self) -> bool:
        """Whether the last third surely wins."""
        return self.final.won.sign > 0

    @property
    def learnt_at(self) -> int | None:
        """End of the first block from which every block earns that share.

        None if the last third does not surely win, or its last block falls below that.
        """
        level = self.share * self.final.won.mean
        below = [block.last for block in self.blocks if block.won.mean < level]
        later = [block.last for block in self.blocks if block.last > max(below, default=0)]
        return later[0] if self.wins and later else None

    @property
    def surely_below(self) -> int:
        """End of the last block that surely earns less than that share; 0 if none does.

        Both margins count as independent. They share their seeds, which makes the true interval
        rather narrower.
        """
        level = self.final.won.scaled(self.share)
        sure = [block.last for block in self.blocks if block.won.minus(level).sign < 0]
        return max(sure, default=0)

    def within(self, most: float) -> int:
        """Return 1 if it had learnt within so many hands, -1 if later, 0 if it is not settled."""
        if self.surely_below > most:
            return -1
        return int(self.surely_below > 0 and (self.learnt_at or most + 1) <= most)


class Chained(msgspec.Struct, frozen=True):
    """Killer and those that follow it where it does not win, against one opponent."""

    curve: Learnt
    stages: dict[str, tuple[float, ...]]
    """Share of the lives that played so in each block's last hand, by who played."""

    @property
    def left(self) -> float:
        """Share of the lives in which Killer gave up at some time."""
        return 1 - self.stages["killer"][-1]


class EngineSweeps(msgspec.Struct, frozen=True):
    """What was played inside PyPokerEngine: share of games won, stacks carried on."""

    missing: str
    """Why nothing was; empty if it was."""
    sweeps: dict[str, Points] = {}


class Ranked(msgspec.Struct, frozen=True):
    """What a bot won, chips a hand."""

    mean: Estimate
    """Over its opponents, each counted the same."""
    against: dict[str, Estimate]
    fewest_hands: int
    """Against one of them."""


class Seated(msgspec.Struct, frozen=True):
    """One table."""

    seats: int
    won: dict[str, Estimate]
    """Chips a hand by bot."""
    hands: int


class Found(msgspec.Struct, frozen=True):
    """All that a run found."""

    setting: Setting
    speeds: Speeds
    sweeps: dict[str, Pair]
    again: Again
    spreads: dict[str, tuple[float, float]]
    """Where the best threshold of a repeated sweep comes to lie; sweeps of one threshold."""
    several: dict[int, Pair]
    """Sweeps by number of opponents."""
    trained: dict[str, Trained]
    """CFR, and wide CFR: equal cards, scheme and time."""
    translated: dict[str, Translated]
    """By size of raises."""
    learnt: dict[str, Learnt]
    """By opponent."""
    history: dict[str, Learnt]
    """The same for Killer with the line of play."""
    chained: dict[str, Chained]
    """Lives longer than Killer's patience, by opponent."""
    engine: EngineSweeps
    raises: dict[str, Pair]
    """A sweep with each size of raises."""
    bots: dict[str, Ranked]
    """By name, the strongest first."""
    seated: tuple[Seated, ...]

    @property
    def laws(self) -> dict[str, Law | None]:
        """How the best threshold falls with the number of opponents, in both ways."""
        return {
            "games": Law.fitted({count: pair.games for count, pair in self.several.items()}),
            "chips": Law.fitted({count: pair.chips for count, pair in self.several.items()}),
        }

    @property
    def gain_of_history(self) -> dict[str, Estimate]:
        """What Killer wins more in the last third if it learns for lines of play too."""
        return {
            name: self.history[name].final.won.minus(each.final.won)
            for name, each in self.learnt.items()
        }

    def over_sizes(self, bot: str, sizes: Sequence[str]) -> Estimate:
        """Return what a bot wins, mean over some sizes of its opponent's raises."""
        return mean_of([self.translated[size].won[bot] for size in sizes])

    def best_first(self, rules: Sequence[str], sizes: Sequence[str]) -> list[str]:
        """Return rules of translation by what the CFR bot wins with them."""
        return sorted(rules, key=lambda rule: -self.over_sizes(rule, sizes).mean)

    @property
    def largest(self) -> Seated:
        """The table with most seats."""
        return max(self.seated, key=lambda table: table.seats)

    @property
    def only_largest(self) -> list[str]:
        """The bots that sit at the largest of several tables only."""
        others = {name for table in self.seated if table != self.largest for name in table.won}
        return [name for name in self.largest.won if others and name not in others]
