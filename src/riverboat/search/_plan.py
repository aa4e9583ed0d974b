"""How long a solve may take: a number of iterations, or until a moment."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from riverboat.spots import Engine

__all__ = ["LEAST_ITERATIONS", "RIVER_TIMES", "Plan"]

#: An iteration of a river costs a hundredth of one of a turn, and converges slower.
RIVER_TIMES: Final = 4

#: A solve that time ended before is worse than the blueprint.
LEAST_ITERATIONS: Final = 20

_SLICE: Final = 0.05  # seconds between looks at the clock
_SLACK: Final = 1.3  # a slice may take so many times what the last one did
_CONVERGED: Final = 0.0005  # of the pot: a river that is so good is done


@dataclass(frozen=True, slots=True)
class Plan:
    """What one solve may take.

    Attributes
    ----------
    iterations
        Exactly so many, and `RIVER_TIMES` as many for a river; 0 = until a moment.
    until
        That moment, by `time.perf_counter`.
    """

    iterations: int
    until: float = 0.0

    def too_short(self, iterations: int) -> bool:
        """Return whether time ended a solve before it was worth playing."""
        return not self.iterations and iterations < LEAST_ITERATIONS

    def half(self) -> Plan:
        """Return the plan of a solve after which another one must follow."""
        now = time.perf_counter()
        return Plan(self.iterations, now + (self.until - now) / 2)

    def run(self, engine: Engine, *, river: bool, pot: int) -> None:
        """Run an engine."""
        if self.iterations:
            engine.run(self.iterations * (RIVER_TIMES if river else 1))
            return
        count = 1
        while count:
            begin = time.perf_counter()
            engine.run(count)
            now = time.perf_counter()
            if river and engine.exploitability()[2] <= _CONVERGED * pot:
                return
            each = (now - begin) / count
            fits = int((self.until - time.perf_counter()) / (_SLACK * each))
            count = max(0, min(fits, max(1, int(_SLICE / each))))
