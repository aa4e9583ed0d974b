"""Training a solver by hand: by iterations, clock or processor time, with stops to measure at.

`train` takes a recipe and does everything; experiments that measure a solver on its way, or give
several the same time, use this.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from riverboat.errors import TrainingError
from riverboat.runs import Clock
from riverboat.solve import Solver

__all__ = ["Stretch", "Until", "iterate"]


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
        raise TrainingError("say where to stop: iterations, seconds or processor_seconds")
    return _Course(solver, every, clock).slices()


class _Course:
    """A training between its stops."""

    def __init__(self, solver: Solver, stops: list[Until], clock: Callable[[], float]) -> None:
        self._driver, self._stops, self._clock = solver.driver, stops, clock
        self._began = (solver.driver.seconds, solver.driver.processor)

    def slices(self) -> Iterator[Stretch]:
        place = self._passed(0)
        while place < len(self._stops):
            until = self._readings(self._stops[place])
            for _ in self._driver.run(until, processor_clock=self._clock):
                passed = self._passed(place)
                yield self._stretch(passed - 1 if passed > place else None)
            place = self._passed(place)

    def _readings(self, stop: Until) -> dict[Clock, float]:
        """Return where the driver's clocks stand at a stop."""
        seconds, processor = self._began
        found: dict[Clock, float | None] = {
            "iterations": stop.iterations,
            "seconds": None if stop.seconds is None else seconds + stop.seconds,
            "processor": (
                None if stop.processor_seconds is None else processor + stop.processor_seconds
            ),
        }
        return {clock: limit for clock, limit in found.items() if limit is not None}

    def _passed(self, place: int) -> int:
        """Return the place of the first stop that is still ahead."""
        while place < len(self._stops) and self._driver.reached(self._readings(self._stops[place])):
            place += 1
        return place

    def _stretch(self, stop: int | None) -> Stretch:
        driver, last = self._driver, self._stops[-1]
        seconds, processor = driver.seconds - self._began[0], driver.processor - self._began[1]
        done = driver.reached(self._readings(last))
        share = 1.0 if done else last.share(driver.iterations, seconds, processor)
        return Stretch(driver.iterations, seconds, processor, share, stop)
