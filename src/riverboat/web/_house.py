"""Where a server keeps things."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from riverboat.files import atomic_path, set_aside

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class House:
    """Where a server keeps things.

    Attributes
    ----------
    data
        Tables and solves: what must outlive a server.
    folders
        Strategies and solutions to look at.
    tell
        Says which damaged files were set aside.
    """

    data: Path
    folders: tuple[Path, ...] = ()
    tell: Callable[[str], object] = print

    def room(self, name: str) -> Path:
        """Return a folder of the data; it is made where it is missing."""
        found = self.data / name
        if found.exists() and not found.is_dir():
            self.set_aside(found, "it is a file")
        found.mkdir(parents=True, exist_ok=True)
        return found

    def set_aside(self, path: Path, why: object) -> None:
        """Move a damaged file of the data to the folder `damaged`, and say so."""
        try:
            place = set_aside(path, self.data)
        except OSError as error:
            self.tell(f"{path} is damaged ({why}) and cannot be moved: {error.strerror or error}")
        else:
            self.tell(f"{path} is damaged ({why}): it was moved to {place}")

    def keep_address(self, address: str) -> None:
        """Write down where the server is, for another one that wants this data."""
        with suppress(OSError), atomic_path(self.data / "address") as temporary:
            temporary.write_text(address, encoding="utf-8")

    def address(self) -> str:
        """Return where the server of this data is; empty where that is not known."""
        with suppress(OSError):
            return (self.data / "address").read_text(encoding="utf-8", errors="replace")[:200]
        return ""
