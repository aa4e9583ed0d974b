"""What a run finds, and what follows from it by counting and subtracting."""

from collections.abc import Mapping
from itertools import combinations, pairwise
from typing import NamedTuple

import msgspec

from riverboat.reproductions._work import Trained
from riverboat.reproductions.cardiff._recipe import DATA
from riverboat.statistics import Estimate

CrossTable = dict[str, dict[str, Estimate]]
"""What the first bot won from the second, small blinds a hand."""


class Setting(msgspec.Struct, frozen=True):
    """What this run trained and played."""

    menu: str
    iterations: int
    hands: int
    """Of each pair of the table."""
    engine_hands: int
    """The same inside PyPokerEngine."""
    workers: int
    """Threads and processes."""
    buckets: tuple[int, ...]
    """Hands by street."""
    decisions: tuple[int, ...]
    """Of the betting tree, by street."""
    default_streets: int
    """Of the blueprint that ships with the package."""
    default_menu: str
    lossless_bytes: int
    """Tables that all suits on the flop would need."""


class Point(msgspec.Struct, frozen=True):
    """How the average strategy stands at some point; chips a hand."""

    iterations: int
    seconds: float
    """Of training so far."""
    value: Estimate
    """What the small blind wins when both play it."""
    bound: Estimate
    """Exploitability is at least this: what trained responses win."""
    visited: int
    """Infosets with a regret or an average."""
    trained: int
    """Infosets with an average strategy."""


class Sampled(msgspec.Struct, frozen=True):
    """What each seat wins under the strategy of the regrets at some point; chips a hand."""

    iterations: int
    small_blind: Estimate
    big_blind: Estimate


class Training(msgspec.Struct, frozen=True):
    """The training and its measurements."""

    points: tuple[Point, ...]
    sampled: tuple[Sampled, ...]
    """For the mean over the training that the author printed: each on deals of its own."""
    infosets: int
    table_bytes: int
    resident_bytes: int
    """Of the process between slices of the training, at most."""
    both_seats: Estimate
    """The mean over both seats, each on deals of its own: what the author printed."""
    uniform_value: Estimate
    """What the small blind wins when both play at random with equal probabilities."""
    uniform_both_seats: Estimate
    """The author's figure for that play."""
    blueprint_bytes: int

    @property
    def last(self) -> Point:
        """The end of the training."""
        return self.points[-1]

    def running(self, *seats: str) -> list[Estimate]:
        """Return the mean over the training so far and over seats, as figure 8 takes it."""
        found, total, mean, variance = list[Estimate](), 0, 0.0, 0.0
        for each in self.sampled:
            weight, total = each.iterations - total, each.iterations
            for seat in seats:
                value: Estimate = getattr(each, seat)
                mean += weight * value.mean / len(seats)
                variance += (weight * (value.error or 0.0) / len(seats)) ** 2
            found.append(Estimate(mean / total, variance**0.5 / total, 0, "normal"))
        return found

    @property
    def authors_error(self) -> float:
        """Standard error of that mean over both seats in the author's program: a deal a walk."""
        end = self.sampled[-1].small_blind
        return (end.error or 0.0) * float((end.units / (2 * self.last.iterations)) ** 0.5)

    @property
    def iterations_per_second(self) -> float:
        """Over the whole training."""
        return self.last.iterations / max(self.last.seconds, 1e-9)

    @property
    def later_per_second(self) -> float | None:
        """Iterations a second after the first point, which paid for new memory; None if none."""
        iterations = self.last.iterations - self.points[0].iterations
        seconds = self.last.seconds - self.points[0].seconds
        return iterations / seconds if seconds > 0 else None


class Cleaned(msgspec.Struct, frozen=True):
    """The strategy as rows of text, before and after cleaning."""

    infosets: int
    """Of the game."""
    before: int
    """Rows with an average strategy; the visited ones without are not in our files."""
    after: int
    """Rows that are not uniform."""
    bytes_before: int
    """Of the CSV files."""
    bytes_after: int
    blueprint_bytes: int
    """Of the cleaned strategy file, 8 bits a probability."""
    write_seconds: float
    """Of the cleaned CSV file."""
    read_seconds: float
    rows_read: int
    last_rows: tuple[tuple[str, str], ...]
    """Before and after, as in the figures; empty where a file has fewer."""


class CsvMatch(msgspec.Struct, frozen=True):
    """CFRv2 from either file against the same opponent on the same cards, small blinds a hand."""

    from_file: Estimate
    from_csv: Estimate
    difference: Estimate
    """CSV less strategy file, deal by deal."""


