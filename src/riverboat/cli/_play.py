"""`riverboat play`: a person against bots in the terminal."""

import secrets
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group
from rich.text import Text

from riverboat.arena import PersonLog
from riverboat.blueprint import DEFAULT_GAME
from riverboat.bots import make_bot, split_bots
from riverboat.cli._arena_options import LedgerOption
from riverboat.cli._deeds import YOU, Deed
from riverboat.cli._history import HistoryFile
from riverboat.cli._output import console
from riverboat.cli._paint import cards_painted
from riverboat.cli._person_result import enter_result
from riverboat.cli._session import PERSON, Session
from riverboat.cli._table import (
    board_line,
    deeds_lines,
    hand_in_words,
    moves_line,
    odds_line,
    pots_line,
    seat_table,
    signed,
)
from riverboat.errors import HistoryError, IllegalActionError
from riverboat.game import GameSpec, catalogue, catalogue_names
from riverboat.histories import record_of

__all__ = ["play"]

_NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")
_HELP = """\
  k check   c call   f fold   h this hand so far   q leave   ? this page
  30 or b30     bet 30, or raise so that 30 are in on this street
  min           the least bet or raise
  half, pot, 2/3, 75%    that share of the pot after your call, on top of it
  allin         everything
  d Ah          give the ace of hearts away (games with discards)
  s             stand pat: keep your cards (games with discards)
SPR, the stack-to-pot ratio: chips behind that can still be bet, counted in pots.
Longer words do too: check, call, fold, bet 30, raise to 30, stand, discard Ah."""


# Who plays against you: the bot of the shipped blueprint where it can, else bots for all games.
_TRAINED = "blueprint"
_OTHERS = "checkcall,random"


class _Leave(Exception):  # noqa: N818 - no error: the person asked for it
    """The person leaves the table."""


def play(
    game: Annotated[
        str, typer.Option("--game", "-g", help=f"One of {', '.join(catalogue_names())}.")
    ] = "nolimit-100bb",
    seats: Annotated[
        int | None, typer.Option("--seats", "-s", min=2, max=9, help="2 to 9, with you.")
    ] = None,
    opponents: Annotated[
        str | None,
        typer.Option(
            "--opponents",
            "-o",
            help="A bot (see `riverboat bots`), or several with commas, taken in turn. Without it "
            f"{_TRAINED} where it was trained to play, heads-up {DEFAULT_GAME}, else {_OTHERS}.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Deals and bots repeat; random if not given.")
    ] = None,
    hands: Annotated[int | None, typer.Option(min=1, help="Stop after so many hands.")] = None,
    carry: Annotated[
        bool, typer.Option("--carry", help="Keep the stacks from hand to hand; else they reset.")
    ] = False,
    history: Annotated[
        Path | None,
        typer.Option(help="File (or folder) to append the hands to, instead of the user's folder."),
    ] = None,
    no_history: Annotated[bool, typer.Option("--no-history", help="Save no hands.")] = False,
    ledger: LedgerOption = True,
) -> None:
    """Play against bots: bet by typing 30, half, pot or allin; ? helps, q leaves."""
    spec = catalogue(game, seats)
    chosen = secrets.randbits(31) if seed is None else seed
    kinds = _kinds(_usual(spec) if opponents is None else opponents, spec)
    bots = [make_bot(kind, chosen + 1 + index) for index, kind in enumerate(kinds)]
    file = None if no_history else HistoryFile(history, spec)
    log = PersonLog(spec, (YOU, *kinds), chosen) if ledger else None
    session = Session(spec, bots, chosen, carry=carry, log=log)
    playing = _Playing(session, kinds, chosen, hands=hands, file=file)
    begin = time.monotonic()
    code = playing.run()
    if log is not None and session.played:
        settings = {"game": spec.name, "bots": [YOU, *kinds], "seed": chosen, "carry": carry}
        enter_result(log.result(time.monotonic() - begin), settings)
    raise typer.Exit(code)


def _usual(spec: GameSpec) -> str:
    """Name the opponents of a game if the person does not."""
    return _TRAINED if spec == catalogue(DEFAULT_GAME) else _OTHERS


def _kinds(opponents: str, spec: GameSpec) -> list[str]:
    """Name the bot on each chair."""
    named = split_bots(opponents)
    for name in named:  # a misspelt one is told even if no chair is left for it
        make_bot(name, 0)
    return [named[index % len(named)] for index in range(spec.players - 1)]


def _hands(number: int) -> str:
    return f"{number:,} {'hand' if number == 1 else 'hands'}"


