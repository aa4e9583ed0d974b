"""The data folder of a server."""

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
    """The data folder of a server, and the folders that it serves.

    Attributes
    ----------
    data
        Tables, solves and other data that must survive a restart.
    folders
        Folders of strategies and solutions.
    tell
        Prints messages, for example about damaged files.
    """

    data: Path
    folders: tuple[Path, ...] = ()
    tell: Callable[[str], object] = print

    def room(self, name: str) -> Path:
        """Return a folder of the data; it is created if it is missing."""
        folder = self.data / name
        if folder.exists() and not folder.is_dir():
            self.set_aside(folder, "it is a file")
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def set_aside(self, path: Path, why: object) -> None:
        """Move a damaged file to the folder `damaged`, and print a message."""
        try:
            place = set_aside(path, self.data)
        except OSError as error:
            self.tell(f"{path} is damaged ({why}) and cannot be moved: {error.strerror or error}")
        else:
            self.tell(f"{path} is damaged ({why}) and was moved to {place}")

    def keep_address(self, address: str) -> None:
        """Save the address of the server, for a second server that is started on this data."""
        with suppress(OSError), atomic_path(self.data / "address") as temporary:
            temporary.write_text(address, encoding="utf-8")

    def address(self) -> str:
        """Return the address of the server of this data; empty if unknown."""
        with suppress(OSError):
            return (self.data / "address").read_text(encoding="utf-8", errors="replace")[:200]
        return ""
