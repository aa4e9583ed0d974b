"""Matches: the bot and its members against their variants, and strategies against each other."""

from collections.abc import Mapping

from riverboat.arena import MatchResult
from riverboat.seeds._work import play_named
from riverboat.seeds.caltech._recipe import DATA
from riverboat.seeds.caltech._results import BOT, Match
from riverboat.seeds.caltech._training import Workshop, file_of

_POINTS = 60  # of a curve
_MEMBERS = tuple(fit.name for fit in DATA.fits("member"))
#: Who plays the variants of themselves.
BOTS = (BOT, *_MEMBERS, "linear")
#: Who plays whom besides: the first one's result is told.
DUELS = (
    *((BOT, member) for member in _MEMBERS),
    ("linear", BOT),
    *((name, member) for name in ("no-floor", "no-start") for member in _MEMBERS),
    ("one-thread-same-time", "member-1"),
    ("one-thread", "member-1"),
)


def play_variants(shop: Workshop) -> tuple[Match, ...]:
    """Play each bot against the six variants of itself."""
    pairs = {
        (bot, style): (_bot(shop, bot), f"{_bot(shop, bot)},style={style}")
        for bot in BOTS
        for style in DATA.styles
    }
    return _played(shop, pairs, shop.amounts.hands)


def play_duels(shop: Workshop) -> tuple[Match, ...]:
    """Play strategies against each other."""
    pairs = {(bot, other): (_bot(shop, bot), _bot(shop, other)) for bot, other in DUELS}
    return _played(shop, pairs, shop.amounts.duel_hands)


def _bot(shop: Workshop, name: str) -> str:
    return f"blueprint:{file_of(shop.run, name)}"


def _played(
    shop: Workshop, pairs: Mapping[tuple[str, str], tuple[str, str]], hands: int
) -> tuple[Match, ...]:
    results = play_named(shop.run, pairs, game=shop.recipe.spec(), hands=hands)
    return tuple(_one(*names, result) for names, result in results.items())


def _one(bot: str, opponent: str, result: MatchResult) -> Match:
    curve, blind = result.curve(points=_POINTS), result.settings.spec.big_blind
    return Match(
        bot,
        opponent,
        result.mbb_per_hand(),
        tuple(int(hands) for hands in curve["hands"]),
        *(tuple(chips / blind for chips in curve[name]) for name in ("chips", "low", "high")),
    )
