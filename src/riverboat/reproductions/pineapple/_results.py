"""What a run finds, and what follows from it by counting and subtracting."""

from typing import NamedTuple

import msgspec

from riverboat.statistics import Estimate, share_estimate


class Setting(msgspec.Struct, frozen=True):
    """What this run trained and played."""

    iterations: int
    hands: int
    menu: str
    cards: str
    big_blind: int
    """Chips."""
    preflop_share: float
    """Of the stack: the backup bot's bound before the flop."""
    all_in_score: float
    """From which on the backup bot goes all-in."""


class Point(msgspec.Struct, frozen=True):
    """The training at some moment."""

    iterations: int
    seconds: float
    visited: int
    """Infosets with a regret or a strategy."""
    averaged: int
    """Infosets with a strategy."""
    strategy: str
    """Name of the strategy that was kept then; empty if none was."""


class AllIn(msgspec.Struct, frozen=True):
    """The infosets that were reached in so many tenths of a training and may go all-in."""

    tenths: int
    infosets: int
    probability: float
    """Of all-in, mean over these infosets."""
    uniform: float
    """What uniform play gives there."""
    near_uniform: float
    """Share of infosets where no probability is 0.1 away from uniform play."""


class Training(msgspec.Struct, frozen=True):
    """What came of the training."""

    points: tuple[Point, ...]
    infosets: int
    decisions: int
    without_swaps: int
    """Infosets of the same betting without swaps."""
    own_swaps: int
    """Infosets if only the own swaps were told apart, not the opponent's."""
    table_bytes: int
    file_bytes: int
    all_in: tuple[AllIn, ...]
    """By tenths of the training that an infoset was reached in, 0 to 10."""

    @property
    def last(self) -> Point:
        """The end of the training."""
        return self.points[-1]

    @property
    def kept(self) -> list[Point]:
        """Where the strategy was kept; the last is the end."""
        return [point for point in self.points if point.strategy]


class Matches(msgspec.Struct, frozen=True):
    """What the bot won from the backup bot, mbb/h."""

    main: Estimate
    on_the_way: tuple[tuple[int, Estimate], ...]
    """By samples of the training, without the last."""
    readings: dict[str, Estimate]
    """Other ways to read bets that are not on the menu."""
    fallbacks: dict[str, Estimate]
    """Other bots where nothing was trained."""
    by_score: Estimate
    """From the backup bot that swaps by the expected score, as the document says."""
    score_against_equity: Estimate
    """What that backup bot won from the one that swaps by equity."""


class Offer(msgspec.Struct, frozen=True):
    """Decisions with all-in on the menu, by tenths of the training that reached them."""

    tenths: int
    decisions: int
    probability: float
    """Of all-in in the strategy, mean over decisions; uniform where nothing was trained."""
    uniform: float
    """What uniform play gives there."""
    chosen: int
    """How often the bot went all-in."""


