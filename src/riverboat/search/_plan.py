"""Plan of a solve: CPU or GPU, bet sizes, and time."""

from __future__ import annotations

import logging
import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from riverboat.cards import NUM_HOLES
from riverboat.runs import warn_once
from riverboat.spots import DeviceEngine, SolveSettings, Spot, gpu_notice, solve

if TYPE_CHECKING:
    from riverboat.search._sampled import SampledFlop
    from riverboat.spots import Device, Engine

    Solvable = Engine | SampledFlop

_log: Final = logging.getLogger("riverboat.search")

First = Literal["auto", "flop", "turn", "river"]
FLOP_STREET: Final = 1
_RIVER: Final = 3

#: Bet menus for turn and river on a GPU, which has time for more sizes.
_RICHER: Final = {
    "no-limit": (
        "33%, 75%, 150% | 75% | a ; cap 3 / 33%, 75%, 150% | 75% ; cap 3 ; add 300% ; "
        "force 20% called",
        "25%, 50%, 100%, 200% | 50%, 100% | a ; cap 3 ; add 400% ; force 15% called",
    ),
    "pot-limit": (
        "33%, 66%, 100% | 100% ; cap 3 / 33%, 66%, 100% | 100% ; cap 3",
        "25%, 50%, 75%, 100% | 50%, 100% ; cap 3",
    ),
}
#: A tiny spot; solving it compiles the kernels.
_SMALL: Final = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh", ip="KsKh", menu="a")
#: A solve with fewer iterations is worse than the blueprint.
LEAST_ITERATIONS: Final = 20
#: The same for a sampled flop, whose iterations see a few turn cards and rivers each.
LEAST_FLOP: Final = 2000
_SLICE: Final = 0.05  # seconds between checks of the clock
_SLACK: Final = 1.3  # factor by which a slice may be slower than the last one
_HOPE: Final = 0.8
_CONVERGED: Final = 0.0005  # fraction of the pot: target exploitability of a river


#: What solves a street: all runouts on the CPU or on a GPU, or sampled runouts on the CPU.
SubgameSolver = Literal["exact", "gpu", "sampled"]


class Effort(NamedTuple):
    """How a kind of solve counts iterations."""

    times: int
    """Iterations, as a multiple of the setting `iterations`."""
    least: int
    """With fewer iterations the blueprint plays."""
    step: int = 1
    """Iterations that are timed first."""
    hope: float = 1.0
    """Factor by which iterations may become faster than the first ones."""
    converges: bool = False
    """Whether it ends at a target exploitability."""


#: A river iteration takes a hundredth of the time of a turn iteration, but converges slower.
RIVER: Final = Effort(4, LEAST_ITERATIONS, converges=True)
TURN: Final = Effort(1, LEAST_ITERATIONS)
#: 157 iterations are what two cores reach on a turn in 2 s, 64 times that on a flop in 5 s.
FLOP: Final = Effort(64, LEAST_FLOP, step=20, hope=2.0)


class Menus(NamedTuple):
    """Bet menus of a solve by its first street; empty = that street is not solved."""

    flop: str
    turn: str
    river: str


#: By betting structure. All-in is included only where it is a usual bet: huge bets slow the solve
#: down, and are added when a player makes them. Only the flop of a flop solve is played, so its
#: later streets have one size.
_MENUS: Final = {
    "no-limit": Menus(
        "33%, 75% | 100% ; cap 2 / 75% ; cap 1 / 75% ; cap 1",
        "50%, 100% | 100% | a ; cap 3 / 50%, 100% | 100% ; cap 2 ; add 300% ; force 25% called",
        "33%, 75%, 150% | 75% | a ; cap 3 ; add 400% ; force 15% called",
    ),
    "pot-limit": Menus(
        "33%, 75% | 100% ; cap 2 / 75% ; cap 1 / 75% ; cap 1",
        "50%, 100% | 100% ; cap 3 / 50%, 100% | 100% ; cap 2",
        "33%, 66%, 100% | 100% ; cap 3",
    ),
    "fixed-limit": Menus("min ; cap 3 / min ; cap 1 / min ; cap 1", "min ; cap 4", "min ; cap 4"),
}
#: A flop on the CPU has the sizes of the default strategy file, with which it was measured.
_SAMPLED: Final = "50%, 100% | 100% ; cap 2 / 75% ; cap 1 / 75% ; cap 1"


