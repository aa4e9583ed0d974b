"""What a run finds, and what follows from it by counting and subtracting."""

from collections.abc import Sequence

import msgspec

from riverboat.reproductions._work import mean_of
from riverboat.statistics import Estimate

#: The combination of the members: the bot itself.
BOT = "bot"


class Setting(msgspec.Struct, frozen=True):
    """What this run trained and played."""

    preflop: tuple[str, ...]
    """Sizes of raises."""
    postflop: tuple[str, ...]
    first_cap: int
    """Raises on a street, at most: before the flop, and later."""
    later_cap: int
    buckets: str
    threads: int
    start: int
    """Visits that starting weights are worth."""
    iterations: int
    seeds: str
    hands: int
    machine: str
    floor_ends: int
    """Iteration from which on there is no floor."""
    two_raises_bytes: int
    """Of tables with the author's sizes and two raises on every street."""
    factor: float
    """By which aggressive and tight bend."""
    threshold: float
    """Win rate from which on tight-aggressive is aggressive."""


class Speed(msgspec.Struct, frozen=True):
    """How fast a number of threads does the same iterations."""

    threads: int
    iterations: int
    seconds: float
    nodes: int
    """Decisions entered."""

    @property
    def an_iteration(self) -> float:
        """Seconds of one iteration: one deal, a walk for each player."""
        return self.seconds / self.iterations


class Strategy(msgspec.Struct, frozen=True):
    """A strategy, what it took, and how exploitable it is at least; the bot's work is the sum."""

    name: str
    iterations: int
    seconds: float
    """Of iterating."""
    file_bytes: int
    bound: Estimate
    """Thousandths of a big blind a hand, on the same fresh deals for all strategies."""
    threads: int | None = None
    """None of the bot, and so below."""
    infosets: int = 0
    trained: int | None = None
    table_bytes: int = 0
    resident_bytes: int = 0
    """Of the process while it trained."""

    @property
    def reached(self) -> float | None:
        """Share of the infosets that training came to."""
        return None if self.trained is None else self.trained / self.infosets


class Keyed(msgspec.Struct, frozen=True):
    """The author's own game: his key instead of the line of bets, no caps."""

    decisions: int
    """Of the tree."""
    infosets: int
    reached: float
    """Share of them that training came to."""
    iterations: int
    seconds: float
    nodes: int
    """Decisions entered."""
    table_bytes: int
    file_bytes: int


class StreetOutcomes(msgspec.Struct, frozen=True):
    """How the buckets of a street fared, over the deals of both players."""

    buckets: int
    dealt: int
    """Of them."""
    fewest: int
    """Deals of the rarest of those."""
    tied: float
    """Share of deals that are ties."""
    least: float
    greatest: float
    """Win rates of buckets, a tie one half."""
    ranges: tuple[int, ...]
    """Buckets with a win rate below 20 %, 20 to 40 %, and so on."""
    off: float
    """Mean distance of the win rates that a million deals give, weighted by deals."""


class Outcomes(msgspec.Struct, frozen=True):
    """Wins, ties and losses by bucket; all of them are in a file."""

    deals: int
    streets: tuple[StreetOutcomes, ...]


class Forked(msgspec.Struct, frozen=True):
    """The same iterations with a thread for each large subtree and a lock for each infoset."""

    more_than: int
    """Actions of a decision that gets a thread."""
    last_street: int
    threads: int
    """Started; 0 where all was walked in turn, with locks."""
    seconds: float
    cpu_seconds: float
    nodes: int
    span: int
    """Decisions on the longest way."""

    @property
    def most(self) -> float:
        """How many times faster it can be on any number of cores, if threads and locks are free."""
        return self.nodes / self.span

    def on(self, cores: int) -> float:
        """Return how many times faster it can be on so many cores (Brent 1974)."""
        return _faster(1 / self.most, cores)


