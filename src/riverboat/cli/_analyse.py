"""`riverboat analyse`: what to do here, by search; a sentence, a table, a matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

import numpy as np

from riverboat.blueprint import reach_emphasis, table_keys
from riverboat.bots import BotRef
from riverboat.cards import NUM_CLASSES, as_cards, cards_text, class_text, parse_hole
from riverboat.cli._command import argument, option
from riverboat.cli._matrix import Matrix, hedged, legend, matrix_lines
from riverboat.cli._options import JsonOption, TableGameOption  # noqa: TC001 - read when run
from riverboat.cli._output import console, grid, print_json
from riverboat.cli._progress import build_bot_tables
from riverboat.errors import GameError
from riverboat.game import Hand, find_game
from riverboat.report import Palette, percent
from riverboat.search import Analysis, SearchBot, SearchSettings, analyse

if TYPE_CHECKING:
    from rich.table import Table

    from riverboat.blueprint import ActionKey

__all__ = ["analyse_command"]

_RARE: Final = 0.05  # a sentence leaves out what is done less often
_ALIKE: Final = 0.005  # of the pot: so near are actions that are worth the same


@dataclass(frozen=True, slots=True)
class AnalyseOptions:
    """The table, and how to search; each field is an option."""

    board: Annotated[str, option("Public cards, such as Ks7h2d3c.")] = ""
    hand: Annotated[str, option("Your cards: AhKd.", "--hand", "--hole")] = ""
    game: TableGameOption = "nolimit-100bb"
    stacks: Annotated[
        str,
        option("Chips by seat, small blind first: 1000,600. The game's if not given."),
    ] = ""
    bot: Annotated[
        str,
        option("search with settings: search:FILE,even=0.2"),
    ] = "search"
    seconds: Annotated[float, option("For the solve.")] = 5.0
    iterations: Annotated[int, option("Of the solve, in place of seconds; 0 = by seconds.")] = 0
    colour_blind: Annotated[bool, option("Colours for colour-blind people.")] = False


def analyse_command(
    line: Annotated[str, argument("What was done, such as b25c/kk/b30.")],
    options: AnalyseOptions,
    as_json: JsonOption = False,
) -> None:
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
    found = analyse(bot, hand.view(seat))
    palette: Palette = "colour-blind" if options.colour_blind else "usual"
    keys = table_keys(found.view, found.actions, palette)
    own = _own(options.hand, found)
    if as_json:
        print_json(_values(found, keys, own, options.hand))
    else:
        _show(found, keys, own, options.hand)


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


def _own(text: str, found: Analysis) -> int | None:
    """The number of the person's hand."""
    if not text:
        return None
    hole = parse_hole(text)
    if np.isnan(found.strategy[hole, 0]):
        raise GameError(f"{text} cannot be held on {found.view.board_text}")
    return hole


# ---- Shown


def _show(found: Analysis, keys: tuple[ActionKey, ...], own: int | None, name: str) -> None:
    view = found.view
    price = f", {view.to_call:,} to call" if view.to_call else ""
    console.print(f"{_where(found)}: seat {view.seat}, pot {view.pot:,}{price}")
    console.print(_sentence(found, keys, own, name), style="bold")
    console.print(_table(found, keys, own, name))
    reach = found.class_reach()
    few = np.zeros(NUM_CLASSES, dtype=bool)
    matrix = Matrix(found.by_class(), ~np.isnan(reach), reach_emphasis(reach), few)
    for row in matrix_lines(matrix, keys, console):
        console.print(row)
    for entry in legend(keys, found.frequencies(), console, "-"):
        console.print(entry)
    console.print(_source(found))


def _where(found: Analysis) -> str:
    view = found.view
    after = f"after {view.line}" if view.line else "at the start"
    return f"{view.spec.name} {after}" + (f" on {view.board_text}" if view.board else "")


def _sentence(found: Analysis, keys: tuple[ActionKey, ...], own: int | None, name: str) -> str:
    """What to do, in a sentence; what is rare is left out."""
    shares = found.frequencies() if own is None else found.strategy[own]
    order = [int(place) for place in np.argsort(-shares, kind="stable")]
    often = [place for place in order if shares[place] >= _RARE] or order[:1]
    parts = [f"{_short(keys[place])} {percent(float(shares[place]), 0)}" for place in often]
    who = f"With {name}" if own is not None else "Over all hands"
    return f"{who}: {', '.join(parts)}." + (_worth(found, keys, own) if own is not None else "")


def _worth(found: Analysis, keys: tuple[ActionKey, ...], own: int) -> str:
    """What the best action gains, where that is known."""
    values = found.values[own]
    if np.isnan(values).any() or len(values) < 2:
        return ""
    best, second = (int(place) for place in np.argsort(-values, kind="stable")[:2])
    gain = float(values[best] - values[second])
    if gain < _ALIKE * found.view.pot:
        same = f"{_short(keys[best])} and {_short(keys[second])} are worth the same."
        return f" {same.capitalize()}"
    return f" Best is {_short(keys[best])}, by {gain:,.2f} chips before {_short(keys[second])}."


def _short(key: ActionKey) -> str:
    return key.words.partition(" (")[0]


def _table(found: Analysis, keys: tuple[ActionKey, ...], own: int | None, name: str) -> Table:
    """How often each action is taken, and what it is worth."""
    shares = [hedged(float(share)) for share in found.frequencies()]
    words = [key.words for key in keys]
    if own is None:
        return grid(["action", "all hands, %"], list(zip(words, shares, strict=True)), left=1)
    mine = [hedged(float(share)) for share in found.strategy[own]]
    values = [_chips(value) for value in found.values[own]]
    rows = list(zip(words, mine, values, shares, strict=True))
    return grid(["action", f"{name}, %", "EV, chips", "all hands, %"], rows, left=1)


def _chips(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:,.2f}"


def _source(found: Analysis) -> str:
    facts = found.facts
    if facts is None:
        return (
            "The strategy file answers: search begins later, or there is no time for it. Only "
            "search tells what actions are worth."
        )
    share = 100 * (facts.exploitability or 0)
    return (
        f"Solved from the beginning of the {facts.street}: {facts.iterations:,} iterations in "
        f"{facts.seconds:.1f} s, exploitable by {share:.2g} % of the pot there. EV is what a hand "
        "wins of the pot, well played from here on, less what it still puts in."
    )


# ---- For programs


def _values(
    found: Analysis, keys: tuple[ActionKey, ...], own: int | None, name: str
) -> dict[str, Any]:
    view = found.view
    strategy, reach = found.by_class(), found.class_reach()
    return {
        "game": view.spec.name,
        "line": view.line,
        "board": cards_text(view.board),
        "hand": name or None,
        "seat": view.seat,
        "pot": view.pot,
        "to_call": view.to_call,
        "source": found.source,
        "sentence": _sentence(found, keys, own, name),
        "actions": [
            {
                "action": key.action,
                "words": key.words,
                "pot_share": key.share,
                "frequency": None if own is None else float(found.strategy[own, place]),
                "ev": None if own is None else _number(found.values[own, place]),
                "range_frequency": float(share),
            }
            for place, (key, share) in enumerate(zip(keys, found.frequencies(), strict=True))
        ],
        "classes": [
            {
                "hand": class_text(index),
                "reach": _number(reach[index]),
                "strategy": None if np.isnan(reach[index]) else strategy[index].tolist(),
            }
            for index in range(NUM_CLASSES)
        ],
        "solve": None if found.facts is None else found.facts.as_dict(),
    }


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
