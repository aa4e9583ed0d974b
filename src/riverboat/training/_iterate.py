"""Training a solver by hand: by iterations, clock or processor time, with stops to measure at.

`train` takes a recipe and does everything; experiments that measure a solver on its way, or give
several the same time, use this.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from riverboat.errors import RunError
from riverboat.runs import Clock, Slices
from riverboat.solve import Solver


@dataclass(frozen=True, slots=True)
class Until:
    """Where to stop: whichever is reached first."""

    iterations: int | None = None
    """The solver's count: one that was restored goes on to it."""
    seconds: float | None = None
    """Of the clock, since `iterate` was called."""
    processor_seconds: float | None = None
    """The same by the processor: other work on the machine takes nothing from it, and each of
    several threads counts."""

    def share(self, iterations: int, seconds: float, processor_seconds: float) -> float:
        """Return how much of the way is done, 0 to 1.

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
        """Return where the clocks of slices stand at this stop, from those of the beginning."""
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
    """How far a training is, after a slice of it."""

    iterations: int
    seconds: float
    """Of the clock since the call; what the caller does in between does not count."""
    processor_seconds: float
    share: float
    """Of the way to the last stop, 0 to 1."""
    stop: int | None
    """Place of the stop that was reached, the last if several were; None between stops."""


def iterate(
    solver: Solver,
    stops: Until | Sequence[Until],
    clock: Callable[[], float] = time.process_time,
) -> Iterator[Stretch]:
    """Train a solver up to a stop, or through several; come back after every slice.

    Parameters
    ----------
    solver
        Between slices its tables and counts belong together: measure or save it then.
    stops
        In order. Iterations are met exactly; times as soon as the slice that passes them ends.
    clock
        Processor seconds: of the process, or `time.thread_time` where several trainings of one
        thread each run at once.

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
    ...         found = exploitability(deals, solver.strategy()).exploitability
    ...         print(now.iterations, found < 0.001)
    10 False
    1000 True
    """
    every = [stops] if isinstance(stops, Until) else list(stops)
    if not every or any(stop == Until() for stop in every):
        raise RunError("say where to stop: iterations, seconds or processor_seconds")
    return _stretches(solver.driver, every, clock)


def _stretches(slices: Slices, stops: list[Until], clock: Callable[[], float]) -> Iterator[Stretch]:
    began = slices.seconds, slices.processor
    readings = [stop.readings(*began) for stop in stops]

    def ahead(place: int) -> int:
        """Return the place of the first stop that is still ahead."""
        left = (at for at in range(place, len(stops)) if not slices.reached(readings[at]))
        return next(left, len(stops))

    place = ahead(0)
    while place < len(stops):
        for _ in slices.run(readings[place], processor_clock=clock):
            following = ahead(place)
            seconds, processor = slices.seconds - began[0], slices.processor - began[1]
            done = following == len(stops)
            share = 1.0 if done else stops[-1].share(slices.iterations, seconds, processor)
            stop = following - 1 if following > place else None
            yield Stretch(slices.iterations, seconds, processor, share, stop)
        place = ahead(place)
