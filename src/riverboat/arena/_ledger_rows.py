"""The tables of a ledger and their rows: encoded sessions, checksums, checks for damage."""

import sqlite3
import zlib
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from riverboat.arena._aivat import AivatSums
from riverboat.arena._chair import TimeTally
from riverboat.arena._session import PlayedHand, SessionResult
from riverboat.arena._settings import MatchSettings
from riverboat.errors import ArenaError
from riverboat.files import row_checksum

_ARRAYS = ("hands", "chips", "corrected", "wins", "seats", "ends")
_NO_SESSION: Final = (
    *(zlib.error, msgspec.MsgspecError, LookupError, TypeError, ValueError),
    *(AttributeError, OverflowError, RecursionError),
)
# Limits of a decompressed session: sums of 10^6 deals of 10 bots, which may be all zeros, and
# hands. A hand contains a seed, so that hands of bots that always fold grow by a factor of eight.
_MOST_SUMS: Final = 10**6 * 8 * (1 + 3 * 10)
_MOST_GROWTH: Final = 100

Packed = tuple[str, tuple[int, ...], bytes]


def encode_session(result: SessionResult) -> bytes:
    """Encode a session as compressed msgpack."""
    values = {name: _pack(getattr(result, name)) for name in _ARRAYS} | {
        "session": result.session,
        "learns": result.learns,
        "run_outs": result.run_outs,
        "times": [[t.decisions, t.seconds, t.longest, _pack(t.counts)] for t in result.times],
        "errors": result.errors,
        "said": result.said,
        "records": [asdict(record) for record in result.records],
        "aivat": _aivat_row(result.aivat),
    }
    return zlib.compress(msgspec.msgpack.encode(values), 1)


def decode_session(data: bytes) -> SessionResult:
    """Decode a session; raise `ArenaError` if the bytes are damaged."""
    try:
        most = _MOST_SUMS + _MOST_GROWTH * len(data)
        return _decoded(zlib.decompressobj().decompress(data, most))
    except _NO_SESSION as error:
        raise ArenaError(f"a session in the ledger is damaged: {error}") from error


class _AivatRow(msgspec.Struct):
    """AIVAT sums of a session."""

    value: str
    known: tuple[bool, ...]
    chips: Packed
    left_out: int

    def sums(self) -> AivatSums:
        """Return the decoded sums."""
        return AivatSums(self.value, self.known, _unpack(self.chips), self.left_out)


class _Row(msgspec.Struct):
    """An encoded session; types are checked during decoding, before arrays are allocated."""

    session: int
    learns: tuple[bool, ...]
    run_outs: int
    times: tuple[tuple[int, float, float, Packed], ...]
    errors: tuple[dict[str, int], ...]
    said: tuple[dict[str, str], ...]
    records: tuple[PlayedHand, ...]
    hands: Packed
    chips: Packed
    corrected: Packed
    wins: Packed
    seats: Packed
    ends: Packed
    aivat: _AivatRow | None = None


def _aivat_row(sums: AivatSums | None) -> _AivatRow | None:
    if sums is None:
        return None
    return _AivatRow(sums.value, sums.known, _pack(sums.chips), sums.left_out)


def _decoded(packed: bytes) -> SessionResult:
    row = msgspec.msgpack.decode(packed, type=_Row)
    return SessionResult(
        session=row.session,
        learns=row.learns,
        run_outs=row.run_outs,
        times=tuple(TimeTally(n, s, most, _unpack(c)) for n, s, most, c in row.times),
        errors=tuple(Counter(errors) for errors in row.errors),
        said=row.said,
        records=row.records,
        aivat=None if row.aivat is None else row.aivat.sums(),
        **{name: _unpack(getattr(row, name)) for name in _ARRAYS},
    )