class Threads(msgspec.Struct, frozen=True):
    """Two ways to use threads, on the author's own game."""

    iterations: int
    ours: tuple[Speed, ...]
    """Deals on threads, without locks: one thread first, all last."""
    alone_cpu: float
    """Seconds of one thread's own time for as many iterations, without locks."""
    forked: tuple[Forked, ...]
    """In turn first, then the author's rule, then others."""

    @property
    def serial(self) -> float:
        """Share of our work that more threads did not make faster."""
        count = self.ours[-1].threads
        gained = self.ours[0].seconds / self.ours[-1].seconds
        return min(1.0, max(0.0, (count / gained - 1) / (count - 1)))

    def ours_on(self, cores: int) -> float:
        """Return how many times faster ours would be, by that share (Amdahl 1967)."""
        return _faster(self.serial, cores)


def _faster(serial: float, cores: int) -> float:
    """How many times faster so many cores are, if a share of the work must be done in turn."""
    return 1 / (serial + (1 - serial) / cores)


class Match(msgspec.Struct, frozen=True):
    """What the first of two bots won, thousandths of a big blind a hand."""

    bot: str
    opponent: str
    won: Estimate
    hands: tuple[int, ...]
    """Of the points of the curve; the last is the whole match."""
    blinds: tuple[float, ...]
    """Big blinds won up to each point."""
    low: tuple[float, ...]
    high: tuple[float, ...]
    """95 % band of the total."""


class Shipped(msgspec.Struct, frozen=True):
    """What the default bot won from variants of itself, thousandths of a big blind a hand."""

    threshold: float
    """Of the default bot."""
    neither: dict[str, Estimate]
    """Both play the whole strategy."""
    both: dict[str, Estimate]
    """Both leave rare bets and folds out."""


class Found(msgspec.Struct, frozen=True):
    """All that a run found."""

    setting: Setting
    speeds: tuple[Speed, ...]
    """One thread first, all last."""
    strategies: dict[str, Strategy]
    """By name; the bot first, then its members."""
    variants: tuple[Match, ...]
    """Bots against the variants of themselves."""
    duels: tuple[Match, ...]
    shipped: Shipped
    keyed: Keyed
    outcomes: Outcomes
    forks: Threads

    @property
    def members(self) -> list[Strategy]:
        """The members of the ensemble."""
        return [each for name, each in self.strategies.items() if name.startswith("member")]

    @property
    def times_faster(self) -> float:
        """What all threads gain over one."""
        return self.speeds[0].seconds / self.speeds[-1].seconds

    def against_variants(self, bot: str) -> dict[str, Estimate]:
        """Return what a bot won from each variant of itself."""
        return _won(self.variants, bot)

    def against(self, bot: str) -> dict[str, Estimate]:
        """Return what a strategy won from each that it played as the first."""
        return _won(self.duels, bot)

    def members_against(self, style: str) -> dict[str, Estimate]:
        """Return what each member won from a variant of itself."""
        return {each.name: self.against_variants(each.name)[style] for each in self.members}

    def mean_of_members(self, style: str) -> Estimate:
        """Return the mean over members, as the author's figure 1 is that of his figure 7."""
        return mean_of(list(self.members_against(style).values()))

    def more_exploitable(self, name: str) -> dict[str, Estimate]:
        """Return by how much a strategy is more exploitable than each member.

        Both were scored on the same deals, which makes the difference surer than its margin says.
        """
        bound = self.strategies[name].bound
        return {each.name: bound.minus(each.bound) for each in self.members}

    @property
    def by_bound(self) -> list[Estimate]:
        """The members' bounds, the least first."""
        return sorted((each.bound for each in self.members), key=lambda bound: bound.mean)

    @property
    def worst_variant(self) -> str:
        """The variant that does best against the bot."""
        won = self.against_variants(BOT)
        return min(won, key=lambda style: won[style].mean)


def _won(matches: Sequence[Match], bot: str) -> dict[str, Estimate]:
    return {match.opponent: match.won for match in matches if match.bot == bot}
