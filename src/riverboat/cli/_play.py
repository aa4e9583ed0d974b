"""`riverboat play`: a person against bots in the terminal."""

import secrets
import sys
import time
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
from rich.console import Group
from rich.text import Text

from riverboat.arena import Ledger, MatchResult
from riverboat.blueprint import DEFAULT_GAME
from riverboat.bots import BotRef, prints_file, split_bots, try_to_sit
from riverboat.cli._arena import read_deal_seed, tell_lacks, tell_prints
from riverboat.cli._command import option
from riverboat.cli._draw import (
    acts_lines,
    board_line,
    moves_line,
    odds_line,
    pots_line,
    seat_table,
    signed,
)
from riverboat.cli._match_report import unit_named, verdict_text, verdict_values
from riverboat.cli._options import DealSeedOption, LedgerOption, SandboxOption, TableGameOption
from riverboat.cli._output import console, hint, hole_painted, in_lines, status, with_margin
from riverboat.cli._progress import build_bot_tables
from riverboat.cli._review import graded_lines
from riverboat.errors import ArenaError, GameError, HistoryError, IllegalActionError
from riverboat.game import GameSpec, find_game
from riverboat.report import how_many
from riverboat.runs import hidden_memory
from riverboat.sandbox import Mode
from riverboat.table import (
    USUAL_OPPONENTS,
    Acted,
    HistoryFile,
    Session,
    chair_names,
    hand_in_words,
    read_move,
    usual_opponents,
)

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


_TRAINED = "search"  # who plays against you where its strategy was trained
_FAILED = 2  # the exit code of a session that a bot could not go on with


class _Leave(Exception):  # noqa: N818 - no error: the person asked for it
    """The person leaves the table."""


class PlayOptions(msgspec.Struct, frozen=True):
    """A session at the table; each field is an option."""

    game: TableGameOption = "nolimit-100bb"
    seats: Annotated[int | None, option("2 to 9, with you.", "--seats", "-s", least=2, most=9)] = (
        None
    )
    opponents: Annotated[
        str | None,
        option(
            "A bot (see `riverboat bots`), or several with commas, taken in turn. Without it "
            f"{_TRAINED} where its strategy was trained, heads-up {DEFAULT_GAME}, else "
            f"{USUAL_OPPONENTS}.",
            "--opponents",
            "-o",
        ),
    ] = None
    seed: Annotated[
        int | None,
        option(
            "Deals and bots repeat; random if not given. Against a bot of a file cards come "
            "from a deal seed instead.",
            least=0,
        ),
    ] = None
    deal_seed: DealSeedOption = None
    hands: Annotated[int | None, option("Stop after so many hands.", least=1)] = None
    carry: Annotated[bool, option("Keep the stacks from hand to hand; else they reset.")] = False
    histories: Annotated[
        Path | None,
        option("File (or folder) to append the hands to, instead of the user's folder."),
    ] = None
    no_histories: Annotated[bool, option("Save no hands.")] = False
    grade: Annotated[
        bool, option("After each hand: what the bot would have done, and what your choices cost.")
    ] = True
    ledger: LedgerOption = True
    sandbox: SandboxOption = "auto"


def play_command(options: PlayOptions) -> None:
    """Play against bots: bet by typing 30, half, pot or allin; ? helps, q leaves."""
    spec = find_game(options.game, options.seats)
    seed = secrets.randbits(31) if options.seed is None else options.seed
    opponents = usual_opponents(spec, _TRAINED) if options.opponents is None else options.opponents
    kinds = _kinds(opponents, spec, options.sandbox)
    deal_seed = read_deal_seed(options.deal_seed)
    _build_tables(kinds)
    with hidden_memory() if any(BotRef.parse(kind).untrusted for kind in kinds) else nullcontext():
        session = Session(
            spec,
            [None, *kinds],
            seed,
            carry=options.carry,
            sandbox=options.sandbox,
            deal_seed=deal_seed,
        )
        code = _play(session, options)
    tell_prints(kinds)
    raise SystemExit(code)


