"""The tables of a ledger, their version, and what makes a ledger damaged."""

import sqlite3
from pathlib import Path
from typing import Any, Final

from riverboat.arena._ledger_rows import checksum
from riverboat.errors import ArenaError

_VERSION: Final = 2
_LARGE: Final = 64 << 20  # bytes from which on indices are not compared with their tables

_SCHEMA: Final = """
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    started TEXT NOT NULL,
    finished TEXT,
    version TEXT NOT NULL,
    game TEXT NOT NULL,
    bots TEXT NOT NULL,
    seed INTEGER NOT NULL,
    hands INTEGER NOT NULL,
    settings TEXT NOT NULL,
    result TEXT,
    secrets TEXT NOT NULL DEFAULT '[]',
    checksum TEXT NOT NULL DEFAULT ''
);
CREATE TABLE sessions (
    match INTEGER NOT NULL REFERENCES matches (id),
    session INTEGER NOT NULL,
    data BLOB NOT NULL,
    run INTEGER NOT NULL DEFAULT 0,
    checksum TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (match, session)
);
"""

#: What the checksum of a match is of, in its order.
MATCH_COLUMNS: Final = (
    *("id", "key", "kind", "started", "finished", "version"),
    *("game", "bots", "seed", "hands", "settings", "result", "secrets"),
)

_COLUMNS: Final = {
    "matches": {*MATCH_COLUMNS, "checksum"},
    "sessions": {"match", "session", "data", "run", "checksum"},
}


def match_checksum(row: Any) -> str:
    """Return the checksum that a row of `matches` should have."""
    return checksum(row[name] for name in MATCH_COLUMNS)


def session_checksum(match: int, session: int, run: int, data: bytes) -> str:
    """Return the checksum that a row of `sessions` should have."""
    return checksum((match, session, run, data))


def refuse_damage(database: sqlite3.Connection, path: Path) -> None:
    """Raise an error with a sentence if SQLite finds the file damaged."""
    check = "quick_check" if path.stat().st_size > _LARGE else "integrity_check"
    (found,) = database.execute(f"PRAGMA {check}(1)").fetchone()
    if found != "ok":
        reason = " ".join(str(found).split())[:200]
        raise _damaged(path, reason)


def _damaged(path: Path, reason: str) -> ArenaError:
    return ArenaError(
        f"the ledger {str(path)!r} is damaged ({reason}): move it away, and a new one is begun"
    )


def prepare(database: sqlite3.Connection, path: Path) -> None:
    """Make the tables of a new ledger, or check those that are there."""
    if _version(database, path) == _VERSION:
        _refuse_columns(database, path)
        return
    database.execute("BEGIN IMMEDIATE")
    if _version(database, path) == _VERSION:  # somebody else was faster
        return
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if tables:
        ours = {"matches", "sessions"} <= tables
        raise ArenaError(
            f"the ledger {str(path)!r} cannot be used: "
            + ("Riverboat 0.1 wrote it" if ours else "it is a database of another kind")
            + "; move it away, and a new one is begun"
        )
    for statement in _SCHEMA.split(";"):  # `executescript` would end the transaction first
        database.execute(statement)
    database.execute(f"PRAGMA user_version = {_VERSION}")


def _refuse_columns(database: sqlite3.Connection, path: Path) -> None:
    """Raise an error if tables have lost their columns: SQLite keeps their names as text."""
    for table, columns in _COLUMNS.items():
        found = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
        if found != columns:
            raise _damaged(path, f"its table {table} has other columns")


def _version(database: sqlite3.Connection, path: Path) -> int:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version not in (0, _VERSION):
        raise ArenaError(
            f"the ledger {str(path)!r} cannot be used: it has format {version}, and this Riverboat "
            f"reads formats up to {_VERSION}"
        )
    return int(version)
