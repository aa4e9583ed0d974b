"""Requests that are answered at once: strategies, equities, hand strengths, ranges, bet menus."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
import numpy as np

from riverboat.blueprint import DEFAULT_DEPTHS
from riverboat.bots import all_bots, make_bot
from riverboat.cards import NUM_HOLES, Range, describe_strength, equity, evaluate
from riverboat.errors import GameError
from riverboat.game import Hand, catalogue, catalogue_names
from riverboat.settings import allowed
from riverboat.tree import BetMenu, StreetMenu

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riverboat.runs import Stop
    from riverboat.web._shelf import Shelf

_SAMPLES: Final = 1_000_000
_THOUSAND: Final = 1000
_WORD = msgspec.Meta(max_length=200)
_LINE = msgspec.Meta(max_length=400)


class StateAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A state of a hand, and a bot."""

    hole: Annotated[str, _WORD]
    line: Annotated[str, _LINE] = ""
    board: Annotated[str, _WORD] = ""
    game: Annotated[str, _WORD] = "nolimit-100bb"
    bot: Annotated[str, _WORD] = "blueprint"


class StrategyFound(msgspec.Struct, frozen=True):
    """The strategy of a bot in one state."""

    actions: dict[str, float]
    """Probability of each action."""
    pot: int
    to_call: int
    seconds: float


class EquityAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hands or ranges at a showdown."""

    players: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=20_000)]],
        msgspec.Meta(min_length=2, max_length=10),
    ]
    board: Annotated[str, _WORD] = ""
    dead: Annotated[str, _WORD] = ""
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**62)] = 0


class Share(msgspec.Struct, frozen=True):
    """The equity of a player."""

    win: float
    tie: float
    equity: float
    error: float
    """Standard error; 0 if the result is exact."""


class EquityFound(msgspec.Struct, frozen=True):
    """The equities of all players."""

    players: list[Share]
    method: str


class StrengthAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Five to seven cards."""

    cards: Annotated[str, _WORD]
    short_deck: bool = False


class Strength(msgspec.Struct, frozen=True):
    """The strength of a hand: the larger number wins."""

    strength: int
    words: str


class RangeAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A range as text, or as weights in thousandths, one per hole pair."""

    text: Annotated[str, msgspec.Meta(max_length=100_000)] = ""
    weights: (
        Annotated[
            list[Annotated[int, msgspec.Meta(ge=0, le=_THOUSAND)]],
            msgspec.Meta(min_length=NUM_HOLES, max_length=NUM_HOLES),
        ]
        | None
    ) = None


class RangeFound(msgspec.Struct, frozen=True):
    """A range as text and as weights."""

    text: str
    weights: list[int]
    combos: float


class StreetSizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bet sizes of one street, as in a bet menu: first bets | raises."""

    oop: Annotated[str, _LINE] = ""
    """Sizes out of position, or of both players."""
    ip: Annotated[str, _LINE] = ""
    """Sizes in position; empty = as out of position."""
    donk: Annotated[str, _LINE] = ""
    """Donk bets; empty = as first bets."""
    cap: int | None = None
    """Maximum number of bets and raises."""
    cap_each: int | None = None
    """Maximum number of bets and raises of each player."""


class MenuRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When all-in is added or forced, and which sizes are merged; per cent of the pot."""

    add: float = 0.0
    near: float = 0.0
    force: float = 0.0
    force_called: float = 0.0


class MenuAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bet menu as text, or by street."""

    text: Annotated[str, msgspec.Meta(max_length=4000)] = ""
    streets: Annotated[list[StreetSizes], msgspec.Meta(max_length=3)] = []
    rules: MenuRules | None = None


class MenuFound(msgspec.Struct, frozen=True):
    """A bet menu as text and by street."""

    text: str
    streets: list[StreetSizes]
    rules: MenuRules


class Game(msgspec.Struct, frozen=True):
    """A game of the catalogue."""

    name: str
    players: int
    stack: int
    big_blind: int
    betting: str
    streets: list[str]
    board_sizes: list[int]


class Bot(msgspec.Struct, frozen=True):
    """A bot that can be seated."""

    name: str
    line: str
    source: str
    settings: dict[str, str]
    needs_file: bool


