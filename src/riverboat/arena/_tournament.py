"""A round-robin tournament: each bot plays each other bot; cross table and leaderboard.

The leaderboard ranks bots by money: their mean winnings over all opponents, with intervals. It also
counts the opponents that a bot beats, and those that it loses to, significantly. A rating of wins
such as Elo would put a bot that wins many small pots and loses all large ones above those that take
its chips.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from riverboat.arena._match import Match
from riverboat.arena._result import MatchResult, unit_of
from riverboat.arena._settings import PAIRS, BotMaker, MatchSettings, is_outside, seeds_of
from riverboat.arena._verdict import Verdict, hands_to_tell
from riverboat.errors import ArenaError
from riverboat.report import Columns, Framed
from riverboat.statistics import Estimate, estimate_columns


def pairings(bots: Sequence[BotMaker], settings: MatchSettings) -> list[MatchSettings]:
    """Return the matches of a round robin: every pair once, each with its own seed.

    Parameters
    ----------
    bots
        Two or more different bots.
    settings
        Settings of every match, except `bots` and `seed`. The seed of these settings is the
        tournament's. All pairs with an outside bot share their deal seed, or a new one.

    Examples
    --------
    >>> first = MatchSettings(("checkcall", "random"), "leduc", hands=10)
    >>> [match.names for match in pairings(["checkcall", "random"], first)]
    [('checkcall', 'random')]
    """
    if len(bots) < 2 or len(set(bots)) < len(bots):
        raise ArenaError("a tournament needs two or more different bots")
    if settings.spec.players != 2:
        raise ArenaError(f"a round robin needs a game of 2 players, not {settings.spec.players}")
    given = settings.with_deal_seed(bots)
    matches = []
    for row, column in itertools.combinations(range(len(bots)), 2):
        seed = seeds_of(1, settings.seed, PAIRS, row, column)[0]
        pair = (bots[row], bots[column])
        deal_seed = given.deal_seed if any(map(is_outside, pair)) else None
        matches.append(
            replace(settings, bots=pair, seed=seed, tournament=settings.seed, deal_seed=deal_seed)
        )
    return matches


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the leaderboard."""

    bot: str
    mbb_per_hand: Estimate
    """Mean over the bot's opponents, with equal weights."""
    beats: int
    """Number of opponents from which the bot significantly wins (95 %)."""
    loses_to: int
    """Number of opponents to which it significantly loses."""


