"""The ledger: every match with its settings, versions, seeds and results, in one SQLite file.

A match is entered when it begins. Its sessions are added while it runs, so that it can be resumed
after Ctrl-C or a crash; once it is finished its result takes their place.
"""

import json
import os
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from platformdirs import user_data_path

from riverboat import __version__
from riverboat.arena._session import PlayedHand, SessionResult
from riverboat.arena._settings import MatchSettings
from riverboat.arena._times import TimeTally
from riverboat.errors import ArenaError
from riverboat.frames import Columns, Framed, columns_of

__all__ = ["Entry", "Ledger", "ledger_path"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS matches (
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
    result TEXT
);
CREATE TABLE IF NOT EXISTS sessions (
    match INTEGER NOT NULL REFERENCES matches (id),
    session INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (match, session)
);
"""


def ledger_path() -> Path:
    """Where the ledger is: in $RIVERBOAT_LEDGER (a file or a folder) or the user's data folder.

    What is not there yet is a file if its name has an extension, else a folder.
    """
    named = os.environ.get("RIVERBOAT_LEDGER")
    place = Path(named) if named else user_data_path("riverboat", appauthor=False) / "ledger.sqlite"
    meant = not place.is_file() and (not place.suffix or str(named).endswith(os.sep))
    return place / "ledger.sqlite" if place.is_dir() or meant else place


@dataclass(frozen=True, slots=True)
class Entry:
    """One match of the ledger."""

    id: int
    key: str
    kind: str
    """`match`, or what else was played, such as `play` for a person's session."""
    started: str
    finished: str | None
    """ISO 8601, UTC; None while it is not finished."""
    version: str
    game: str
    bots: tuple[str, ...]
    seed: int
    hands: int
    """Hands (or games) that were to be played, and then those that were."""
    settings: dict[str, Any]
    result: dict[str, Any] | None


class Ledger(Framed):
    """The file of all matches.

    Parameters
    ----------
    path
        The file; `ledger_path()` by default. It is made if it is not there.

    Raises
    ------
    ArenaError
        If the file cannot be read or written, or is no ledger.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = ledger_path() if path is None else path
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ArenaError(f"the ledger {str(self.path)!r} cannot be made: {error}") from error
        with self._open() as database:
            database.executescript(_SCHEMA)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the file for one transaction."""
        database = None
        try:
            database = sqlite3.connect(self.path, timeout=60)
            with database:
                yield database
        except sqlite3.Error as error:
            raise ArenaError(f"the ledger {str(self.path)!r} cannot be used: {error}") from error
        finally:
            if database is not None:
                database.close()

    def begin(self, settings: MatchSettings) -> int:
        """Enter a match and return its number."""
        values = settings.as_values()
        fields = {
            "key": settings.key,
            "kind": "match",
            "started": _now(),
            "version": __version__,
            "game": settings.spec.name,
            "bots": json.dumps(settings.names),
            "seed": settings.seed,
            "hands": settings.hands or settings.games,
            "settings": json.dumps(values),
        }
        with self._open() as database:
            return _insert(database, fields)

    def unfinished(self, settings: MatchSettings) -> int | None:
        """Return the number of the last match with these settings that is not finished."""
        with self._open() as database:
            row = database.execute(
                "SELECT max(id) FROM matches WHERE key = ? AND finished IS NULL", (settings.key,)
            ).fetchone()
        return None if row[0] is None else int(row[0])

    def add_sessions(self, match: int, sessions: Iterable[SessionResult]) -> None:
        """Add sessions to a match, all or none."""
        rows = [(match, session.session, _encode(session)) for session in sessions]
        with self._open() as database:
            database.executemany("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?)", rows)

    def sessions(self, match: int) -> dict[int, SessionResult]:
        """Return the sessions that were played of an unfinished match."""
        with self._open() as database:
            rows = database.execute(
                "SELECT session, data FROM sessions WHERE match = ?", (match,)
            ).fetchall()
        return {int(session): _decode(data) for session, data in rows}

    def finish(self, match: int, hands: int, result: dict[str, Any]) -> None:
        """Enter the result of a match; its sessions are not needed any more."""
        with self._open() as database:
            database.execute(
                "UPDATE matches SET finished = ?, hands = ?, result = ? WHERE id = ?",
                (_now(), hands, json.dumps(result), match),
            )
            database.execute("DELETE FROM sessions WHERE match = ?", (match,))

    def add_result(
        self, kind: str, settings: dict[str, Any], result: dict[str, Any], seconds: float = 0.0
    ) -> int:
        """Enter something that is already over, such as a person's session.

        Parameters
        ----------
        kind
            What it was, such as `play`.
        settings
            With `game`, `bots` (names by chair) and `seed`.
        result
            With `hands`.
        seconds
            How long ago it began.
        """
        fields = {
            "key": "",
            "kind": kind,
            "started": _now(seconds),
            "finished": _now(),
            "version": __version__,
            "game": str(settings["game"]),
            "bots": json.dumps(list(settings["bots"])),
            "seed": int(settings["seed"]),
            "hands": int(result["hands"]),
            "settings": json.dumps(settings),
            "result": json.dumps(result),
        }
        with self._open() as database:
            return _insert(database, fields)

    def entries(self, last: int | None = None) -> list[Entry]:
        """Return the matches, oldest first; only the last so many if a number is given."""
        if last is not None and not 0 <= last < 2**63:
            raise ArenaError(f"the last {last} matches: take 0 or more, less than 2^63")
        with self._open() as database:
            database.row_factory = sqlite3.Row
            rows = database.execute(
                "SELECT * FROM matches ORDER BY id DESC LIMIT ?", (-1 if last is None else last,)
            ).fetchall()
        return [_entry(row) for row in reversed(rows)]

    def frame_columns(self) -> Columns:
        """Return a row for each match, with the first bot's result."""
        return columns_of([_row(entry) for entry in self.entries()])

    def entry(self, match: int) -> Entry:
        """Return one match."""
        if not 0 < match < 2**63:  # what SQLite can hold
            raise ArenaError(f"the ledger has no match {match}")
        with self._open() as database:
            database.row_factory = sqlite3.Row
            row = database.execute("SELECT * FROM matches WHERE id = ?", (match,)).fetchone()
        if row is None:
            raise ArenaError(f"the ledger has no match {match}")
        return _entry(row)


def _row(entry: Entry) -> dict[str, Any]:
    """An entry without its settings, for tables."""
    names = ("id", "kind", "started", "finished", "version", "game", "seed", "hands")
    first = ((entry.result or {}).get("bots") or [{}])[0].get("mbb_per_hand") or {}
    low, high = first.get("interval_95", (None, None))
    return {name: getattr(entry, name) for name in names} | {
        "bots": ", ".join(entry.bots),
        "mbb_per_hand": first.get("mean"),
        "mbb_per_hand_low": low,
        "mbb_per_hand_high": high,
    }


def _now(ago: float = 0.0) -> str:
    return (datetime.now(UTC) - timedelta(seconds=ago)).isoformat(timespec="seconds")


def _insert(database: sqlite3.Connection, fields: dict[str, Any]) -> int:
    """Insert a row of `matches`; the names of the fields are our own."""
    marks = ", ".join("?" * len(fields))
    text = f"INSERT INTO matches ({', '.join(fields)}) VALUES ({marks})"  # noqa: S608 - names of our own
    number = database.execute(text, tuple(fields.values())).lastrowid
    if number is None:
        raise ArenaError("the ledger gave the match no number")
    return number


def _entry(row: sqlite3.Row) -> Entry:
    values = dict(row)
    values["bots"] = tuple(json.loads(values["bots"]))
    values["settings"] = json.loads(values["settings"])
    values["result"] = None if values["result"] is None else json.loads(values["result"])
    return Entry(**values)


_ARRAYS = ("hands", "chips", "corrected", "wins", "seats", "ends")


def _pack(array: np.ndarray[Any, Any]) -> list[Any]:
    return [array.dtype.str, list(array.shape), array.tobytes()]


def _unpack(packed: list[Any]) -> np.ndarray[Any, Any]:
    return np.frombuffer(packed[2], np.dtype(packed[0])).reshape(packed[1])


def _encode(result: SessionResult) -> bytes:
    """Write a session as compressed msgpack."""
    values = {name: _pack(getattr(result, name)) for name in _ARRAYS} | {
        "session": result.session,
        "learns": result.learns,
        "run_outs": result.run_outs,
        "times": [[t.decisions, t.seconds, t.longest, _pack(t.counts)] for t in result.times],
        "errors": result.errors,
        "said": result.said,
        "records": [asdict(record) for record in result.records],
    }
    return zlib.compress(msgspec.msgpack.encode(values), 1)


def _decode(data: bytes) -> SessionResult:
    """Read a session."""
    try:
        values: dict[str, Any] = msgspec.msgpack.decode(zlib.decompress(data))
    except (zlib.error, msgspec.DecodeError) as error:
        raise ArenaError(f"a session in the ledger is damaged: {error}") from error
    return SessionResult(
        session=values["session"],
        learns=tuple(values["learns"]),
        run_outs=values["run_outs"],
        times=tuple(TimeTally(n, s, most, _unpack(c)) for n, s, most, c in values["times"]),
        errors=tuple(Counter(errors) for errors in values["errors"]),
        said=tuple(values["said"]),
        records=msgspec.convert(values["records"], tuple[PlayedHand, ...]),
        **{name: _unpack(values[name]) for name in _ARRAYS},
    )
