"""Solves of spots, each in its own process.

The process writes the same files as `riverboat solve`, and answers requests between iterations.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from anyio import to_thread

from riverboat.errors import RiverboatError, in_words
from riverboat.files import ArrayFile, locked
from riverboat.runs import Job, JobPipe, JobProcess, Jobs, JobState, Stop
from riverboat.spots import Solution, SolveSettings, Spot, card_report, forecast, solve_file
from riverboat.web._study import Node, NodeAsked, node_of

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event
    from pathlib import Path

    from riverboat.spots import Solving
    from riverboat.web._house import House
    from riverboat.web._turns import Searches

    SolveJob = Job["NewSolve", dict[str, Any]]

_MOST: Final = 200
_LOOK_SECONDS: Final = 0.1
_LOOK: Final = 0.02  # seconds between messages while a solve is paused
_MOST_LOOKS: Final = 16
_STOP: Final = "stop"


class NewSolve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A spot to solve, with its accuracy and limits."""

    spot: Spot
    name: Annotated[str, msgspec.Meta(max_length=60)] = ""
    target: Annotated[float, msgspec.Meta(ge=0, lt=1, description="fraction of the pot")] = 0.003
    seconds: Annotated[float, msgspec.Meta(gt=0, le=86400)] = 3600.0
    bits: Literal[32, 16] = 32
    locks: list[Annotated[str, msgspec.Meta(max_length=100_000)]] = []

    @property
    def settings(self) -> SolveSettings:
        """The settings of the solver; a GPU is used where it is faster."""
        return SolveSettings(
            target=self.target,
            seconds=self.seconds,
            bits=self.bits,
            locks=tuple(self.locks),
            device="auto",
        )


class Progress(msgspec.Struct, frozen=True):
    """The exploitability after some iterations."""

    iteration: int
    seconds: float
    share: float
    """Exploitability, fraction of the pot."""


class Forecasted(msgspec.Struct, frozen=True):
    """The estimate of a solve."""

    bytes: int
    available: int
    seconds: float
    decisions: int
    fits: bool


