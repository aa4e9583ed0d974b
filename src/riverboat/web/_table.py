"""One table of a server: a session, its journal, its clock, and the pages that look at it."""

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
from riverboat.learn import decisions_of
from riverboat.runs import Observed
from riverboat.table import HistoryFile, Session, chair_names, read_move
from riverboat.web._in_my_seat import Choice, in_my_seat
from riverboat.web._journal import Begun, Journal, Reached
from riverboat.web._table_state import Results, TableState, state_of
from riverboat.web._turns import on_thread

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from riverboat.game import Hand
    from riverboat.histories import HandRecord
    from riverboat.statistics import Estimate

    #: Waits for the solver where a bot needs it; gives words for the page while it waits.
    Turn = Callable[[Callable[[str], None]], AbstractAsyncContextManager[None]]

_MOST_TOLD: Final = 3  # sentences of failures
_PATIENCE: Final = 60.0  # seconds of a bot for a decision


class Table(Observed):
    """A person against bots. All changes go through one lock; pages are told by `changed`.

    Parameters
    ----------
    begun
        What is played.
    journal
        Where it is kept.
    folder
        Where hands are saved.
    turn
        Entered while bots that search may act; None where none does.
    """

    def __init__(self, begun: Begun, journal: Journal, folder: Path, turn: Turn | None) -> None:
        super().__init__()
        asked = begun.asked
        self.id, self.begun = begun.id, begun
        names = chair_names(begun.bots)
        self.session = Session(
            catalogue(asked.game, asked.seats),
            [None, *begun.bots],
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
        self._before: TableState | None = None  # while bots act
        self._drawn: TableState | None = None  # of one version, for all pages
        self._bank = asked.bank
        self._deadline: float | None = None
        self._clock: asyncio.Task[None] | None = None
        self._results: tuple[int, Results | None] = (0, None)
        spec = self.session.spec
        #: Hands that are over and not in the file yet, and why they cannot be.
        self._unsaved: list[HandRecord] = []
        self._not_saved = ""
        self.histories = HistoryFile(folder / f"{self.id}{HistoryFile.suffix_of(spec)}", spec)

    # ---- What a page asks for

    async def deal(self, version: int) -> None:
        """Deal the next hand."""
        async with self._lock:
            self._check(version)
            if self.session.running:
                raise GameError("the hand on the table is not over")
            await self._change(self.session.deal)

    async def move(self, version: int, text: str) -> None:
        """Make the person's move: `f`, `k`, `c`, `b30`, or words such as `half`."""
        async with self._lock:
            self._check(version)
            if self.session.waiting is None:
                raise GameError("it is not your turn")
            action = read_move(text, self.session.hand)
            await self._change(lambda: self.session.play(action))

    async def leave(self) -> None:
        """Fold what is left of the hand, and enter the session into the ledger."""
        async with self._lock:
            if self.session.running:
                await self._change(self.session.fold_out, left=True)
            await to_thread.run_sync(self._save)
            await to_thread.run_sync(self._enter)
            self._end_clock()
            self._journal.forget()
            self.session.close()
            self.gone = "this table was left"
            self.changed()

    def suspend(self) -> None:
        """Keep the table for a server that is started later."""
        self._end_clock()
        self._save()
        self.session.close()

    async def in_my_seat(self) -> list[Choice]:
        """Say what the bot on the next chair would have done; only when the hand is over."""
        if self.session.running or self._before is not None:
            raise GameError("the hand is not over: nobody helps you now")
        seen = decisions_of(self.session.hand, self.session.seat_of(0))
        turn = nullcontext() if self._turn is None else self._turn(lambda _: None)
        async with turn:
            return await to_thread.run_sync(in_my_seat, self.begun.bots[0], seen)

    def state(self) -> TableState:
        """Return what the person may know now."""
        if self._before is not None:  # a thread is at work on the session
            return msgspec.structs.replace(self._before, version=self.version, wait=self.wait)
        if self._drawn is None or self._drawn.version != self.version:
            self._drawn = msgspec.structs.replace(
                state_of(self.session, self.id, self.version),
                results=self._result(),
                wait=self.wait,
                problem=self.problem,
            )
        if self._deadline is None:
            return self._drawn
        left = max(0.0, self._deadline - time.monotonic())
        return msgspec.structs.replace(self._drawn, seconds_left=left)

    # ---- Changes

    def _check(self, version: int) -> None:
        """Refuse an answer to an older state: a page that sends twice must not act twice."""
        self.used = time.monotonic()
        if self.gone:
            raise GameError(f"{self.gone}: set up another")
        if version != self.version:
            raise GameError("the table has changed since: look again")

    async def _change(self, change: Callable[[], None], *, left: bool = False) -> None:
        """Do what a person asked for, let the bots act, keep it, and tell the pages."""
        self._stop_clock()
        self.problem = ""
        self._before = _while_thinking(self.state())
        played = self.session.played
        try:
            if self._turn is None:
                await on_thread(change)
            else:
                async with self._turn(self._waits):
                    await on_thread(change)
        except IllegalActionError:
            raise
        except RiverboatError as error:  # such as a solver that cannot be had
            self.problem = str(error)
        finally:
            self._tell_failures()
            self._keep(left)
            if self.session.played > played:
                self._unsaved.append(self.session.record(datetime.now(UTC)))
            self._before, self.wait = None, ""
            self.changed()
            self._start_clock()

    def _tell_failures(self) -> None:
        """Say which bots failed: they have checked or folded, and the hand has gone on."""
        found = [self.problem, *self.session.failures[-_MOST_TOLD:], self._not_saved]
        self.problem = "; ".join(filter(None, found))

    def _waits(self, words: str) -> None:
        self.wait = words
        self.changed()

    def changed(self) -> None:
        """Tell all pages of a change; who answers an older state is refused."""
        self.version += 1
        super().changed()

    def _keep(self, left: bool) -> None:
        """Write down how far the hand is; where that fails, play goes on, and the page says so."""
        if not self.session.dealt:
            return
        reached = Reached(self.session.dealt, _actions(self.session.hand), left)
        try:
            self._journal.write(reached)
        except OSError as error:
            told = f"this table would not outlive the server: {error.strerror or error}"
            self.problem = "; ".join(filter(None, (self.problem, told)))

    async def save(self) -> None:
        """Append the hands that are over to the person's file."""
        if self._unsaved:
            async with self._lock:
                await to_thread.run_sync(self._save)

    def _save(self) -> None:
        """Append hands; after a kill the journal has those that were not saved."""
        records, self._unsaved = self._unsaved, []
        try:
            if records:
                self.histories.save(*records)
        except HistoryError as error:
            self._not_saved = f"Hands are not saved: {error}"

    # ---- The clock

    def _start_clock(self) -> None:
        seconds = self.begun.asked.seconds
        if not seconds or self.session.waiting is None:
            return
        self._deadline = time.monotonic() + seconds + self._bank
        self._clock = asyncio.create_task(self._time_out(self.version, self._deadline))

    def _stop_clock(self) -> None:
        """Take what was used beyond the decision's own time from the bank."""
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
        """Check or fold for a person whose time is over."""
        await asyncio.sleep(deadline - time.monotonic())
        if version != self.version or self.session.waiting is None:
            return
        legal = self.session.view.legal
        move = "k" if legal.check else "s" if legal.stand else "f"
        await self.move(version, move)

    # ---- Going on, and the end

    def restore(self, hands: dict[int, Reached]) -> None:
        """Play again what was played before the server ended; bots are not asked."""
        for number in sorted(hands):
            reached = hands[number]
            self.session.deal(reached.actions)
            if reached.left:
                self.session.fold_out()
            if self.session.played > self.histories.found + len(self._unsaved):
                self._unsaved.append(self.session.record(datetime.now(UTC)))
        self._save()
        self._start_clock()

    def _result(self) -> Results | None:
        """The result so far; worked out once a hand."""
        if self._results[0] != self.session.played:
            won, adjusted = self.session.per_hand(0)
            unit = self.session.unit
            results = Results(
                self.session.played,
                self.session.totals[0],
                _per_hundred(won, unit[0]),
                None if adjusted is None else _per_hundred(adjusted, unit[0]),
                unit[1],
            )
            self._results = self.session.played, results
        return self._results[1]

    def _enter(self) -> None:
        """Enter the session into the ledger."""
        if not self.session.played:
            return
        seconds = time.time() - self.begun.began
        result = self.session.result(seconds)
        settings = self.session.settings()
        try:
            Ledger().add_result("play", settings, result.summary(), seconds, key=self.id)
        except ArenaError as error:
            self.problem = f"It is not entered: {error}"


def _while_thinking(state: TableState) -> TableState:
    """What a page may know while the bots act: what it knew before, and no move of its own."""
    return msgspec.structs.replace(
        state, phase="thinking", legal=None, presets=[], odds=None, seconds_left=None, problem=""
    )


def _per_hundred(estimate: Estimate, unit: int) -> tuple[float, float | None]:
    """Chips a hand as big blinds a hundred hands: mean and margin, None where not known."""
    scaled = estimate.scaled(100 / unit)
    return scaled.mean, scaled.margin if scaled.known else None


def _actions(hand: Hand) -> list[str]:
    return [str(event.action) for event in hand.events]
