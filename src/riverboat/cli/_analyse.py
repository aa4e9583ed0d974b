"""`riverboat analyse`: the decision at a table by search; a sentence, a table, a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import msgspec
import numpy as np
from rich.text import Text

from riverboat.bots import BotRef
from riverboat.cards import as_cards, cards_text, parse_hole
from riverboat.cli._command import argument, option
from riverboat.cli._options import ColourBlindOption, TableGameOption  # noqa: TC001 - read when run
from riverboat.cli._output import Answer, console, grid
from riverboat.cli._progress import build_bot_tables
from riverboat.cli._show_rows import chips, share
from riverboat.errors import GameError
from riverboat.game import Hand, find_game
from riverboat.report import Palette, percent
from riverboat.search import SearchBot, SearchSettings, analyse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType
    from rich.table import Table

    from riverboat.decision import ActionKey, Decision, HandRow

_RARE: Final = 0.05  # a sentence leaves out what is done less often
_ALIKE: Final = 0.005  # of the pot: so near are actions that are worth the same


class AnalyseOptions(msgspec.Struct, frozen=True):
    """The table, and how to search; each field is an option."""

    board: Annotated[str, option("Public cards, such as Ks7h2d3c.")] = ""
    hand: Annotated[str, option("Your cards: AhKd.", "--hand", "--hole")] = ""
    game: TableGameOption = "nolimit-100bb"
    stacks: Annotated[
        str, option("Chips by seat, small blind first: 1000,600. The game's if not given.")
    ] = ""
    bot: Annotated[str, option("search with settings: search:FILE,even=0.2")] = "search"
    seconds: Annotated[float, option("For the solve.")] = 5.0
    iterations: Annotated[int, option("Of the solve, in place of seconds; 0 = by seconds.")] = 0
    colour_blind: ColourBlindOption = False


def analyse_command(
    line: Annotated[str, argument("What was done, such as b25c/kk/b30.")], options: AnalyseOptions
) -> Answer:
    """Say what to do at a table: search answers, for one hand and for all.

    The line leads to your decision: k check, c call, f fold, b30 a bet or raise to 30 on this
    street, / between streets; no search begins before the turn, there the strategy file answers.
    """
    hand = _hand(line, options)
    seat = hand.actor
    if seat is None:
        raise GameError(f"the hand is over after '{line}': nobody decides")
    bot = _bot(options)
    build_bot_tables(bot)
    palette: Palette = "colour-blind" if options.colour_blind else "usual"
    found = analyse(bot, hand.view(seat), palette)
    own = _own(options.hand, found)
    told = {**found.as_dict(), "game": found.game, "hand": options.hand or None}
    told |= {"seat": seat, "sentence": _sentence(found, own), "solve": found.facts or None}
    told["hands"] = [found.row_dict(own)] if own else []
    return Answer(told, *_parts(found, own))


def _hand(line: str, options: AnalyseOptions) -> Hand:
    """The table that the options tell of."""
    spec = find_game(options.game)
    stacks = _stacks(options.stacks) if options.stacks else spec.stacks
    board = as_cards(options.board)
    hand = Hand(spec, stacks=stacks, board=board)
    hand.play(line)
    needed = spec.board_sizes[hand.street]
    if hand.actor is not None and len(board) != needed:
        name = spec.street_names[hand.street]
        raise GameError(
            f"'{line}' leads to the {name}, with {needed} cards on the board: --board has "
            f"{len(board)}"
        )
    return hand


def _stacks(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise GameError(f"--stacks are whole chips with commas between, not {text!r}") from None


def _bot(options: AnalyseOptions) -> SearchBot:
    budget: dict[str, float] = {"seconds": options.seconds}
    if options.iterations:
        budget = {"iterations": options.iterations}
    ref = BotRef.parse(options.bot)
    if issubclass(ref.kind.settings, SearchSettings):
        bot = ref.with_settings(budget).make(0)
        if isinstance(bot, SearchBot):
            return bot
    raise GameError(f"{options.bot} does not search: --bot is search, perhaps with settings")


def _own(text: str, found: Decision) -> HandRow | None:
    """The person's hand."""
    if not text:
        return None
    hole = parse_hole(text)
    if not found.alive[hole]:
        raise GameError(f"{text} cannot be held on {cards_text(found.board)}")
    return found.pair(hole)


def _parts(found: Decision, own: HandRow | None) -> Iterator[RenderableType]:
    yield found.where
    yield Text(_sentence(found, own), "bold")
    yield _table(found, own)
    yield from found.matrix(console)
    yield f"{found.note[0].upper()}{found.note[1:]}."
    if found.source == "search":
        yield "EV: chips that the hand wins from here on with best play, less what it puts in."


def _sentence(found: Decision, own: HandRow | None) -> str:
    """What to do, in a sentence; what is rare is left out."""
    shares = found.frequencies() if own is None else own.strategy
    order = [int(place) for place in np.argsort(-shares, kind="stable")]
    often = [place for place in order if shares[place] >= _RARE] or order[:1]
    parts = [f"{_short(found.keys[place])} {percent(float(shares[place]), 0)}" for place in often]
    who = f"With {own.hand}" if own is not None else "Over all hands"
    return f"{who}: {', '.join(parts)}." + (_worth(found, own) if own is not None else "")


def _worth(found: Decision, own: HandRow) -> str:
    """What the best action gains, where that is known."""
    values, keys = own.action_values, found.keys
    if np.isnan(values).any() or len(values) < 2:
        return ""
    best, second = (int(place) for place in np.argsort(-values, kind="stable")[:2])
    gain = float(values[best] - values[second])
    if gain < _ALIKE * found.pot:
        same = f"{_short(keys[best])} and {_short(keys[second])} are worth the same."
        return f" {same.capitalize()}"
    return f" Best is {_short(keys[best])}, by {gain:,.2f} chips before {_short(keys[second])}."


def _short(key: ActionKey) -> str:
    return key.words.partition(" (")[0]


def _table(found: Decision, own: HandRow | None) -> Table:
    """How often each action is taken, and what it is worth."""
    shares = [share(each) for each in found.frequencies()]
    words = [key.words for key in found.keys]
    if own is None:
        return grid(["action", "all hands, %"], list(zip(words, shares, strict=True)), left=1)
    mine, values = map(share, own.strategy), map(chips, own.action_values)
    rows = list(zip(words, mine, values, shares, strict=True))
    return grid(["action", f"{own.hand}, %", "EV, chips", "all hands, %"], rows, left=1)
