"""Solving into files: solution, checkpoint, log and plot; here, or by a worker.

A worker, on this machine or another one, solves into a folder of its own, on one core, and sends
back the files as bytes: the process that gave the job writes them. A job that is done twice comes
out the same.
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
    """Where a run writes: NAME.solution, NAME.checkpoint, NAME.log.jsonl, NAME.png.

    Examples
    --------
    >>> SolveFiles.of("spots/mine").solution.as_posix()
    'spots/mine.solution'
    """

    __slots__ = ()
    suffixes: ClassVar[tuple[str, ...]] = (".solution",)

    @property
    def solution(self) -> Path:
        """The result."""
        return self.result

    def read_log(self) -> JsonLines:
        """Read the log; lines that are none are left out."""
        return read_log(self.log)


def solve_file(  # noqa: PLR0913 - what, where, and switches by keyword
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
    """Solve a spot into a file; yield reports. Ctrl-C ends it, and keeps what there is.

    A run that ends before the target leaves a checkpoint beside the solution: `resume` continues
    it, to the same numbers as a run that never stopped.

    Parameters
    ----------
    spot
        What to solve.
    path
        Of the solution; log, plot and checkpoint lie beside it.
    settings
        How.
    against
        With `settings.exploit`: the other player's strategy, so that nothing is solved.
    plan
        `forecast(spot, settings)`, where that was already done.
    resume, force, plot, stop
        As in `riverboat.runs.Run`.
    between
        Called between slices with what is being solved: it can be looked at meanwhile.
    """
    files = SolveFiles.of(path)
    files.refuse(resume=resume, force=force)  # before a tree is built
    if not settings.rivers:
        check_without_rivers(spot, settings.held, exploited=settings.exploit is not None)
    task = solve(spot, settings, against=against, plan=plan)
    looks = partial(between, task)
    yield from Run(task, files, resume=resume, force=force, plot=plot, stop=stop, between=looks)


class FarSpot(NamedTuple):
    """A spot to be solved by a worker."""

    number: int
    """Which of the library's jobs, from 0."""
    spot: Spot
    settings: SolveSettings


class FarSolution(NamedTuple):
    """What a worker made of it."""

    report: SpotReport
    files: dict[str, bytes]
    """By the name of a field of `SolveFiles`."""


def solve_far(job: FarSpot) -> FarSolution:
    """Solve a spot into a folder of this worker, and return its files."""
    last: SpotReport | None = None
    with tempfile.TemporaryDirectory(prefix="riverboat-") as folder:
        files = SolveFiles.of(Path(folder) / "spot.solution")
        for report in solve_file(job.spot, files.solution, job.settings, plot=False):
            last = report
        if last is None:
            raise SpotError(f"{job.spot.board} ended before it began")
        paths = {name: getattr(files, name) for name in ("solution", "checkpoint", "log")}
        kept = {name: path.read_bytes() for name, path in paths.items() if path.exists()}
    return FarSolution(last, kept)


def write_far(solution: FarSolution, files: SolveFiles) -> None:
    """Put what a worker made where it belongs, the solution last: it says that all is there."""
    files.checkpoint.unlink(missing_ok=True)
    for name in ("log", "checkpoint", "solution"):
        if name in solution.files:
            with atomic_path(getattr(files, name)) as temporary:
                temporary.write_bytes(solution.files[name])
