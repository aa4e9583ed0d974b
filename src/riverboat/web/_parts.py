"""What a server has: folders, strategies, tables, solves, matches."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from anyio import CapacityLimiter
from starlette.exceptions import HTTPException

from riverboat.errors import RiverboatError, in_words
from riverboat.learn import History
from riverboat.web._files_02 import convert_jobs
from riverboat.web._matches import match_jobs
from riverboat.web._reviews import Reviews
from riverboat.web._searches import Searches
from riverboat.web._shelf import Shelf
from riverboat.web._solves import Solves
from riverboat.web._tables import Tables

if TYPE_CHECKING:
    from riverboat.web._house import House
    from riverboat.web._table import Table


class Parts:
    """What routes share."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.shelf = Shelf((*house.folders, house.room("solves")))
        self.searches = Searches()
        self.tables = Tables(house, self.searches, self.shelf)
        self.matches = match_jobs(house.room("matches"), self.shelf)
        self.solves = Solves(house, self.searches)
        self.reviews = Reviews(house.room("reviews"), self.shelf)

    def begin(self) -> None:
        """Take in what earlier servers left; damaged files are set aside."""
        #: Trees that are too large are found out in seconds and gigabytes: one at a time.
        self.trees = CapacityLimiter(1)
        convert_jobs(self.house)
        self.tables.restore()
        for jobs in (self.matches, self.solves.jobs, self.reviews.jobs):
            jobs.restore(self.house.set_aside)
        self._check_answers()

    def history(self) -> History:
        """Return the answers of the trainer."""
        return History(self.house.room("drill") / "drill.sqlite3")

    def _check_answers(self) -> None:
        """Set the trainer's file aside if it is none."""
        path = self.house.room("drill") / "drill.sqlite3"
        if not path.exists():
            return
        try:
            self.history().answers()
        except RiverboatError as error:
            if isinstance(error.__cause__, sqlite3.Error):  # not one of a newer version
                self.house.set_aside(path, in_words(error))

    def end(self) -> None:
        """Keep everything for the next server."""
        self.tables.suspend()
        for jobs in (self.matches, self.solves.jobs, self.reviews.jobs):
            jobs.end()

    def table(self, number: str) -> Table:
        """Return a table."""
        try:
            return self.tables[number]
        except KeyError:
            raise HTTPException(404, f"there is no table {number[:40]!r}") from None