def misfit(settings: MatchSettings, result: SessionResult) -> str:
    """Return why a session of the ledger does not fit a match; empty if it fits.

    Checksums find damage. A forged row with a valid checksum must not cause a traceback, nor add
    deals that the match does not have.
    """
    bots = len(settings.bots)
    deals = min(
        settings.session_length, settings.num_deals - result.session * settings.session_length
    )
    by_deal = (deals, bots)
    shapes = {
        "hands": (deals,),
        **dict.fromkeys(("chips", "corrected", "wins"), by_deal),
        "seats": (bots, bots, 3),
        "ends": (len(settings.spec.streets) + 1, bots, 3),
    }
    for name, shape in shapes.items():
        array = getattr(result, name)
        if array.shape != shape or array.dtype.kind not in "if" or not np.isfinite(array).all():
            return f"its {name} do not fit {deals} deals of {bots} bots"
    aivat = result.aivat
    if (aivat is not None) != settings.aivat:
        return f"it has {'no' if settings.aivat else 'unexpected'} AIVAT sums"
    if aivat is not None and not _sound_aivat(aivat, by_deal):
        return f"its AIVAT sums do not fit {deals} deals of {bots} bots"
    by_bot = (result.learns, result.times, result.errors, result.said)
    if any(len(values) != bots for values in by_bot):
        return f"it does not have {bots} bots"
    if any(times.counts.shape != TimeTally().counts.shape for times in result.times):
        return "its decision times have a wrong number of bins"
    return "" if (result.hands > 0).all() else "it has deals without hands"


def _sound_aivat(aivat: AivatSums, shape: tuple[int, int]) -> bool:
    chips = aivat.chips
    whole = chips.shape == shape and chips.dtype.kind == "f" and len(aivat.known) == shape[1]
    return whole and bool(np.isfinite(chips).all())


def _pack(array: np.ndarray[Any, Any]) -> Packed:
    return array.dtype.str, array.shape, array.tobytes()


def _unpack(packed: Packed) -> np.ndarray[Any, Any]:
    return np.frombuffer(packed[2], np.dtype(packed[0])).reshape(packed[1])


_VERSION: Final = 2
_LARGE: Final = 64 << 20  # bytes; in larger files indices are not compared with their tables

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

#: Columns in the checksum of a match, in order.
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
    return row_checksum(row[name] for name in MATCH_COLUMNS)


def session_checksum(match: int, session: int, run: int, data: bytes) -> str:
    """Return the checksum that a row of `sessions` should have."""
    return row_checksum((match, session, run, data))


def refuse_damage(database: sqlite3.Connection, path: Path) -> None:
    """Raise `ArenaError` if SQLite finds the file damaged."""
    check = "quick_check" if path.stat().st_size > _LARGE else "integrity_check"
    (answer,) = database.execute(f"PRAGMA {check}(1)").fetchone()
    if answer != "ok":
        reason = " ".join(str(answer).split())[:200]
        raise _damaged(path, reason)


def _damaged(path: Path, reason: str) -> ArenaError:
    return ArenaError(
        f"the ledger {str(path)!r} is damaged ({reason}): move the file away to start a new one"
    )


def prepare(database: sqlite3.Connection, path: Path) -> None:
    """Create the tables of a new ledger, or check existing ones."""
    if _version(database, path) == _VERSION:
        _refuse_columns(database, path)
        return
    database.execute("BEGIN IMMEDIATE")
    if _version(database, path) == _VERSION:  # another process was faster
        return
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if tables:
        ours = {"matches", "sessions"} <= tables
        raise ArenaError(
            f"cannot use the ledger {str(path)!r}: "
            + ("Riverboat 0.1 wrote it" if ours else "it is not a ledger")
            + "; move the file away to start a new one"
        )
    for statement in _SCHEMA.split(";"):  # `executescript` would end the transaction first
        database.execute(statement)
    database.execute(f"PRAGMA user_version = {_VERSION}")


def _refuse_columns(database: sqlite3.Connection, path: Path) -> None:
    """Raise `ArenaError` if a table has wrong columns: SQLite stores their names as text."""
    for table, columns in _COLUMNS.items():
        names = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
        if names != columns:
            raise _damaged(path, f"its table {table} has wrong columns")


def _version(database: sqlite3.Connection, path: Path) -> int:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version not in (0, _VERSION):
        raise ArenaError(
            f"cannot use the ledger {str(path)!r}: it has format {version}, and this version of "
            f"Riverboat reads formats up to {_VERSION}"
        )
    return int(version)