def device_for(wanted: Device) -> Device:
    """Return the device of search: the CPU, with a warning, if no GPU can be used."""
    notice = gpu_notice() if wanted != "cpu" else ""
    if notice:
        if wanted == "gpu":
            say(f"search solves on the CPU: {notice}.")
        return "cpu"
    return wanted


def solver_of(device: Device, street: int) -> SubgameSolver:
    """Return what solves a street; `auto` leaves rivers to the CPU."""
    if device == "gpu" or (device == "auto" and street < _RIVER):
        return "gpu"
    return "sampled" if street == FLOP_STREET else "exact"


def menus_for(betting: str, first: First, device: Device) -> Menus:
    """Return the bet menus; `auto` begins on the flop.

    Streets that a GPU solves have more sizes.
    """
    begin = 0 if first == "auto" else Menus._fields.index(first)
    menus = list(_MENUS[betting])
    if betting != "fixed-limit" and solver_of(device, FLOP_STREET) == "sampled":
        menus[0] = _SAMPLED
    for street, richer in enumerate(_RICHER.get(betting, ()), 2):
        if solver_of(device, street) == "gpu":
            menus[street - 1] = richer
    return Menus(*[""] * begin, *menus[begin:])


def start_card() -> None:
    """Start the GPU and compile all kernels, with and without locks, before the clock runs."""
    solve(_SMALL, SolveSettings(iterations=1, device="gpu")).finish()
    first, second = (held.weights for held in _SMALL.ranges)
    engine = DeviceEngine(_SMALL.tree(), _SMALL.cards, (first, second))
    actions = int(engine.tree.num_actions[0])
    engine.lock(0, None, np.full((actions, NUM_HOLES), 1 / actions))
    engine.run(1)


def say(sentence: str) -> None:
    """Log a warning once."""
    warn_once(_log, sentence)


@dataclass(frozen=True, slots=True)
class Plan:
    """Limits of one solve.

    Attributes
    ----------
    iterations
        Number of iterations of a turn, see `Effort.times`; 0 = limited by time.
    until
        End of the solve, by `time.perf_counter`.
    """

    iterations: int
    until: float = 0.0

    def too_short(self, iterations: int, effort: Effort) -> bool:
        """Return whether the time limit ended a solve with too few iterations."""
        return not self.iterations and iterations < effort.least

    def half(self) -> Plan:
        """Return the plan of the first of two solves, with half of the time."""
        if self is NO_TIME:
            return self
        now = time.perf_counter()
        return Plan(self.iterations, now + (self.until - now) / 2)

    def run(self, engine: Solvable, effort: Effort, pot: int) -> float:
        """Run an engine; return the seconds of the minimum of iterations.

        If the time is too short for the minimum, it stops at once.
        """
        if self.iterations:
            engine.run(self.iterations * effort.times)
            return 0.0
        step = effort.step
        first = _timed(engine, step)  # slower, because it touches new memory
        seconds, count = _timed(engine, step) / step, step
        hoped = (effort.least - 2 * step) * seconds / effort.hope
        spent = first + step * seconds
        least = spent + hoped
        if time.perf_counter() + hoped > self.until:
            return least
        while count:
            fits = int((self.until - time.perf_counter()) / (_SLACK * seconds))
            count = max(0, min(fits, max(1, int(_SLICE / seconds))))
            seconds = _timed(engine, count) / max(count, 1)
            spent += count * seconds
            if effort.converges and engine.exploitability()[2] <= _CONVERGED * pot:
                break
        return max(least, effort.least * spent / engine.iteration)


#: Allows no solve.
NO_TIME: Final = Plan(0, -math.inf)


class Pace:
    """Stores the time of a minimal solve, so that no solve starts that cannot finish in time.

    Solves of a kind take times in proportion to their `size`.
    """

    def __init__(self) -> None:
        self._least: dict[object, float] = {}

    def allows(self, kind: object, plan: Plan, size: float = 1.0) -> bool:
        """Return whether a solve can finish in time; `kind` is its first street and its device.

        Each refusal lowers the estimate, because the machine may be less busy later.
        """
        least = self._least.get(kind, 0.0)
        if plan.iterations or time.perf_counter() + least * size <= plan.until:
            return True
        self._least[kind] = _HOPE * least
        return False

    def learn(self, kind: object, seconds: float, size: float = 1.0) -> None:
        """Store the time of a minimal solve."""
        self._least[kind] = seconds / size


def _timed(engine: Solvable, count: int) -> float:
    """Run iterations; return seconds."""
    begin = time.perf_counter()
    engine.run(count)
    return max(time.perf_counter() - begin, 1e-9)
