"""Slices: iterations in portions of about a tenth of a second, and actions due between them.

Between slices tables and counts are consistent, so the caller may report, measure, save or stop
there. Ctrl-C waits for the end of a slice, so that every slice is counted.
"""

import math
import time
from bisect import bisect_right
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from riverboat.runs._interrupts import interrupts_held

#: Clocks of a run: iterations, elapsed seconds of the slices, CPU seconds of the slices, and
#: elapsed time including the time between slices.
Clock = Literal["iterations", "seconds", "processor", "wall"]

_SLICE_SECONDS: Final = 0.1  # long enough to be efficient, and short enough for Ctrl-C
_NEVER: Final = float("inf")


@dataclass(frozen=True, slots=True)
class Due:
    """An action that is due at intervals, or at given readings of a clock."""

    name: str
    every: float = _NEVER
    """Interval on the clock, counted from the last time; infinite = never."""
    clock: Clock = "wall"
    """Numbers of iterations are exact; a time is reached when the slice that passes it ends."""
    at: tuple[float, ...] = ()
    """Additional readings of the clock, ascending."""

    def following(self, now: float) -> float:
        """Return the reading of the clock at which the action is next due."""
        index = bisect_right(self.at, now)
        return min(now + self.every, self.at[index] if index < len(self.at) else _NEVER)


class Slices:
    """Runs iterations in slices, and counts them.

    Parameters
    ----------
    work
        Runs iterations from the first number up to, not including, the second; returns the number
        of the next iteration if it ended early.
    length
        Iterations of the first slice.
    steady
        Whether all slices have this length, so that work that depends on its slices is
        repeatable.
    least
        Iterations of the shortest slice: one for each thread.

    Attributes
    ----------
    iterations
        Finished iterations.
    seconds, processor
        Elapsed time and CPU time of the iterations.

    Examples
    --------
    >>> slices = Slices(lambda first, last: None)
    >>> for due in slices.run({"iterations": 9}, [Due("report", every=3, clock="iterations")]):
    ...     if due:
    ...         print(slices.iterations, *due)
    3 report
    6 report
    9 report
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
        self._speed = 0.0  # iterations per second in the last slice

    def read(self, clock: Clock) -> float:
        """Return the reading of a clock."""
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
    ) -> Generator[frozenset[str], None, None]:
        """Run slices until a clock reaches its limit; after each yield the names of due actions.

        Parameters
        ----------
        until
            Limits of clocks; the first one that is reached ends the run.
        dues
            Actions between slices; they count as done when the next slice begins.
        processor_clock
            CPU clock: of the process, or of a thread.
        """
        following = {due: due.following(self.read(due.clock)) for due in dues}
        while not self.reached(until):
            marks = [at for due, at in following.items() if due.clock == "iterations"]
            end = min([self.iterations + self._next_length(until), *marks])
            end = min(until.get("iterations", end), max(end, self.iterations + 1))
            self.advance(math.ceil(end), processor_clock)
            now_due = [due for due, at in following.items() if self.read(due.clock) >= at]
            yield frozenset(due.name for due in now_due)
            following |= {due: due.following(self.read(due.clock)) for due in now_due}

    def reached(self, until: Mapping[Clock, float]) -> bool:
        """Return whether a clock has reached its limit."""
        return any(self.read(clock) >= limit for clock, limit in until.items())

    def advance(self, end: int, processor_clock: Callable[[], float] = time.process_time) -> None:
        """Run one slice, up to a number of iterations."""
        with interrupts_held():
            began, used, before = time.perf_counter(), processor_clock(), self.iterations
            ended = self._work(before, end)
            self.iterations = end if ended is None else ended
            elapsed = time.perf_counter() - began
            self.seconds += elapsed
            self.processor += processor_clock() - used
        done = self.iterations - before
        self._speed = done / max(elapsed, 1e-6)
        if not self._steady and done:
            length = min(self._speed * self.slice_seconds(), 4 * self._length)
            self._length = max(self.least, int(length))

    def _next_length(self, until: Mapping[Clock, float]) -> float:
        """Iterations of the next slice, limited by the remaining time of the budget."""
        if self._steady or not self._speed:
            return max(1, round(self._length))
        left = [until[clock] - self.read(clock) for clock in ("seconds", "wall") if clock in until]
        return max(1, round(min([self._length, *(seconds * self._speed for seconds in left)])))
