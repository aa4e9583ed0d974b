"""Solves that pages and programs ask for: what is asked, how it stands, what comes of it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from anyio import to_thread

from riverboat.errors import RiverboatError, in_words
from riverboat.files import ArrayFile, locked
from riverboat.runs import Job, JobProcess, Jobs, JobState
from riverboat.spots import Solution, SolveSettings, Spot, card_report, forecast
from riverboat.web._solver import Looks, SolveEndedError, solve_here
from riverboat.web._study import Node, NodeAsked, node_of

if TYPE_CHECKING:
    from pathlib import Path

    from riverboat.web._house import House
    from riverboat.web._searches import Searches

    SolveJob = Job["NewSolve", dict[str, Any]]

_MOST: Final = 200
_LOOK_SECONDS: Final = 0.1


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


class Solves:
    """Solves one spot after the other.

    Parameters
    ----------
    house
        Where jobs and their solutions are.
    searches
        Whom a running solve gives way to.
    """

    def __init__(self, house: House, searches: Searches) -> None:
        folder, kinds = house.room("solves"), (NewSolve, dict)
        self.jobs = Jobs("solve", folder, kinds, self._solve, most=_MOST, intact=_is_solved)
        self._house, self._searches = house, searches
        self._running: dict[str, Looks] = {}

    def new(self, asked: NewSolve) -> SolveState:
        """Solve a spot, or put it into the queue; one that does not fit into memory is refused."""
        forecast(asked.spot, asked.settings).check()
        return self.state(self.jobs.new(asked))

    def state(self, job: SolveJob) -> SolveState:
        """Return how a solve stands."""
        record, asked = job.record, job.asked
        return SolveState(
            id=record.id,
            name=asked.name or asked.spot.board,
            state=record.state,
            before=self.jobs.before(job),
            asked=asked,
            progress=[Progress(int(at), *rest) for at, *rest in record.points],
            values=(record.report or {}).get("values"),
            problem=record.problem,
        )

    async def node(self, number: str, asked: NodeAsked) -> Node:
        """Return a decision, of what is there so far."""
        job = self.jobs[number]
        if job.record.active:
            looks = self._running.get(number)
            if looks is not None:
                with suppress(SolveEndedError):
                    return await asyncio.wrap_future(looks.ask(asked))
                await to_thread.run_sync(job.wait)
            elif not job.path(".solution").exists():
                raise RiverboatError("this solve is not running yet: there is nothing to look at")
        return await to_thread.run_sync(lambda: node_of(number, _solution(job), asked))

    def cards(self, number: str, line: str, board: str) -> list[CardRow]:
        """Return a decision on every card that can come before it."""
        job = self.jobs[number]
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
