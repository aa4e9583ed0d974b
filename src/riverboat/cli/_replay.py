"""`riverboat replay`: step through recorded hands in the terminal."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Group
from rich.text import Text

from riverboat.cards import card_text
from riverboat.cli._deeds import Deed, deed_of
from riverboat.cli._game_option import GameOption, game_of_option
from riverboat.cli._output import JsonOption, console, print_json, status
from riverboat.cli._table import board_line, deeds_lines, pots_line, seat_table, signed
from riverboat.errors import HistoryError, RiverboatError
from riverboat.game import GameSpec
from riverboat.histories import HandRecord, ReadResult, Refused, read

__all__ = ["Replay", "replay"]

_HELP = """\
  Enter or n  next action      p  previous action
  N  next hand   P  previous hand   g 12  go to hand 12   e  end of this hand
  ?  this page   q  leave"""


def replay(
    file: Annotated[Path, typer.Argument(help="PHH, PokerStars, Open Hand History, ACPC, .jsonl.")],
    hand: Annotated[int, typer.Option(min=1, help="Begin with this hand.")] = 1,
    show_all: Annotated[bool, typer.Option("--all", help="Print every hand; ask nothing.")] = False,
    record_format: Annotated[
        str | None, typer.Option("--format", help="If the file does not tell: phh, ...")
    ] = None,
    game: GameOption = None,
    as_json: JsonOption = False,
) -> None:
    """Step through the hands of a record: Enter goes on, p back, N to the next hand, q leaves."""
    result = read(file, record_format, game_of_option(game))
    if as_json:
        print_json(_as_values(file, result))
        return
    _list_refused(result.refused)
    if not result.hands:
        raise HistoryError(f"{str(file)!r} holds no hand that can be shown")
    shown = Replay(result.hands)
    shown.go(hand)
    if show_all:
        _print_all(shown)
        return
    raise typer.Exit(_step_through(shown))


def _list_refused(refused: Sequence[Refused]) -> None:
    for one in refused:
        status.print(f"line {one.line}: {one.reason}", style="italic", markup=False, soft_wrap=True)
    if refused:
        count = "1 hand was" if len(refused) == 1 else f"{len(refused)} hands were"
        status.print(f"{count} refused.", style="bold")


def _as_values(file: Path, result: ReadResult) -> dict[str, Any]:
    refused = [
        {"line": one.line, "reason": one.reason, "text": one.text_head} for one in result.refused
    ]
    return {
        "file": str(file),
        "format": result.format,
        "hands": [_hand_values(record) for record in result.hands],
        "refused": refused,
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
    """Leave out what stands in brackets, if the names can still be told apart.

    Examples
    --------
    >>> short_names(["You", "Ann (random)"])
    ('You', 'Ann')
    """
    short = tuple(name.partition(" (")[0] for name in names)
    return short if len(set(short)) == len(short) else tuple(names)


def _game(spec: GameSpec) -> str:
    """Describe a game that has no name."""
    return "short deck" if spec.showdown == "short-deck" else spec.betting


class Replay:
    """A place in a list of recorded hands; nothing is drawn to a terminal here.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.histories import record_of
    >>> shown = Replay([record_of(Hand.from_line(catalogue("kuhn"), "kbc", seed=1))])
    >>> shown.next_action(), shown.hand.line
    (True, 'k')
    """

    def __init__(self, records: Sequence[HandRecord]) -> None:
        self.records = tuple(records)
        self.go(1)

    @property
    def record(self) -> HandRecord:
        """The hand that is shown."""
        return self.records[self.number - 1]

    def go(self, number: int) -> None:
        """Go to the start of a hand, counted from 1."""
        if not 1 <= number <= len(self.records):
            raise HistoryError(f"there is no hand {number}: hands are 1 to {len(self.records)}")
        self.number = number
        self.hand = self.record.start()
        self._events = self.record.hand().events
        self.deeds: list[Deed] = []

    @property
    def at_end(self) -> bool:
        """Whether all actions of the hand were shown."""
        return len(self.deeds) == len(self._events)

    def next_action(self) -> bool:
        """Show one action more; False at the end of the hand."""
        if self.at_end:
            return False
        action = self._events[len(self.deeds)].action
        self.deeds.append(deed_of(self.hand, action, own=True))
        self.hand.do(action)
        return True

    def previous_action(self) -> bool:
        """Take one action back; False at the start of the hand."""
        if not self.deeds:
            return False
        self.hand.undo()
        self.deeds.pop()
        return True

    def to_end(self) -> None:
        """Show all actions of the hand."""
        while self.next_action():
            pass

    def drawn(self, *, whole: bool = False) -> Group:
        """Draw the moment, with the moves of the street or of the whole hand."""
        hand, record = self.hand, self.record
        # A spectator has no seat; the view of any holds all that is public.
        view = hand.view(0)
        seats = range(hand.players)
        names = record.names if hand.players <= 3 else short_names(record.names)
        holes = [hand.hole_cards(seat) for seat in seats]
        street = self.deeds[-1].street if self.deeds else 0
        deeds = [deed for deed in self.deeds if whole or deed.street == street]
        streets = hand.spec.street_names
        return Group(
            self._head(),
            seat_table(view, names, holes, seats),
            "",
            board_line(view),
            *deeds_lines(deeds, short_names(record.names), streets),
            *self._outcome(),
        )

    def _head(self) -> Text:
        record, spec = self.record, self.record.spec
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
            facts.append(record.date.strftime("%Y-%m-%d %H:%M"))
        head = Text(f"Hand {self.number} of {len(self.records)}", "bold")
        return head.append("  " + ", ".join(filter(None, facts)), "not bold")

    def _outcome(self) -> Iterator[Text]:
        """Say how the hand ended, once it has."""
        hand, record = self.hand, self.record
        if not self.at_end:
            return
        if not hand.finished:
            yield Text("The record ends before the hand is over.", "italic")
        elif record.won is not None:
            payoffs = record.payoffs() or ()
            won = [f"{n} {signed(p)}" for n, p in zip(record.names, payoffs, strict=False)]
            yield Text(f"As the record says: {', '.join(won)}.")
        else:
            yield pots_line(hand.pots(), short_names(record.names))


def _print_all(shown: Replay) -> None:
    for number in range(shown.number, len(shown.records) + 1):
        shown.go(number)
        shown.to_end()
        console.print(shown.drawn(whole=True))
        console.print()


def _step_through(shown: Replay) -> int:
    """Ask what to show until the person leaves; return the exit code."""
    interactive = sys.stdin.isatty()
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    redraw = True
    try:
        while True:
            if redraw:
                console.clear() if interactive and console.is_terminal else console.print()
                console.print(shown.drawn())
            typed = console.input(Text(_prompt(shown), "bold")).strip()
            if not interactive:
                console.print(typed, markup=False)
            if typed in ("q", "Q", "quit"):
                return 0
            message = _obey(shown, typed)
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


def _obey(shown: Replay, typed: str) -> str:
    """Move as the person says; return a sentence if that is not possible."""
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
    return f"{typed[:40]!r} is no command; type ? to see them all"


def _go(shown: Replay, number: int) -> str:
    try:
        shown.go(number)
    except RiverboatError as error:
        return str(error)
    return ""
