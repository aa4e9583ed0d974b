"""The log of a run: one JSON object a line, appended as it goes.

Lines grow rarer as a run grows longer: a report is logged if a hundredth of the training has
passed since the last one. Measurements, checkpoints and ends are always logged.
"""

import json
from pathlib import Path
from typing import Any

from riverboat import __version__
from riverboat.files import atomic_path
from riverboat.training.progress import Progress

__all__ = ["RunLog", "read_log"]

_SPACING = 0.01


class RunLog:
    """Appends to a log.

    Parameters
    ----------
    path
        The file; lines that are already there are kept.
    kept_iterations
        Of a run that is resumed: later lines belong to work that was lost, and are dropped.
    """

    def __init__(self, path: Path, kept_iterations: int = 0) -> None:
        self._path = path
        self._next = 0.0
        lines = [line for line in read_log(path) if line["iterations"] <= kept_iterations]
        with atomic_path(path) as temporary:
            text = "".join(json.dumps(line) + "\n" for line in lines if kept_iterations)
            temporary.write_text(text, encoding="utf-8")

    def write(self, progress: Progress, **more: Any) -> None:
        """Append a line, unless it is a report soon after another."""
        if progress.event == "training" and progress.seconds < self._next:
            return
        self._next = progress.seconds * (1 + _SPACING)
        line = json.dumps({**progress.as_dict(), **more, "version": __version__})
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def read_log(path: Path) -> list[dict[str, Any]]:
    """Read a log; a last line that a crash cut short is left out."""
    if not path.exists():
        return []
    lines: list[dict[str, Any]] = []
    for text in path.read_text(encoding="utf-8").splitlines():
        try:
            lines.append(json.loads(text))
        except ValueError:
            continue
    return [line for line in lines if isinstance(line, dict) and "iterations" in line]
