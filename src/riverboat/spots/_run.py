"""Solving into a file: solution, checkpoint, log and plot."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from riverboat.runs import Run, RunFiles
from riverboat.spots._settings import SolveSettings
from riverboat.spots._solution import check_without_rivers
from riverboat.spots._solve import Solving, SpotReport, solve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

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
