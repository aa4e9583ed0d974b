"""The one loop that runs slices of iterations and knows what is due between them.

Between slices tables and counts belong together: whoever drives may report, measure, save or stop
there. Ctrl-C waits for the end of a slice, so that every slice is counted.
"""

import math
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from riverboat.runs import interrupts_held
from riverboat.solve._crew import Crew
from riverboat.solve._kernels import Kernel

__all__ = ["Clock", "Driver", "Due"]

#: What a run is timed by: iterations, seconds spent on them, seconds of processor time spent on
#: them, or the clock on the wall, which goes on between slices.
Clock = Literal["iterations", "seconds", "processor", "wall"]

_SLICE_SECONDS: Final = 0.1
_NEVER: Final = float("inf")


@dataclass(frozen=True, slots=True)
class Due:
    """Something to do now and then."""

    name: str
    every: float = _NEVER
    """On the clock, from the moment when it was last done; infinite = never."""
    clock: Clock = "wall"
    """Intervals of iterations are met exactly, those of time by the slice that passes them."""
    at: tuple[float, ...] = ()
    """Readings of the clock, ascending, at which it is to be done as well."""

    def following(self, now: float) -> float:
        """Return the reading at which it is next to be done."""
        index = bisect_right(self.at, now)
        return min(now + self.every, self.at[index] if index < len(self.at) else _NEVER)


class Driver:
    """Runs a kernel in slices of about a tenth of a second.

    Parameters
    ----------
    kernel
        What to run.
    slice_iterations
        How long the first slice is.
    steady
        Keep slices so long, whatever the clock says, so that a kernel that depends on its slices
        is repeatable.

    Attributes
    ----------
    iterations, nodes
        Finished iterations, and decision nodes that were entered.
    seconds, processor
        Spent on them by the clock and by the processor.

    Examples
    --------
    >>> class Nothing:
    ...     threads = 1
    ...     def run(self, first, last, crew):
    ...         return last - first
    >>> driver = Driver(Nothing())
    >>> for due in driver.run({"iterations": 9}, [Due("tell", every=3, clock="iterations")]):
    ...     if due:
    ...         print(driver.iterations, *due)
    3 tell
    6 tell
    9 tell
    """

    def __init__(self, kernel: Kernel, *, slice_iterations: int = 1, steady: bool = False) -> None:
        self.kernel = kernel
        self.iterations = 0
        self.nodes = 0
        self.seconds = 0.0
        self.processor = 0.0
        self._length = slice_iterations
        self._steady = steady
        self._slice_seconds: Callable[[], float] = lambda: _SLICE_SECONDS

    def take(self, kernel: Kernel, slice_seconds: Callable[[], float]) -> None:
        """Run another kernel from the next `run` on, in slices of other lengths.

        Parameters
        ----------
        kernel
            On the same tables.
        slice_seconds
            Says how long a slice should be; asked after each.
        """
        self.kernel, self._slice_seconds = kernel, slice_seconds

    def read(self, clock: Clock) -> float:
        """Return what a clock says now."""
        match clock:
            case "iterations":
                return self.iterations
            case "seconds":
                return self.seconds
            case "processor":
                return self.processor
            case "wall":
                return time.perf_counter()

    def run(
        self,
        until: Mapping[Clock, float],
        dues: Sequence[Due] = (),
        processor_clock: Callable[[], float] = time.process_time,
    ) -> Iterator[frozenset[str]]:
        """Run slices until a clock reaches its limit; yield the names of what is due after each.

        Parameters
        ----------
        until
            Readings of clocks; whichever is reached first ends the run.
        dues
            What to do now and then. It is counted as done when the next slice is asked for.
        processor_clock
            Seconds of the processor: of the process, or of a thread.
        """
        following = {due: due.following(self.read(due.clock)) for due in dues}
        crew = Crew(self.kernel.threads)
        while not self.reached(until):
            marks = [at for due, at in following.items() if due.clock == "iterations"]
            end = min([self.iterations + self._length, *marks])
            end = min(until.get("iterations", end), max(end, self.iterations + 1))
            self._slice(math.ceil(end), crew, processor_clock)
            rung = [due for due, at in following.items() if self.read(due.clock) >= at]
            yield frozenset(due.name for due in rung)
            following |= {due: due.following(self.read(due.clock)) for due in rung}

    def leap(self, end: int) -> None:
        """Run to an iteration as one slice: for workers whom nobody watches.

        Examples
        --------
        >>> class Nothing:
        ...     threads = 1
        ...     def run(self, first, last, crew):
        ...         return last - first
        >>> driver = Driver(Nothing())
        >>> driver.leap(7)
        >>> driver.iterations
        7
        """
        self._slice(end, Crew(self.kernel.threads), time.process_time)

    def reached(self, until: Mapping[Clock, float]) -> bool:
        """Return whether a clock has reached its limit."""
        return any(self.read(clock) >= limit for clock, limit in until.items())

    def _slice(self, end: int, crew: Crew, processor_clock: Callable[[], float]) -> None:
        with interrupts_held():
            began, used, before = time.perf_counter(), processor_clock(), self.iterations
            self.nodes += self.kernel.run(before, end, crew)
            self.iterations = end
            elapsed = time.perf_counter() - began
            self.seconds += elapsed
            self.processor += processor_clock() - used
        if not self._steady:
            # Long enough to be efficient, and short enough for Ctrl-C.
            wanted = (end - before) * self._slice_seconds() / max(elapsed, 1e-6)
            self._length = max(self.kernel.threads, int(min(wanted, 4 * self._length)))
