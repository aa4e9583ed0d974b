"""Solves that pages and programs ask for: what is asked, how it stands, what comes of it."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from anyio import to_thread

from riverboat.errors import RiverboatError
from riverboat.files import atomic_path, locked
from riverboat.spots import (
    Solution,
    SolveFiles,
    SolveSettings,
    Spot,
    card_report,
    forecast,
    read_log,
)
from riverboat.web._sockets import Watchers
from riverboat.web._solver import Run, SolveEndedError, Solver
from riverboat.web._study import Node, NodeAsked, node_of

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CardRow", "Forecasted", "NewSolve", "Progress", "Solve", "SolveState"]


_SUFFIX: Final = ".solve.json"
_TRIES, _LOOK = 300, 0.1  # half a minute
_MOST_POINTS: Final = 400  # a river is checked a hundred times a second, for hours if asked to


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
    state: Literal["waiting", "running", "finished", "stopped", "failed"]
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


class Solve(Watchers):
    """One solve; pages are told by `changed`."""

    def __init__(self, number: str, asked: NewSolve, folder: Path, solver: Solver) -> None:
        super().__init__()
        self.id, self.asked = number, asked
        self._folder, self._solver = folder, solver
        self._state: Literal["waiting", "running", "finished", "stopped", "failed"] = "stopped"
        self._end: Literal["finished", "stopped"] = "stopped"
        self._progress: list[Progress] = []
        self._values: tuple[float, float] | None = None
        self._problem = ""
        self._run: Run | None = None
        self._task: asyncio.Task[None] | None = None
        self._opened: Solution | None = None

    @classmethod
    def new(cls, asked: NewSolve, folder: Path, solver: Solver) -> Solve:
        """Keep what is asked for; `start` begins."""
        forecast(asked.spot, asked.settings).check()
        solve = cls(secrets.token_hex(6), asked, folder, solver)
        with atomic_path(folder / f"{solve.id}{_SUFFIX}") as temporary:
            temporary.write_bytes(msgspec.json.encode(asked))
        return solve

    @classmethod
    def kept(cls, folder: Path, solver: Solver) -> list[Solve]:
        """Return the solves of a folder; those that were cut off go on."""
        found = []
        for path in sorted(folder.glob(f"*{_SUFFIX}")):
            try:
                asked = msgspec.json.decode(path.read_bytes(), type=NewSolve)
            except (msgspec.MsgspecError, RiverboatError):
                continue
            solve = cls(path.name.removesuffix(_SUFFIX), asked, folder, solver)
            solve._find()
            found.append(solve)
        return found

    @property
    def files(self) -> SolveFiles:
        """Where it writes."""
        return SolveFiles.of(self._folder / self.id)

    @property
    def _mark(self) -> Path:
        """There where it was stopped, or its time was over, while a server looked on."""
        return self._folder / f"{self.id}.stopped"

    def _find(self) -> None:
        """Know how it stood when the server ended."""
        for values in read_log(self.files.log):
            self._note(values)
        if self.files.solution.exists():
            self._state = "stopped" if self.files.checkpoint.exists() else "finished"
        if self._state != "finished" and not self._mark.exists():
            self.start()  # nobody stopped it: the server was killed

    def start(self) -> None:
        """Begin, or go on where it was stopped."""
        if self._run is not None:
            raise RiverboatError(f"the solve {self.id} is running")
        resume = self.files.checkpoint.exists()
        self._opened, self._problem, self._end = None, "", "stopped"
        self._progress = self._progress if resume else []
        settings = self.asked.settings
        self._run = Run(self.asked.spot, self.files.solution, settings, self._report, resume)
        self._state = "waiting"
        self._task = asyncio.create_task(self._work(self._run))
        self.changed()

    def stop(self) -> None:
        """End it, and keep what there is."""
        if self._run is not None:
            self._run.stop()

    async def settled(self) -> None:
        """Wait for what was stopped and still writes."""
        if self._state in {"finished", "stopped"}:
            await self.ended()

    async def ended(self) -> None:
        """Wait for the end of what runs."""
        if self._task is not None:
            await asyncio.wait([self._task])

    def forget(self) -> None:
        """Delete its files."""
        if self._run is not None:
            raise RiverboatError(f"the solve {self.id} is running: stop it first")
        files = self.files
        for path in (files.solution, files.checkpoint, files.log, files.plot, self._mark):
            path.unlink(missing_ok=True)
        (self._folder / f"{self.id}{_SUFFIX}").unlink(missing_ok=True)
        self.gone = "this solve was deleted"
        self.changed()

    async def _work(self, run: Run) -> None:
        self._mark.unlink(missing_ok=True)
        try:
            await self._alone(run)
            await self._solver.solve(run)
        except RiverboatError as error:
            self._state, self._problem = "failed", str(error)
        else:
            self._state = self._end
            if self._end == "stopped":
                self._mark.touch()
        finally:
            self._run = None
            self.changed()

    async def _alone(self, run: Run) -> None:
        """Wait for the process of a server that was killed: it still writes what there is."""
        for _ in range(_TRIES):
            with locked(self.files.solution) as mine:
                if mine:
                    break
            await asyncio.sleep(_LOOK)
        run.resume = self.files.checkpoint.exists()

    def _report(self, values: dict[str, Any]) -> None:
        self._state = "running"
        if values["event"] == "finished":
            self._end = "finished"
        self._note(values)
        self.changed()

    def _note(self, values: dict[str, Any]) -> None:
        """Keep a report; of very many every second one is dropped, again and again."""
        point = Progress(values["iteration"], round(values["seconds"], 3), values["share"])
        while self._progress and self._progress[-1].iteration >= point.iteration:
            self._progress.pop()  # done again from a checkpoint
        self._progress.append(point)
        if len(self._progress) > _MOST_POINTS:
            self._progress = [*self._progress[:-1:2], point]
        if values.get("values") is not None:
            self._values = tuple(values["values"])

    def state(self) -> SolveState:
        """Return how it stands."""
        run = self._run
        return SolveState(
            id=self.id,
            name=self.asked.name or self.asked.spot.board,
            state=self._state,
            before=0 if run is None else self._solver.before(run),
            asked=self.asked,
            progress=self._progress,
            values=self._values,
            problem=self._problem,
        )

    async def node(self, asked: NodeAsked) -> Node:
        """Return a decision, of what is there so far."""
        await self.settled()
        if self._run is not None:
            try:
                return await self._solver.node(self._run, asked)
            except SolveEndedError:
                await self.ended()
        return await to_thread.run_sync(lambda: node_of(self.id, self.solution(), asked))

    async def cards(self, line: str, board: str) -> list[CardRow]:
        """Return a decision on every card that can come before it."""
        if self._run is not None:
            raise RiverboatError("a report over cards is made when a solve has ended")

        def rows() -> list[CardRow]:
            table = card_report(self.solution(), line, board)
            return [CardRow(r.name, r.frequencies, r.values, r.equities) for r in table.rows]

        return await to_thread.run_sync(rows)

    def solution(self) -> Solution:
        """Return what was found."""
        if self._opened is None:
            self._opened = Solution.open(self.files.solution)
        return self._opened