def _play(session: Session, options: PlayOptions) -> int:
    """Play a session and show what came of it; return the exit code."""
    file = None if options.no_histories else HistoryFile(options.histories, session.spec)
    begin = time.monotonic()
    try:
        code = _Playing(session, file, options).run()
    finally:
        session.close()
        if session.deal_seed is not None:
            status.print(f"Deal seed: {session.deal_seed.hex()}", soft_wrap=True)
    if session.played:
        result = session.result(time.monotonic() - begin)
        _show_result(result)
        if options.ledger:
            _enter(result, session)
    return code


def _show_result(result: MatchResult) -> None:
    """Show the result with its interval, and who has won."""
    unit = unit_named("mbb", result.settings.spec)
    console.print(f"That is {with_margin(result.mbb_per_hand())} {unit.name} (95 %).")
    if result.run_outs:
        value = with_margin(result.mbb_per_hand(corrected=True))
        console.print(f"With all-in hands at their expectation: {value} {unit.name}.")
    verdict = result.verdict()
    if verdict is not None:
        console.print(verdict_text(verdict, unit), style="bold")


def _enter(result: MatchResult, session: Session) -> None:
    """Enter the result, and hands with a deal seed; a ledger that fails is told in a sentence."""
    try:
        Ledger().add_result(
            "play",
            session.settings(),
            result.summary() | verdict_values(result),
            result.seconds,
            session=result.sessions[0] if session.deal_seed else None,
            deal_seed=session.deal_seed,
        )
    except ArenaError as error:
        console.print(f"It is not entered: {error}", style="bold")
    else:
        console.print(f"It is in the ledger; `{hint('ledger')}` lists it.")


def _build_tables(kinds: list[str]) -> None:
    """Build what bots need that look at all hands, before the first card."""
    for ref in map(BotRef.parse, dict.fromkeys(kinds)):
        if not ref.untrusted and ref.kind.name == _TRAINED:
            build_bot_tables(ref.make(0))


def _kinds(opponents: str, spec: GameSpec, sandbox: Mode) -> list[str]:
    """Name the bot on each chair."""
    named = split_bots(opponents)
    tell_lacks(named, sandbox)
    for name in named:  # one that cannot play is told even if no chair is left for it
        if BotRef.parse(name).untrusted:
            prints_file(name).unlink(missing_ok=True)
        try_to_sit(name, spec, sandbox)
    return [named[index % len(named)] for index in range(spec.players - 1)]


