"""Plan of a solve: CPU or GPU, bet sizes, and time."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from riverboat.cards import NUM_HOLES
from riverboat.runs import warn_once
from riverboat.spots import DeviceEngine, SolveSettings, Spot, gpu_notice, solve

if TYPE_CHECKING:
    from riverboat.spots import Device, Engine

_log: Final = logging.getLogger("riverboat.search")

First = Literal["auto", "flop", "turn", "river"]
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
#: A river iteration takes a hundredth of the time of a turn iteration, but converges slower.
RIVER_TIMES: Final = 4
#: A solve with fewer iterations is worse than the blueprint.
LEAST_ITERATIONS: Final = 20
_SLICE: Final = 0.05  # seconds between checks of the clock
_SLACK: Final = 1.3  # factor by which a slice may be slower than the last one
_HOPE: Final = 0.8
_CONVERGED: Final = 0.0005  # fraction of the pot: target exploitability of a river


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


def device_for(wanted: Device) -> Device:
    """Return the device of search: the CPU, with a warning, if no GPU can be used."""
    notice = gpu_notice() if wanted != "cpu" else ""
    if notice:
        if wanted == "gpu":
            say(f"search solves on the CPU: {notice}.")
        return "cpu"
    return wanted


def on_card(device: Device, street: int) -> bool:
    """Return whether a GPU solves a street; `auto` leaves rivers to the CPU."""
    return device == "gpu" or (device == "auto" and street < _RIVER)


def menus_for(betting: str, first: First, device: Device) -> Menus:
    """Return the bet menus; `auto` begins on the flop if a GPU solves, otherwise on the turn.

    Streets that a GPU solves have more sizes.
    """
    if first == "auto":
        first = "turn" if device == "cpu" else "flop"
    begin = Menus._fields.index(first)
    menus = list(_MENUS[betting])
    for street, richer in enumerate(_RICHER.get(betting, ()), 2):
        if on_card(device, street):
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
        Number of iterations, times `RIVER_TIMES` for a river; 0 = limited by time.
    until
        End of the solve, by `time.perf_counter`.
    """

    iterations: int
    until: float = 0.0

    def too_short(self, iterations: int) -> bool:
        """Return whether the time limit ended a solve with too few iterations."""
        return not self.iterations and iterations < LEAST_ITERATIONS

    def half(self) -> Plan:
        """Return the plan of the first of two solves, with half of the time."""
        now = time.perf_counter()
        return Plan(self.iterations, now + (self.until - now) / 2)

    def run(self, engine: Engine, *, river: bool, pot: int) -> float:
        """Run an engine; return the seconds of the minimum of iterations.

        If the time is too short for the minimum, it stops at once.
        """
        if self.iterations:
            engine.run(self.iterations * (RIVER_TIMES if river else 1))
            return 0.0
        first = _timed(engine, 1)  # slower, because it touches new memory
        seconds, count = _timed(engine, 1), 1
        least = first + (LEAST_ITERATIONS - 1) * seconds
        if time.perf_counter() + (LEAST_ITERATIONS - 2) * seconds > self.until:
            return least
        while count:
            fits = int((self.until - time.perf_counter()) / (_SLACK * seconds))
            count = max(0, min(fits, max(1, int(_SLICE / seconds))))
            seconds = _timed(engine, count) / max(count, 1)
            if river and engine.exploitability()[2] <= _CONVERGED * pot:
                break
        return least


class Pace:
    """Stores the time of a minimal solve, so that no solve starts that cannot finish in time."""

    def __init__(self) -> None:
        self._least: dict[object, float] = {}

    def allows(self, kind: object, plan: Plan) -> bool:
        """Return whether a solve can finish in time; `kind` is its first street and its device.

        Each refusal lowers the estimate, because the machine may be less busy later.
        """
        least = self._least.get(kind, 0.0)
        if plan.iterations or time.perf_counter() + least <= plan.until:
            return True
        self._least[kind] = _HOPE * least
        return False

    def learn(self, kind: object, seconds: float) -> None:
        """Store the time of a minimal solve."""
        self._least[kind] = seconds


def _timed(engine: Engine, count: int) -> float:
    """Run iterations; return seconds."""
    begin = time.perf_counter()
    engine.run(count)
    return max(time.perf_counter() - begin, 1e-9)
