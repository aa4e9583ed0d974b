"""`riverboat play`: you against bots in the terminal."""

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
from riverboat.bots import BotRef, prints_file, split_bots, try_to_sit
from riverboat.cli._arena import name_outputs, read_deal_seed, warn_of_sandbox
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
  30 or b30     bet 30, or raise to 30 (your total bet on this street)
  min           the minimum bet or raise
  half, pot, 2/3, 75%    bet or raise by that share of the pot (after a call)
  allin         bet or raise all your chips
  d Ah          discard the ace of hearts (games with discards)
  s             stand pat: keep your cards (games with discards)
SPR is the stack-to-pot ratio: the effective stack divided by the pot.
Whole words work, too: check, call, fold, bet 30, raise to 30, stand, discard Ah."""


_TRAINED = "search"  # default opponent in the game that its strategy was trained for
_FAILED = 2  # exit code of a session that ended because a bot failed


class _Leave(Exception):  # noqa: N818 - not an error: the user asked for it
    """The user leaves the table."""


class PlayOptions(msgspec.Struct, frozen=True):
    """Settings of a session; each field is an option."""

    game: TableGameOption = "nolimit-100bb"
    seats: Annotated[
        int | None,
        option("Number of players including you, 2 to 9.", "--seats", "-s", least=2, most=9),
    ] = None
    opponents: Annotated[
        str | None,
        option(
            "Opponent, or a comma-separated list (repeated to fill the seats). Default: "
            f"{_TRAINED} in heads-up no-limit hold'em, blueprint:limit in limit, five different "
            f"bots in no-limit hold'em with more seats, otherwise {USUAL_OPPONENTS}.",
            "--opponents",
            "-o",
        ),
    ] = None
    seed: Annotated[
        int | None,
        option(
            "Random seed of cards and bots (with file bots see --deal-seed).",
            least=0,
        ),
    ] = None
    deal_seed: DealSeedOption = None
    hands: Annotated[int | None, option("Number of hands (default: no limit).", least=1)] = None
    carry: Annotated[bool, option("Carry stacks over to the next hand.")] = False
    histories: Annotated[
        Path | None,
        option("File or folder for hand histories (default: in your user folder)."),
    ] = None
    no_histories: Annotated[bool, option("Do not save hands.")] = False
    grade: Annotated[bool, option("After each hand show the bot's strategy and your EV loss.")] = (
        True
    )
    ledger: LedgerOption = True
    sandbox: SandboxOption = "auto"


def play_command(options: PlayOptions) -> None:
    """Play against bots in the terminal; ? shows help, q leaves.

    Type your move: check, call, fold, or a bet such as 30, half, pot or allin.
    """
    spec = find_game(options.game, options.seats)
    seed = secrets.randbits(31) if options.seed is None else options.seed
    opponents = usual_opponents(spec, _TRAINED) if options.opponents is None else options.opponents
    kinds = _kinds(opponents, spec, options.sandbox)
    deal_seed = read_deal_seed(options.deal_seed)
    _build_tables(kinds, spec)
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
    name_outputs(kinds)
    raise SystemExit(code)


def _play(session: Session, options: PlayOptions) -> int:
    """Play a session, show and record its result; return the exit code."""
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
    """Print the result with its confidence interval, and the verdict."""
    unit = unit_named("mbb", result.settings.spec)
    console.print(f"Result: {with_margin(result.mbb_per_hand())} {unit.name} (95 %).")
    if result.run_outs:
        value = with_margin(result.mbb_per_hand(corrected=True))
        console.print(f"All-in EV: {value} {unit.name}.")
    verdict = result.verdict()
    if verdict is not None:
        console.print(verdict_text(verdict, unit), style="bold")


def _enter(result: MatchResult, session: Session) -> None:
    """Record the result in the ledger, and the hands if there is a deal seed; report an error."""
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
        console.print(f"The result was not recorded in the ledger: {error}", style="bold")
    else:
        console.print(f"Recorded in the ledger; `{hint('ledger')}` lists all results.")


def _build_tables(kinds: list[str], spec: GameSpec) -> None:
    """Build the tables of search bots before the first deal."""
    for ref in map(BotRef.parse, dict.fromkeys(kinds)):
        if not ref.untrusted and ref.kind.name == _TRAINED:
            build_bot_tables(ref.make(0), spec)


def _kinds(opponents: str, spec: GameSpec, sandbox: Mode) -> list[str]:
    """Return the bot of each chair."""
    named = split_bots(opponents)
    warn_of_sandbox(named, sandbox)
    for name in named:  # check every bot, even one that gets no chair
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
        # The table has no room for a bot's settings.
        self.table_names = chair_names([BotRef.parse(kind).name for kind in session.names[1:]])
        self.names = tuple(name.partition(" ")[0] for name in self.full_names)
        self.interactive = sys.stdin.isatty()

    def run(self) -> int:
        """Play until the user leaves; return the exit code."""
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")  # a pipe may contain any bytes
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
        left = code != _FAILED and self._leave_hand()  # a failed bot cannot finish the hand
        self._farewell(interrupted=left or code != 0)
        return code

    def _leave_hand(self) -> bool:
        """Fold the unfinished hand when the user leaves; return whether there was one."""
        session = self.session
        if not session.running:
            return False
        with suppress(KeyboardInterrupt):  # the user need not wait for a slow bot
            session.fold_out()
            if self.file is not None:
                self._save(self.file)
            mine = [
                e for e in session.events if isinstance(e, Acted) and not session.chair_of(e.seat)
            ]
            how = "counts as folded" if mine[-1:] and mine[-1].kind == "fold" else "was finished"
            console.print(f"\nThe hand that you left {how}: {signed(session.last[0])}.")
        return True

    def _welcome(self) -> None:
        seated = ", ".join(self.full_names[1:])
        dealt = f"; seed {self.session.seed}" if self.session.deal_seed is None else ""
        console.print(f"You play against {seated}{dealt}. Type ? for help, q to leave.")
        if self.file is not None:
            console.print(f"Hands are saved in {self.file.path}", soft_wrap=True)
            if self.file.note:
                console.print(self.file.note)
        self._pause("Press Enter to deal the first hand: ")

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
            self._pause("Press Enter to deal the next hand, q to leave: ")

    def _save(self, file: HistoryFile) -> None:
        """Append the hand to the file; the game continues if the disk is full."""
        try:
            file.save(self.session.record(datetime.now(UTC), self.full_names))
        except HistoryError as error:
            console.print(f"This hand was not saved: {error}", style="bold", markup=False)

    def _ask_move(self) -> None:
        while True:
            typed = self._ask("Your move: ")
            if typed == "?":
                console.print(_HELP)
                continue
            if typed in ("h", "history"):
                acts = [event for event in self.session.events if isinstance(event, Acted)]
                console.print(*(self._lines(acts) or [Text("No actions yet.")]), sep="\n")
                continue
            try:
                self.session.play(read_move(typed, self.session.hand))
            except IllegalActionError as error:
                help_ = "; type ? for a list" if "is not a move" in str(error) else ""
                console.print(f"{error}{help_}", style="italic", markup=False)
            else:
                return

    def _ask(self, prompt: str) -> str:
        """Read a line; raises EOFError at the end of the input, _Leave if the user types q."""
        typed = console.input(Text(prompt, "bold")).strip()
        if not self.interactive:
            console.print(typed, markup=False)  # makes a transcript readable
        if typed.lower() in ("q", "quit", "exit"):
            raise _Leave
        return typed

    def _pause(self, prompt: str) -> None:
        """Wait for Enter, unless a script types."""
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
        """Draw a title, further parts and the score."""
        session = self.session
        played = how_many(session.played, "hand")
        rate = f"{session.per_hundred:+,.1f} {session.unit[1]}/100, {played}"
        score = Text(f"result {signed(session.totals[0])} ({rate})")
        return in_lines([Text(title, "bold"), *parts, score], "  ")

    def _seats(self) -> Group:
        """Draw the seats clockwise from the user, and the board."""
        session, view = self.session, self.session.view
        # A showdown needs the space for the names of hands.
        names = session.by_seat(self.names if view.finished else self.table_names)
        holes = [view.hole if seat == view.seat else view.shown[seat] for seat in range(len(names))]
        order = [session.seat_of(chair) for chair in range(len(names))]
        return Group(seat_table(view, names, holes, order), "", board_line(view))

    def _lines(self, acts: list[Acted]) -> list[Text]:
        return acts_lines(acts, self.session.by_seat(self.names), self.session.spec.street_names)

    def _decision(self) -> Group:
        """Draw the table before a decision of the user."""
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
        """Draw the end of the hand."""
        session = self.session
        names = session.by_seat(self.names)
        last = session.last[0]
        outcome = "You break even" if not last else f"You {'win' if last > 0 else 'lose'}"
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
            console.print("The unfinished hand does not count.")
        console.print(
            f"Played {how_many(session.played, 'hand')}: {signed(session.totals[0])} chips."
        )
        if self.file is not None and self.file.saved:
            console.print(f"Hands are saved in {self.file.path}", soft_wrap=True)
