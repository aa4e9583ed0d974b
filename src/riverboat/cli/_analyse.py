"""`riverboat analyse`: recommended actions at one decision: a sentence, a table, a matrix."""

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

_RARE: Final = 0.05  # the sentence leaves out actions with a lower frequency
_ALIKE: Final = 0.005  # of the pot: a smaller difference of EV is not reported


class AnalyseOptions(msgspec.Struct, frozen=True):
    """The situation at the table, and the settings of the search; each field is an option."""

    board: Annotated[str, option("Board, such as Ks7h2d3c.")] = ""
    hand: Annotated[str, option("Your hole cards, such as AhKd.", "--hand", "--hole")] = ""
    game: TableGameOption = "nolimit-100bb"
    stacks: Annotated[
        str, option("Stacks in chips, small blind first: 1000,600 (default: the game's).")
    ] = ""
    bot: Annotated[str, option("Bot: search, or with settings search:FILE,even=0.2.")] = "search"
    seconds: Annotated[float, option("Time limit of the solve in seconds.")] = 5.0
    iterations: Annotated[int, option("Iterations of the solve (0 = use --seconds).")] = 0
    colour_blind: ColourBlindOption = False


def analyse_command(
    line: Annotated[str, argument("Actions so far, such as b25c/kk/b30.")], options: AnalyseOptions
) -> Answer:
    """Recommend actions at a decision, for your hand and your range.

    The line lists all actions before your decision: k check, c call, f fold, b30 a bet or raise to
    30 on this street, / next street. The bot re-solves each street from the flop on; before the
    flop it plays its strategy file.
    """
    hand = _hand(line, options)
    seat = hand.actor
    if seat is None:
        raise GameError(f"the hand is over after '{line}': nobody decides")
    bot, hole = _bot(options), _hole(options.hand, hand)
    build_bot_tables(bot, hand.spec)
    palette: Palette = "colour-blind" if options.colour_blind else "usual"
    decision = analyse(bot, hand.view(seat), palette)
    own = None if hole is None else decision.pair(hole)
    values = {**decision.as_dict(), "game": decision.game, "hand": options.hand or None}
    values |= {"seat": seat, "sentence": _sentence(decision, own), "solve": decision.facts or None}
    values["hands"] = [decision.row_dict(own)] if own else []
    return Answer(values, *_parts(decision, own))


def _hand(line: str, options: AnalyseOptions) -> Hand:
    """The hand that the options describe."""
    spec = find_game(options.game)
    stacks = _stacks(options.stacks) if options.stacks else spec.stacks
    board = as_cards(options.board)
    hand = Hand(spec, stacks=stacks, board=board)
    hand.play(line)
    needed = spec.board_sizes[hand.street]
    if hand.actor is not None and len(board) != needed:
        name = spec.street_names[hand.street]
        raise GameError(
            f"'{line}' leads to the {name}, so --board needs {needed} cards, but it has "
            f"{len(board)}"
        )
    return hand


def _stacks(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise GameError(
            f"--stacks takes whole numbers of chips separated by commas, not {text!r}"
        ) from None


def _bot(options: AnalyseOptions) -> SearchBot:
    budget: dict[str, float] = {"seconds": options.seconds, "flop_seconds": options.seconds}
    if options.iterations:
        budget = {"iterations": options.iterations}
    ref = BotRef.parse(options.bot)
    if issubclass(ref.kind.settings, SearchSettings):
        bot = ref.with_settings(budget).make(0)
        if isinstance(bot, SearchBot):
            return bot
    raise GameError(
        f"{options.bot} is not a search bot: give --bot search, or search with settings"
    )


def _hole(text: str, hand: Hand) -> int | None:
    """The hole pair of the user."""
    if not text:
        return None
    hole = parse_hole(text)
    board = tuple(as_cards(hand.board))
    if not hand.spec.live_holes(board)[hole]:
        raise GameError(f"{text} is impossible on the board {cards_text(board)}")
    return hole


def _parts(decision: Decision, own: HandRow | None) -> Iterator[RenderableType]:
    yield decision.where
    yield Text(_sentence(decision, own), "bold")
    yield _table(decision, own)
    yield from decision.matrix(console)
    yield f"{decision.note[0].upper()}{decision.note[1:]}."
    if decision.source == "search":
        yield "EV: chips that the hand wins from here on with best play, less what it puts in."


def _sentence(decision: Decision, own: HandRow | None) -> str:
    """The recommendation as a sentence, without rare actions."""
    shares = decision.frequencies() if own is None else own.strategy
    order = [int(index) for index in np.argsort(-shares, kind="stable")]
    frequent = [index for index in order if shares[index] >= _RARE] or order[:1]
    parts = [
        f"{_short(decision.keys[index])} {percent(float(shares[index]), 0)}" for index in frequent
    ]
    subject = f"With {own.hand}" if own is not None else "Over all hands"
    return f"{subject}: {', '.join(parts)}." + (_gain(decision, own) if own is not None else "")


def _gain(decision: Decision, own: HandRow) -> str:
    """How much EV the best action has over the second best, if EVs are known."""
    values, keys = own.action_values, decision.keys
    if np.isnan(values).any() or len(values) < 2:
        return ""
    best, second = (int(index) for index in np.argsort(-values, kind="stable")[:2])
    gain = float(values[best] - values[second])
    if gain < _ALIKE * decision.pot:
        return f" {_short(keys[best]).capitalize()} and {_short(keys[second])} have the same EV."
    return (
        f" {_short(keys[best]).capitalize()} has the highest EV, {gain:,.2f} chips more than "
        f"{_short(keys[second])}."
    )


def _short(key: ActionKey) -> str:
    return key.words.partition(" (")[0]


def _table(decision: Decision, own: HandRow | None) -> Table:
    """Frequency and EV of each action."""
    shares = [share(frequency) for frequency in decision.frequencies()]
    words = [key.words for key in decision.keys]
    if own is None:
        return grid(["action", "all hands, %"], list(zip(words, shares, strict=True)), left=1)
    own_shares, values = map(share, own.strategy), map(chips, own.action_values)
    rows = list(zip(words, own_shares, values, shares, strict=True))
    return grid(["action", f"{own.hand}, %", "EV, chips", "all hands, %"], rows, left=1)
