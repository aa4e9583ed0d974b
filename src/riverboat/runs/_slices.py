"""Slices: iterations in pieces of about a tenth of a second, and what is due between them.

Between slices tables and counts belong together: whoever runs them may report, measure, save or
stop there. Ctrl-C waits for the end of a slice, so that every slice is counted.
"""

import math
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from riverboat.runs._interrupts import interrupts_held

#: What a run is timed by: iterations, seconds spent on them, seconds of processor time spent on
#: them, or the clock on the wall, which goes on between slices.
Clock = Literal["iterations", "seconds", "processor", "wall"]

_SLICE_SECONDS: Final = 0.1  # long enough to be efficient, and short enough for Ctrl-C
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


class Slices:
    """Runs iterations in slices, and counts them.

    Parameters
    ----------
    work
        Runs the iterations from the first number to before the second; returns where it ended
        if it ended early.
    length
        Iterations of the first slice.
    steady
        Keep this length whatever the clock says, so that work that depends on its slices is
        repeatable.
    least
        Iterations of the shortest slice: one for each thread.

    Attributes
    ----------
    iterations
        Finished so far.
    seconds, processor
        Spent on them: wall time and CPU time.

    Examples
    --------
    >>> slices = Slices(lambda first, last: None)
    >>> for due in slices.run({"iterations": 9}, [Due("tell", every=3, clock="iterations")]):
    ...     if due:
    ...         print(slices.iterations, *due)
    3 tell
    6 tell
    9 tell
    """

    def __init__(
        self,
        work: Callable[[int, int], int | None],
        *,
        length: float = 1,
        steady: bool = False,
        least: int = 1,
    ) -> None:
        self.iterations = 0
        self.seconds = 0.0
        self.processor = 0.0
        self.slice_seconds: Callable[[], float] = lambda: _SLICE_SECONDS
        self.least = least
        self._work, self._length, self._steady = work, length, steady
        self._pace = 0.0  # iterations a second in the last slice

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
        while not self.reached(until):
            marks = [at for due, at in following.items() if due.clock == "iterations"]
            end = min([self.iterations + self._next_length(until), *marks])
            end = min(until.get("iterations", end), max(end, self.iterations + 1))
            self.advance(math.ceil(end), processor_clock)
            rung = [due for due, at in following.items() if self.read(due.clock) >= at]
            yield frozenset(due.name for due in rung)
            following |= {due: due.following(self.read(due.clock)) for due in rung}

    def reached(self, until: Mapping[Clock, float]) -> bool:
        """Return whether a clock has reached its limit."""
        return any(self.read(clock) >= limit for clock, limit in until.items())

    def advance(self, end: int, processor_clock: Callable[[], float] = time.process_time) -> None:
        """Run to an iteration as one slice."""
        with interrupts_held():
            began, used, before = time.perf_counter(), processor_clock(), self.iterations
            ended = self._work(before, end)
            self.iterations = end if ended is None else ended
            elapsed = time.perf_counter() - began
            self.seconds += elapsed
            self.processor += processor_clock() - used
        done = self.iterations - before
        self._pace = done / max(elapsed, 1e-6)
        if not self._steady and done:
            wanted = min(self._pace * self.slice_seconds(), 4 * self._length)
            self._length = max(self.least, int(wanted))

    def _next_length(self, until: Mapping[Clock, float]) -> float:
        """Iterations of the next slice: fewer where a budget of time leaves no more."""
        if self._steady or not self._pace:
            return max(1, round(self._length))
        left = [until[clock] - self.read(clock) for clock in ("seconds", "wall") if clock in until]
        return max(1, round(min([self._length, *(each * self._pace for each in left)])))
