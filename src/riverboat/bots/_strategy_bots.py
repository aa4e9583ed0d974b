"""Bots that play from strategy files: all of a hand, or its first streets.

A folder of files, for stacks of different depth, is one bot too: each hand is played from the
strategy whose stacks are nearest to the shortest stack, in big blinds.

A file is opened once in a process and shared by all bots that play from it: it is a memory map,
and what is asked of it depends on nothing but the table. What opens it is imported when the first
such bot is made: who only wants a fish need not wait for it.
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple

from msgspec.structs import replace

from riverboat.bots._blueprint_bot import BlueprintBot
from riverboat.bots._bot import BotSettings
from riverboat.bots._ref import BotRef, make_bot, named_bot
from riverboat.bots._simple_bots import UniformBot
from riverboat.bots._styles import Style, StyleName
from riverboat.bots._win_rate import hand_strength
from riverboat.errors import GameError
from riverboat.files import is_file
from riverboat.settings import meaning, shown
from riverboat.translation import Translation  # noqa: TC001 - msgspec looks it up

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from riverboat.blueprint import Query
    from riverboat.bots._all_hands import HandStrategies
    from riverboat.bots._bot import Bot
    from riverboat.game import Action, GameSpec, View

#: The bots behind the words that training writes into a file, beside `uniform`.
FALLBACKS: Final = {"check-fold": "fold", "monte-carlo": "montecarlo"}


class BlueprintSettings(BotSettings, frozen=True, kw_only=True):
    """Settings of a bot that plays from a file."""

    file: Annotated[str, meaning("the strategy file", positional=True)] = ""
    style: Annotated[Literal["plain", StyleName], meaning("how its probabilities are bent")] = (
        "plain"
    )
    fallback: Annotated[
        str, meaning("who decides where the file has no strategy; as trained if empty")
    ] = ""
    streets: Annotated[int, meaning("streets that it plays from the file", 1, 4)] = 4
    translation: Annotated[Translation, meaning("how bets are read that are not on the menu")] = (
        "pseudo-harmonic"
    )
    threshold: Annotated[
        float,
        meaning(
            "bets and folds rarer than this are checks or calls; as trained if -1, by a style none",
            -1,
            1,
        ),
    ] = -1


class FirstStreetsSettings(BotSettings, frozen=True, kw_only=True):
    """Settings of bots that play the first two streets from a file: the file alone."""

    file: Annotated[str, meaning("the strategy file of the two-street game", positional=True)] = ""


class _Opened(NamedTuple):
    """What a bot needs of a strategy file."""

    path: Path
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
    query = blueprint.query(translation, tables=tables)
    return _Opened(path, query, header.fallback, blueprint.threshold)


def shipped() -> Path:
    """Return the strategy that comes with Riverboat."""
    from riverboat.blueprint import default_blueprint  # noqa: PLC0415 - as above

    return default_blueprint()


def _strategy(bot: str, file: str | Path, translation: Translation) -> _Opened:
    if not file:
        raise GameError(f"{bot} plays from a strategy file: name one, as in {bot}:FILE")
    from riverboat.blueprint import find_blueprint, no_such_strategy  # noqa: PLC0415 - as above

    found = find_blueprint(str(file))
    if not is_file(found):
        raise GameError(no_such_strategy(file))
    path = found.resolve()
    return _opened(path, path.stat().st_mtime_ns, translation)


def make_blueprint_bot(seed: int, settings: BlueprintSettings) -> Bot:
    """Make a bot that plays from a strategy file, from the shipped one if none is named.

    A folder of strategy files is one bot: each hand is played from the one nearest in depth.
    """
    files = strategies_in(settings.file)
    if files is None:
        return _blueprint_bot(seed, settings)
    if not files:
        raise GameError(f"{shown(settings.file)} is a folder without a file *.blueprint")
    return DepthsBot([_blueprint_bot(seed, replace(settings, file=str(file))) for file in files])


def strategies_in(file: str) -> list[Path] | None:
    """List the strategy files of a folder, by name; None if it is no folder."""
    folder = Path(file)
    return sorted(folder.glob("*.blueprint")) if file and folder.is_dir() else None


def _blueprint_bot(seed: int, settings: BlueprintSettings) -> BlueprintBot:
    opened = _strategy("blueprint", settings.file or shipped(), settings.translation)
    style = None if settings.style == "plain" else Style(settings.style)
    threshold = settings.threshold
    if threshold < 0:  # a style bends all that was trained
        threshold = opened.threshold if style is None else 0.0
    fallback = _fallback(settings.fallback, opened, seed)
    return BlueprintBot(opened.query, fallback, seed, style, settings.streets, threshold)


def _fallback(wanted: str, opened: _Opened, seed: int) -> Bot:
    """The bot behind a word; without a word uniform play, where CFR begins too.

    Neither may be a Python file: it would run in the arena's own process. Only who makes the bot
    may want one that plays from another strategy.
    """
    if BotRef.parse(wanted).untrusted:
        raise GameError(
            f"fallback={shown(wanted)} is a Python file: take a built-in or an installed bot"
        )
    named = wanted or opened.fallback
    if named in ("", "uniform"):
        return UniformBot(opened.query, seed)
    text = FALLBACKS.get(named, named)
    return make_bot(text, seed) if wanted else named_bot(text, seed, str(opened.path))


def first_streets_bot(name: str, samples: int) -> Callable[[int, FirstStreetsSettings], Bot]:
    """Return what makes a bot that plays two streets from a file, then by so many simulations."""

    def make(seed: int, settings: FirstStreetsSettings) -> Bot:
        query = _strategy(name, settings.file, "nearest-amount").query
        return BlueprintBot(query, make_bot(f"montecarlo:samples={samples}", seed), seed, None, 2)

    return make


def depth_of(spec: GameSpec, stacks: Sequence[int]) -> float:
    """Return the shortest stack in big blinds.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> depth_of(catalogue("nolimit-100bb"), (1000, 750))
    75.0
    """
    return min(stacks) / (spec.big_blind or 1)


class DepthsBot:
    """Plays each hand from the strategy whose stacks are nearest.

    Parameters
    ----------
    bots
        One for each strategy.
    """

    def __init__(self, bots: Sequence[BlueprintBot]) -> None:
        if not bots:
            raise GameError("a set of strategies needs at least one")
        self.bots = tuple(bots)
        self._known: dict[GameSpec, tuple[BlueprintBot, ...]] = {}

    def chosen(self, view: View) -> BlueprintBot:
        """Return the bot that plays a hand."""
        spec = view.spec
        if spec not in self._known:
            self._known[spec] = tuple(
                bot for bot in self.bots if not bot.query.tracker.difference(spec)
            )
        fit = self._known[spec]
        if not fit:
            why = self.bots[0].query.tracker.difference(spec)
            raise GameError(f"none of these strategies plays '{spec.name}': of the first, {why}")
        depth = math.log(depth_of(spec, view.starting_stacks))
        return min(fit, key=lambda bot: abs(depth - math.log(_own_depth(bot))))

    def act(self, view: View) -> str | Action:
        """Choose a move."""
        return self.chosen(view).act(view)

    def strategy(self, view: View) -> dict[str, float]:
        """Return the probability of each move."""
        return self.chosen(view).strategy(view)

    def strategies(self, view: View) -> HandStrategies:
        """Return its play with every hole pair."""
        return self.chosen(view).strategies(view)

    def menu(self, view: View) -> tuple[str, ...]:
        """Return the real actions of its menu."""
        return self.chosen(view).menu(view)

    def build_tables(self, progress: Any = None) -> None:
        """Build the tables of all its strategies."""
        for bot in self.bots:
            bot.build_tables(progress)

    def hand_started(self, view: View) -> None:
        """Hear of a new hand."""
        self.chosen(view).hand_started(view)

    def hand_over(self, view: View) -> None:
        """Hear how a hand ended."""
        self.chosen(view).hand_over(view)


def _own_depth(bot: BlueprintBot) -> float:
    spec = bot.query.tree.spec
    return depth_of(spec, spec.stacks)
