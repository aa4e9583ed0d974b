"""All bots of the document, and its CFR bot, against each other."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from riverboat.arena import MatchSettings, TournamentResult, pairings
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won, play_all
from riverboat.seeds.husky.data import husky
from riverboat.seeds.husky.training import CFR, WIDE, Both, blueprint_text

__all__ = ["DEFAULT_BOT", "DEFAULT_NAME", "Ranked", "Ranking", "play_table"]

_GAME = "nolimit-100bb"
#: Plays from the strategy that ships with Riverboat.
DEFAULT_BOT = "blueprint"
DEFAULT_NAME = "Riverboat's default"


class Ranked(msgspec.Struct, frozen=True):
    """A bot of the leaderboard; chips a hand."""

    name: str
    mean: Won
    """Over its opponents, each counted the same."""
    against: dict[str, Won]


class Ranking(msgspec.Struct, frozen=True):
    """The bots, the strongest first."""

    bots: list[Ranked]

    def of(self, name: str) -> Ranked:
        """Return a bot's line."""
        return next(line for line in self.bots if line.name == name)


def play_table(run: Reproduction, both: Both) -> Ranking:
    """Play every bot against every other."""
    return run.step("bots", Ranking, lambda: _play(run, both))


def _play(run: Reproduction, both: Both) -> Ranking:
    listed = husky().bots
    names = [bot.name for bot in listed] + [CFR, WIDE, DEFAULT_NAME]
    bots = [bot.bot for bot in listed]
    bots += [blueprint_text(run, both.narrow), blueprint_text(run, both.wide), DEFAULT_BOT]
    learning = {bot.bot for bot in listed if bot.learns}
    matches = play_all(run, _settings(run, bots, learning))
    return _ranking(TournamentResult.of(names, matches))


def _settings(run: Reproduction, bots: Sequence[str], learning: set[str]) -> list[MatchSettings]:
    """Return the matches; those with a bot that learns go by lives of some length."""
    plan = husky().table
    first = MatchSettings((bots[0], bots[1]), _GAME, hands=plan.hands.of(run), seed=run.seed)
    life = plan.life.of(run)
    hands = 2 * life * plan.lives.of(run)
    return [
        replace(each, hands=hands, session=life) if learning & set(each.bots) else each
        for each in pairings(bots, first)
    ]


def _ranking(result: TournamentResult) -> Ranking:
    """Take the leaderboard and the cross table, in chips a hand."""
    lines = []
    for standing in result.leaderboard():
        row = result.names.index(standing.bot)
        hands = {other: _hands(result, row, other) for other in range(len(result.names))}
        against = {
            result.names[other]: Won.of(cell, hands[other])
            for other in range(len(result.names))
            if (cell := result.cell(row, other)) is not None
        }
        blind = next(iter(result.results.values())).settings.spec.big_blind
        mean = Won.of(standing.mbb_per_hand.scaled(blind / 1000), sum(hands.values()))
        lines.append(Ranked(standing.bot, mean, against))
    return Ranking(lines)


def _hands(result: TournamentResult, row: int, column: int) -> int:
    played = result.results.get((min(row, column), max(row, column)))
    return 0 if played is None else played.hands
