"""What runs on this machine, read from logs and the ledger; nothing is touched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from pathlib import Path

#: Runs that are listed.
MOST: Final = 60
#: Seconds since the last sign of life of what still runs.
FRESH: Final = 120.0


class Cell(msgspec.Struct, frozen=True):
    """What the row's bot won from the column's, with its 95 % interval."""

    mean: float
    low: float | None
    high: float | None


class CrossTable(msgspec.Struct, frozen=True):
    """A tournament: rows against columns, thousandths of a big blind a hand."""

    bots: list[str]
    cells: list[list[Cell | None]]
    """None where nothing was played yet, or a bot would meet itself."""


class Watched(msgspec.Struct, frozen=True):
    """A run, or a finished report."""

    kind: str
    """`training`, `match`, `tournament`, `sweep`, `play`, `library`, `reproduction`, `report`."""
    name: str
    place: str
    """File, folder, or number in the ledger."""
    state: str
    """`running`, `finished`, or `silent`: nothing was heard lately."""
    seen: float
    """Seconds since the last sign of life."""
    facts: dict[str, Any] = {}
    """Speed, memory, infosets, time left, winnings with their interval."""
    curve: list[tuple[float, float, float | None, float | None]] = []
    """(seconds, value, low, high): exploitability of a training, or average regret."""
    measure: str = ""
    """What the curve shows."""
    table: CrossTable | None = None
    """Of a tournament."""


def state_of(finished: bool, age: float) -> str:
    """Say whether something runs, by when it was last heard of."""
    return "finished" if finished else "running" if age < FRESH else "silent"


def newest(*paths: Path) -> float:
    """Return the time of the file that was changed last, seconds since 1970; 0 if none is there."""
    times = []
    for path in paths:
        try:
            times.append(path.stat().st_mtime)
        except OSError:
            continue
    return max(times, default=0.0)
