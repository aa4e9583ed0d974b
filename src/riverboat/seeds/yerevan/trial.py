"""Trainings by processor time, so that algorithms are compared at equal cost.

A clock on the wall would favour whoever ran while the machine was idle, and would charge a
scheme with one thread (vanilla has no more) as much as one with two.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from threading import Event
from typing import TypeVar

from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.yerevan.data import Point, Trial
from riverboat.solve import Solver
from riverboat.work import num_cores

__all__ = ["Clock", "Measure", "run_jobs", "run_trial", "workers_of"]

T = TypeVar("T")
Clock = Callable[[], float]
#: From a solver to its exploitability and half the 95 % interval, mbb a hand.
Measure = Callable[[Solver], tuple[float, float]]
_FOREVER = 1e9


def workers_of(run: Reproduction) -> int:
    """Return how many threads a run has: never more than cores, which would only wait."""
    return min(run.workers or num_cores(), num_cores())


def run_trial(  # noqa: PLR0913 - who, how long, how it is measured, who hears of it
    name: str,
    solver: Solver,
    times: Sequence[float],
    measure: Measure,
    *,
    clock: Clock = time.process_time,
    tell: Callable[[float], object] = lambda _: None,
    stop: Event | None = None,
) -> Trial:
    """Train a solver and measure it on its way.

    Parameters
    ----------
    name
        Of the scheme.
    solver
        A fresh one.
    times
        Ascending processor seconds after which it is measured. A scheme whose single iteration
        takes longer is measured when that is done; the times that it missed are left out.
    measure
        Exploitability; its own time does not count.
    clock
        Processor seconds: of the process, or of the thread where several trials run at once.
    tell
        Hears the share that is done, 0 to 1.
    stop
        Ends the trial early, as Ctrl-C would.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import SCHEMES, enumerate_deals
    >>> from riverboat.tree import Tree
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), SCHEMES["pure"])
    >>> trial = run_trial("pure", solver, [0.001, 0.002], lambda _: (1.0, 0.0))
    >>> trial.iterations == trial.last.iterations > 0
    True
    """
    used, points = 0.0, []
    for until in times:
        if used >= until:
            continue
        began = clock()
        for _ in solver.slices(seconds=_FOREVER):
            spent = used + clock() - began
            tell(min(1.0, spent / times[-1]))
            if spent >= until or (stop is not None and stop.is_set()):
                break
        used += clock() - began
        if stop is not None and stop.is_set():
            raise KeyboardInterrupt
        found, margin = measure(solver)
        points.append(Point(used, solver.iterations, found, margin))
    report = solver.report()
    return Trial(
        name, solver.seed, solver.iterations, used, solver.nodes, solver.memory_bytes,
        report.infosets, report.visited, tuple(points),
    )  # fmt: skip


def run_jobs(run: Reproduction, jobs: Sequence[Callable[[Event], T]], text: str) -> list[T]:
    """Run jobs with one thread each, as many at once as the run has workers; in their order."""
    stop = Event()
    with ThreadPoolExecutor(workers_of(run)) as pool:
        futures = [pool.submit(job, stop) for job in jobs]
        try:
            waiting = set(futures)
            while waiting:
                _, waiting = wait(waiting, timeout=1.0, return_when=FIRST_COMPLETED)
                run.tell(1 - len(waiting) / len(futures), text)
        except KeyboardInterrupt:
            stop.set()
            for future in futures:
                future.cancel()
            raise
        return [future.result() for future in futures]