class SolveState(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a solve."""

    id: str
    name: str
    state: JobState
    before: int
    """Number of solves ahead in the queue."""
    asked: NewSolve
    progress: list[Progress]
    values: tuple[float, float] | None
    problem: str


class CardRow(msgspec.Struct, frozen=True):
    """A decision on one of the possible cards."""

    card: str
    frequencies: dict[str, float]
    values: tuple[float, float]
    equities: tuple[float, float]


def forecasted(asked: NewSolve) -> Forecasted:
    """Estimate the memory and time of a solve."""
    found = forecast(asked.spot, asked.settings)
    size = found.engine.bytes
    fits = size <= found.available_bytes
    return Forecasted(size, found.available_bytes, found.seconds, found.engine.num_nodes, fits)


class SolveEndedError(RiverboatError):
    """A request for a running solve came too late: the solve has finished."""


@dataclass(eq=False, slots=True)
class Looks:
    """Requests for decisions of a running solve."""

    pipe: JobPipe
    waiting: dict[int, Future[Node]] = field(default_factory=dict)
    _numbers: count[int] = field(default_factory=count)

    def ask(self, asked: NodeAsked) -> Future[Node]:
        """Request a decision."""
        if len(self.waiting) >= _MOST_LOOKS:  # a full pipe would block all pages
            raise RiverboatError(f"{_MOST_LOOKS} requests for this solve are waiting: try again")
        future: Future[Node] = Future()
        number = next(self._numbers)
        self.waiting[number] = future
        if not self.pipe.send({"number": number, "asked": asked}):
            self.waiting.pop(number, None)
            raise SolveEndedError("the solve has ended")
        return future

    def answer(self, message: dict[str, Any]) -> None:
        """Pass an answer to the waiting request."""
        future = self.waiting.pop(message["number"], None)
        if future is None or not future.set_running_or_notify_cancel():
            return
        if "refused" in message:
            future.set_exception(RiverboatError(message["refused"]))
        else:
            future.set_result(msgspec.convert(message["node"], Node))

    def end(self) -> None:
        """Refuse all waiting requests."""
        for future in list(self.waiting.values()):
            if future.set_running_or_notify_cancel():
                future.set_exception(SolveEndedError("the solve has ended"))
        self.waiting.clear()

    def stop(self) -> None:
        """Ask the solve to stop and to save a checkpoint."""
        self.pipe.send(_STOP)


class Solves(Jobs[NewSolve, dict[str, Any]]):
    """Solves one spot after the other.

    Parameters
    ----------
    house
        The data folder.
    searches
        The searches of bots, which have priority over a solve.
    """

    def __init__(self, house: House, searches: Searches) -> None:
        folder, kinds = house.room("solves"), (NewSolve, dict[str, Any])
        super().__init__(
            "solve", folder, kinds, self._solve, most=_MOST, intact=_is_solved, shown=self.state
        )
        self._house, self._searches = house, searches
        self._running: dict[str, Looks] = {}

    def begin(self, asked: NewSolve) -> SolveJob:
        """Start or queue a solve; a spot that is too large for the memory is refused."""
        forecast(asked.spot, asked.settings).check()
        return self.new(asked)

    def state(self, job: SolveJob) -> SolveState:
        """Return the state of a solve."""
        record, asked = job.record, job.asked
        return SolveState(
            id=record.id,
            name=asked.name or asked.spot.board,
            state=record.state,
            before=self.before(job),
            asked=asked,
            progress=[Progress(int(at), *rest) for at, *rest in record.points],
            values=(record.report or {}).get("values"),
            problem=record.problem,
        )

    async def node(self, job: SolveJob, asked: NodeAsked) -> Node:
        """Return a decision, also of a running solve."""
        if job.record.active:
            looks = self._running.get(job.id)
            if looks is not None:
                with suppress(SolveEndedError):
                    return await asyncio.wrap_future(looks.ask(asked))
                await to_thread.run_sync(job.wait)
            elif not job.path(".solution").exists():
                raise RiverboatError("this solve has not started yet: there is nothing to show")
        return await to_thread.run_sync(lambda: node_of(job.id, _solution(job), asked))

    def cards(self, job: SolveJob, line: str, board: str) -> list[CardRow]:
        """Return a decision on every possible card of its street."""
        if job.record.active:
            raise RiverboatError("the solve is still running: wait for its end, or stop it")
        rows = card_report(_solution(job), line, board).rows
        return [CardRow(r.name, r.frequencies, r.values, r.equities) for r in rows]

    def _is_whole(self, path: Path) -> bool:
        """Return whether a file of arrays exists and is intact; a damaged one is set aside."""
        if not path.exists():
            return False
        try:
            deque(ArrayFile(path).verify(), maxlen=0)
        except (RiverboatError, OSError) as error:
            self._house.set_aside(path, in_words(error))
            return False
        return True

    def _solve(self, job: SolveJob) -> bool | None:
        """Solve in a process; return True at the target, None if it stopped earlier."""
        path, asked = job.path(".solution"), job.asked
        if not _is_free(job):
            return None
        self._is_whole(path)
        resume = self._is_whole(job.path(".checkpoint"))
        if not resume:
            job.set(points=[], report=None)
        spot = msgspec.json.encode(asked.spot)
        given = self._searches.paused, spot, str(path), asked.settings, resume
        over, process = None, JobProcess(solve_here, *given)
        looks = self._running[job.id] = Looks(process.pipe)
        try:
            with process:
                for message in process.messages(job.stopping, looks.stop):
                    if "report" in message:
                        over = _record(job, message["report"]) or over
                    else:
                        looks.answer(message)
        finally:
            del self._running[job.id]
            looks.end()
        return over


def _is_free(job: SolveJob) -> bool:
    """Wait for the process of a server that was killed: it is still saving a checkpoint."""
    while not job.stopping.is_set():
        with locked(job.path(".solution")) as free:
            if free:
                return True
        time.sleep(_LOOK_SECONDS)
    return False


def _record(job: SolveJob, report: dict[str, Any]) -> bool:
    """Record a report; return whether the target is reached."""
    if report.get("values") is None and job.record.report:
        report = {**report, "values": job.record.report.get("values")}
    job.tell(report, point_of(report))
    return bool(report["event"] == "finished")


def point_of(report: dict[str, Any]) -> tuple[float, ...]:
    """Return a report as a point of `Progress`."""
    return report["iteration"], round(report["seconds"], 3), report["share"]


@lru_cache(maxsize=16)
def _opened(path: Path, changed: int) -> Solution:
    del changed  # part of the cache key only
    return Solution.open(path)


def _solution(job: SolveJob) -> Solution:
    """Open the solution of a solve."""
    path = job.path(".solution")
    try:
        return _opened(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise RiverboatError(f"the solve {job.id} has no solution") from error


def _is_solved(job: SolveJob) -> bool:
    try:
        _solution(job)
    except RiverboatError:
        return False
    return True


# ---- In the process of a solve


def solve_here(  # noqa: PLR0913, PLR0917 - the arguments of a process
    pipe: JobPipe, paused: Event, spot: bytes, path: str, settings: SolveSettings, resume: bool
) -> None:
    """Solve a spot, and handle messages of the server between iterations."""
    with Stop() as stop:
        early: list[Any] = []  # requests before exploitability was first computed

        def between(solving: Solving) -> None:
            try:
                while early and solving.report is not None:
                    _handle(pipe, solving, early.pop(0), stop)
                message = pipe.receive()
                while message is not None or paused.is_set():
                    if message is not None and message != _STOP and solving.report is None:
                        early.append(message)
                    elif message is not None:
                        _handle(pipe, solving, message, stop)
                    if stop.asked:
                        return
                    message = pipe.receive(_LOOK if paused.is_set() else 0)
            except EOFError:
                stop.ask()  # the server is gone

        found = msgspec.json.decode(spot, type=Spot)
        reports = solve_file(
            found, path, settings,
            resume=resume, force=not resume, plot=False, stop=stop, between=between,
        )  # fmt: skip
        for report in reports:
            pipe.send({"report": report.as_dict()})


def _handle(pipe: JobPipe, solving: Solving, message: Any, stop: Stop) -> None:
    """Handle a message of the server."""
    if message == _STOP:
        stop.ask()
        return
    number = message["number"]
    try:
        asked = msgspec.convert(message["asked"], NodeAsked)
        pipe.send({"number": number, "node": node_of("", solving.solution, asked)})
    except RiverboatError as error:
        pipe.send({"number": number, "refused": str(error)})
