"""A database of hands in one SQLite file, so that no file is parsed twice.

Hands are known by site and number: a hand that is in two files is stored once. A query can only
read this file: other statements, other files and endless work are refused.
"""

from __future__ import annotations

import hashlib
import sqlite3
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from riverboat.cards import card_text
from riverboat.errors import HistoryError, RiverboatError
from riverboat.files import hands_path
from riverboat.histories._folders import Block, HandFile, blocks_of, hand_files
from riverboat.histories._lines import from_text, stored_text
from riverboat.histories._reading import read_text
from riverboat.report import Columns, Framed
from riverboat.runs import run_jobs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from riverboat.histories._record import HandRecord

#: The tables. Amounts are chips; `unit` is the number of chips of one unit of the currency.
SCHEMA: Final = """
CREATE TABLE files (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, size INTEGER NOT NULL, changed INTEGER NOT NULL,
    hands INTEGER NOT NULL, new_hands INTEGER NOT NULL, UNIQUE (path)
);
CREATE TABLE hands (
    id INTEGER PRIMARY KEY, site TEXT NOT NULL, number TEXT NOT NULL, date TEXT, file INTEGER,
    line INTEGER, table_name TEXT, currency TEXT, unit INTEGER, betting TEXT, players INTEGER,
    small_blind INTEGER, big_blind INTEGER, ante INTEGER, pot INTEGER, rake INTEGER, board TEXT,
    actions TEXT, hero INTEGER, record TEXT NOT NULL, UNIQUE (site, number)
);
CREATE TABLE seats (
    hand INTEGER NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL, chair INTEGER,
    position TEXT, stack INTEGER, cards TEXT, net INTEGER, PRIMARY KEY (hand, seat)
) WITHOUT ROWID;
CREATE TABLE refused (
    file INTEGER NOT NULL, line INTEGER NOT NULL, reason TEXT NOT NULL, game TEXT NOT NULL
);
CREATE INDEX seats_by_name ON seats (name);
CREATE INDEX hands_by_date ON hands (date);
"""
_TABLES = frozenset(("files", "hands", "seats", "refused"))
_VERSION = 1
MOST_ROWS: Final = 100_000
_STEPS = 10_000  # of SQLite's machine between looks at the clock
_LONGEST_VALUE = 1_000_000  # bytes of a value or a statement
_MOST_COLUMNS = 200
_MOST_BYTES = 300_000_000  # of a result in memory
_POSITIONS = ("BTN", "CO", "HJ", "LJ", "UTG+3", "UTG+2", "UTG+1", "UTG")
_HAND = (
    "INSERT OR IGNORE INTO hands (site, number, date, line, table_name, currency, unit, betting,"
    " players, small_blind, big_blind, ante, pot, rake, board, actions, hero, record, file)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


class Rows(NamedTuple):
    """The rows of a block of text: hands with their seats, and refused hands."""

    hands: list[tuple[tuple[Any, ...], list[tuple[Any, ...]]]]
    refused: list[tuple[int, str, str]]


class Job(NamedTuple):
    """A block of a file for a worker; `file` is a number of this process."""

    file: int
    block: Block


@dataclass(slots=True)
class Added:
    """What was added to a database."""

    files: int = 0
    known_files: int = 0
    hands: int = 0
    duplicates: int = 0
    refused: int = 0
    other_games: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class QueryResult(Framed):
    """The answer of a query; `more` if it was cut at the largest number of rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    more: bool

    def frame_columns(self) -> Columns:
        """Return the rows as columns."""
        return {name: [row[at] for row in self.rows] for at, name in enumerate(self.columns)}


def position_of(record: HandRecord, seat: int) -> str:
    """Return the name of a seat's position.

    >>> from riverboat.game import catalogue, Hand
    >>> from riverboat.histories import record_of
    >>> record = record_of(Hand(catalogue("nolimit-100bb", players=4), seed=1))
    >>> [position_of(record, seat) for seat in range(4)]
    ['SB', 'BB', 'CO', 'BTN']
    """
    blinds, players = record.spec.blinds, record.players
    if players == 2:
        return ("BTN", "BB")[seat]
    shift = 0 if 0 < blinds[0] < max(blinds[:2]) or blinds[0] == blinds[1] else 1
    if seat < 2 - shift:
        return ("SB", "BB")[seat + shift]
    return _POSITIONS[min(players - 1 - seat, len(_POSITIONS) - 1)]


def rows_of(job: Job) -> Rows:
    """Read a block in a worker, and return its rows."""
    result = read_text(job.block.text, job.block.suffix)
    hands = [_row(record) for record in result.hands]
    first = job.block.line - 1
    return Rows(hands, [(first + bad.line, bad.reason, bad.game) for bad in result.refused])


def _row(record: HandRecord) -> tuple[tuple[Any, ...], list[tuple[Any, ...]]]:
    hand, spec = record.hand(), record.spec
    payoffs = record.payoffs_of(hand) or (None,) * record.players
    known = [cards for cards in payoffs if cards is not None]
    text = stored_text(record)
    row = (
        record.site,
        _number_of(record, text),
        None if record.date is None else record.date.isoformat(),
        0,
        record.table,
        record.currency,
        record.unit,
        spec.betting,
        record.players,
        spec.small_blind,
        spec.big_blind,
        max(spec.antes),
        hand.pot,
        -sum(known) if known else None,
        _cards(hand.board),
        record.line,
        record.hero,
        text,
    )
    seats = [
        (
            seat,
            record.names[seat],
            record.chairs[seat],
            position_of(record, seat),
            record.stacks[seat],
            _cards(hand.hole_cards(seat)),
            payoffs[seat],
        )
        for seat in range(record.players)
    ]
    return row, seats


def _number_of(record: HandRecord, text: str) -> str:
    """Return a hand's number; those of unknown sites, or without one, have a digest."""
    if record.hand_id and record.site:
        return record.hand_id
    return f"{record.hand_id or 'without number'} {_digest(text)}"


def _digest(text: str) -> str:
    """Return a name for a hand that has no number."""
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _cards(cards: Iterable[int]) -> str:
    return "".join("??" if card < 0 else card_text(card) for card in cards)


class HandDatabase:
    """A file of hands.

    Parameters
    ----------
    path
        The file; by default `$RIVERBOAT_HANDS`, or `hands.sqlite` in the user's data folder.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     database = HandDatabase(Path(folder) / "hands.sqlite")
    ...     database.query("SELECT count(*) AS hands FROM hands").rows
    ((0,),)
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = Path(path) if path is not None else hands_path()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as connection, connection:
                version = connection.execute("PRAGMA user_version").fetchone()[0]
                names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
                if version == 0 and not names:
                    connection.executescript(f"{SCHEMA}PRAGMA user_version = {_VERSION};")
                elif not names >= _TABLES:
                    raise HistoryError(
                        f"{str(self.path)!r} is not a database of hands: it has other tables"
                    )
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            raise self._problem(error) from error
        if version not in (0, _VERSION):
            raise HistoryError(f"{str(self.path)!r} is of another version: {version}")

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path)

    def _problem(self, error: Exception) -> HistoryError:
        damaged = isinstance(error, UnicodeDecodeError)  # SQLite's own message is no text
        why = "its tables are damaged" if damaged else error
        return HistoryError(f"{str(self.path)!r} is not a database of hands: {why}")

    def add(self, sources: Iterable[str | Path], workers: int | None = None) -> Added:
        """Read the hands of folders, archives and files, and store those that are new.

        Files that were read before and have not changed are left out.
        """
        added = Added()
        try:
            with closing(self._connect()) as connection:
                _Adding(connection, added).run(hand_files(sources, added.problems), workers)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._problem(error) from error
        return added

    def hands(self, where: str = "1") -> Iterator[HandRecord]:
        """Yield stored hands for which an SQL condition on the table `hands` holds, by date."""
        result = self.query(f"SELECT record FROM hands WHERE {where} ORDER BY date")  # noqa: S608
        for (text,) in result.rows:
            yield from_text(text)

    def query(self, sql: str, seconds: float = 10, rows: int = MOST_ROWS) -> QueryResult:
        """Run one SQL query that can only read this file.

        Raises
        ------
        HistoryError
            If the statement is wrong, does anything but read, or takes too long or much memory.
        """
        end = time.monotonic() + seconds
        uri = f"{self.path.resolve().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(uri, uri=True)) as connection:
                connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
                connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
                connection.setlimit(sqlite3.SQLITE_LIMIT_COLUMN, _MOST_COLUMNS)
                connection.execute("PRAGMA query_only = ON")
                connection.set_authorizer(_may_read)
                connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
                cursor = connection.execute(sql)
                found = tuple(_bounded(islice(cursor, rows + 1)))
        except sqlite3.OperationalError as error:
            if "interrupted" in str(error):
                raise HistoryError(f"the query took more than {seconds:g} seconds") from error
            raise HistoryError(f"the query is not possible: {error}") from error
        except sqlite3.DatabaseError as error:
            denied = "one SELECT that only reads is allowed" if "not auth" in str(error) else error
            raise HistoryError(f"the query is not possible: {denied}") from error
        except (sqlite3.Error, sqlite3.Warning, ValueError, MemoryError) as error:
            raise HistoryError(f"the query is not possible: {error}") from error
        columns = tuple(part[0] for part in cursor.description or ())
        return QueryResult(columns, found[:rows], len(found) > rows)


def _bounded(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yield rows; raise `HistoryError` if they take too much memory."""
    size = 0
    for row in rows:
        size += sys.getsizeof(row) + sum(map(sys.getsizeof, row))
        if size > _MOST_BYTES:
            raise HistoryError(f"the result has more than {_MOST_BYTES:,} bytes; ask for less")
        yield row


_READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE)
_NO_FUNCTIONS = ("load_extension", "fts3_tokenizer", "edit", "readfile", "writefile")


