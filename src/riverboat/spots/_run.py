"""Solve into files: solution, checkpoint, log and plot; in this process or on a worker.

A worker, on this machine or another, solves on one core into its own temporary folder and sends
the files back as bytes; the process that owns the job writes them. Running a job twice gives the
same files.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from riverboat.errors import SpotError
from riverboat.files import JsonLines, atomic_path
from riverboat.runs import Run, RunFiles
from riverboat.spots._settings import SolveSettings
from riverboat.spots._solution import check_without_rivers
from riverboat.spots._solve import Solving, SpotReport, read_log, solve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from riverboat.runs import Stop
    from riverboat.spots._follow import Imported
    from riverboat.spots._forecast import SpotForecast
    from riverboat.spots._solution import Solution
    from riverboat.spots._spot import Spot


class SolveFiles(RunFiles):
    """Files of a run: NAME.solution, NAME.checkpoint, NAME.log.jsonl, NAME.png.

    Examples
    --------
    >>> SolveFiles.of("spots/mine").solution.as_posix()
    'spots/mine.solution'
    """

    __slots__ = ()
    suffixes: ClassVar[tuple[str, ...]] = (".solution",)

    @property
    def solution(self) -> Path:
        """The solution file."""
        return self.result

    def read_log(self) -> JsonLines:
        """Read the log; invalid lines are skipped."""
        return read_log(self.log)


def solve_file(  # noqa: PLR0913 - options by keyword
    spot: Spot,
    path: Path | str,
    settings: SolveSettings = SolveSettings(),  # noqa: B008 - frozen
    *,
    against: Solution | Imported | None = None,
    plan: SpotForecast | None = None,
    resume: bool = False,
    force: bool = False,
    plot: bool = True,
    stop: Stop | None = None,
    between: Callable[[Solving], object] = lambda _: None,
) -> Iterator[SpotReport]:
    """Solve a spot into a file; yield reports. Ctrl-C stops and keeps the solution so far.

    A run that stops before the target leaves a checkpoint next to the solution; `resume` continues
    it, with the same numbers as a run without a stop.

    Parameters
    ----------
    spot
        The spot.
    path
        Path of the solution; log, plot and checkpoint are next to it.
    settings
        Settings of the solve.
    against
        With `settings.exploit`: a fixed strategy of the other player. Then nothing is solved.
    plan
        The result of `forecast(spot, settings)`, if you have it.
    resume, force, plot, stop
        As in `riverboat.runs.Run`.
    between
        Called between slices with the solve in progress.
    """
    files = SolveFiles.of(path)
    files.refuse(resume=resume, force=force)  # before a tree is built
    if not settings.rivers:
        check_without_rivers(spot, settings.held, exploited=settings.exploit is not None)
    task = solve(spot, settings, against=against, plan=plan)
    callback = partial(between, task)
    yield from Run(task, files, resume=resume, force=force, plot=plot, stop=stop, between=callback)


class FarSpot(NamedTuple):
    """A job for a worker: one spot of a library."""

    number: int
    """Number of the job, from 0."""
    spot: Spot
    settings: SolveSettings


class FarSolution(NamedTuple):
    """Result of a worker's job."""

    report: SpotReport
    files: dict[str, bytes]
    """Content by field name of `SolveFiles`."""


def solve_far(job: FarSpot) -> FarSolution:
    """Solve a spot in a temporary folder, and return its files."""
    last: SpotReport | None = None
    with tempfile.TemporaryDirectory(prefix="riverboat-") as folder:
        files = SolveFiles.of(Path(folder) / "spot.solution")
        for report in solve_file(job.spot, files.solution, job.settings, plot=False):
            last = report
        if last is None:
            raise SpotError(f"the solve of {job.spot.board} ended without a report")
        paths = {name: getattr(files, name) for name in ("solution", "checkpoint", "log")}
        content = {name: path.read_bytes() for name, path in paths.items() if path.exists()}
    return FarSolution(last, content)


def write_far(solution: FarSolution, files: SolveFiles) -> None:
    """Write a worker's files, the solution last: its presence means that all are complete."""
    files.checkpoint.unlink(missing_ok=True)
    for name in ("log", "checkpoint", "solution"):
        if name in solution.files:
            with atomic_path(getattr(files, name)) as temporary:
                temporary.write_bytes(solution.files[name])