@dataclass(frozen=True)
class TournamentResult(Framed):
    """The results of all pairs."""

    names: tuple[str, ...]
    results: dict[tuple[int, int], MatchResult]
    """Keys are (row, column) with row < column; pairs that were not played are missing."""

    @classmethod
    def of(cls, names: Sequence[str], matches: Sequence[Match]) -> "TournamentResult":
        """Collect the results of the matches of `pairings`, in the same order."""
        pairs = itertools.combinations(range(len(names)), 2)
        played = zip(pairs, matches, strict=True)
        return cls(tuple(names), {pair: match.result() for pair, match in played if match.sessions})

    def cell(self, row: int, column: int) -> Estimate | None:
        """Return the winnings of the row's bot against the column's, in chips per hand."""
        result = self.results.get((min(row, column), max(row, column)))
        return None if result is None else result.best_estimate(0 if row < column else 1)

    def cross_table(self, *, unit: str = "sb") -> list[list[Estimate | None]]:
        """Return the winnings of each row against each column, with intervals.

        Parameters
        ----------
        unit
            `sb` = small blinds per hand, as in cardiff's table 2; `mbb` = mbb/hand (or thousandths
            of an ante).
        """
        count = range(len(self.names))
        cells = [[self.cell(row, column) for column in count] for row in count]
        factor = self._factor(unit)
        return [[cell and cell.scaled(factor) for cell in row] for row in cells]

    def _factor(self, unit: str) -> float:
        spec = next(iter(self.results.values())).settings.spec
        blind = unit_of(spec)[0]
        return 1 / (spec.small_blind or blind) if unit == "sb" else 1000 / blind

    def leaderboard(self) -> list[Standing]:
        """Return the bots in order of their mean winnings over opponents, the best first."""
        standings = [self._standing(bot) for bot in range(len(self.names))]
        return sorted(standings, key=lambda standing: -standing.mbb_per_hand.mean)

    def _standing(self, bot: int) -> Standing:
        cells = (self.cell(bot, other) for other in range(len(self.names)))
        signs = [cell.sign for cell in cells if cell is not None]
        mean = self._mean_over_opponents(bot)
        return Standing(self.names[bot], mean, signs.count(1), signs.count(-1))

    def _mean_over_opponents(self, bot: int) -> Estimate:
        cells = [self.cell(bot, other) for other in range(len(self.names))]
        played = [cell for cell in cells if cell is not None]
        if not played:
            return Estimate(0.0, None)
        factor = self._factor("mbb") / len(played)
        errors = [cell.error for cell in played if cell.error is not None]
        error = math.hypot(*errors) if len(errors) == len(played) else None
        units = sum(cell.units for cell in played)
        return Estimate(sum(cell.mean for cell in played), error, units).scaled(factor)

    def frame_columns(self) -> Columns:
        """Return a row for each bot and each opponent: mbb/hand with its 95 % interval."""
        table = self.cross_table(unit="mbb")
        pairs = itertools.permutations(range(len(self.names)), 2)
        played = [(row, column, cell) for row, column in pairs if (cell := table[row][column])]
        return {
            "bot": [self.names[row] for row, _, _ in played],
            "opponent": [self.names[column] for _, column, _ in played],
            **estimate_columns("mbb_per_hand", [cell for _, _, cell in played]),
        }

    def verdict(self) -> Verdict:
        """Return the verdict: whether the best mean over opponents is significantly ahead.

        Examples
        --------
        >>> from riverboat.arena import Match, play_matches
        >>> first = MatchSettings(("fold", "checkcall"), "nolimit-100bb", hands=40)
        >>> matches = [Match(pair) for pair in pairings(["fold", "checkcall"], first)]
        >>> _ = list(play_matches(matches, workers=1))
        >>> TournamentResult.of(["fold", "checkcall"], matches).verdict().leader
        'checkcall'
        """
        first, second = self.leaderboard()[:2]
        gap = self._ahead(*(self.names.index(line.bot) for line in (first, second)))
        hands = min(match.hands for match in self.results.values())
        won, decided = first.mbb_per_hand, gap.sign == 1
        tells, needed = (None, None) if decided else hands_to_tell(gap.margin, hands)
        return Verdict(first.bot, decided, won, won.interval, hands, False, tells, needed)

    def _ahead(self, first: int, second: int) -> Estimate:
        """Return the difference of two bots' means over opponents, in mbb/hand.

        The match between the two counts twice: for the first bot and against the second.
        """
        others = [bot for bot in range(len(self.names)) if bot not in (first, second)]
        gap, margins = 0.0, [0.0]
        cells = [(self.cell(first, second), 2.0)]
        cells += [(self.cell(first, bot), 1.0) for bot in others]
        cells += [(self.cell(second, bot), -1.0) for bot in others]
        for cell, weight in cells:
            if cell is not None:
                gap += weight * cell.mean
                margins.append(weight * cell.margin)
        factor = self._factor("mbb") / (len(self.names) - 1)
        return Estimate.with_margin(gap * factor, math.hypot(*margins) * factor)

    def summary(self) -> dict[str, Any]:
        """Return every figure for a program; the keys are in docs/json.md."""

        def cells(unit: str) -> list[list[dict[str, Any] | None]]:
            table = self.cross_table(unit=unit)
            return [[None if cell is None else cell.as_values() for cell in row] for row in table]

        return {
            "bots": list(self.names),
            "sb_per_hand": cells("sb"),
            "mbb_per_hand": cells("mbb"),
            "leaderboard": [
                {
                    "bot": line.bot,
                    "mbb_per_hand": line.mbb_per_hand.as_values(),
                    "beats": line.beats,
                    "loses_to": line.loses_to,
                }
                for line in self.leaderboard()
            ],
            "matches": [result.summary() for result in self.results.values()],
        }
