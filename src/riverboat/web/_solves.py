"""Solves that pages and programs ask for, each in a process of its own.

The process leaves the files that `riverboat solve` leaves, and answers pages in between.
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
_LOOK: Final = 0.02  # seconds that a solve which stands still listens
_MOST_LOOKS: Final = 16
_STOP: Final = "stop"


class NewSolve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be solved, and how well."""

    spot: Spot
    name: Annotated[str, msgspec.Meta(max_length=60)] = ""
    target: Annotated[float, msgspec.Meta(gt=0, le=1, description="part of the pot")] = 0.003
    seconds: Annotated[float, msgspec.Meta(gt=0, le=86400)] = 3600.0
    bits: Literal[32, 16] = 32
    locks: list[Annotated[str, msgspec.Meta(max_length=100_000)]] = []

    @property
    def settings(self) -> SolveSettings:
        """How it is solved: on a GPU where that is faster."""
        return SolveSettings(
            target=self.target,
            seconds=self.seconds,
            bits=self.bits,
            locks=tuple(self.locks),
            device="auto",
        )


class Progress(msgspec.Struct, frozen=True):
    """A check of the average strategies."""

    iteration: int
    seconds: float
    share: float
    """How exploitable they are: part of the pot."""


class Forecasted(msgspec.Struct, frozen=True):
    """What a solve will take."""

    bytes: int
    available: int
    seconds: float
    decisions: int
    fits: bool


class SolveState(msgspec.Struct, frozen=True, kw_only=True):
    """How a solve stands."""

    id: str
    name: str
    state: JobState
    before: int
    """Solves that are done first."""
    asked: NewSolve
    progress: list[Progress]
    values: tuple[float, float] | None
    problem: str


class CardRow(msgspec.Struct, frozen=True):
    """A decision on one of the cards that can come."""

    card: str
    frequencies: dict[str, float]
    values: tuple[float, float]
    equities: tuple[float, float]


def forecasted(asked: NewSolve) -> Forecasted:
    """Say what a solve will take."""
    found = forecast(asked.spot, asked.settings)
    size = found.engine.bytes
    fits = size <= found.available_bytes
    return Forecasted(size, found.available_bytes, found.seconds, found.engine.num_nodes, fits)


class SolveEndedError(RiverboatError):
    """What was asked of a running solve came too late: its solution is there."""


@dataclass(eq=False, slots=True)
class Looks:
    """Questions that pages ask a running solve."""

    pipe: JobPipe
    waiting: dict[int, Future[Node]] = field(default_factory=dict)
    _numbers: count[int] = field(default_factory=count)

    def ask(self, asked: NodeAsked) -> Future[Node]:
        """Ask for a decision."""
        if len(self.waiting) >= _MOST_LOOKS:  # a full pipe would hold up all pages
            raise RiverboatError(f"{_MOST_LOOKS} looks at this solve wait for it: try again")
        future: Future[Node] = Future()
        number = next(self._numbers)
        self.waiting[number] = future
        if not self.pipe.send({"number": number, "asked": asked}):
            self.waiting.pop(number, None)
            raise SolveEndedError("the solve has ended")
        return future

    def answer(self, message: dict[str, Any]) -> None:
        """Hand an answer on."""
        future = self.waiting.pop(message["number"], None)
        if future is None or not future.set_running_or_notify_cancel():
            return
        if "refused" in message:
            future.set_exception(RiverboatError(message["refused"]))
        else:
            future.set_result(msgspec.convert(message["node"], Node))

    def end(self) -> None:
        """Answer nobody any more."""
        for future in list(self.waiting.values()):
            if future.set_running_or_notify_cancel():
                future.set_exception(SolveEndedError("the solve has ended"))
        self.waiting.clear()

    def stop(self) -> None:
        """Ask the solve to end, and to keep what there is."""
        self.pipe.send(_STOP)


