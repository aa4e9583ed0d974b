"""Hand histories: `riverboat convert` and `riverboat replay`."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from rich.console import Group
from rich.text import Text

from riverboat.cards import card_text
from riverboat.cli._command import argument, option
from riverboat.cli._draw import acts_lines, board_line, pots_line, seat_table, signed
from riverboat.cli._options import JsonOption
from riverboat.cli._output import console, print_json, status
from riverboat.errors import GameError, HistoryError, RiverboatError
from riverboat.game import GameSpec, catalogue_names, find_game
from riverboat.histories import (
    FORMATS,
    HandRecord,
    ReadResult,
    Refused,
    format_of_path,
    read,
    to_text,
    write,
)
from riverboat.report import how_many
from riverboat.table import Replay

_SHOWN = 20
_INCOMPLETE = 1  # exit code if some hands were written or shown, and others refused
_HELP = """\
  Enter or n  next action      p  previous action
  N  next hand   P  previous hand   g 12  go to hand 12   e  end of this hand
  ?  this page   q  leave"""

GameOption = Annotated[
    str | None, option("The game of ACPC lines: a catalogue name or a game file.", "--game")
]


def game_of_option(named: str | None) -> GameSpec | str | None:
    """Return the game of a game file, or the name of a game of the catalogue.

    A name is returned as it is, because the number of seats depends on the line that is read.

    Raises
    ------
    HistoryError
        If there is no such file or game, or the file is not a game definition.

    Examples
    --------
    >>> game_of_option("limit")
    'limit'
    """
    if named is None:
        return None
    is_file = named not in catalogue_names() and Path(named).is_file()
    try:
        spec = find_game(named)
    except GameError as error:
        no_file = "" if is_file else f"there is no game file {named!r}, and "
        raise HistoryError(f"{no_file}{error}") from error
    return spec if is_file else named


def _refused(result: ReadResult) -> list[dict[str, Any]]:
    return [
        {"line": one.line, "reason": one.reason, "text": one.text_head} for one in result.refused
    ]


def convert_command(
    source: Annotated[Path, argument("The file to read.", metavar="IN")],
    target: Annotated[Path, argument("The file to write.", metavar="OUT")],
    to: Annotated[
        str | None, option(f"Format of OUT (default: by its suffix): {', '.join(FORMATS)}.")
    ] = None,
    from_format: Annotated[
        str | None, option("Format of IN, if it is not recognised.", "--from")
    ] = None,
    game: GameOption = None,
    as_json: JsonOption = False,
) -> None:
    """Convert hand histories: PHH, PokerStars text, Open Hand History, ACPC lines.

    Exit code: 0 if every hand was written, 1 if some were refused, 2 if nothing was written.
    """
    name = format_of_path(target, to)
    result = read(source, from_format, game=game_of_option(game))
    good, unwritable = _writable(result.hands, name)
    if good:
        write(good, target, name)
    if as_json:
        print_json(_conversion(result, name, len(good), unwritable))
    else:
        _print_conversion(result, target, len(good), unwritable)
    if not good:
        raise HistoryError(
            f"{str(source)!r} has no hand that can be converted; {str(target)!r} was not written"
        )
    if result.refused or unwritable:
        raise SystemExit(_INCOMPLETE)


def _conversion(
    result: ReadResult, name: str, written: int, unwritable: list[tuple[str, str]]
) -> dict[str, Any]:
    return {
        "from": result.format,
        "to": name,
        "read": len(result.hands),
        "written": written,
        "refused": _refused(result),
        "other_games": result.other_games,
        "not_written": [{"hand": hand, "reason": why} for hand, why in unwritable],
    }


def _print_conversion(
    result: ReadResult, target: Path, written: int, unwritable: list[tuple[str, str]]
) -> None:
    lines = [f"line {hand.line}: {hand.reason}" for hand in result.refused if not hand.game]
    lines += [f"hand {hand}: {why}" for hand, why in unwritable]
    console.print(
        f"{how_many(len(result.hands), 'hand')} read, {written:,} written to {target}, "
        f"{len(lines):,} refused",
        markup=False,
    )
    if result.other_games:
        games = ", ".join(f"{count:,} {game}" for game, count in result.other_games.items())
        console.print(f"  Hands of other games: {games}", markup=False)
    for line in lines[:_SHOWN]:
        console.print(f"  {line}", markup=False)
    if len(lines) > _SHOWN:
        console.print(f"  and {len(lines) - _SHOWN:,} more; --json lists them all", markup=False)


def _writable(
    records: tuple[HandRecord, ...], name: str
) -> tuple[list[HandRecord], list[tuple[str, str]]]:
    """Split the hands into those that the format can express, and the others with the reason."""
    good, bad = list[HandRecord](), list[tuple[str, str]]()
    for number, record in enumerate(records, start=1):
        try:
            to_text(record, name)
        except RiverboatError as error:
            bad.append((record.hand_id or f"number {number}", str(error)))
        else:
            good.append(record)
    return good, bad


def replay_command(
    file: Annotated[
        Path, argument("Hand history of a site, or PHH, Open Hand History, ACPC, .jsonl.")
    ],
    hand: Annotated[int, option("Number of the first hand to show.", least=1)] = 1,
    show_all: Annotated[bool, option("Print all hands without stopping.", "--all")] = False,
    record_format: Annotated[
        str | None, option(f"Format, if not recognised: {', '.join(FORMATS)}.", "--format")
    ] = None,
    game: GameOption = None,
    as_json: JsonOption = False,
) -> None:
    """Step through a hand history, action by action; ? lists the keys.

    Exit code: 0 if every hand could be shown, 1 if some were refused, 2 if there was none.
    """
    result = read(file, record_format, game_of_option(game))
    if as_json:
        print_json(_hands_values(file, result))
    else:
        _list_refused(result.refused)
    if not result.hands:
        raise HistoryError(f"{str(file)!r} has no hand that can be shown")
    code = 0 if as_json else _show_hands(result.hands, hand, show_all)
    raise SystemExit(code or (_INCOMPLETE if result.refused else 0))


def _show_hands(hands: tuple[HandRecord, ...], first: int, show_all: bool) -> int:
    """Print all hands, or step through them; return the exit code."""
    shown = Replay(hands)
    shown.go(first)
    if not show_all:
        return _step_through(shown)
    _print_all(shown)
    return 0


def _list_refused(refused: Sequence[Refused]) -> None:
    for one in refused:
        status.print(f"line {one.line}: {one.reason}", style="italic", markup=False, soft_wrap=True)
    if refused:
        count = "1 hand was" if len(refused) == 1 else f"{len(refused)} hands were"
        status.print(f"{count} refused.", style="bold")


def _hands_values(file: Path, result: ReadResult) -> dict[str, Any]:
    return {
        "file": str(file),
        "format": result.format,
        "hands": [_hand_values(record) for record in result.hands],
        "refused": _refused(result),
    }


def _hand_values(record: HandRecord) -> dict[str, Any]:
    hand = record.hand()
    return {
        "game": record.spec.name,
        "id": record.hand_id,
        "date": None if record.date is None else record.date.isoformat(),
        "names": record.names,
        "stacks": record.stacks,
        "blinds": record.spec.blinds,
        "antes": record.spec.antes,
        "cards": [_text(hand.hole_cards(seat)) for seat in range(hand.players)],
        "board": _text(hand.board),
        "line": record.line,
        "pot": hand.pot,
        "payoffs": record.payoffs(),
    }


def _text(cards: Sequence[int]) -> str:
    return "".join("??" if card < 0 else card_text(card) for card in cards)


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """Leave out the text in brackets, if the names are still different.

    Examples
    --------
    >>> short_names(["You", "Ann (random)"])
    ('You', 'Ann')
    """
    short = tuple(name.partition(" (")[0] for name in names)
    return short if len(set(short)) == len(short) else tuple(names)


def _game(spec: GameSpec) -> str:
    """Name a game that is not in the catalogue."""
    return "short deck" if spec.showdown == "short-deck" else spec.betting


def drawn(shown: Replay, *, whole: bool = False) -> Group:
    """Draw the current state, with the actions of the street or of the whole hand."""
    hand, record = shown.hand, shown.record
    # A spectator has no seat, and the view of any seat has everything public.
    view = hand.view(0)
    seats = range(hand.players)
    names = record.names if hand.players <= 3 else short_names(record.names)
    holes = [hand.hole_cards(seat) for seat in seats]
    street = shown.acts[-1].street if shown.acts else 0
    acts = [act for act in shown.acts if whole or act.street == street]
    return Group(
        _head(shown),
        seat_table(view, names, holes, seats),
        "",
        board_line(view),
        *acts_lines(acts, short_names(record.names), hand.spec.street_names),
        *_outcome(shown),
    )


def _head(shown: Replay) -> Text:
    record, spec = shown.record, shown.record.spec
    posts = f"blinds {spec.small_blind:,}/{spec.big_blind:,}" if spec.big_blind else ""
    antes = f"ante {max(spec.antes):,}" if any(spec.antes) else ""
    facts = [
        spec.name or _game(spec),
        posts,
        antes,
        record.table,
        record.hand_id and f"#{record.hand_id}",
    ]
    if record.date is not None:
        facts.append(f"{record.date:%Y-%m-%d %H:%M %Z}")
    head = Text(f"Hand {shown.number} of {len(shown.records)}", "bold")
    return head.append("  " + ", ".join(filter(None, facts)), "not bold")


def _outcome(shown: Replay) -> Iterator[Text]:
    """Draw the result at the end of the hand."""
    hand, record = shown.hand, shown.record
    if not shown.at_end:
        return
    if not hand.finished:
        yield Text("The record ends before the hand is over.", "italic")
    elif record.won is not None:
        payoffs = record.payoffs() or ()
        won = [f"{n} {signed(p)}" for n, p in zip(record.names, payoffs, strict=False)]
        yield Text(f"Result in the file: {', '.join(won)}.")
    else:
        yield pots_line(hand.pots(), short_names(record.names))


def _print_all(shown: Replay) -> None:
    for number in range(shown.number, len(shown.records) + 1):
        shown.go(number)
        shown.to_end()
        console.print(drawn(shown, whole=True))
        console.print()


def _step_through(shown: Replay) -> int:
    """Ask for commands until the user leaves; return the exit code."""
    interactive = sys.stdin.isatty()
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    redraw = True
    try:
        while True:
            if redraw:
                console.clear() if interactive and console.is_terminal else console.print()
                console.print(drawn(shown))
            typed = console.input(Text(_prompt(shown), "bold")).strip()
            if not interactive:
                console.print(typed, markup=False)
            if typed in ("q", "Q", "quit"):
                return 0
            message = _run_typed(shown, typed)
            redraw = not message
            if message:
                console.print(message, markup=False)
    except EOFError:
        console.print()
        return 0
    except KeyboardInterrupt:
        console.print()
        return 130


def _prompt(shown: Replay) -> str:
    if not shown.at_end:
        return "Enter next, p back, ? help: "
    if shown.number < len(shown.records):
        return "End of the hand. Enter next hand, p back, q leaves: "
    return "End of the last hand. p back, q leaves: "


def _run_typed(shown: Replay, typed: str) -> str:
    """Run a typed command; return a message if it is not possible."""
    words = typed.split()
    match words:
        case [] | ["n"]:
            if shown.next_action():
                return ""
            return _go(shown, shown.number + 1)
        case ["p"]:
            return "" if shown.previous_action() else "This is the start of the hand."
        case ["e"]:
            shown.to_end()
            return ""
        case ["N"]:
            return _go(shown, shown.number + 1)
        case ["P"]:
            return _go(shown, shown.number - 1)
        case ["g", number] if number.isascii() and number.isdigit() and len(number) < 10:
            return _go(shown, int(number))
        case ["?"]:
            return _HELP
    return f"{typed[:40]!r} is not a command; type ? for a list"


def _go(shown: Replay, number: int) -> str:
    try:
        shown.go(number)
    except RiverboatError as error:
        return str(error)
    return ""
