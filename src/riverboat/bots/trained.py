"""Bots that play from strategy files, by name: `blueprint:FILE`, and Cardiff's two.

A file is opened once in a process and shared by all bots that play from it: it is a memory map,
and what is asked of it depends on nothing but the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from riverboat.abstraction.bets import TRANSLATIONS, Translation
from riverboat.blueprint import Blueprint
from riverboat.bots.blueprint_bot import BlueprintBot
from riverboat.bots.registry import BotKind, make_bot
from riverboat.bots.settings import Settings, choice, whole, words
from riverboat.bots.styles import STYLES, Style
from riverboat.errors import GameError

if TYPE_CHECKING:
    from riverboat.blueprint.query import Query
    from riverboat.bots.bot import Bot

__all__ = ["TRAINED", "BlueprintSettings", "CardiffSettings", "make_blueprint_bot"]

#: The bots behind the words that training writes into a file.
FALLBACKS: Final = {"uniform": "random", "check-fold": "fold", "monte-carlo": "montecarlo"}


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


@dataclass(frozen=True, kw_only=True)
class CardiffSettings(Settings):
    """Settings of Cardiff's bots: the file alone."""

    file: Annotated[str, words("the strategy file of the two-street game", positional=True)] = ""


@lru_cache(maxsize=8)
def _opened(path: Path, changed: int, translation: Translation) -> tuple[Query, str]:
    """The strategy of a file, and its fallback; `changed` tells rewritten files apart."""
    del changed
    blueprint = Blueprint.open(path)
    return blueprint.query(translation), blueprint.header.fallback


def _query(file: str, translation: Translation) -> tuple[Query, str]:
    if not file:
        raise GameError("name the strategy file: blueprint:FILE")
    path = Path(file).resolve()
    if not path.is_file():
        raise GameError(f"{file!r} is no strategy file: there is no such file")
    return _opened(path, path.stat().st_mtime_ns, translation)


def make_blueprint_bot(seed: int, settings: BlueprintSettings) -> Bot:
    """Make a bot that plays from a strategy file."""
    query, trained_with = _query(settings.file, settings.translation)
    named = settings.fallback or trained_with or "uniform"
    style = next((Style(name) for name in STYLES if name == settings.style), None)
    return BlueprintBot(
        query, make_bot(FALLBACKS.get(named, named), seed), seed, style, settings.streets
    )


def _cardiff(samples: int, seed: int, settings: CardiffSettings) -> Bot:
    query, _ = _query(settings.file, "nearest-amount")
    return BlueprintBot(query, make_bot(f"montecarlo:samples={samples}", seed), seed, None, 2)


#: For the registry.
TRAINED: Final = (
    BotKind(
        "blueprint",
        "plays from a strategy file, in its own or another style",
        "riverboat",
        make_blueprint_bot,
        BlueprintSettings,
    ),
    BotKind(
        "cfrv1",
        "plays to the flop from a file, then by 50 simulations",
        "cardiff",
        lambda seed, settings: _cardiff(50, seed, settings),
        CardiffSettings,
    ),
    BotKind(
        "cfrv2",
        "plays to the flop from a file, then by 10,000 simulations",
        "cardiff",
        lambda seed, settings: _cardiff(10_000, seed, settings),
        CardiffSettings,
    ),
)
