"""What a server has: folders, strategies, tables, solves, matches."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anyio import CapacityLimiter
from starlette.exceptions import HTTPException

from riverboat.files import atomic_path, set_aside
from riverboat.web._matches import Matches
from riverboat.web._shelf import Shelf
from riverboat.web._solver import Solver
from riverboat.web._solves import Solve
from riverboat.web._tables import Tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from riverboat.web._matches import Playing
    from riverboat.web._reviews import Reviews
    from riverboat.web._table import Table

__all__ = ["House", "Parts"]


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


class Parts:
    """What routes share."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.shelf = Shelf((*house.folders, house.room("solves")))
        #: Set by the routes of reviews.
        self.reviews: Reviews | None = None

    async def begin(self) -> None:
        """Set up what needs the running loop."""
        #: Trees that are too large are found out in seconds and gigabytes: one at a time.
        self.trees = CapacityLimiter(1)
        self.solver = Solver()
        self.tables = Tables(self.house.room("tables"), self.solver, self.shelf)
        self.tables.restore()
        self.matches = Matches(self.house.room("matches"), self.shelf)
        self.matches.restore()
        kept = Solve.kept(self.house.room("solves"), self.solver)
        self.solves = {solve.id: solve for solve in kept}
        if self.reviews is not None:
            await self.reviews.restore()

    async def end(self) -> None:
        """Keep everything for the next server."""
        self.tables.suspend()
        await self.matches.end()
        if self.reviews is not None:
            await self.reviews.end()
        for solve in self.solves.values():
            solve.stop()
        for solve in self.solves.values():
            await solve.ended()

    def table(self, number: str) -> Table:
        """Return a table."""
        try:
            return self.tables[number]
        except KeyError:
            raise HTTPException(404, f"there is no table {number[:40]!r}") from None

    def match(self, number: str) -> Playing:
        """Return a match."""
        try:
            return self.matches[number]
        except KeyError:
            raise HTTPException(404, f"there is no match {number[:40]!r}") from None

    def solve(self, number: str) -> Solve:
        """Return a solve."""
        if number not in self.solves:
            raise HTTPException(404, f"there is no solve {number[:40]!r}")
        return self.solves[number]
