"""The log of a run: one JSON object a line, appended as it goes.

Lines grow rarer as a run grows longer: a report is logged if a hundredth of the training has
passed since the last one. Measurements, checkpoints and ends are always logged.
"""

import json
from dataclasses import fields
from math import isfinite
from pathlib import Path
from typing import Any

from riverboat import __version__
from riverboat.files import JsonLines, atomic_path, json_lines
from riverboat.training._progress import Measured, Progress

__all__ = ["RunLog", "read_log"]

_SPACING = 0.01
_MEASURED = tuple(field.name for field in fields(Measured))
_NO_NUMBERS = {"exact", "value"}


class RunLog:
    """Appends to a log.

    Parameters
    ----------
    path
        The file; lines that are already there are kept.
    kept_iterations
        Of a run that is resumed: later lines belong to work that was lost, and are dropped.

    Attributes
    ----------
    torn
        Lines of a resumed run that could not be read.
    """

    def __init__(self, path: Path, kept_iterations: int = 0) -> None:
        self._path = path
        self._next = 0.0
        found = read_log(path)
        self.torn = found.torn if kept_iterations else 0
        lines = [line for line in found if line["iterations"] <= kept_iterations]
        with atomic_path(path) as temporary:
            text = "".join(_text(line) + "\n" for line in lines if kept_iterations)
            temporary.write_text(text, encoding="utf-8")

    def write(self, progress: Progress, **more: Any) -> None:
        """Append a line, unless it is a report soon after another."""
        if progress.event == "training" and progress.seconds < self._next:
            return
        self._next = progress.seconds * (1 + _SPACING)
        line = _text({**progress.as_dict(), **more, "version": __version__})
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def read_log(path: Path) -> JsonLines:
    """Read a log; lines that are none of a run, or were cut short by a crash, are counted only."""
    return json_lines(path, _is_line)


def _is_line(line: Any) -> bool:
    """Whether a JSON value is a line of a run: what others read of it is there."""
    if not isinstance(line, dict):
        return False
    numbers = {"iterations": 0, "seconds": 0.0, "average_regret": 0.0}
    if not all(_is_number(line.get(name, default)) for name, default in numbers.items()):
        return False
    if "iterations" not in line:
        return False
    measured = line.get("measured")
    return measured is None or (
        isinstance(measured, dict)
        and measured.keys() == set(_MEASURED)
        and all(_is_number(measured[name]) for name in _MEASURED if name not in _NO_NUMBERS)
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _text(line: dict[str, Any]) -> str:
    """A line of JSON, without the infinities that only Python reads."""
    return json.dumps(line, allow_nan=False)