class _Playing:
    """The session on the screen."""

    def __init__(
        self,
        session: Session,
        kinds: list[str],
        seed: int,
        *,
        hands: int | None,
        file: HistoryFile | None,
    ) -> None:
        self.session = session
        self.seed = seed
        self.hands = hands
        self.file = file
        self.names = (YOU, *_NAMES[: session.spec.players - 1])
        pairs = list(zip(self.names[1:], kinds, strict=True))
        self.full_names = (YOU, *(f"{name} ({kind})" for name, kind in pairs))
        # At the table there is no room for settings.
        self.table_names = (YOU, *(f"{name} ({kind.partition(':')[0]})" for name, kind in pairs))
        self.interactive = sys.stdin.isatty()
        self.streets: tuple[str, ...] = ()

    def run(self) -> int:
        """Play until the person leaves; return the exit code."""
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")  # any byte may come out of a pipe
        code = 0
        try:
            self._welcome()
            while self.hands is None or self.session.played < self.hands:
                self._one_hand()
        except (_Leave, EOFError):
            pass
        except KeyboardInterrupt:
            code = 130
        self._farewell(interrupted=code != 0)
        return code

    def _welcome(self) -> None:
        seated = ", ".join(self.full_names[1:])
        console.print(f"Against {seated}; seed {self.seed}. Type ? for help, q to leave.")
        if self.file is not None:
            console.print(f"Hands are saved to {self.file.path}", soft_wrap=True)
            if self.file.note:
                console.print(self.file.note)
        self._pause("Enter deals the first hand: ")

    def _one_hand(self) -> None:
        session = self.session
        session.deal()
        hand = session.hand
        self.streets = hand.spec.street_names
        while session.waiting:
            self._clear()
            console.print(self._decision())
            self._ask_move()
        if self.file is not None:
            self._save(self.file)
        self._clear()
        console.print(self._result())
        if self.hands is None or session.played < self.hands:
            self._pause("Enter deals the next hand, q leaves: ")

    def _save(self, file: HistoryFile) -> None:
        """Append the hand; a full disk must not end the game."""
        session = self.session
        details = {
            "names": session.by_seat(self.full_names),
            "seat_numbers": tuple(session.chair_of(seat) + 1 for seat in range(len(self.names))),
            "hero": session.seat_of(PERSON),
        }
        try:
            file.save(record_of(session.hand, date=datetime.now(UTC), **details))
        except HistoryError as error:
            console.print(f"This hand is not saved: {error}", style="bold", markup=False)

    def _ask_move(self) -> None:
        while True:
            typed = self._ask("Your move: ")
            if typed == "?":
                console.print(_HELP)
                continue
            if typed in ("h", "history"):
                console.print(*(self._lines(self.session.deeds) or [Text("nothing yet")]), sep="\n")
                continue
            try:
                self.session.act(typed)
            except IllegalActionError as error:
                console.print(str(error), style="italic", markup=False)
            else:
                return

    def _ask(self, prompt: str) -> str:
        """Ask for a line; raises EOFError at the end of the input, _Leave if asked to."""
        typed = console.input(Text(prompt, "bold")).strip()
        if not self.interactive:
            console.print(typed, markup=False)  # so that a transcript can be read
        if typed.lower() in ("q", "quit", "exit"):
            raise _Leave
        return typed

    def _pause(self, prompt: str) -> None:
        """Wait for Enter; a script has no need of it."""
        while self.interactive and self._ask(prompt) == "?":
            console.print(_HELP)

    def _clear(self) -> None:
        if self.interactive and console.is_terminal:
            console.clear()
        else:
            console.print()

    def _head(self) -> Text:
        session = self.session
        spec = session.spec
        posts = f"blinds {spec.small_blind:,}/{spec.big_blind:,}"
        if not spec.big_blind:
            posts = f"ante {max(spec.antes):,}"
        count = f"Hand {session.dealt}" + (f" of {self.hands}" if self.hands else "")
        head = Text.assemble((count, "bold"), f"  {spec.name}, {posts}", "  ", self._score())
        if session.bought_in:
            broke = ", ".join(self.names[chair] for chair in session.bought_in)
            head.append(f"\n{broke} bought in again.", "dim")
        return head

    def _score(self) -> str:
        session = self.session
        return (
            f"result {signed(session.total)}"
            f" ({session.per_hundred:+,.1f} {session.unit[1]}/100, {_hands(session.played)})"
        )

    def _seats(self) -> Group:
        """Draw the seats clockwise from the person, and the board."""
        session, view = self.session, self.session.view
        # The words of a showdown need the room.
        names = session.by_seat(self.names if view.finished else self.table_names)
        holes = [view.hole if seat == view.seat else view.shown[seat] for seat in range(len(names))]
        order = [session.seat_of(chair) for chair in range(len(names))]
        return Group(seat_table(view, names, holes, order), "", board_line(view))

    def _lines(self, deeds: list[Deed]) -> list[Text]:
        return deeds_lines(deeds, self.session.by_seat(self.names), self.streets)

    def _decision(self) -> Group:
        """Draw what the person needs to decide."""
        view = self.session.view
        words = hand_in_words(view, view.hole)
        cards = Text.assemble("You hold ", cards_painted(view.hole), f"  {words}" if words else "")
        return Group(
            self._head(),
            self._seats(),
            *self._lines(self.session.news),
            "",
            cards,
            *([] if self.session.hand.discarding else [odds_line(view)]),
            moves_line(view),
        )

    def _result(self) -> Group:
        """Draw how the hand ended."""
        session = self.session
        names = session.by_seat(self.names)
        last = session.last
        outcome = "You come out even" if not last else f"You {'win' if last > 0 else 'lose'}"
        line = Text(f"{outcome} {abs(last):,}." if last else f"{outcome}.", "bold")
        return Group(
            Text.assemble((f"Hand {session.dealt} is over", "bold"), f"  {self._score()}"),
            *self._lines(self.session.news),
            self._seats(),
            pots_line(session.hand.pots(), names),
            line,
        )

    def _farewell(self, *, interrupted: bool) -> None:
        session = self.session
        if interrupted or session.running:
            console.print()
        if session.running:
            console.print("The hand on the table is not counted.")
        console.print(
            f"Played {_hands(session.played)}: "
            f"{signed(session.total)} chips ({session.per_hundred:+,.1f} {session.unit[1]}/100)."
        )
        if self.file is not None and self.file.saved:
            console.print(f"Saved in {self.file.path}", soft_wrap=True)
