"""How a street is solved: on the CPU or a GPU, with which bet sizes, and for how long."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from riverboat.cards import NUM_HOLES
from riverboat.runs import in_worker
from riverboat.spots import DeviceEngine, SolveSettings, Spot, gpu_notice, solve

if TYPE_CHECKING:
    from riverboat.spots import Device, Engine

_log: Final = logging.getLogger("riverboat.search")
_said: set[str] = set()

First = Literal["auto", "flop", "turn", "river"]
_RIVER: Final = 3

#: What a card has time for on the turn and the river.
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
#: The smallest spot: to solve it has the kernels compiled.
_SMALL: Final = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh", ip="KsKh", menu="a")
#: An iteration of a river costs a hundredth of one of a turn, and converges slower.
RIVER_TIMES: Final = 4
#: A solve that ended before is worse than the blueprint.
LEAST_ITERATIONS: Final = 20
_SLICE: Final = 0.05  # seconds between looks at the clock
_SLACK: Final = 1.3  # a slice may take so many times what the last one did
_HOPE: Final = 0.8
_CONVERGED: Final = 0.0005  # of the pot: a river that is so good is done


class Menus(NamedTuple):
    """Bet menus of a solve, by the street where it begins; empty: that street is not solved."""

    flop: str
    turn: str
    river: str


#: By betting. All-in is there where it is a bet that people make: far larger ones slow the solve
#: down, and are put in when somebody makes them. Of a flop's solve only the flop is played, so
#: that later streets have one size.
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
    """Return where search solves: where no card can be used on the CPU, and a sentence says why."""
    notice = gpu_notice() if wanted != "cpu" else ""
    if notice:
        if wanted == "gpu":
            say(f"search solves on the CPU: {notice}.")
        return "cpu"
    return wanted


def on_card(device: Device, street: int) -> bool:
    """Return whether a card solves what begins on a street: of rivers `gpu` only."""
    return device == "gpu" or (device == "auto" and street < _RIVER)


def menus_for(betting: str, first: First, device: Device) -> Menus:
    """Return the menus of a betting: from the flop on where a card solves, if not told else.

    Streets that a card solves have more sizes.
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
    """Have the card ready, and the kernels compiled, before time counts: those with locks, too."""
    solve(_SMALL, SolveSettings(iterations=1, device="gpu")).finish()
    first, second = (each.weights for each in _SMALL.ranges)
    engine = DeviceEngine(_SMALL.tree(), _SMALL.cards, (first, second))
    actions = int(engine.tree.num_actions[0])
    engine.lock(0, None, np.full((actions, NUM_HOLES), 1 / actions))
    engine.run(1)


def say(sentence: str) -> None:
    """Tell the person a sentence, once; workers leave it to who started them."""
    if sentence not in _said and not in_worker():
        _said.add(sentence)
        _log.warning(sentence)


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
