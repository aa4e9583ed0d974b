"""The trainer's SQLite file: checksums of its rows, and a backup of its last intact state."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import msgspec

from riverboat.errors import DamagedFileError, ReviewError, in_words
from riverboat.files import atomic_path, row_checksum, set_aside
from riverboat.report import how_many

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VERSION: Final = 2  # 1 had no checksums
_BACKUP_SECONDS: Final = 600.0  # minimum age of a backup that is replaced
#: Failures of the system or of another program, not of the file.
_NO_DAMAGE: Final = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL),
    *(sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM),
}

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS questions (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, source TEXT NOT NULL, line TEXT NOT NULL,
    board TEXT NOT NULL, hole TEXT NOT NULL, street TEXT NOT NULL, position TEXT NOT NULL,
    pot_type TEXT NOT NULL, card TEXT NOT NULL, due TEXT NOT NULL,
    checksum TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS answers (
    id INTEGER PRIMARY KEY, question INTEGER NOT NULL REFERENCES questions (id) ON DELETE CASCADE,
    at TEXT NOT NULL, did TEXT NOT NULL, frequency REAL NOT NULL, loss_bb REAL, error_bb REAL,
    rating TEXT NOT NULL, checksum TEXT NOT NULL DEFAULT '');
"""


class QuestionRow(msgspec.Struct, frozen=True):
    """A row of the table `questions`, without its checksum."""

    id: int
    key: str
    source: str
    line: str
    board: str
    hole: str
    street: str
    position: str
    pot_type: str
    card: str
    due: str


class AnswerRow(msgspec.Struct, frozen=True):
    """A row of the table `answers`, without its checksum."""

    id: int
    question: int
    at: str
    did: str
    frequency: float
    loss_bb: float | None
    error_bb: float | None
    rating: str


_ROWS: Final[dict[str, type[msgspec.Struct]]] = {"questions": QuestionRow, "answers": AnswerRow}
#: Intact files by path: modification time and size after the last check of this process.
_intact: dict[Path, tuple[int, int]] = {}


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file for one transaction; failures become sentences."""
    try:
        with closing(sqlite3.connect(path, timeout=10)) as database:
            database.row_factory = sqlite3.Row
            database.execute("PRAGMA foreign_keys = ON")
            with database:
                yield database
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter for names of tables
        code = getattr(error, "sqlite_errorcode", None)
        place, why = str(path), in_words(error)
        if code is not None and code & 0xFF in _NO_DAMAGE and not path.is_dir():
            raise ReviewError(f"{place} cannot be used: {error}") from error
        raise DamagedFileError(f"{place} is damaged: it is not a file of the trainer: {why}") from (
            error
        )


def sign(database: sqlite3.Connection, table: str, number: int | None) -> None:
    """Write the checksum of a row, within the transaction that changed it."""
    row = database.execute(f"SELECT * FROM {table} WHERE id = ?", (number,)).fetchone()  # noqa: S608 - our own words
    database.execute(
        f"UPDATE {table} SET checksum = ? WHERE id = ?",  # noqa: S608 - our own words
        (_checksum(table, row), number),
    )


def check(path: Path, root: Path | None = None) -> str:
    """Check a file, which is created if it is missing; restore a damaged one from its backup.

    A missing file that has a backup counts as damaged: it was deleted or not restored to the end.
    A damaged one is moved to the folder `damaged` of `root`, by default of the file's own folder.

    Returns
    -------
    str
        What was restored; empty if the file was intact.

    Raises
    ------
    ReviewError
        If the file is damaged and has no backup, or cannot be used.
    """
    if _intact.get(path) == _state(path):
        return ""
    notice = ""
    try:
        _check(path)
    except DamagedFileError as error:
        notice = _restore(path, root or path.parent, error)
    old = 0.0
    with suppress(OSError):
        old = backup_of(path).stat().st_mtime
    if time.time() - old > _BACKUP_SECONDS:
        back_up(path)
    _intact[path] = _state(path)
    return notice


def backup_of(path: Path) -> Path:
    """Return the place of a file's backup."""
    return path.with_name(f"{path.name}.backup")