class Solves(Jobs[NewSolve, dict[str, Any]]):
    """Solves one spot after the other.

    Parameters
    ----------
    house
        Where jobs and their solutions are.
    searches
        Whom a running solve gives way to.
    """

    def __init__(self, house: House, searches: Searches) -> None:
        folder, kinds = house.room("solves"), (NewSolve, dict[str, Any])
        super().__init__(
            "solve", folder, kinds, self._solve, most=_MOST, intact=_is_solved, shown=self.state
        )
        self._house, self._searches = house, searches
        self._running: dict[str, Looks] = {}

    def begin(self, asked: NewSolve) -> SolveJob:
        """Solve a spot, or put it into the queue; one that does not fit into memory is refused."""
        forecast(asked.spot, asked.settings).check()
        return self.new(asked)

    def state(self, job: SolveJob) -> SolveState:
        """Return how a solve stands."""
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
        """Return a decision, of what is there so far."""
        if job.record.active:
            looks = self._running.get(job.id)
            if looks is not None:
                with suppress(SolveEndedError):
                    return await asyncio.wrap_future(looks.ask(asked))
                await to_thread.run_sync(job.wait)
            elif not job.path(".solution").exists():
                raise RiverboatError("this solve is not running yet: there is nothing to look at")
        return await to_thread.run_sync(lambda: node_of(job.id, _solution(job), asked))

    def cards(self, job: SolveJob, line: str, board: str) -> list[CardRow]:
        """Return a decision on every card that can come before it."""
        if job.record.active:
            raise RiverboatError("a report over cards is made when a solve has ended")
        rows = card_report(_solution(job), line, board).rows
        return [CardRow(r.name, r.frequencies, r.values, r.equities) for r in rows]

    def _is_whole(self, path: Path) -> bool:
        """Return whether a file of arrays is there; a damaged one is set aside."""
        if not path.exists():
            return False
        try:
            deque(ArrayFile(path).verify(), maxlen=0)
        except (RiverboatError, OSError) as error:
            self._house.set_aside(path, in_words(error))
            return False
        return True

    def _solve(self, job: SolveJob) -> bool | None:
        """Solve in a process; return True at the target, None where it ended before."""
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
                        over = _told(job, message["report"]) or over
                    else:
                        looks.answer(message)
        finally:
            del self._running[job.id]
            looks.end()
        return over


def _is_free(job: SolveJob) -> bool:
    """Wait for the process of a server that was killed: it still writes what there is."""
    while not job.stopping.is_set():
        with locked(job.path(".solution")) as free:
            if free:
                return True
        time.sleep(_LOOK_SECONDS)
    return False


def _told(job: SolveJob, report: dict[str, Any]) -> bool:
    """Take a report; return whether the target is reached."""
    if report.get("values") is None and job.record.report:
        report = {**report, "values": job.record.report.get("values")}
    job.tell(report, point_of(report))
    return bool(report["event"] == "finished")


def point_of(report: dict[str, Any]) -> tuple[float, ...]:
    """Return a report as a point of `Progress`."""
    return report["iteration"], round(report["seconds"], 3), report["share"]


@lru_cache(maxsize=16)
def _opened(path: Path, changed: int) -> Solution:
    del changed  # another one is another file
    return Solution.open(path)


def _solution(job: SolveJob) -> Solution:
    """What was found."""
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


# ---- In a process of its own


def solve_here(  # noqa: PLR0913, PLR0917 - what a process is given
    pipe: JobPipe, paused: Event, spot: bytes, path: str, settings: SolveSettings, resume: bool
) -> None:
    """Solve, and talk with the server in between."""
    with Stop() as stop:
        early: list[Any] = []  # questions asked before the first check of the strategies

        def between(solving: Solving) -> None:
            try:
                while early and solving.report is not None:
                    _heed(pipe, solving, early.pop(0), stop)
                message = pipe.receive()
                while message is not None or paused.is_set():
                    if message is not None and message != _STOP and solving.report is None:
                        early.append(message)
                    elif message is not None:
                        _heed(pipe, solving, message, stop)
                    if stop.asked:
                        return
                    message = pipe.receive(_LOOK if paused.is_set() else 0)
            except EOFError:
                stop.ask()  # without a server there is nobody to solve for

        found = msgspec.json.decode(spot, type=Spot)
        reports = solve_file(
            found, path, settings,
            resume=resume, force=not resume, plot=False, stop=stop, between=between,
        )  # fmt: skip
        for report in reports:
            pipe.send({"report": report.as_dict()})


def _heed(pipe: JobPipe, solving: Solving, message: Any, stop: Stop) -> None:
    """Do what the server asks for."""
    if message == _STOP:
        stop.ask()
        return
    number = message["number"]
    try:
        asked = msgspec.convert(message["asked"], NodeAsked)
        pipe.send({"number": number, "node": node_of("", solving.solution, asked)})
    except RiverboatError as error:
        pipe.send({"number": number, "refused": str(error)})