def decided(asked: StateAsked, shelf: Shelf) -> StrategyFound:
    """Return the probabilities of a bot's actions in a state."""
    text = shelf.bot(asked.bot)
    spec = catalogue(asked.game)
    hand = Hand.from_line(spec, asked.line, board=asked.board or None)
    if hand.actor is None:
        raise GameError(f"the hand is over after {asked.line!r}: there is no decision")
    seat = hand.actor
    holes = [asked.hole if each == seat else None for each in range(spec.players)]
    hand = Hand.from_line(spec, asked.line, hole=holes, board=asked.board or None)
    bot = make_bot(text, 0)
    strategy = getattr(bot, "strategy", None)
    if strategy is None:
        raise GameError(f"{asked.bot!r} does not report action probabilities: name another bot")
    view = hand.view(seat)
    began = time.perf_counter()
    found: Mapping[str, float] = strategy(view)
    return StrategyFound(dict(found), view.pot, view.to_call, time.perf_counter() - began)


def equities(asked: EquityAsked, stop: Stop) -> EquityFound:
    """Compute equities: exactly if that takes seconds at most, else from a million samples."""
    found = equity(
        *asked.players,
        board=asked.board,
        dead=asked.dead,
        samples=_SAMPLES,
        seed=asked.seed,
        stop=stop,
    )
    players = [
        Share(each.win, each.tie, each.equity, each.standard_error) for each in found.players
    ]
    return EquityFound(players, found.method)


def strength(asked: StrengthAsked) -> Strength:
    """Evaluate a hand."""
    found = evaluate(asked.cards, asked.short_deck)
    return Strength(found, describe_strength(found, short_deck=asked.short_deck))


def ranged(asked: RangeAsked) -> RangeFound:
    """Read a range from text or weights, and return both forms."""
    if asked.weights is None:
        found = Range.parse(asked.text)
    else:
        found = Range(np.array(asked.weights, np.float64) / _THOUSAND)
    weights = np.rint(found.weights * _THOUSAND).astype(int).tolist()
    return RangeFound(str(found), weights, float(found.weights.sum()))


def menu_of(asked: MenuAsked) -> MenuFound:
    """Read a bet menu from text or by street, and return both forms."""
    menu = BetMenu.parse(_menu_text(asked) if asked.streets else asked.text)
    rules = MenuRules(menu.add, menu.near, menu.force, menu.force_called)
    return MenuFound(str(menu), [_street_sizes(street) for street in menu.streets], rules)


def _menu_text(asked: MenuAsked) -> str:
    """Join the sizes by street into the text of a bet menu."""
    streets = []
    for street in asked.streets:
        parts = [street.oop.strip() or "none"]
        parts += [f"ip {street.ip}"] if street.ip.strip() else []
        parts += [f"donk {street.donk}"] if street.donk.strip() else []
        parts += [] if street.cap is None else [f"cap {street.cap}"]
        parts += [] if street.cap_each is None else [f"cap {street.cap_each} each"]
        streets.append(" ; ".join(parts))
    menu = BetMenu.parse(" / ".join(streets))
    return str(replace(menu, **msgspec.structs.asdict(asked.rules or MenuRules())))


def _street_sizes(street: StreetMenu) -> StreetSizes:
    plain = StreetMenu(street.by_depth)
    ip = StreetMenu(street.ip) if street.ip else ""
    donk = "" if street.donk is None else StreetMenu((street.donk,))
    return StreetSizes(str(plain), str(ip), str(donk), street.cap, street.cap_each)


def games() -> list[Game]:
    """List the games of the catalogue, and no-limit hold'em at the default strategies' depths."""
    depths = dict.fromkeys(f"nolimit-{depth}bb" for depth in DEFAULT_DEPTHS)
    return [
        Game(
            name,
            spec.players,
            spec.stacks[0],
            spec.big_blind,
            spec.betting,
            list(spec.street_names),
            list(spec.board_sizes),
        )
        for name in (*depths, *(name for name in catalogue_names() if name not in depths))
        for spec in (catalogue(name),)
    ]


def bots() -> list[Bot]:
    """List the bots that can be seated."""
    return [
        Bot(
            kind.name,
            kind.line,
            kind.source,
            {each.name: f"{each.text} ({allowed(each.type)})" for each in kind.parameters},
            kind.needs_file,
        )
        for kind in all_bots()
    ]
