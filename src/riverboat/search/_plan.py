"""How long a solve may take: a number of iterations, or until a moment."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from riverboat.spots import Engine

#: An iteration of a river costs a hundredth of one of a turn, and converges slower.
RIVER_TIMES: Final = 4

#: A solve that ended before is worse than the blueprint.
LEAST_ITERATIONS: Final = 20

_SLICE: Final = 0.05  # seconds between looks at the clock
_SLACK: Final = 1.3  # a slice may take so many times what the last one did
_HOPE: Final = 0.8
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

    def run(self, engine: Engine, *, river: bool, pot: int) -> float:
        """Run an engine; return how many seconds the least that is worth playing takes.

        Where the time does not suffice for that, it ends at once.
        """
        if self.iterations:
            engine.run(self.iterations * (RIVER_TIMES if river else 1))
            return 0.0
        first = _timed(engine, 1)  # memory is touched for the first time: it tells little
        each, count = _timed(engine, 1), 1
        least = first + (LEAST_ITERATIONS - 1) * each
        if time.perf_counter() + (LEAST_ITERATIONS - 2) * each > self.until:
            return least
        while count:
            fits = int((self.until - time.perf_counter()) / (_SLACK * each))
            count = max(0, min(fits, max(1, int(_SLICE / each))))
            each = _timed(engine, count) / max(count, 1)
            if river and engine.exploitability()[2] <= _CONVERGED * pot:
                break
        return least


class Pace:
    """Remembers how long the least solve took, so that none begins that cannot end in time."""

    def __init__(self) -> None:
        self._least: dict[object, float] = {}

    def allows(self, kind: object, plan: Plan) -> bool:
        """Return whether a solve may be in time; `kind` tells where it begins, and what solves it.

        Each no makes it more hopeful: the machine may be less busy later.
        """
        least = self._least.get(kind, 0.0)
        if plan.iterations or time.perf_counter() + least <= plan.until:
            return True
        self._least[kind] = _HOPE * least
        return False

    def learn(self, kind: object, seconds: float) -> None:
        """Take in how long the least solve took."""
        self._least[kind] = seconds


def _timed(engine: Engine, count: int) -> float:
    """Run iterations; return seconds."""
    begin = time.perf_counter()
    engine.run(count)
    return max(time.perf_counter() - begin, 1e-9)
