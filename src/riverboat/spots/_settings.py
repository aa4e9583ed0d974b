"""How a spot is solved: every setting, declared once."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import msgspec

from riverboat.errors import RiverboatError, SpotError
from riverboat.gpu import Bits  # noqa: TC001 - msgspec reads it
from riverboat.settings import Settings, meaning
from riverboat.spots._devices import Device  # noqa: TC001 - as above
from riverboat.spots._facts import Side  # noqa: TC001 - as above
from riverboat.spots._locks import Lock, as_locks
from riverboat.spots._schedule import Schedule, find_schedule


class SolveSettings(Settings, frozen=True, kw_only=True):
    """How a spot is solved.

    Examples
    --------
    >>> SolveSettings(target=0.005, locks=["b10: KK = c 100"]).held[0].line
    'b10'
    """

    error: ClassVar[type[RiverboatError]] = SpotError

    target: Annotated[
        float, msgspec.Meta(ge=0, lt=1, description="target exploitability, share of the pot")
    ] = 0.003
    seconds: Annotated[float, msgspec.Meta(gt=0, description="time limit in seconds")] | None = None
    iterations: Annotated[int, meaning("iteration limit", 1, 2**31 - 1)] | None = None
    threads: Annotated[int, meaning("threads (0 = one per core)", 0, 256)] = 0
    """Results do not depend on it; small spots take fewer."""
    bits: Annotated[Bits, meaning("precision: 32 bits, or 16 to halve memory")] = 32
    schedule: Annotated[str | Schedule, meaning("discounting of old regrets")] = "ramp"
    """A name of `SCHEDULES`, or one of your own."""
    isomorphism: Annotated[bool, meaning("solve isomorphic runouts once")] = True
    """As far as no lock treats them differently."""
    locks: Annotated[tuple[str, ...], meaning("node locks")] = ()
    """Decisions that are played as given: texts of `Lock`."""
    device: Annotated[Device, meaning("solve on cpu, gpu, or auto: a GPU where it is faster")] = (
        "cpu"
    )
    """Where no GPU can be used the CPU solves, and `Solving.notice` says why."""
    exploit: Annotated[Side | None, meaning("player who ends with a best response")] = None
    rivers: Annotated[bool, meaning("store river strategies in the file")] = True

    def __post_init__(self) -> None:
        """Refuse what is not possible; locks become text, in one way of writing."""
        texts = tuple(map(str, as_locks(self.locks)))
        msgspec.structs.force_setattr(self, "locks", texts)
        super().__post_init__()
        find_schedule(self.schedule)
        if self.target == 0 and self.seconds is None and self.iterations is None:
            raise SpotError("a target of 0 needs a budget of seconds or iterations")

    @property
    def held(self) -> tuple[Lock, ...]:
        """The locks."""
        return as_locks(self.locks)

    def changed(self, **changes: Any) -> SolveSettings:
        """Return these settings with others in place of some.

        Examples
        --------
        >>> SolveSettings(target=0.01).changed(threads=1).target
        0.01
        """
        return msgspec.structs.replace(self, **changes)