class CsvPlay(msgspec.Struct, frozen=True):
    """Matches of CFRv2 from both files, and how the files differ."""

    hands: int
    """Of each match."""
    matches: dict[str, CsvMatch]
    """By opponent."""
    against_itself: Estimate
    """The bot of the CSV file against the bot of the strategy file."""
    rows: int
    """Infosets in both files."""
    only_one: int
    """Infosets in one of them."""
    largest_difference: float
    """Of a row: half the sum of the differences of its probabilities."""

    @property
    def differences(self) -> dict[str, Estimate]:
        """In play: against each opponent, and of the two bots."""
        found = {opponent: match.difference for opponent, match in self.matches.items()}
        return {**found, "head to head": self.against_itself}

    @property
    def furthest(self) -> float:
        """How far from 0 an interval of them reaches."""
        return max(abs(each.mean) + each.margin for each in self.differences.values())


class Times(msgspec.Struct, frozen=True):
    """How long a bot's decisions took, seconds."""

    decisions: int
    mean: float
    percentile_99: float
    longest: float


class SevenTable(msgspec.Struct, frozen=True):
    """All pairs of the seven."""

    hands: int
    """Of each pair."""
    won: CrossTable
    times: dict[str, Times]
    pair_seconds: float
    """Mean wall-clock time of a pair; of what the last run played, if it was resumed."""
    cfr_pair_hands_per_second: float
    """CFRv1 against CFRv2."""
    failures: int
    """Decisions in which a bot failed."""
    deviations: dict[str, float]
    """Of a single hand as it was played: CFRv1 and CFRv2 against Rule-based, small blinds."""
    seats: dict[str, tuple[Estimate, Estimate]]
    """By pair that comes out otherwise: what the first won as small blind, and as big blind."""

    @property
    def longest(self) -> float:
        """Seconds of the longest decision of all."""
        return max(times.longest for times in self.times.values())


class Champion(msgspec.Struct, frozen=True):
    """What the default bot won from each of the seven, small blinds a hand."""

    hands: int
    won: dict[str, Estimate]


class Simulation(msgspec.Struct, frozen=True):
    """Section 7.3: the improved simulation as a bot, and where CFR's strategy ends."""

    hands: int
    """Of each match."""
    won: dict[str, dict[str, Estimate]]
    """By who plays, then by opponent, small blinds a hand."""


class Evaluators(msgspec.Struct, frozen=True):
    """Section 3.6.2: seconds to evaluate a hand on the flop, one after the other in Python."""

    engine: float
    """PyPokerEngine's evaluator."""
    ours: float
    batch: float
    """Ours, many at once."""
    showdowns: int
    """In the betting tree: the author's walk evaluates both hands at each."""


def pair_name(one: str, other: str) -> str:
    """Name a pair of bots as people read it."""
    return f"{one} v {other}"


class Reversed(NamedTuple):
    """A pair that the author's table and ours decide otherwise; small blinds a hand."""

    published: float
    tried: dict[str, Estimate]
    """What the first won, by what was changed."""

    @property
    def like_published(self) -> list[str]:
        """Changes under which the published winner wins surely."""
        return [name for name, won in self.tried.items() if won.sign * self.published > 0]


class RowCount(msgspec.Struct, frozen=True):
    """How many rows the author's file would have with some betting."""

    menu: str
    decisions: tuple[int, int]
    """Before the flop, and on it."""
    rows: Estimate
    """When as many deals were walked as there were iterations."""
    rows_of_two: Estimate
    """When each player's walk had a deal of its own."""


class RowCounts(msgspec.Struct, frozen=True):
    """The search for a betting tree with the author's number of rows."""

    classes: int
    """Hands on the flop that differ in the author's cards and can be dealt."""
    tried: int
    nearest: tuple[RowCount, ...]
    """By distance from the published rows; then our menu, and the half tree of `half`."""
    half: RowCount
    """Five raises a street, the flop only after calls of the second player."""


class Precision(msgspec.Struct, frozen=True):
    """Figure 15: float32 for float64, in Leduc hold'em, exactly."""

    iterations: int
    exploitability: dict[str, float]
    """By dtype, chips a hand."""
    node_bytes: dict[str, float]
    """Of an information set as figure 7 keeps it: two arrays, a text, a place in a dictionary."""
    most_visits: float
    """Of one infoset before the flop in the author's training, about."""


class EngineTable(msgspec.Struct, frozen=True):
    """All pairs of the seven inside PyPokerEngine."""

    missing: str
    """Why it was not played; empty if it was."""
    hands: int = 0
    """Of each pair."""
    iterations: int = 0
    """Of the strategy that was trained for the engine's order of acting."""
    won: CrossTable = {}
    """The upper half of the table."""
    hands_per_second: float = 0.0
    """Of one process."""
    evaluators: Evaluators | None = None


