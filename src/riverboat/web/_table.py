"""One table of a server: a session, its journal, its clock, and the pages that show it."""

from __future__ import annotations

import asyncio
import time
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import msgspec
from anyio import to_thread

from riverboat.arena import Ledger
from riverboat.errors import ArenaError, GameError, HistoryError, IllegalActionError, RiverboatError
from riverboat.game import catalogue
from riverboat.runs import Observed
from riverboat.table import HistoryFile, Session, read_move
from riverboat.web._in_my_seat import Choice, in_my_seat
from riverboat.web._journal import Begun, Journal, Reached
from riverboat.web._opponents import seat_names
from riverboat.web._table_state import Results, TableState, state_of
from riverboat.web._turns import on_thread

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from riverboat.game import Hand
    from riverboat.histories import HandRecord
    from riverboat.statistics import Estimate

    #: Waits for the solver if a bot needs it; reports the reason to the page meanwhile.
    Turn = Callable[[Callable[[str], None]], AbstractAsyncContextManager[None]]

_MOST_TOLD: Final = 3  # failures shown
_PATIENCE: Final = 60.0  # seconds that a bot has for a decision


class Table(Observed):
    """A table of one user against bots.

    All changes go through one lock; `changed` notifies the pages.

    Parameters
    ----------
    begun
        The setup of the table.
    journal
        The journal of the table.
    folder
        The folder for hand histories.
    turn
        Waits for the solver before bots act; None if no bot searches.
    """

    def __init__(self, begun: Begun, journal: Journal, folder: Path, turn: Turn | None) -> None:
        super().__init__()
        asked = begun.asked
        self.id, self.begun = begun.id, begun
        people = asked.people
        names = seat_names(begun.bots, people)
        self.session = Session(
            catalogue(asked.game, asked.seats),
            [*(None,) * people, *begun.bots],
            begun.seed,
            names=names,
            carry=asked.carry,
            patience=_PATIENCE,
        )
        self.version = 0
        self.used = time.monotonic()
        self.wait = self.problem = ""
        self._journal, self._turn = journal, turn
        self._lock = asyncio.Lock()
        self._before: dict[int, TableState] = {}  # by chair, while bots act
        self._drawn: dict[int, TableState] = {}  # by chair, of one version, for all pages
        self._people = range(people)
        self._joined = {0}
        self._dealing = False
        self._bank = asked.bank
        self._deadline: float | None = None
        self._clock: asyncio.Task[None] | None = None
        self._results: dict[int, tuple[int, Results]] = {}
        spec = self.session.spec
        #: Finished hands that are not in the file yet, and why saving failed.
        self._unsaved: list[HandRecord] = []
        self._not_saved = ""
        self.histories = HistoryFile(folder / f"{begun.session}{HistoryFile.suffix_of(spec)}", spec)

    # ---- Requests of a page

    def join(self, chair: int) -> None:
        """Note that the person of a chair has come."""
        if chair not in self._joined:
            self._joined.add(chair)
            self.changed()

    async def deal(self, version: int) -> None:
        """Deal the next hand."""
        async with self._lock:
            self._check(version)
            if len(self._joined) < len(self._people):
                raise GameError("the second person has not come yet: send them the link")
            if self.session.running:
                raise GameError("the current hand is not over")
            self._dealing = True  # while the last hand is still the latest one
            try:
                await self._change(self.session.deal)
            finally:
                self._dealing = False

    async def move(self, version: int, text: str, chair: int = 0) -> None:
        """Make a person's move: `f`, `k`, `c`, `b30`, or words such as `half`."""
        async with self._lock:
            self._check(version)
            if self.session.waiting != chair:
                raise GameError("it is not your turn")
            action = read_move(text, self.session.hand)
            await self._change(lambda: self.session.play(action))

    async def leave(self) -> None:
        """Fold the running hand, and save the session in the ledger."""
        async with self._lock:
            if self.session.running:
                await self._change(self.session.fold_out, left=True)
            await to_thread.run_sync(self._save)
            await to_thread.run_sync(self._enter)
            self._end_clock()
            self._journal.forget()
            self.session.close()
            self.gone = "this table was closed"
            self.changed()

    def suspend(self) -> None:
        """Save the table for the next server."""
        self._end_clock()
        self._save()
        self.session.close()

    async def in_my_seat(self, hand: int = 0, chair: int = 0) -> list[Choice]:
        """Grade the user's decisions after a hand; empty if another hand was dealt meanwhile."""
        if hand and (hand != self.session.dealt or self._dealing):
            return []
        if self.session.running or self._before:
            raise GameError("the hand is not over: the bot's choices are shown after the hand")
        played = self.session.hand, self.session.seat_of(chair)
        turn = nullcontext() if self._turn is None else self._turn(lambda _: None)
        async with turn:
            bot = next(iter(self.begun.bots), "blueprint")
            return await to_thread.run_sync(in_my_seat, bot, *played)

    def state(self, chair: int = 0) -> TableState:
        """Return what the person of a chair may know now."""
        if chair in self._before:  # bots are acting on another thread
            before = self._before[chair]
            return msgspec.structs.replace(before, version=self.version, wait=self.wait)
        drawn = self._drawn.get(chair)
        if drawn is None or drawn.version != self.version:
            drawn = self._drawn[chair] = msgspec.structs.replace(
                state_of(self.session, self._id_of(chair), self.version, chair),
                session=self.begun.session,
                results=self._result(chair),
                wait=self.wait,
                invite="" if len(self._joined) == len(self._people) else self.begun.key,
                problem=self.problem,
            )
        if self._deadline is None:
            return drawn
        left = max(0.0, self._deadline - time.monotonic())
        return msgspec.structs.replace(drawn, seconds_left=left)

    def _id_of(self, chair: int) -> str:
        return self.begun.key if chair else self.id

    # ---- Changes

    def _check(self, version: int) -> None:
        """Refuse a move for an older state, so that a repeated request has no effect."""
        self.used = time.monotonic()
        if self.gone:
            raise GameError(f"{self.gone}: set up a new one")
        if version != self.version:
            raise GameError("the table has changed meanwhile: reload its state")

    async def _change(self, change: Callable[[], None], *, left: bool = False) -> None:
        """Apply a change, let the bots act, write the journal, and notify the pages."""
        self._stop_clock()
        self.problem = ""
        self._before = {chair: _while_thinking(self.state(chair)) for chair in self._people}
        played = self.session.played
        try:
            if self._turn is None:
                await on_thread(change)
            else:
                async with self._turn(self._waits):
                    await on_thread(change)
        except IllegalActionError:
            raise
        except RiverboatError as error:  # for example, the solver failed to start
            self.problem = str(error)
        finally:
            self._report_failures()
            self._write_journal(left)
            if self.session.played > played:
                self._unsaved.append(self.session.record(datetime.now(UTC)))
            self._before, self.wait = {}, ""
            self.changed()
            self._start_clock()

    def _report_failures(self) -> None:
        """Report bots that failed; they have checked or folded, and the hand continues."""
        found = [self.problem, *self.session.failures[-_MOST_TOLD:], self._not_saved]
        self.problem = "; ".join(filter(None, found))

    def _waits(self, words: str) -> None:
        self.wait = words
        self.changed()

    def changed(self) -> None:
        """Notify all pages of a new version; moves for older versions are refused."""
        self.version += 1
        super().changed()

    def _write_journal(self, left: bool) -> None:
        """Write the actions so far; if that fails, play continues and the page shows a message."""
        if not self.session.dealt:
            return
        reached = Reached(self.session.dealt, _actions(self.session.hand), left)
        try:
            self._journal.write(reached)
        except OSError as error:
            message = f"this table cannot be saved: {error.strerror or error}"
            self.problem = "; ".join(filter(None, (self.problem, message)))

    async def save(self) -> None:
        """Append finished hands to the user's file."""
        if self._unsaved:
            async with self._lock:
                await to_thread.run_sync(self._save)

    def _save(self) -> None:
        """Append finished hands; after a kill they are restored from the journal."""
        records, self._unsaved = self._unsaved, []
        try:
            if records:
                self.histories.save(*records)
        except HistoryError as error:
            self._not_saved = f"hands are not saved: {error}"

    # ---- The clock

    def _start_clock(self) -> None:
        seconds = self.begun.asked.seconds
        if not seconds or self.session.waiting is None:
            return
        self._deadline = time.monotonic() + seconds + self._bank
        self._clock = asyncio.create_task(self._time_out(self.version, self._deadline))

    def _stop_clock(self) -> None:
        """Subtract the time beyond the time per decision from the time bank."""
        if self._deadline is not None:
            left = self._deadline - time.monotonic()
            self._bank = min(self._bank, max(0.0, left))
        self._end_clock()

    def _end_clock(self) -> None:
        self._deadline = None
        if self._clock is not None and self._clock is not asyncio.current_task():
            self._clock.cancel()
        self._clock = None

    async def _time_out(self, version: int, deadline: float) -> None:
        """Check or fold for a user whose time has run out."""
        await asyncio.sleep(deadline - time.monotonic())
        if version != self.version or self.session.waiting is None:
            return
        legal = self.session.view.legal
        move = "k" if legal.check else "s" if legal.stand else "f"
        await self.move(version, move, self.session.waiting)

    # ---- Restoring, and results

    def restore(self, hands: dict[int, Reached]) -> None:
        """Replay the hands of the journal, without asking the bots."""
        for number in sorted(hands):
            reached = hands[number]
            self.session.deal(reached.actions)
            if reached.left:
                self.session.fold_out()
            self._joined = set(self._people)
            if self.session.played > self.histories.found + len(self._unsaved):
                self._unsaved.append(self.session.record(datetime.now(UTC)))
        self._save()
        self._start_clock()

    def _result(self, chair: int) -> Results | None:
        """Return the results of a chair so far; computed once per hand."""
        played = self.session.played
        known = self._results.get(chair)
        if played and (known is None or known[0] != played):
            won, adjusted = self.session.per_hand(chair)
            unit = self.session.unit
            results = Results(
                played,
                self.session.totals[chair],
                _per_hundred(won, unit[0]),
                None if adjusted is None else _per_hundred(adjusted, unit[0]),
                unit[1],
            )
            known = self._results[chair] = played, results
        return None if known is None else known[1]

    def _enter(self) -> None:
        """Save the session in the ledger."""
        if not self.session.played:
            return
        seconds = time.time() - self.begun.began
        result = self.session.result(seconds)
        settings = self.session.settings()
        try:
            Ledger().add_result("play", settings, result.summary(), seconds, key=self.id)
        except ArenaError as error:
            self.problem = f"the session is not in the ledger: {error}"


def _while_thinking(state: TableState) -> TableState:
    """Return the last state without moves, for a page while the bots act."""
    return msgspec.structs.replace(
        state, phase="thinking", legal=None, presets=[], odds=None, seconds_left=None, problem=""
    )


def _per_hundred(estimate: Estimate, unit: int) -> tuple[float, float | None]:
    """Convert chips per hand to big blinds per 100 hands: mean, and margin or None."""
    scaled = estimate.scaled(100 / unit)
    return scaled.mean, scaled.margin if scaled.known else None


def _actions(hand: Hand) -> list[str]:
    return [str(event.action) for event in hand.events]
