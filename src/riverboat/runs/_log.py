"""The log of a run: one JSON object a line, appended as it goes.

Lines become rarer as a run grows longer: an ordinary report is logged if a hundredth of the run
has passed since the last line. Everything else is always logged.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from riverboat import __version__
from riverboat.files import atomic_path

_SPACING: Final = 0.01


class RunLog:
    """Appends to a log.

    Parameters
    ----------
    path
        The file.
    kept
        The lines of an earlier run that it begins with; all others are dropped. None leaves the
        file as it is, which may be the log of several runs: only a torn line is ended.
    """

    def __init__(self, path: Path, kept: Iterable[Mapping[str, Any]] | None = ()) -> None:
        self._path = path
        self._next = 0.0
        if kept is None:
            last = path.read_bytes()[-1:] if path.exists() else b""
            if last not in (b"", b"\n"):  # the next line must not join it
                self._append("\n")
            return
        text = "".join(_text(line) for line in kept)
        with atomic_path(path) as temporary:
            temporary.write_text(text, encoding="utf-8")

    def write(self, values: Mapping[str, Any], *, ordinary: bool = False) -> None:
        """Append a line, unless it is an ordinary report soon after another."""
        if ordinary and values["seconds"] < self._next:
            return
        self._next = values.get("seconds", 0.0) * (1 + _SPACING)
        self._append(_text({**values, "version": __version__}))

    def _append(self, text: str) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(text)


def _text(line: Mapping[str, Any]) -> str:
    """A line of JSON, without the infinities that only Python reads."""
    return json.dumps(line, allow_nan=False) + "\n"
