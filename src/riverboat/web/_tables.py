"""All tables of a server: new ones, those that are played at, those from before it was ended."""

from __future__ import annotations

import asyncio
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec
from anyio import to_thread

from riverboat.bots import split_bots, try_to_sit
from riverboat.errors import GameError, RiverboatError
from riverboat.game import catalogue
from riverboat.table import usual_opponents
from riverboat.web._journal import Begun, Journal
from riverboat.web._solver import Solver, searches
from riverboat.web._table import Table

if TYPE_CHECKING:
    from pathlib import Path

    from riverboat.web._shelf import Shelf
    from riverboat.web._table_state import NewTable

__all__ = ["Tables"]

_MOST: Final = 2_000
_IDLE: Final = 6 * 3600.0  # seconds after which a table that nobody looks at is left
_LOOK: Final = 20.0
_TRAINED: Final = "blueprint"  # whom a person meets where its strategy was trained


class Tables:
    """Tables by id.

    Parameters
    ----------
    folder
        Of journals and hands.
    solver
        Whom bots that search wait for.
    shelf
        The strategies that bots may play from.
    """

    def __init__(self, folder: Path, solver: Solver, shelf: Shelf) -> None:
        self._folder, self._solver, self._shelf = folder, solver, shelf
        self._tables: dict[str, Table] = {}

    def __len__(self) -> int:
        return len(self._tables)

    def __getitem__(self, number: str) -> Table:
        """Return a table."""
        if number not in self._tables:
            raise KeyError(number)
        return self._tables[number]

    async def new(self, asked: NewTable) -> Table:
        """Set up a table; bots that cannot play the game are refused."""
        if len(self._tables) >= _MOST:
            raise GameError(f"there are {_MOST:,} tables: leave one first")
        bots = await to_thread.run_sync(_bots, asked, self._shelf)
        seed = secrets.randbits(31) if asked.seed is None else asked.seed
        begun = Begun(secrets.token_urlsafe(12), asked, bots, seed, time.time())
        table = self._made(begun, Journal.begin(self._folder, begun))
        self._tables[table.id] = table
        return table

    async def leave(self, number: str) -> Table:
        """Leave a table."""
        table = self[number]
        del self._tables[number]
        await table.leave()
        return table

    def restore(self) -> None:
        """Set up the tables of a server that ended; what cannot be read again stays as it is."""
        for path in Journal.paths(self._folder):
            found = Journal.read(path)
            if found is None:
                continue
            begun, hands = found
            try:
                bots = [self._shelf.bot(bot) for bot in begun.bots]
                begun = msgspec.structs.replace(begun, bots=bots)
                table = self._made(begun, Journal(path))
                table.restore(hands)
            except RiverboatError:
                continue
            self._tables[table.id] = table

    def suspend(self) -> None:
        """Keep all tables for the next server."""
        for table in self._tables.values():
            table.suspend()
        self._tables.clear()

    async def tidy(self) -> None:
        """Save hands, and leave tables that nobody has looked at for hours, again and again."""
        while True:
            await asyncio.sleep(_LOOK)
            now = time.monotonic()
            for table in list(self._tables.values()):
                with suppress(RiverboatError, OSError):  # of one table: the others are tidied
                    await self._tidied(table, now)

    async def _tidied(self, table: Table, now: float) -> None:
        await table.save()
        idle = not table.watched and now - table.used > _IDLE
        if idle and table.id in self._tables:  # it may have been left meanwhile
            await self.leave(table.id)

    def _made(self, begun: Begun, journal: Journal) -> Table:
        turn = self._solver.search if any(map(searches, begun.bots)) else None
        return Table(begun, journal, self._folder, turn)


def _bots(asked: NewTable, shelf: Shelf) -> list[str]:
    """The bot on each chair beside the person; each has shown that it can play."""
    spec = catalogue(asked.game, asked.seats)
    opponents = asked.opponents or usual_opponents(spec, _TRAINED)
    named = [shelf.bot(name) for name in split_bots(opponents)]
    for name in named:
        try_to_sit(name, spec, "off")
    return [named[index % len(named)] for index in range(spec.players - 1)]
