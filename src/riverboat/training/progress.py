"""How a run stands: frozen objects that a caller shows, logs or ignores."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

__all__ = ["Measured", "Progress"]

Event = Literal["started", "training", "measured", "saved", "written", "finished", "stopped"]


@dataclass(frozen=True, slots=True)
class Measured:
    """Exploitability at some point of a run, chips a hand."""

    iterations: int
    seconds: float
    """Of training so far."""
    exploitability: float
    """Exact, or a lower bound by trained responses."""
    low: float
    high: float
    """95 % interval of the bound; equal to it where exact."""
    exact: bool
    value: float | None
    """What the first seat wins, where exact."""
    cost: float
    """Seconds that the measurement took."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How a run stands."""

    event: Event
    member: int
    """Of the ensemble, from 1."""
    members: int
    iterations: int
    seconds: float
    """Spent iterating."""
    iterations_per_second: float
    """Lately."""
    seconds_left: float
    """Of training, by the budget and the speed so far."""
    infosets: int
    visited: int
    """Infosets with a regret or an average, when last counted."""
    average_regret: float
    """Mean over infosets of the largest positive regret an iteration, in chips, likewise."""
    table_bytes: int
    resident_bytes: int
    """Of the process."""
    overhead_seconds: float
    """Spent on counting, measuring and saving."""
    measured: Measured | None
    """The last measurement."""
    findings: tuple[str, ...] = ()
    """What is remarkable about the strategy that was written."""

    def as_dict(self) -> dict[str, Any]:
        """Return plain values, for the log."""
        return asdict(self)
