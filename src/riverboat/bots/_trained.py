"""Bots that play from strategy files, by name: `blueprint:FILE`, and Cardiff's two.

A file is opened once in a process and shared by all bots that play from it: it is a memory map,
and what is asked of it depends on nothing but the table. What opens it is imported when the first
such bot is made: who only wants a fish need not wait for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple, get_args

from riverboat.bots._blueprint_bot import BlueprintBot
from riverboat.bots._evenly import Evenly
from riverboat.bots._registry import BotKind, make_bot
from riverboat.bots._settings import Settings, choice, number, whole, words
from riverboat.bots._styles import STYLES, Style
from riverboat.bots._win_rate import hand_strength
from riverboat.errors import GameError

if TYPE_CHECKING:
    from riverboat.blueprint import Query
    from riverboat.bots._bot import Bot

__all__ = ["TRAINED", "BlueprintSettings", "CardiffSettings", "make_blueprint_bot"]

Translation = Literal["pseudo-harmonic", "nearest-ratio", "nearest-amount"]
#: Those of `riverboat.translation._bets`.
TRANSLATIONS: Final[tuple[Translation, ...]] = get_args(Translation)

#: The bots behind the words that training writes into a file, beside `uniform`.
FALLBACKS: Final = {"check-fold": "fold", "monte-carlo": "montecarlo"}


@dataclass(frozen=True, kw_only=True)
class BlueprintSettings(Settings):
    """Settings of a bot that plays from a file."""

    file: Annotated[str, words("the strategy file", positional=True)] = ""
    style: Annotated[str, choice("how its probabilities are bent", ("plain", *STYLES))] = "plain"
    fallback: Annotated[
        str, words("who decides where the file has no strategy; as trained if empty")
    ] = ""
    streets: Annotated[int, whole("streets that it plays from the file", 1, 4)] = 4
    translation: Annotated[
        Translation, choice("how bets are read that are not on the menu", TRANSLATIONS)
    ] = "pseudo-harmonic"
    threshold: Annotated[
        float,
        number("actions rarer than this are left out; as trained, and none by a style, if -1", -1),
    ] = -1


@dataclass(frozen=True, kw_only=True)
class CardiffSettings(Settings):
    """Settings of Cardiff's bots: the file alone."""

    file: Annotated[str, words("the strategy file of the two-street game", positional=True)] = ""


class _Opened(NamedTuple):
    """What a bot needs of a strategy file."""

    query: Query
    fallback: str
    threshold: float
    """Of its recipe; 0 where that has none."""


@lru_cache(maxsize=8)
def _opened(path: Path, changed: int, translation: Translation) -> _Opened:
    """The strategy of a file; `changed` tells rewritten files apart."""
    from riverboat.blueprint import Blueprint  # noqa: PLC0415 - a quarter of the import of all bots

    del changed
    blueprint = Blueprint.open(path)
    header = blueprint.header
    swaps = header.spec.has_swaps
    tables = hand_strength() if swaps else None
    threshold = header.training.recipe.get("threshold", 0.0)
    return _Opened(blueprint.query(translation, tables=tables), header.fallback, threshold)


def _shipped() -> Path:
    from riverboat.blueprint import default_blueprint  # noqa: PLC0415 - as above

    return default_blueprint()


def _strategy(bot: str, file: str | Path, translation: Translation) -> _Opened:
    if not file:
        raise GameError(f"{bot} plays from a strategy file: name one, as in {bot}:FILE")
    path = Path(file).resolve()
    if not path.is_file():
        raise GameError(f"{file!r} is no strategy file: there is no such file")
    return _opened(path, path.stat().st_mtime_ns, translation)


def make_blueprint_bot(seed: int, settings: BlueprintSettings) -> Bot:
    """Make a bot that plays from a strategy file; from the shipped one if none is named."""
    opened = _strategy("blueprint", settings.file or _shipped(), settings.translation)
    style = next((Style(name) for name in STYLES if name == settings.style), None)
    threshold = settings.threshold
    if threshold < 0:  # a style bends all that was trained
        threshold = opened.threshold if style is None else 0.0
    fallback = _fallback(settings.fallback or opened.fallback, opened.query, seed)
    return BlueprintBot(opened.query, fallback, seed, style, settings.streets, threshold)


def _fallback(named: str, query: Query, seed: int) -> Bot:
    """The bot behind a word; without a word uniform play, where CFR begins too."""
    if named in ("", "uniform"):
        return Evenly(query, seed)
    return make_bot(FALLBACKS.get(named, named), seed)


def _cardiff(bot: str, samples: int, seed: int, settings: CardiffSettings) -> Bot:
    query = _strategy(bot, settings.file, "nearest-amount").query
    return BlueprintBot(query, make_bot(f"montecarlo:samples={samples}", seed), seed, None, 2)


#: For the registry.
TRAINED: Final = (
    BotKind(
        "blueprint",
        "plays from a strategy file, or from the one that ships with Riverboat",
        "riverboat",
        make_blueprint_bot,
        BlueprintSettings,
        default_file=_shipped,
    ),
    BotKind(
        "cfrv1",
        "plays to the flop from a file, then by 50 simulations",
        "cardiff",
        lambda seed, settings: _cardiff("cfrv1", 50, seed, settings),
        CardiffSettings,
    ),
    BotKind(
        "cfrv2",
        "plays to the flop from a file, then by 10,000 simulations",
        "cardiff",
        lambda seed, settings: _cardiff("cfrv2", 10_000, seed, settings),
        CardiffSettings,
    ),
)
