"""One spot of a library as a job for a worker, on this machine or on another one.

A worker solves into a folder of its own, on one core, and sends back the files as bytes: whoever
gave the job writes them. A job that is done twice comes out the same.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from riverboat.errors import SpotError
from riverboat.files import atomic_path
from riverboat.spots._run import SolveFiles, solve_file

if TYPE_CHECKING:
    from riverboat.spots._settings import SolveSettings
    from riverboat.spots._solve import SpotReport
    from riverboat.spots._spot import Spot


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