def _may_read(action: int, _one: str | None, other: str | None, *_: str | None) -> int:
    """Allow what only reads; `sqlite3` asks for every step of a statement."""
    if action in _READING or (
        action == sqlite3.SQLITE_FUNCTION and (other or "").lower() not in _NO_FUNCTIONS
    ):
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


class _Adding:
    """Stores the hands of files as workers read them."""

    def __init__(self, connection: sqlite3.Connection, added: Added) -> None:
        self.connection, self.added = connection, added
        self.files: dict[int, HandFile] = {}

    def run(self, files: Iterable[HandFile], workers: int | None) -> None:
        """Read all files."""
        for job, rows in run_jobs(rows_of, self.jobs(files), workers, name="hands"):
            self.store(job.file, job.block.line, rows)
        self.connection.commit()

    def jobs(self, files: Iterable[HandFile]) -> Iterator[Job]:
        """Yield the blocks of files that are new or have changed."""
        for file in files:
            try:
                number = self.begin(file)
                if number is None:
                    self.added.known_files += 1
                    continue
                self.added.files += 1
                for block in blocks_of(file):
                    yield Job(number, block)
            except RiverboatError as error:
                self.added.problems.append(str(error))
            except OSError as error:  # the file was moved meanwhile
                self.added.problems.append(f"{file.name[:200]!r} cannot be read: {error.strerror}")

    def begin(self, file: HandFile) -> int | None:
        """Note a file, and return its number; None if it is known and has not changed."""
        status = Path(file.path).stat()
        size, changed = status.st_size, status.st_mtime_ns
        known = self.connection.execute(
            "SELECT id, size, changed FROM files WHERE path = ?", (file.name,)
        ).fetchone()
        if known is not None and known[1:] == (size, changed):
            return None
        if known is not None:
            self.connection.execute("DELETE FROM refused WHERE file = ?", known[:1])
            self.connection.execute(  # its hands keep its number
                "UPDATE files SET size = ?, changed = ?, hands = 0 WHERE id = ?",
                (size, changed, known[0]),
            )
            return int(known[0])
        cursor = self.connection.execute(
            "INSERT INTO files (path, size, changed, hands, new_hands) VALUES (?, ?, ?, 0, 0)",
            (file.name, size, changed),
        )
        return cursor.lastrowid

    def store(self, file: int, line: int, rows: Rows) -> None:
        """Store the rows of a block."""
        execute, added, new = self.connection.execute, self.added, 0
        for row, seats in rows.hands:
            cursor = execute(_HAND, (*row[:3], line, *row[4:], file))
            if cursor.rowcount < 1:
                added.duplicates += 1
                continue
            new += 1
            self.connection.executemany(
                "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(cursor.lastrowid, *seat) for seat in seats],
            )
        self.connection.executemany(
            "INSERT INTO refused VALUES (?, ?, ?, ?)", [(file, *bad) for bad in rows.refused]
        )
        execute(
            "UPDATE files SET hands = hands + ?, new_hands = new_hands + ? WHERE id = ?",
            (len(rows.hands), new, file),
        )
        added.hands += new
        for _, _, game in rows.refused:
            if game:
                added.other_games[game] = added.other_games.get(game, 0) + 1
            else:
                added.refused += 1
