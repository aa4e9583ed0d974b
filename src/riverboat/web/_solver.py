"""One solver for all: solves wait in a queue, and a bot that searches at a table goes first.

A solve runs in a process of its own and leaves the files that `riverboat solve` leaves. While a bot
searches, it stands still between two slices.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import msgspec
from anyio import to_thread

from riverboat.bots import BotRef
from riverboat.errors import RiverboatError, in_words
from riverboat.runs import Stop
from riverboat.spots import Spot, solve_file
from riverboat.web._study import Node, NodeAsked, node_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager
    from multiprocessing.connection import Connection
    from multiprocessing.synchronize import Event
    from pathlib import Path

    from riverboat.spots import SolveSettings, Solving

__all__ = ["Run", "SolveEndedError", "Solver", "searches"]

_SPAWN: Final = multiprocessing.get_context("spawn")
_LOOK: Final = 0.02  # seconds that a solve which stands still listens
_MOST_LOOKS: Final = 16
_PATIENCE: Final = 10.0  # seconds that a process may take to end


class SolveEndedError(RiverboatError):
    """What was asked of a running solve came too late: its solution is there."""


@dataclass(eq=False, slots=True)
class Run:
    """A solve that is to be done.

    Attributes
    ----------
    spot, path, settings
        What is solved, into which file, and how.
    resume
        Whether it continues from its checkpoint.
    report
        Called with each report, as plain values.
    """

    spot: Spot
    path: Path
    settings: SolveSettings
    report: Callable[[dict[str, Any]], None]
    resume: bool = False
    stopped: bool = False
    over: bool = False
    pipe: Connection | None = None
    answers: dict[int, asyncio.Future[Node]] = field(default_factory=dict)
    called: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it is its turn, or when it is stopped."""

    def stop(self) -> None:
        """Ask it to end, and to keep what there is."""
        self.stopped = True
        self.called.set()
        if self.pipe is not None:
            with suppress(OSError):  # it has just ended
                self.pipe.send(("stop", 0, b""))


class Solver:
    """Runs solves one after the other, and lets searches in between."""

    def __init__(self) -> None:
        self._queue: list[Run] = []
        self._search = asyncio.Lock()
        self._searching = 0
        self._paused: Event = _SPAWN.Event()

    def before(self, run: Run) -> int:
        """Return how many runs are before a run."""
        return self._queue.index(run) if run in self._queue else 0

    @asynccontextmanager
    async def search(self, waits: Callable[[str], None]) -> AsyncIterator[None]:
        """Have the solver for a search at a table."""
        if self._searching:
            waits(f"waiting for the solver, {self._searching} before you")
        self._searching += 1
        self._paused.set()
        try:
            async with self._search:
                waits("")
                yield
        finally:
            self._searching -= 1
            if not self._searching:
                self._paused.clear()

    def turn(self, bot: str) -> AbstractAsyncContextManager[None]:
        """Have the solver if a bot searches; other bots wait for nobody."""
        return self.search(lambda _: None) if searches(bot) else nullcontext()

    async def solve(self, run: Run) -> None:
        """Solve when it is a run's turn; ends when its files are written.

        Raises
        ------
        RiverboatError
            With the sentence of what went wrong.
        """
        self._queue.append(run)
        try:
            if self._queue[0] is not run:
                await run.called.wait()
            if not run.stopped:
                await self._in_process(run)
        finally:
            self._queue.remove(run)
            if self._queue:
                self._queue[0].called.set()

    async def node(self, run: Run, asked: NodeAsked) -> Node:
        """Look at a solve that is running."""
        if run.over:
            raise SolveEndedError("the solve has ended")
        if run.pipe is None:
            raise RiverboatError("this solve is not running yet: there is nothing to look at")
        if len(run.answers) >= _MOST_LOOKS:  # a full pipe would hold up all pages
            raise RiverboatError(f"{_MOST_LOOKS} looks at this solve wait for it: try again")
        future: asyncio.Future[Node] = asyncio.get_running_loop().create_future()
        run.answers[id(future)] = future
        try:
            run.pipe.send(("node", id(future), msgspec.json.encode(asked)))
        except OSError as error:
            raise SolveEndedError("the solve has ended") from error
        return await future

    async def _in_process(self, run: Run) -> None:
        ours, theirs = _SPAWN.Pipe()
        given = (msgspec.json.encode(run.spot), str(run.path), run.settings, run.resume)
        process = _SPAWN.Process(target=_child, args=(theirs, self._paused, *given), daemon=True)
        process.start()
        theirs.close()
        run.pipe = ours
        ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        reader = threading.Thread(target=_read, args=(run, ours, ended), daemon=True)
        reader.start()
        try:
            problem = await ended
        finally:
            run.pipe, run.over = None, True
            for future in run.answers.values():
                if not future.done():
                    future.set_exception(SolveEndedError("the solve has ended"))
            run.answers.clear()
            await to_thread.run_sync(_end, process)
            ours.close()
        if problem:
            raise RiverboatError(problem)


