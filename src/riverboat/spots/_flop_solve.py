"""Solve a flop by sampling, into a file: a task with progress, checkpoints and a log."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import msgspec
import numpy as np

from riverboat.report import FramedRow
from riverboat.runs import Checkpoint, Clock, Due, Run, RunFiles, Slices, Stop, Task
from riverboat.spots._flop_forecast import (
    DEFAULT_ITERATIONS,
    FlopForecast,
    forecast_flop,
    num_evaluated,
)
from riverboat.spots._flop_solution import FlopSolution, decisions, flop_facts
from riverboat.spots._sampled import SampledSettings, SampledSolver

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from riverboat.spots._spot import Spot


class FlopFiles(RunFiles):
    """Files of a run: NAME.flop, NAME.checkpoint, NAME.log.jsonl.

    Examples
    --------
    >>> FlopFiles.of("spots/mine").result.as_posix()
    'spots/mine.flop'
    """

    __slots__ = ()
    suffixes: ClassVar[tuple[str, ...]] = (".flop",)


@dataclass(frozen=True, slots=True)
class FlopReport(FramedRow):
    """Progress of a sampled solve.

    Attributes
    ----------
    event
        `solving`, `finished` (limit reached) or `stopped` (by the user).
    iterations, boards, seconds
        Iterations done, sampled boards, and seconds spent on them.
    values
        Estimated EV in chips, pot share included: oop, ip; only at the end.
    gain, margin
        Estimated gain of the best deviation on the flop, mean of both players, and half the width
        of its 95 % confidence interval; chips; only at the end. `FlopWorth` says what it means.
    """

    event: Literal["solving", "finished", "stopped"]
    iterations: int
    boards: int
    seconds: float
    values: tuple[float, float] | None = None
    gain: float | None = None
    margin: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return asdict(self)


class _Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Progress of a run, in its checkpoint."""

    iterations: int
    seconds: float


class FlopSolving(Task[FlopReport]):
    """A sampled solve in progress, as a task for `riverboat.runs.Run`."""

    kind = "riverboat-flop-checkpoint"
    ordinary = "solving"
    dues = (Due("report", 1.0), Due("save", 600.0))

    def __init__(
        self,
        spot: Spot,
        settings: SampledSettings,
        iterations: int | None = None,
        seconds: float | None = None,
        plan: FlopForecast | None = None,
    ) -> None:
        super().__init__()
        self.spot = spot
        plan = plan or forecast_flop(spot, settings)
        plan.check()
        self.solver = SampledSolver(spot, settings, tree=plan.tree)
        if iterations is None and seconds is None:
            iterations = DEFAULT_ITERATIONS
        budget: dict[Clock, float | None] = {"iterations": iterations, "seconds": seconds}
        self.until = {clock: limit for clock, limit in budget.items() if limit is not None}
        self.slices = Slices(self._slice, length=20)
        self.solution: FlopSolution | None = None

    def _slice(self, first: int, last: int) -> None:
        self.solver.run(last - first)

    def identity(self) -> dict[str, Any]:
        """Inputs that determine the strategy."""
        settings = msgspec.to_builtins(self.solver.settings)
        del settings["threads"]
        return {"spot": self.spot.as_dict(), **settings}

    def checkpoint(self) -> Checkpoint:
        """Tables and progress of the solve."""
        at = _Position(self.solver.iterations, self.slices.seconds)
        return Checkpoint(msgspec.to_builtins(at), {"state": self.solver.state()})

    def restore(self, checkpoint: Checkpoint) -> None:
        """Continue from the tables of an earlier run."""
        at = msgspec.convert(dict(checkpoint.progress), _Position)
        self.solver.load_state(np.ascontiguousarray(checkpoint.arrays["state"]))
        if self.solver.iterations != at.iterations or not 0 <= at.seconds < 1e12:
            raise ValueError("its tables are of another iteration")
        self.slices.iterations, self.slices.seconds = at.iterations, at.seconds

    def _report(self, event: Literal["solving", "finished", "stopped"]) -> FlopReport:
        solver = self.solver
        return FlopReport(event, solver.iterations, solver.boards, self.slices.seconds)

    def reports(self, due: frozenset[str], stop: Stop) -> Iterator[FlopReport]:  # noqa: ARG002 - of `Task`
        """Report progress."""
        if "report" in due:
            yield self._report("solving")

    def write(self, path: Path, stop: Stop) -> Iterator[FlopReport]:  # noqa: ARG002 - of `Task`
        """Evaluate the strategy and write it."""
        solver, iterations = self.solver, self.solver.iterations
        worth = solver.evaluate(num_evaluated(iterations))
        oop, ip = (float(each.mean) for each in worth.values)
        gain = worth.gain
        rows = [solver.strategy(node) for node in decisions(solver.tree)]
        facts = flop_facts(
            self.spot,
            solver.tree,
            settings=solver.settings,
            iterations=iterations,
            boards=solver.boards,
            seconds=self.slices.seconds,
            values=(oop, ip),
            gain=gain.mean,
            margin=gain.margin,
        )
        table = np.concatenate(rows).astype(np.float32)
        self.solution = FlopSolution(self.spot, solver.tree, facts, table)
        self.solution.write(path)
        yield FlopReport(
            "finished" if self.over else "stopped",
            iterations,
            solver.boards,
            self.slices.seconds,
            (oop, ip),
            gain.mean,
            gain.margin,
        )


def solve_flop_file(  # noqa: PLR0913 - options by keyword
    spot: Spot,
    path: Path | str,
    settings: SampledSettings = SampledSettings(),  # noqa: B008 - frozen
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    plan: FlopForecast | None = None,
    resume: bool = False,
    force: bool = False,
    stop: Stop | None = None,
) -> Iterator[FlopReport]:
    """Solve a flop by sampling into a file; yield reports. Ctrl-C keeps the strategy so far.

    Parameters
    ----------
    spot
        A spot that begins on the flop.
    path
        Path of the strategy; log and checkpoint are next to it.
    settings
        Settings of the sampled solve.
    iterations, seconds
        Limits; without both 10,000 iterations.
    plan
        The result of `forecast_flop(spot, settings)`, if you have it.
    resume, force, stop
        As in `riverboat.runs.Run`.
    """
    files = FlopFiles.of(path)
    files.refuse(resume=resume, force=force)  # before a tree is built
    task = FlopSolving(spot, settings, iterations, seconds, plan)
    yield from Run(task, files, resume=resume, force=force, plot=False, stop=stop)