class Watched(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot did in some hands against the backup bot."""

    iterations: int
    hands: int
    trained: int
    untrained: int
    all_in_in_tree: int
    """Decisions at a table that is all-in by the tree's reading: the bot checks or calls."""
    off_tree: int
    swap_decisions: int
    swaps: int
    as_the_rule: int
    """Swap decisions like those of the fixed rule."""
    trained_bets: int
    """Of the trained decisions, those that are no swaps; the authors' swaps were a fixed rule."""
    untrained_bets: int
    offers: tuple[Offer, ...] = ()

    @property
    def decisions(self) -> int:
        """All decisions of the bot."""
        return self.trained + self.untrained + self.all_in_in_tree + self.off_tree

    @property
    def untrained_share(self) -> float:
        """Share of untrained infosets among the decisions that are in the tree, swaps too."""
        return self.untrained / max(1, self.trained + self.untrained)

    @property
    def untrained_bets_share(self) -> float:
        """Share of untrained infosets among the betting decisions that are in the tree."""
        return self.untrained_bets / max(1, self.trained_bets + self.untrained_bets)


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """How a reading took the backup bot's bets in some hands, and what the bot answered."""

    name: str
    sizes: tuple[float, float, float]
    """Quartiles of the bets, in pots after calling."""
    largest: float
    """The largest bet of the menu short of all-in at these decisions, in pots."""
    bets: int
    """Decisions of the bot that face a bet."""
    short: int
    """Bets that are not all-in, at a table that is not all-in in the tree."""
    taken_for_all_in: int
    """Of these, read as all-in."""
    taken_for_none: int
    """Of these, read as no bet."""
    after_all_in: int
    """Bets met where the tree is all-in already: the bot calls."""
    folds: int
    calls: int
    raises: int
    total: Estimate
    """What it wins more than the authors' reading in the same deals, mbb/h."""
    misread: Estimate
    """The part of `total` from deals in which it took a bet for all-in that was none."""
    others: Estimate
    """The part from all other deals."""

    @property
    def as_all_in(self) -> Estimate:
        """Share of the bets short of all-in that are read as all-in."""
        return share_estimate(self.taken_for_all_in, self.short)


class BothWays(msgspec.Struct, frozen=True):
    """Seconds of the same decision."""

    tables: float
    """From the tables."""
    run_outs: float
    """By dealing all run-outs to the river."""


class SwapTimes(msgspec.Struct, frozen=True):
    """Seconds."""

    rule_flop: BothWays
    """Keep or swap by the fixed rule: the mean equity over all replacements of each card."""
    rule_turn: BothWays
    card_flop: BothWays
    """Another question: which card a swap gives away, as in training."""
    card_turn: BothWays
    deal: float
    """One deal in training, with all cards, buckets and swaps."""
    swaps_a_deal: int
    """Choices between two cards in it."""
    preparing: float
    """The tables of swap values, once a training."""


class SettingTrained(msgspec.Struct, frozen=True):
    """A training with some settings of average-strategy sampling."""

    name: str
    epsilon: float
    beta: float
    tau: float
    seconds: float
    visited: int
    against_backup: Estimate
    """mbb/h."""


class Settings(msgspec.Struct, frozen=True):
    """Theirs, the paper's, and what the paper's wins from theirs."""

    rows: tuple[SettingTrained, ...]
    head_to_head: Estimate
    """What the paper's settings win from theirs, mbb/h."""


class Scheme(msgspec.Struct, frozen=True):
    """What a scheme made of its time."""

    name: str
    iterations: int
    seconds: float
    """Of processor time."""
    nodes: int
    visited: int
    infosets: int
    bound: Estimate
    """What trained responses win, chips a hand: a lower bound on exploitability."""


class Schemes(msgspec.Struct, frozen=True):
    """All schemes, and matches of each with each; mbb/h."""

    rows: tuple[Scheme, ...]
    against_backup: tuple[Estimate, ...]
    table: tuple[tuple[Estimate | None, ...], ...]
    """[schemes, schemes] what the one of the row wins from the one of the column."""

    @property
    def against_first(self) -> dict[str, Estimate]:
        """What the first scheme, the authors', wins from each other."""
        pairs = zip(self.rows, self.table[0], strict=True)
        return {row.name: won for row, won in pairs if won is not None}

    def more_exploitable(self, row: Scheme) -> list[str]:
        """Return the schemes from which the responses surely win more than from this one."""
        return [each.name for each in self.rows if each.bound.minus(row.bound).sign > 0]


class Descent(msgspec.Struct, frozen=True):
    """Exploitability of a scheme over its time."""

    name: str
    seconds: tuple[float, ...]
    """Of processor time."""
    iterations: tuple[int, ...]
    exploitability: tuple[float, ...]
    """Chips a hand."""

    @property
    def end(self) -> float:
        """Exploitability at the end."""
        return self.exploitability[-1]


class Exact(msgspec.Struct, frozen=True):
    """All schemes on the smaller tree."""

    decisions: int
    infosets: int
    uniform: float
    """Exploitability of uniform play, chips a hand."""
    rows: tuple[Descent, ...]


class Improved(msgspec.Struct, frozen=True):
    """Our choices; mbb/h."""

    menu: str
    cards: str
    seconds: float
    iterations: int
    visited: int
    infosets: int
    against_backup: Estimate
    against_backup_their_reading: Estimate
    """With bets read as the authors' bot does."""
    against_theirs: Estimate
    """From the strategy that was trained as the authors did."""


class OwnGame(msgspec.Struct, frozen=True):
    """A training of the game with fixed swaps."""

    menu: str
    infosets: int
    visited: int
    iterations: int
    seconds: float


class OwnGames(msgspec.Struct, frozen=True):
    """The authors' own game, by menu: the code's, then the document's; mbb/h."""

    games: dict[str, OwnGame]
    against_backup: dict[str, Estimate]
    against_solved: dict[str, Estimate]
    """From the bot that was trained with the code's menu and solves its swaps."""
    second_against_first: Estimate


class Held(NamedTuple):
    """Infosets with all-in on the menu; means over them."""

    infosets: int
    all_in: Estimate
    uniform: float
    near_uniform: Estimate

    def more_all_in(self, other: "Held") -> Estimate:
        """Return by how much all-in exceeds uniform play more than elsewhere."""
        return self.all_in.minus(other.all_in, self.uniform - other.uniform)


class Chosen(NamedTuple):
    """Decisions in play with all-in on the menu."""

    decisions: int
    all_in: Estimate
    """How often it was chosen, as if decisions were independent."""
    uniform: float

    @property
    def beside_uniform(self) -> int:
        """1 or -1 if the interval lies above or below uniform play, else 0."""
        low, high = self.all_in.interval
        return (low > self.uniform) - (high < self.uniform)

    @property
    def digits(self) -> int:
        """How many digits, in per cent, keep uniform play beside the interval where it lies so."""
        for digits in range(4 if self.beside_uniform else 0):
            values = (*self.all_in.interval, self.uniform)
            low, high, beside = (round(100 * each, digits) for each in values)
            if not low <= beside <= high:
                return digits
        return 4 if self.beside_uniform else 0


class Found(msgspec.Struct, frozen=True):
    """All that a run found."""

    setting: Setting
    training: Training
    matches: Matches
    watched: tuple[Watched, ...]
    """The strategies on the way, and the final one."""
    readings: tuple[Reading, ...]
    """The authors' reading first, then others."""
    swaps: SwapTimes
    settings: Settings
    samplings: Schemes
    exact: Exact
    own: OwnGames
    better: Improved

    def held(self, low: int, high: int) -> Held:
        """Pool the infosets that were reached in so many tenths of the training."""
        inside = [row for row in self.training.all_in if low <= row.tenths <= high]
        total = sum(row.infosets for row in inside)
        uniform = sum(row.infosets * row.uniform for row in inside) / max(1, total)
        all_in = share_estimate(sum(row.infosets * row.probability for row in inside), total)
        near = share_estimate(sum(row.infosets * row.near_uniform for row in inside), total)
        return Held(total, all_in, uniform, near)

    def chosen(self, low: int, high: int) -> Chosen:
        """Pool decisions in play by how many tenths of the training reached them."""
        inside = [row for row in self.watched[-1].offers if low <= row.tenths <= high]
        total, chosen = sum(row.decisions for row in inside), sum(row.chosen for row in inside)
        uniform = sum(row.decisions * row.uniform for row in inside) / max(1, total)
        return Chosen(total, share_estimate(chosen, total), uniform)
