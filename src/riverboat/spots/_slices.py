"""Slices of a run: iterations and checks in the core, and a clock around them.

Between slices tables and counts belong together: whoever solves may report, save or stop there.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from riverboat.errors import SpotError
from riverboat.runs import interrupts_held
from riverboat.spots._engine import Check

if TYPE_CHECKING:
    from riverboat.spots._engine import Engine

__all__ = ["Budget", "Slices"]

_FIRST_CHECK: Final = 10  # iterations
_FIRST_SECONDS: Final = 0.02
_SECONDS: Final = 0.1  # long enough to be efficient, and short enough for Ctrl-C


@dataclass(frozen=True, slots=True)
class Budget:
    """When solving ends: at the target, a part of the pot, or when time or iterations are spent."""

    target: float = 0.003
    seconds: float | None = None
    iterations: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.target < 1:
            raise SpotError(f"the target is a part of the pot from 0 to 1, not {self.target!r}")
        if self.target == 0 and self.seconds is None and self.iterations is None:
            raise SpotError("a target of 0 needs a budget of seconds or iterations")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise SpotError(f"a budget has seconds above 0, not {self.seconds!r}")
        if self.iterations is not None and not 0 < self.iterations < 2**31:
            raise SpotError(f"a budget has iterations from 1 on, not {self.iterations!r}")


class Slices:
    """Runs an engine in slices of about a tenth of a second.

    Parameters
    ----------
    engine
        What to run.
    budget
        When to end.
    pot
        Chips, of which the target is a part.
    pace
        Iterations in a second, roughly.

    Attributes
    ----------
    seconds
        Spent on iterations and checks.
    target
        Exploitability that ends it, chips.
    """

    def __init__(self, engine: Engine, budget: Budget, pot: float, pace: float) -> None:
        self.seconds = 0.0
        self._engine, self._budget, self._pace = engine, budget, pace
        self.target = budget.target * pot
        self._length = _FIRST_SECONDS * pace
        self.start()

    @property
    def iterations(self) -> int:
        """Iterations so far."""
        return self._engine.iteration

    def start(self) -> None:
        """Plan checks anew: a run that goes on begins with one."""
        self._following = self.iterations or _FIRST_CHECK
        self._before: Check | None = None
        self._reached = False

    def measured(self) -> Check:
        """Return an exact check of the averages as they stand."""
        last = self._before
        if last is not None and last.exact and last.iteration == self.iterations:
            return last
        return Check(self.iterations, *self._engine.exploitability(), exact=True)

    def spent(self) -> bool:
        """Return whether the last slice came to the target, or a budget is spent."""
        seconds, iterations = self._budget.seconds, self._budget.iterations
        return (
            self._reached
            or (seconds is not None and self.seconds >= seconds)
            or (iterations is not None and self.iterations >= iterations)
        )

    def run(self) -> list[tuple[Check, float]]:
        """Run a slice, which ends at the target; return its checks, and the seconds at each.

        Within a slice seconds are taken to pass evenly.
        """
        begin, before, length = self.iterations, self.seconds, self._next_length()
        with interrupts_held():
            began = time.perf_counter()
            checks, self._following = self._engine.run_checked(
                length, self.target, self._following, self._before
            )
            elapsed = time.perf_counter() - began
            self.seconds += elapsed
        if checks:
            self._before = checks[-1]
            self._reached = checks[-1].exact and checks[-1].exploitability <= self.target
        done = self.iterations - begin
        if done:
            self._pace = done / max(elapsed, 1e-9)
            self._length = min(_SECONDS * self._pace, 4 * length)
        each = elapsed / max(done, 1)
        return [(check, before + each * (check.iteration - begin)) for check in checks]

    def _next_length(self) -> int:
        """Iterations of the next slice: at least one, while budgets leave one."""
        length, budget = self._length, self._budget
        if budget.seconds is not None:
            length = min(length, (budget.seconds - self.seconds) * self._pace)
        length = max(1, round(length))
        return length if budget.iterations is None else min(length, self._left(budget.iterations))

    def _left(self, iterations: int) -> int:
        return max(0, iterations - self.iterations)
