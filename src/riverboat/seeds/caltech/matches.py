"""Matches: the bot and its members against their variants, and strategies against each other."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from riverboat.arena import MatchResult, MatchSettings
from riverboat.seeds._work import Won, play_all
from riverboat.seeds.caltech.data import data
from riverboat.seeds.caltech.ensemble import BOT
from riverboat.seeds.caltech.fitting import Workshop, file_of

__all__ = ["DUELS", "Duels", "Played", "Variants", "mean_of", "play_duels", "play_variants"]

_POINTS = 60  # of a curve
_MEMBERS = tuple(fit.name for fit in data().fits("member"))

#: Who plays whom besides the variants: the first one's result is told.
DUELS = (
    *((BOT, member) for member in _MEMBERS),
    ("linear", BOT),
    *((name, member) for name in ("no-floor", "no-start") for member in _MEMBERS),
    ("one-thread-same-time", "member-1"),
    ("one-thread", "member-1"),
)


class Played(msgspec.Struct, frozen=True):
    """What the first of two bots won."""

    bot: str
    opponent: str
    won: Won
    """Thousandths of a big blind a hand."""
    hands: tuple[int, ...]
    """Of the points of the curve."""
    blinds: tuple[float, ...]
    """Big blinds won up to each point."""
    low: tuple[float, ...]
    high: tuple[float, ...]
    """95 % band of the total."""


class Variants(msgspec.Struct, frozen=True):
    """Every bot against the variants of itself."""

    matches: tuple[Played, ...]

    def of(self, bot: str) -> dict[str, Played]:
        """Return a bot's matches by style."""
        return {match.opponent: match for match in self.matches if match.bot == bot}


class Duels(msgspec.Struct, frozen=True):
    """Strategies against each other."""

    matches: tuple[Played, ...]

    def of(self, bot: str, opponent: str) -> Won:
        """Return what the first won."""
        return self.by_opponent(bot)[opponent]

    def by_opponent(self, bot: str) -> dict[str, Won]:
        """Return what a strategy won from each that it played as the first."""
        return {match.opponent: match.won for match in self.matches if match.bot == bot}


def play_variants(shop: Workshop, bots: Sequence[str]) -> Variants:
    """Play each bot against the six variants of itself."""
    pairs = [(bot, style) for bot in bots for style in data().styles]
    texts = [
        (_text(file_of(shop.run, bot)), _text(file_of(shop.run, bot), style))
        for bot, style in pairs
    ]
    return Variants(_played(shop, pairs, texts, shop.amounts.hands))


def play_duels(shop: Workshop) -> Duels:
    """Play strategies against each other."""
    texts = [
        (_text(file_of(shop.run, bot)), _text(file_of(shop.run, other))) for bot, other in DUELS
    ]
    return Duels(_played(shop, DUELS, texts, shop.amounts.duel_hands))


def _text(file: Path, style: str = "") -> str:
    return f"blueprint:{file},style={style}" if style else f"blueprint:{file}"


def _played(
    shop: Workshop,
    pairs: Sequence[tuple[str, str]],
    texts: Sequence[tuple[str, str]],
    hands: int,
) -> tuple[Played, ...]:
    run = shop.run
    settings = [
        MatchSettings(bots, shop.recipe.spec(), hands=hands, seed=run.seed) for bots in texts
    ]
    results = [match.result() for match in play_all(run, settings)]
    return tuple(
        _one(bot, opponent, result) for (bot, opponent), result in zip(pairs, results, strict=True)
    )


def _one(bot: str, opponent: str, result: MatchResult) -> Played:
    curve, blind = result.curve(points=_POINTS), result.settings.spec.big_blind
    return Played(
        bot,
        opponent,
        Won.of(result.mbb_per_hand(), result.hands),
        tuple(int(hands) for hands in curve["hands"]),
        *(tuple(chips / blind for chips in curve[name]) for name in ("chips", "low", "high")),
    )


def mean_of(matches: Sequence[Played]) -> Won:
    """Return the mean over bots, as the author's figure 1 is the mean of his figure 7.

    The bots played the same cards, so their errors may be one: the margins are averaged, too, which
    is the most that the mean's can be.

    Examples
    --------
    >>> one, two = (Played("a", "b", Won(x, 3.0, 10), (), (), (), ()) for x in (1.0, 2.0))
    >>> mean_of([one, two])
    Won(mean=1.5, margin=3.0, hands=20)
    """
    count = len(matches)
    return Won(
        sum(match.won.mean for match in matches) / count,
        sum(match.won.margin for match in matches) / count,
        sum(match.won.hands for match in matches),
    )