class Agreement(msgspec.Struct, frozen=True):
    """How some pairs came out beside table 2."""

    pairs: int
    clear: int
    """Our interval lies on one side of zero."""
    same: int
    """Of the clear ones: with the published winner."""
    inside: int
    """The published figure lies within our interval."""


class StreetSpeed(msgspec.Struct, frozen=True):
    """One number of streets."""

    streets: int
    decisions: int
    """Of the betting tree."""
    chance: float
    """Iterations a second of one core by chance sampling, as in the thesis."""
    external: float
    """By external sampling."""
    suitless_infosets: int
    """With the thesis's cards on every street."""
    suitless_bytes: int
    """Of the tables that they would need."""


class StreetSpeeds(msgspec.Struct, frozen=True):
    """Speeds by the number of streets."""

    rows: tuple[StreetSpeed, ...]
    seconds: float
    """Each speed was taken over."""

    def steps(self, scheme: str) -> dict[int, float]:
        """Return how much slower each step makes a scheme, by the streets after it."""
        pairs = pairwise(self.rows)
        return {
            after.streets: getattr(before, scheme) / getattr(after, scheme)
            for before, after in pairs
        }

    def factor(self, scheme: str) -> float:
        """Return how much slower a street more makes a scheme, geometric mean; 1 of one row."""
        first, last = self.rows[0], self.rows[-1]
        ratio = getattr(first, scheme) / getattr(last, scheme)
        return float(ratio ** (1 / max(1, last.streets - first.streets)))


class Idea(msgspec.Struct, frozen=True):
    """One idea for later: its training and its matches."""

    menu: str
    cards: str
    buckets: tuple[int, ...]
    """By street."""
    trained: Trained
    table_bytes: int
    """Regrets and averages in training."""
    hands: int
    """Of each match."""
    won: dict[str, Estimate]
    """From the published system, `base`, and from the opponents, small blinds a hand."""


class Found(msgspec.Struct, frozen=True):
    """All that a run found."""

    setting: Setting
    training: Training
    cleaned: Cleaned
    csv: CsvPlay
    table: SevenTable
    champion: Champion
    simulation: Simulation
    engine: EngineTable
    reversed: dict[str, dict[str, Estimate]]
    """By pair, of those whose winner is another here; what the first won, by what was changed."""
    streets: StreetSpeeds
    rows: RowCounts
    precision: Precision
    ideas: dict[str, Idea]
    """By name; the published system first."""

    @property
    def explained(self) -> dict[str, Reversed]:
        """The same beside the published result, ours, and that inside PyPokerEngine."""
        found = {}
        for one, other in DATA.reversed:
            pair, words = pair_name(one, other), DATA.changed
            small, big = self.table.seats[pair]
            tried = {words.nothing: self.table.won[one][other], words.small: small, words.big: big}
            tried |= self.reversed[pair]
            inside = self.engine.won.get(other, {}).get(one)  # its table is an upper half
            if inside is not None:
                tried[words.engine] = inside.scaled(-1)
            found[pair] = Reversed(DATA.table2[one][other], tried)
        return found

    @property
    def against_base(self) -> dict[str, Estimate]:
        """What each idea won from the published system, by its title."""
        titles = {name: variant.title for name, variant in DATA.variants.items()}
        won = {titles[name]: idea.won.get("base") for name, idea in self.ideas.items()}
        return {title: each for title, each in won.items() if each is not None}

    @staticmethod
    def agreement(
        won: Mapping[str, Mapping[str, Estimate]], *, comparable: bool = True, engine: bool = False
    ) -> Agreement:
        """Count the pairs of two comparable bots, or all others, beside table 2.

        Inside the engine its own Random is played, which can be compared.

        Examples
        --------
        >>> won = {"Fish": {"Random": Estimate.with_margin(60.0, 9.0)}}
        >>> Found.agreement(won, comparable=False)
        Agreement(pairs=1, clear=1, same=1, inside=1)
        """
        table2, strangers = DATA.table2, DATA.strangers(engine=engine)
        pairs = [
            (won[row][column], table2[row][column])
            for row, column in combinations(DATA.bots, 2)
            if column in won.get(row, {}) and comparable == {row, column}.isdisjoint(strangers)
        ]
        return Agreement(
            len(pairs),
            sum(1 for ours, _ in pairs if ours.sign),
            sum(1 for ours, theirs in pairs if ours.sign * theirs > 0),
            sum(1 for ours, theirs in pairs if ours.known and ours.minus(theirs).sign == 0),
        )