class _Playing:
    """The session on the screen."""

    def __init__(self, session: Session, file: HistoryFile | None, options: PlayOptions) -> None:
        self.session, self.file = session, file
        self.hands, self.grade = options.hands, options.grade
        self.full_names = chair_names(session.names[1:])
        # At the table there is no room for settings.
        self.table_names = chair_names([BotRef.parse(kind).name for kind in session.names[1:]])
        self.names = tuple(name.partition(" ")[0] for name in self.full_names)
        self.interactive = sys.stdin.isatty()

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
        except GameError as error:  # of a bot
            console.print(str(error), style="bold", soft_wrap=True)
            code = _FAILED
        except KeyboardInterrupt:
            code = 130
        left = code != _FAILED and self._leave_hand()  # a bot that fails cannot play it out
        self._farewell(interrupted=left or code != 0)
        return code

    def _leave_hand(self) -> bool:
        """Fold the hand on the table for the person who leaves; return whether there is one."""
        session = self.session
        if not session.running:
            return False
        with suppress(KeyboardInterrupt):  # a bot that thinks for long need not be waited for
            session.fold_out()
            if self.file is not None:
                self._save(self.file)
            mine = [
                e for e in session.events if isinstance(e, Acted) and not session.chair_of(e.seat)
            ]
            how = "counts as folded" if mine[-1:] and mine[-1].kind == "fold" else "was played out"
            console.print(f"\nThe hand that you left {how}: {signed(session.last[0])}.")
        return True

    def _welcome(self) -> None:
        seated = ", ".join(self.full_names[1:])
        dealt = f"; seed {self.session.seed}" if self.session.deal_seed is None else ""
        console.print(f"Against {seated}{dealt}. Type ? for help, q to leave.")
        if self.file is not None:
            console.print(f"Hands are saved to {self.file.path}", soft_wrap=True)
            if self.file.note:
                console.print(self.file.note)
        self._pause("Enter deals the first hand: ")

    def _one_hand(self) -> None:
        session = self.session
        session.deal()
        while session.waiting is not None:
            self._clear()
            console.print(self._decision())
            self._ask_move()
        if self.file is not None:
            self._save(self.file)
        self._clear()
        console.print(self._result())
        if self.grade:
            for line in graded_lines(session):
                console.print(line, style="dim", soft_wrap=True)
        if self.hands is None or session.played < self.hands:
            self._pause("Enter deals the next hand, q leaves: ")

    def _save(self, file: HistoryFile) -> None:
        """Append the hand; a full disk must not end the game."""
        try:
            file.save(self.session.record(datetime.now(UTC), self.full_names))
        except HistoryError as error:
            console.print(f"This hand is not saved: {error}", style="bold", markup=False)

    def _ask_move(self) -> None:
        while True:
            typed = self._ask("Your move: ")
            if typed == "?":
                console.print(_HELP)
                continue
            if typed in ("h", "history"):
                acts = [event for event in self.session.events if isinstance(event, Acted)]
                console.print(*(self._lines(acts) or [Text("nothing yet")]), sep="\n")
                continue
            try:
                self.session.play(read_move(typed, self.session.hand))
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
        head = self._titled(count, Text(f"{spec.name}, {posts}"))
        if session.bought_in:
            broke = ", ".join(self.names[chair] for chair in session.bought_in)
            head.append(f"\n{broke} bought in again.", "dim")
        return head

    def _titled(self, title: str, *parts: Text) -> Text:
        """Put a title before what follows it and the score."""
        session = self.session
        played = how_many(session.played, "hand")
        rate = f"{session.per_hundred:+,.1f} {session.unit[1]}/100, {played}"
        score = Text(f"result {signed(session.totals[0])} ({rate})")
        return in_lines([Text(title, "bold"), *parts, score], "  ")

    def _seats(self) -> Group:
        """Draw the seats clockwise from the person, and the board."""
        session, view = self.session, self.session.view
        # The words of a showdown need the room.
        names = session.by_seat(self.names if view.finished else self.table_names)
        holes = [view.hole if seat == view.seat else view.shown[seat] for seat in range(len(names))]
        order = [session.seat_of(chair) for chair in range(len(names))]
        return Group(seat_table(view, names, holes, order), "", board_line(view))

    def _lines(self, acts: list[Acted]) -> list[Text]:
        return acts_lines(acts, self.session.by_seat(self.names), self.session.spec.street_names)

    def _decision(self) -> Group:
        """Draw what the person needs to decide."""
        view = self.session.view
        cards = [Text.assemble("You hold ", hole_painted(view.hole))]
        if words := hand_in_words(view, view.hole):
            cards.append(Text(words))
        return Group(
            self._head(),
            self._seats(),
            *self._lines(self.session.news),
            "",
            in_lines(cards, "  "),
            *([] if self.session.hand.discarding else [odds_line(view)]),
            moves_line(view),
        )

    def _result(self) -> Group:
        """Draw how the hand ended."""
        session = self.session
        names = session.by_seat(self.names)
        last = session.last[0]
        outcome = "You come out even" if not last else f"You {'win' if last > 0 else 'lose'}"
        line = Text(f"{outcome} {abs(last):,}." if last else f"{outcome}.", "bold")
        return Group(
            self._titled(f"Hand {session.dealt} is over"),
            *self._lines(self.session.news),
            self._seats(),
            pots_line(session.hand.pots(), names),
            line,
        )

    def _farewell(self, *, interrupted: bool) -> None:
        session = self.session
        if interrupted:
            console.print()
        if session.running:
            console.print("The hand on the table is not counted.")
        console.print(
            f"Played {how_many(session.played, 'hand')}: {signed(session.totals[0])} chips."
        )
        if self.file is not None and self.file.saved:
            console.print(f"Saved in {self.file.path}", soft_wrap=True)
