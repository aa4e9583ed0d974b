"""The journal of a table, from which it is restored after the server was killed.

The first line describes the table; every other line has the actions of a hand so far. Cards follow
from the session's seed, so they are not saved.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from riverboat.errors import DamagedFileError
from riverboat.web._table_state import NewTable  # noqa: TC001 - msgspec reads it

if TYPE_CHECKING:
    from pathlib import Path

_SUFFIX: Final = ".table.jsonl"
_SESSION: Final = 16  # hexadecimal digits of the id of a session


class Begun(msgspec.Struct, frozen=True, tag="begun"):
    """A table was set up."""

    id: str
    asked: NewTable
    bots: list[str]
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
    began: Annotated[float, msgspec.Meta(ge=0, le=1e11)]
    """Seconds since 1970."""
    key: str = ""
    """Id under which a second person plays at the table."""
    token: str = ""
    """What the link for the second person carries in place of the server's token; never in a state
    of the table, because the second person may set up tables, too.
    """

    @property
    def session(self) -> str:
        """The public id of the session, from which nobody can compute the id of the table.

        Who knows the id of the table plays in its first chair.
        """
        return hashlib.sha256(self.id.encode()).hexdigest()[:_SESSION]


class Reached(msgspec.Struct, frozen=True, tag="reached"):
    """The actions of a hand so far."""

    hand: int
    actions: list[str]
    left: bool = False
    """Whether the user left the hand."""


class Journal:
    """The journal of one table; each line is written before the page receives the change.

    The file is open only while a line is written, because there may be more tables than a process
    can have open files.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def begin(cls, folder: Path, begun: Begun) -> Journal:
        """Start the journal of a new table."""
        journal = cls(folder / f"{begun.id}{_SUFFIX}")
        journal.write(begun)
        return journal

    def write(self, line: Begun | Reached) -> None:
        """Append a line."""
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:  # the first newline ends a line that was cut off
            os.write(file, b"\n" + _ENCODER.encode(line) + b"\n")
        finally:
            os.close(file)

    def forget(self) -> None:
        """Delete the journal of a table that was left."""
        self.path.unlink(missing_ok=True)

    @staticmethod
    def paths(folder: Path) -> list[Path]:
        """Return the journals of a folder."""
        return sorted(folder.glob(f"*{_SUFFIX}"))

    @staticmethod
    def read(path: Path) -> tuple[Begun, dict[int, Reached]]:
        """Return the setup of a table and the actions of each hand.

        Raises
        ------
        DamagedFileError
            If the line of the setup or a hand is missing.
        """
        begun: Begun | None = None
        hands: dict[int, Reached] = {}
        for text in path.read_bytes().splitlines():
            try:
                line = _DECODER.decode(text)
            except (ValueError, RecursionError):
                continue  # the server was killed while it wrote
            if isinstance(line, Begun):
                begun = line
            else:
                hands[line.hand] = line
        if begun is None:
            raise DamagedFileError("the line with the setup of the table is missing")
        if f"{begun.id}{_SUFFIX}" != path.name:
            raise DamagedFileError(f"it names the table {begun.id[:40]!r}")
        if sorted(hands) != list(range(1, len(hands) + 1)):
            raise DamagedFileError(f"only {len(hands)} of {max(hands)} hands are there")
        return begun, hands


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Begun | Reached)
