"""All tables of a server: creates, restores, saves and closes them."""

from __future__ import annotations

import asyncio
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec
from anyio import to_thread

from riverboat.bots import split_bots, try_to_sit
from riverboat.errors import GameError, RiverboatError, in_words
from riverboat.game import catalogue
from riverboat.histories import read
from riverboat.table import usual_opponents
from riverboat.web._guard import hashed
from riverboat.web._journal import Begun, Journal
from riverboat.web._table import Table
from riverboat.web._turns import Searches, check_quick, searches

if TYPE_CHECKING:
    from riverboat.web._house import House
    from riverboat.web._shelf import Shelf
    from riverboat.web._table_state import NewTable

_MOST: Final = 2_000
_IDLE: Final = 6 * 3600.0  # seconds after which a table without a page is closed
_LOOK: Final = 20.0
_MOST_SEARCH: Final = 30.0  # seconds of a decision, for which other tables wait
_TRAINED: Final = "search"  # default bot in the game of the default strategy, as in the terminal


class Tables:
    """Tables by id.

    Parameters
    ----------
    house
        The data folder.
    searching
        The queue of bots that search.
    shelf
        The strategies that bots may use.
    """

    def __init__(self, house: House, searching: Searches, shelf: Shelf) -> None:
        self._house, self._folder = house, house.room("tables")
        self._searches, self._shelf = searching, shelf
        self._tables: dict[str, Table] = {}
        self._guests: dict[str, Table] = {}  # by the id of the second person
        self._invitations: set[str] = set()  # hashed tokens of second persons

    def __len__(self) -> int:
        return len(self._tables)

    def __getitem__(self, number: str) -> Table:
        """Return a table; KeyError if there is none of that id."""
        return self._tables[number]

    def seat(self, number: str) -> tuple[Table, int]:
        """Return the table and the chair of an id; KeyError if there is none."""
        if number in self._tables:
            return self._tables[number], 0
        return self._guests[number], 1

    def _add(self, table: Table) -> None:
        self._tables[table.id] = table
        if table.begun.key:
            self._guests[table.begun.key] = table
            self._invitations.add(hashed(table.begun.token))

    def invited(self, token_hash: str) -> bool:
        """Return whether a token belongs to the second person of an open table."""
        return token_hash in self._invitations

    @property
    def open(self) -> set[str]:
        """The sessions of the tables with at least one finished hand."""
        return {each.begun.session for each in self._tables.values() if each.session.played}

    async def saved(self, number: str) -> None:
        """Write the finished hands of a session; no table with that session is no error."""
        for table in [each for each in self._tables.values() if each.begun.session == number]:
            await table.save()

    async def new(self, asked: NewTable) -> Table:
        """Set up a table; bots that cannot play the game are refused."""
        if len(self._tables) >= _MOST:
            raise GameError(f"there are already {_MOST:,} tables, the maximum: leave one first")
        if asked.people > 1 and asked.seed is not None:  # it would tell all cards to who chose it
            raise GameError(f"the seed {asked.seed} is for one person: two play with a random one")
        bots = await to_thread.run_sync(_bots, asked, self._shelf)
        seed = secrets.randbits(31) if asked.seed is None else asked.seed
        key, token = (secrets.token_urlsafe(size) if asked.people > 1 else "" for size in (12, 24))
        begun = Begun(secrets.token_urlsafe(12), asked, bots, seed, time.time(), key, token)
        table = self._create(begun, Journal.begin(self._folder, begun))
        self._add(table)
        return table

    async def leave(self, number: str) -> Table:
        """Leave a table."""
        table = self._tables.pop(number)
        self._guests.pop(table.begun.key, None)
        self._invitations.discard(hashed(table.begun.token))
        await table.leave()
        return table

    def restore(self) -> None:
        """Set up the tables of a server that ended; damaged files are set aside."""
        for path in Journal.paths(self._folder):
            try:
                begun, hands = Journal.read(path)
                try:
                    bots = [self._shelf.bot(bot) for bot in begun.bots]
                except GameError as error:  # its folder may not be served this time
                    self._house.tell(f"{path} is not restored: {error}")
                    continue
                begun = msgspec.structs.replace(begun, bots=bots)
                table = self._restored(begun, Journal(path))
                table.restore(hands)
            except Exception as error:  # one damaged table must not stop the others
                self._house.set_aside(path, in_words(error))
            else:
                self._add(table)

    def _restored(self, begun: Begun, journal: Journal) -> Table:
        """Set up a table; a damaged hand history is set aside and rewritten from the journal."""
        for path in list(self._folder.glob(f"{begun.id}.*")):
            if path != journal.path:  # of a version that named it after the table
                path.replace(path.with_name(f"{begun.session}{path.suffix}"))
        for path in self._folder.glob(f"{begun.session}.*"):
            try:
                damage = read(path).refused
            except (RiverboatError, OSError, ValueError) as error:
                self._house.set_aside(path, in_words(error))
            else:
                if damage:
                    self._house.set_aside(path, damage[0].reason)
        return self._create(begun, journal)

    def suspend(self) -> None:
        """Save all tables for the next server."""
        for table in self._tables.values():
            table.suspend()
        self._tables.clear()

    async def tidy(self) -> None:
        """Save hands and close idle tables, periodically."""
        while True:
            await asyncio.sleep(_LOOK)
            now = time.monotonic()
            for table in list(self._tables.values()):
                with suppress(RiverboatError, OSError):  # other tables are unaffected
                    await self._tidied(table, now)

    async def _tidied(self, table: Table, now: float) -> None:
        await table.save()
        idle = not table.observed and now - table.used > _IDLE
        if idle and table.id in self._tables:  # the user may have left it meanwhile
            await self.leave(table.id)

    def _create(self, begun: Begun, journal: Journal) -> Table:
        turn = self._searches.search if any(map(searches, begun.bots)) else None
        return Table(begun, journal, self._folder, turn)


def _bots(asked: NewTable, shelf: Shelf) -> list[str]:
    """Return the bots of a table, after checking that each can play the game."""
    spec = catalogue(asked.game, asked.seats)
    opponents = asked.opponents or usual_opponents(spec, _TRAINED)
    named = [shelf.bot(name) for name in split_bots(opponents)]
    for name in named:
        check_quick(name, _MOST_SEARCH)
        try_to_sit(name, spec, "off")
    return [named[index % len(named)] for index in range(spec.players - asked.people)]