def back_up(path: Path) -> None:
    """Copy an intact file to its backup; a full disk is no reason not to go on."""
    with suppress(OSError), atomic_path(backup_of(path)) as temporary:
        temporary.write_bytes(path.read_bytes())


def _state(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _check(path: Path) -> None:
    """Raise DamagedFileError unless a file is intact; bring an older one to this version."""
    if backup_of(path).exists():
        if not path.exists():
            raise DamagedFileError(f"{path} is missing")
        if not path.stat().st_size:
            raise DamagedFileError(f"{path} is damaged: it is empty")
    with opened(path) as database:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version > VERSION and _is_whole(database):
            raise ReviewError(f"{path} has version {version}: update Riverboat to read it")
        if version not in range(VERSION + 1) or not _is_whole(database):
            raise DamagedFileError(f"{path} is damaged: its structure is wrong")
        database.executescript(_TABLES)
        if version == 1:
            _convert(database)
        for table in _ROWS:
            for row in database.execute(f"SELECT * FROM {table}"):  # noqa: S608 - our own words
                if row["checksum"] != _checksum(table, row):
                    raise DamagedFileError(
                        f"{path} is damaged: a row of {table} does not match its checksum"
                    )
        if database.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise DamagedFileError(f"{path} is damaged: an answer lacks its question")
        database.execute(f"PRAGMA user_version = {VERSION}")


def _is_whole(database: sqlite3.Connection) -> bool:
    return [row[0] for row in database.execute("PRAGMA integrity_check(1)")] == ["ok"]


def _convert(database: sqlite3.Connection) -> None:
    """Add the checksums that version 1 lacks."""
    for table in _ROWS:
        database.execute(f"ALTER TABLE {table} ADD COLUMN checksum TEXT NOT NULL DEFAULT ''")
        numbers = [row["id"] for row in database.execute(f"SELECT id FROM {table}")]  # noqa: S608 - our own words
        for number in numbers:
            sign(database, table, number)


def _checksum(table: str, row: sqlite3.Row) -> str:
    """Return the checksum of a row; a row of other types has none."""
    kind = _ROWS[table]
    try:
        values = msgspec.convert({name: row[name] for name in kind.__struct_fields__}, kind)
    except (msgspec.ValidationError, IndexError) as error:
        raise DamagedFileError(f"a row of {table} is damaged: {error}") from error
    return row_checksum(msgspec.structs.astuple(values))


def _restore(path: Path, root: Path, damage: DamagedFileError) -> str:
    """Move a damaged file away, and put its backup in its place; return a notice."""
    backup = backup_of(path)
    try:
        if not backup.exists():
            raise DamagedFileError("there is no backup")
        _check(backup)
    except DamagedFileError as error:
        what = "file" if path.exists() else "backup"
        raise ReviewError(
            f"{damage}; no backup can be restored ({error}): move the {what} away to start again"
        ) from damage
    moved = _aside(path, root)
    with atomic_path(path) as temporary:
        temporary.write_bytes(backup.read_bytes())
    with opened(path) as database:
        (count,) = database.execute("SELECT count(*) FROM answers").fetchone()
    return (
        f"{damage}. {f'It was moved to {moved}; the' if moved else 'The'} backup has "
        f"{how_many(count, 'answer')}, which are used now"
    )


def _aside(path: Path, root: Path) -> Path | None:
    """Move a damaged file and its journal, which SQLite would apply to the next file, away."""
    for suffix in ("-journal", "-wal", "-shm"):
        beside: Any = path.with_name(path.name + suffix)
        if beside.exists():
            set_aside(beside, root)
    return set_aside(path, root) if path.exists() else None
