"""What was said at another table, both ways: to find faults, and to play it again in tests."""

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from riverboat.errors import ProtocolError, harmless

_HEARD, _SAID, _NOTE = "< ", "> ", "# "


class Transcript:
    """Writes lines into a file, or nowhere without one.

    Examples
    --------
    >>> with Transcript() as nowhere:
    ...     nowhere.heard("MATCHSTATE:0:0::TdAs|")
    """

    def __init__(self, path: Path | None = None) -> None:
        self._file: TextIO | None = None
        if path is not None:
            self._file = path.open("a", encoding="utf-8", buffering=1)

    def heard(self, line: str) -> None:
        """Write a line that came."""
        self._write(_HEARD, line)

    def said(self, line: str) -> None:
        """Write a line that went out."""
        self._write(_SAID, line)

    def note(self, line: str) -> None:
        """Write what happened besides."""
        self._write(_NOTE, line)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def _write(self, mark: str, line: str) -> None:
        if self._file is not None:
            self._file.write(f"{mark}{harmless(line)}\n")


def read_transcript(lines: Iterable[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Return each line that came, and what was answered to it; notes are left out.

    Answers that stand before the first line that came belong to an empty one.

    Examples
    --------
    >>> read_transcript(["> VERSION:2.0.0", "< MATCHSTATE:0:0::TdAs|", "# cut"])
    [('', ('VERSION:2.0.0',)), ('MATCHSTATE:0:0::TdAs|', ())]
    """
    found: list[tuple[str, tuple[str, ...]]] = []
    for number, line in enumerate(lines, start=1):
        mark, rest = line[:2], line[2:].rstrip("\n")
        if mark == _HEARD:
            found.append((rest, ()))
        elif mark == _SAID:
            heard, said = found.pop() if found else ("", ())
            found.append((heard, (*said, rest)))
        elif mark != _NOTE:
            raise ProtocolError(f"line {number} of a transcript begins with '<', '>' or '#'")
    return found
