"""Run a solver to given stops: numbers of iterations, elapsed times or CPU times.

`train` runs a whole recipe. Experiments use `iterate` to measure a solver between stops, or to
give several solvers the same time.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from riverboat.errors import RunError
from riverboat.runs import Clock, Slices
from riverboat.solve import Solver


@dataclass(frozen=True, slots=True)
class Until:
    """A stop, at whichever limit is reached first."""

    iterations: int | None = None
    """Iterations of the solver, including those before it was restored."""
    seconds: float | None = None
    """Elapsed seconds since `iterate` was called."""
    processor_seconds: float | None = None
    """CPU seconds since `iterate` was called, of all threads; independent of other work on the
    machine."""

    def share(self, iterations: int, seconds: float, processor_seconds: float) -> float:
        """Return the completed share of the way to this stop, 0 to 1.

        Examples
        --------
        >>> Until(iterations=100, seconds=4.0).share(20, 3.0, 3.0)
        0.75
        """
        done = (iterations, seconds, processor_seconds)
        limits = (self.iterations, self.seconds, self.processor_seconds)
        pairs = [(a, b) for a, b in zip(done, limits, strict=True) if b is not None]
        return max(1.0 if a >= b else a / b for a, b in pairs)

    def readings(self, seconds: float, processor: float) -> dict[Clock, float]:
        """Return the clock readings at this stop, given those at the start."""
        limits: dict[Clock, float | None] = {
            "iterations": self.iterations,
            "seconds": None if self.seconds is None else seconds + self.seconds,
            "processor": None
            if self.processor_seconds is None
            else processor + self.processor_seconds,
        }
        return {clock: limit for clock, limit in limits.items() if limit is not None}


@dataclass(frozen=True, slots=True)
class Stretch:
    """The state of a training after a slice."""

    iterations: int
    seconds: float
    """Elapsed seconds since the call, without the caller's own work between slices."""
    processor_seconds: float
    """CPU seconds since the call, likewise."""
    share: float
    """Completed share of the way to the last stop, 0 to 1."""
    stop: int | None
    """Index of the stop that was reached, the last if several were; None between stops."""


def iterate(
    solver: Solver,
    stops: Until | Sequence[Until],
    clock: Callable[[], float] = time.process_time,
) -> Iterator[Stretch]:
    """Run a solver to one or several stops; yield after every slice.

    Parameters
    ----------
    solver
        The solver. Between slices its tables are consistent: measure or save it then.
    stops
        One stop, or several in order. Numbers of iterations are exact; a time is reached when the
        slice that passes it ends.
    clock
        CPU clock: of the process, or `time.thread_time` if several solvers of one thread each run
        at the same time.

    Examples
    --------
    >>> from riverboat.evaluate import exploitability
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import Scheme, enumerate_deals
    >>> from riverboat.tree import Tree
    >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
    >>> solver = Solver(deals, Scheme("full", "cfr+", "linear"))
    >>> marks = [Until(iterations=n) for n in (10, 1000)]
    >>> for now in iterate(solver, marks):
    ...     if now.stop is not None:
    ...         result = exploitability(deals, solver.strategy()).exploitability
    ...         print(now.iterations, result < 0.001)
    10 False
    1000 True
    """
    in_order = [stops] if isinstance(stops, Until) else list(stops)
    if not in_order or any(stop == Until() for stop in in_order):
        raise RunError("each stop needs a limit: iterations, seconds or processor_seconds")
    return _stretches(solver.driver, in_order, clock)


def _stretches(slices: Slices, stops: list[Until], clock: Callable[[], float]) -> Iterator[Stretch]:
    began = slices.seconds, slices.processor
    readings = [stop.readings(*began) for stop in stops]

    def next_stop(index: int) -> int:
        """Return the index of the first stop that is not reached yet, from `index`."""
        left = (at for at in range(index, len(stops)) if not slices.reached(readings[at]))
        return next(left, len(stops))

    index = next_stop(0)
    while index < len(stops):
        for _ in slices.run(readings[index], processor_clock=clock):
            following = next_stop(index)
            seconds, processor = slices.seconds - began[0], slices.processor - began[1]
            done = following == len(stops)
            share = 1.0 if done else stops[-1].share(slices.iterations, seconds, processor)
            stop = following - 1 if following > index else None
            yield Stretch(slices.iterations, seconds, processor, share, stop)
        index = next_stop(index)
