"""Luck-adjusted results (AIVAT) of sessions, as files."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec

from riverboat.files import atomic_path

if TYPE_CHECKING:
    from pathlib import Path

_SUFFIX: Final = ".luck.json"


class LuckFile:
    """The luck-adjusted results of sessions, hand by hand.

    Parameters
    ----------
    folder
        The folder of the files, one per session.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _path(self, session: str) -> Path:
        return self._folder / f"{session}{_SUFFIX}"

    def changed(self, session: str) -> int:
        """Return when the results of a session changed, in nanoseconds; 0 if there are none."""
        with suppress(OSError):
            return self._path(session).stat().st_mtime_ns
        return 0

    def read(self, session: str) -> list[float | None]:
        """Return the results of a session's hands in chips; None where AIVAT does not hold."""
        with suppress(OSError, ValueError):  # a damaged file: its hands are scored again
            return msgspec.json.decode(self._path(session).read_bytes(), type=list[float | None])
        return []

    def add(self, session: str, first: int, chips: list[float | None]) -> None:
        """Save the results of the hands that follow the first ones."""
        known = self.read(session)[:first]
        if len(known) < first:
            return  # the file was damaged meanwhile: the next job scores all hands
        with atomic_path(self._path(session)) as temporary:
            temporary.write_bytes(msgspec.json.encode([*known, *chips]))

    def delete(self, session: str) -> None:
        """Forget a session."""
        self._path(session).unlink(missing_ok=True)
