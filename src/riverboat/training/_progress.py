"""How a run stands: frozen objects that a caller shows, logs or ignores."""

from dataclasses import asdict, dataclass, fields
from math import isfinite
from pathlib import Path
from typing import Any, Literal

from riverboat.files import JsonLines, json_lines
from riverboat.report import Columns, Framed, FramedRow, columns_of

Event = Literal[
    "started", "training", "measured", "saved", "unsaved", "written", "finished", "stopped"
]


@dataclass(frozen=True, slots=True)
class Measured(FramedRow):
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
class Progress(Framed):
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
    """Of training and measuring, by the budget, the speed and the last measurement so far;
    infinite while that is not known."""
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
    problem: str = ""
    """Why something was not written, lately; the run goes on."""
    findings: tuple[str, ...] = ()
    """What is remarkable about the strategy that was written."""

    def as_dict(self) -> dict[str, Any]:
        """Return plain values, for the log; what is not known, such as the time left, is None."""
        return {name: _finite(value) for name, value in asdict(self).items()}

    def frame_columns(self) -> Columns:
        """Return one row with every figure; `measured_..` are those of the last measurement."""
        values = self.as_dict()
        measured = values.pop("measured") or dict.fromkeys(Measured.__slots__)
        values["findings"] = "; ".join(self.findings)
        values |= {f"measured_{name}": value for name, value in measured.items()}
        return columns_of([values])


def _finite(value: Any) -> Any:
    """JSON has no infinity: None instead, in tables too."""
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    return None if isinstance(value, float) and not isfinite(value) else value


_MEASURED = tuple(field.name for field in fields(Measured))
_NO_NUMBERS = {"exact", "value"}


def read_log(path: Path) -> JsonLines:
    """Read a log; lines that are none of a run, or were cut short by a crash, are counted only."""
    return json_lines(path, _is_line)


def _is_line(line: Any) -> bool:
    """Whether a JSON value is a line of a run: what others read of it is there."""
    if not isinstance(line, dict) or "iterations" not in line:
        return False
    numbers = {"iterations": 0, "seconds": 0.0, "average_regret": 0.0}
    measured = line.get("measured")
    return all(_is_number(line.get(name, default)) for name, default in numbers.items()) and (
        measured is None
        or (
            isinstance(measured, dict)
            and measured.keys() == set(_MEASURED)
            and all(_is_number(measured[name]) for name in _MEASURED if name not in _NO_NUMBERS)
        )
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
