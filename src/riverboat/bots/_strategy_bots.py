"""Bots that play from strategy files: all streets of a hand, or the first ones.

A folder of files for different stack depths is one bot, too (`DepthsBot`); the default strategies
are such a folder.

A file is opened once per process, as a memory map, and shared by all bots that play from it. The
package that opens it is imported when the first such bot is created, because the import is slow.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

from msgspec.structs import replace

from riverboat.bots._blueprint_bot import BlueprintBot
from riverboat.bots._bot import BotSettings
from riverboat.bots._depths_bot import DepthsBot
from riverboat.bots._ref import BotRef, make_bot, named_bot
from riverboat.bots._simple_bots import UniformBot
from riverboat.bots._styles import Style, StyleName
from riverboat.bots._win_rate import hand_strength
from riverboat.errors import GameError
from riverboat.files import is_file
from riverboat.settings import meaning, shown
from riverboat.translation import Translation  # noqa: TC001 - msgspec looks it up

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.blueprint import Query
    from riverboat.bots._bot import Bot

#: Bots of the names that training writes into a file, except `uniform`.
FALLBACKS: Final = {"check-fold": "fold", "monte-carlo": "montecarlo"}


class BlueprintSettings(BotSettings, frozen=True, kw_only=True):
    """Settings of a bot that plays from a file."""

    file: Annotated[str, meaning("strategy file", positional=True)] = ""
    style: Annotated[Literal["plain", StyleName], meaning("style of play")] = "plain"
    strength: Annotated[
        float,
        meaning("strength of the style, above 1 (not random, deterministic)", 1, 1e6),
    ] = 2.0
    fallback: Annotated[
        str, meaning("bot for decisions without a strategy (empty = the file's fallback)")
    ] = ""
    streets: Annotated[int, meaning("number of streets played from the file", 1, 4)] = 4
    translation: Annotated[
        Translation, meaning("action translation of bets that are not on the menu")
    ] = "pseudo-harmonic"
    threshold: Annotated[
        float,
        meaning("leave out rarer bets and folds (-1 = the file's threshold)", -1, 1),
    ] = -1


class FirstStreetsSettings(BotSettings, frozen=True, kw_only=True):
    """Settings of bots that play the first two streets from a file."""

    file: Annotated[str, meaning("strategy file of the two-street game", positional=True)] = ""


class _Opened(NamedTuple):
    """The parts of a strategy file that a bot needs."""

    path: Path
    query: Query
    fallback: str
    threshold: float
    """The threshold of its recipe, or 0."""


@lru_cache(maxsize=8)
def _opened(path: Path, changed: int, translation: Translation) -> _Opened:
    """Open a strategy file; `changed` is part of the cache key, for rewritten files."""
    from riverboat.blueprint import Blueprint  # noqa: PLC0415 - a quarter of the import of all bots

    del changed
    blueprint = Blueprint.open(path)
    header = blueprint.header
    swaps = header.spec.has_swaps
    tables = hand_strength() if swaps else None
    query = blueprint.query(translation, tables=tables)
    return _Opened(path, query, header.fallback, blueprint.threshold)


def shipped() -> list[Path]:
    """Return the default strategies, for two players and, if there are any, for three to nine.

    The one for two players with 100 big blinds ships with Riverboat.
    """
    from riverboat.blueprint import (  # noqa: PLC0415 - as above
        default_blueprint,
        default_blueprints,
        six_max_blueprints,
    )

    default_blueprint()
    return [*default_blueprints().values(), *six_max_blueprints().values()]


def _strategy(bot: str, file: str | Path, translation: Translation) -> _Opened:
    if not file:
        raise GameError(f"{bot} plays from a strategy file: give one, as in {bot}:FILE")
    from riverboat.blueprint import find_blueprint, no_such_strategy  # noqa: PLC0415 - as above

    named = find_blueprint(str(file))
    if not is_file(named):
        raise GameError(no_such_strategy(file))
    path = named.resolve()
    return _opened(path, path.stat().st_mtime_ns, translation)


def make_blueprint_bot(seed: int, settings: BlueprintSettings) -> Bot:
    """Create a bot that plays from a strategy file.

    A folder of strategy files makes one bot: each hand is played from a file of its stack depth.
    The default is the strategies that ship with Riverboat, and a six-max strategy.
    """
    if BotRef.parse(settings.fallback).untrusted:  # it would run in the arena's own process
        raise GameError(
            f"fallback={shown(settings.fallback)} is a Python file: use a built-in or installed bot"
        )
    files = strategies_in(settings.file) if settings.file else shipped()
    if files is None:
        return _blueprint_bot(seed, settings)
    if not files:
        raise GameError(f"the folder {shown(settings.file)} has no file *.blueprint")
    return DepthsBot(
        files, lambda file: _blueprint_bot(seed, replace(settings, file=str(file))), seed
    )


def strategies_in(file: str) -> list[Path] | None:
    """Return the strategy files of a folder, sorted by name; None if it is not a folder."""
    folder = Path(file)
    return sorted(folder.glob("*.blueprint")) if folder.is_dir() else None


def _blueprint_bot(seed: int, settings: BlueprintSettings) -> BlueprintBot:
    opened = _strategy("blueprint", settings.file, settings.translation)
    style = None if settings.style == "plain" else Style(settings.style, settings.strength)
    threshold = settings.threshold
    if threshold < 0:  # a style changes the strategy as trained
        threshold = opened.threshold if style is None else 0.0
    fallback = _fallback(settings.fallback, opened, seed)
    return BlueprintBot(opened.query, fallback, seed, style, settings.streets, threshold)


def _fallback(wanted: str, opened: _Opened, seed: int) -> Bot:
    """Return the fallback: the bot `wanted`, or the file's, or by default uniform play.

    Only `wanted`, from the user, may play from another strategy file.
    """
    named = wanted or opened.fallback
    if named in ("", "uniform"):
        return UniformBot(opened.query, seed)
    text = FALLBACKS.get(named, named)
    return make_bot(text, seed) if wanted else named_bot(text, seed, str(opened.path))


def first_streets_bot(name: str, samples: int) -> Callable[[int, FirstStreetsSettings], Bot]:
    """Return a function that creates bots which play two streets from a file, then `montecarlo`."""

    def make(seed: int, settings: FirstStreetsSettings) -> Bot:
        query = _strategy(name, settings.file, "nearest-amount").query
        return BlueprintBot(query, make_bot(f"montecarlo:samples={samples}", seed), seed, None, 2)

    return make