def searches(bot: str) -> bool:
    """Return whether a bot needs the solver."""
    return BotRef.parse(bot).kind.name == "search"


def _end(process: Any) -> None:
    process.join(_PATIENCE)
    process.kill()
    process.join()


def _read(run: Run, ours: Connection, ended: asyncio.Future[str]) -> None:
    """Hand on what the process tells, in a thread of its own."""
    loop = ended.get_loop()
    problem = "the process of the solve ended by itself: perhaps there was too little memory"
    try:
        while True:
            kind, number, value = ours.recv()
            if kind == "ended":
                problem = value
                break
            loop.call_soon_threadsafe(_hand_on, run, kind, number, value)
    except (EOFError, OSError):
        pass
    loop.call_soon_threadsafe(_set, ended, problem)


def _set(ended: asyncio.Future[str], problem: str) -> None:
    if not ended.done():
        ended.set_result(problem)


def _hand_on(run: Run, kind: str, number: int, value: Any) -> None:
    if kind == "report":
        run.report(value)
        return
    future = run.answers.pop(number, None)
    if future is None or future.done():
        return
    if kind == "node":
        future.set_result(msgspec.json.decode(value, type=Node))
    else:
        future.set_exception(RiverboatError(value))


# ---- In the process


def _child(  # noqa: PLR0913, PLR0917 - what a process is given
    pipe: Connection,
    paused: Event,
    spot: bytes,
    path: str,
    settings: SolveSettings,
    resume: bool,
) -> None:
    """Solve, and talk with the server in between."""
    with Stop() as stop:

        def between(solving: Solving) -> None:
            while True:
                while not stop.asked and pipe.poll():  # a lost server is heard of for ever
                    _heed(pipe, solving, stop)
                if stop.asked or not paused.is_set():
                    return
                pipe.poll(_LOOK)

        try:
            found = msgspec.json.decode(spot, type=Spot)
            reports = solve_file(
                found, path, settings,
                resume=resume, force=not resume, plot=False, stop=stop, between=between,
            )  # fmt: skip
            for report in reports:
                _tell(pipe, ("report", 0, report.as_dict()))
        except RiverboatError as error:
            _tell(pipe, ("ended", 0, str(error)))
        except Exception as error:
            _tell(pipe, ("ended", 0, in_words(error)))
        else:
            _tell(pipe, ("ended", 0, ""))


def _tell(pipe: Connection, what: tuple[str, int, Any]) -> None:
    """Tell the server; where it was killed, what there is still gets written."""
    with suppress(OSError):
        pipe.send(what)


def _heed(pipe: Connection, solving: Solving, stop: Stop) -> None:
    """Do what the server asks for; without a server there is nobody to solve for."""
    try:
        kind, number, value = pipe.recv()
    except (EOFError, OSError):
        stop.ask()
        return
    if kind == "stop":
        stop.ask()
        return
    try:
        asked = msgspec.json.decode(value, type=NodeAsked)
        node = node_of("", solving.solution, asked)
        _tell(pipe, ("node", number, msgspec.json.encode(node)))
    except RiverboatError as error:
        _tell(pipe, ("refused", number, str(error)))
