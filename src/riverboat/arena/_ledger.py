"""The ledger: all matches with settings, versions, seeds and results, in one SQLite file.

A match is entered when it begins. Its sessions are added during play, so that it can be resumed
after Ctrl-C or a crash. When it is finished, its result replaces the sessions a day later; with a
deal seed the sessions stay, so that its hands can be reviewed. Every row has a checksum.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from riverboat import __version__
from riverboat.arena._deal_seed import DealSeed, Dealt
from riverboat.arena._ledger_rows import (
    MATCH_COLUMNS,
    decode_session,
    encode_session,
    match_checksum,
    misfit,
    prepare,
    refuse_damage,
    session_checksum,
)
from riverboat.arena._session import SessionResult
from riverboat.arena._settings import MatchSettings
from riverboat.errors import ArenaError, RiverboatError
from riverboat.files import ledger_path
from riverboat.game import GameSpec
from riverboat.report import Columns, Framed, columns_of

_WRONG_SUM = "the row does not match its checksum"
_DAY: Final = 86400.0
_DELETE_OLD = (
    "DELETE FROM sessions WHERE match IN "
    "(SELECT id FROM matches WHERE kind = 'match' AND secrets = '[]' AND finished < ?)"
)
_ADD_SESSION = (
    "INSERT OR REPLACE INTO sessions (match, session, data, run, checksum) VALUES (?, ?, ?, ?, ?)"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One match of the ledger."""

    id: int
    key: str
    kind: str
    """`match`, or another kind such as `play` for a person's session."""
    started: str
    finished: str | None
    """ISO 8601, UTC; None for an unfinished match."""
    version: str
    game: str
    bots: tuple[str, ...]
    seed: int
    hands: int
    """Hands (or games) to play; of a finished match, the hands played."""
    settings: dict[str, Any]
    result: dict[str, Any] | None
    deal_seeds: tuple[Dealt, ...] = ()
    """The deal seed of each run, without its sessions; empty without deal seeds."""
    damage: str = ""
    """Why the row is damaged; all other fields are then unreliable."""

    @property
    def problem(self) -> str:
        """Why an unfinished match ended with an error; empty if it did not."""
        return "" if self.finished else str((self.result or {}).get("problem", ""))

    @property
    def spec(self) -> GameSpec | None:
        """The game's rules; None if the row does not have them."""
        rules = self.settings.get("rules") or self.settings.get("game")
        try:
            return msgspec.convert(rules, GameSpec)
        except (msgspec.ValidationError, RiverboatError):
            return None


@dataclass(frozen=True, slots=True)
class SavedSessions:
    """The saved sessions of a match."""

    sessions: dict[int, SessionResult]
    runs: dict[int, int]
    """For each session, the number of the run that played it."""
    damaged: dict[int, str]
    """Sessions that must be played again, with the reason."""


class Ending(NamedTuple):
    """The end of a match: its result for the ledger."""

    match: int
    hands: int
    result: dict[str, Any]
    kept: int = 0
    """Number of sessions to keep, from the first one on."""


class Ledger(Framed):
    """The file of all matches.

    Parameters
    ----------
    path
        The file; `ledger_path()` by default. It is created if it does not exist.

    Raises
    ------
    ArenaError
        If the file cannot be read or written, or is not a ledger.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = ledger_path() if path is None else path
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ArenaError(f"cannot create the ledger {str(self.path)!r}: {error}") from error
        with self._open() as database:
            refuse_damage(database, self.path)
            prepare(database, self.path)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the file for one transaction."""
        database = None
        try:
            database = sqlite3.connect(self.path, timeout=60)
            database.row_factory = sqlite3.Row
            database.text_factory = _text
            with database:
                yield database
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise ArenaError(f"cannot use the ledger {str(self.path)!r}: {error}") from error
        finally:
            if database is not None:
                database.close()

    def begin(self, settings: MatchSettings) -> int:
        """Enter a match and return its number; its deal seed is written later."""
        fields = {
            "key": settings.key,
            "kind": "match",
            "started": _now(),
            "version": __version__,
            "game": settings.spec.name,
            "bots": json.dumps(settings.names),
            "seed": settings.seed,
            "hands": settings.hands or settings.games,
            "settings": json.dumps(settings.as_values()),
            "secrets": json.dumps([{"secret": None}] if settings.deal_seed else []),
        }
        with self._open() as database:
            return _insert(database, fields)

    def add_run(self, match: int) -> None:
        """Enter another run of a resumed match, which has a new deal seed."""
        with self._change(match) as row:
            row["secrets"] = json.dumps([*json.loads(row["secrets"]), {"secret": None}])

    def publish(self, match: int, seed: DealSeed) -> None:
        """Enter the deal seed of the last run, when no more cards come from it."""
        with self._change(match) as row:
            runs = json.loads(row["secrets"])
            runs[-1]["secret"] = seed.hex()
            row["secrets"] = json.dumps(runs)

    def fail(self, match: int, problem: str) -> None:
        """Enter why a match ended with an error, or with an empty text that it goes on."""
        with self._change(match) as row:
            row["result"] = json.dumps({"problem": problem}) if problem else None

    @contextmanager
    def _change(self, match: int) -> Iterator[dict[str, Any]]:
        """Change the row of a match and its checksum, in one transaction."""
        with self._open() as database:
            database.execute("BEGIN IMMEDIATE")
            with _changed(database, match) as row:
                yield row

    def latest(self, settings: MatchSettings) -> Entry | None:
        """Return the last match with these settings: an unfinished one, else a finished one."""
        with self._open() as database:
            rows = database.execute(
                "SELECT * FROM matches WHERE key = ? ORDER BY finished IS NULL DESC, id DESC",
                (settings.key,),
            ).fetchall()
        entries = map(_entry, rows)
        return next((entry for entry in entries if not entry.damage), None)

    def add_sessions(self, match: int, sessions: Iterable[SessionResult], run: int = 0) -> None:
        """Add sessions of a run to a match, all or none."""
        rows = list(_session_rows(match, sessions, run))
        with self._open() as database:
            database.executemany(_ADD_SESSION, rows)

    def sessions(self, match: int) -> dict[int, SessionResult]:
        """Return the undamaged sessions of a match."""
        return self.saved(match).sessions

    def saved(self, match: int, settings: MatchSettings | None = None) -> SavedSessions:
        """Return the sessions of a match; those that do not fit its settings count as damaged."""
        with self._open() as database:
            rows = database.execute(
                "SELECT * FROM sessions WHERE match = ? ORDER BY session", (match,)
            ).fetchall()
        saved = SavedSessions({}, {}, {})
        for row in rows:
            try:
                saved.sessions[row["session"]] = _session(match, row, settings)
                saved.runs[row["session"]] = row["run"]
            except ArenaError as error:
                saved.damaged[row["session"]] = str(error)
        return saved

    def finish(self, endings: Iterable[Ending]) -> None:
        """Enter the results of matches, all or none.

        Sessions without deal seed stay for a day, so that a command that was killed before it
        showed the result can be resumed.
        """
        with self._open() as database:
            database.execute("BEGIN IMMEDIATE")
            for match, hands, result, kept in endings:
                with _changed(database, match) as row:
                    row |= {"finished": _now(), "hands": hands, "result": json.dumps(result)}
                database.execute(
                    "DELETE FROM sessions WHERE match = ? AND session >= ?", (match, kept)
                )
            database.execute(_DELETE_OLD, (_now(_DAY),))

    def damage(self) -> Iterator[tuple[int, int | None, str]]:
        """Read all rows; yield match, session (None for the match itself) and damage."""
        for entry in self.entries():
            if entry.damage:
                yield entry.id, None, entry.damage
        with self._open() as database:
            matches = [
                row["match"] for row in database.execute("SELECT DISTINCT match FROM sessions")
            ]
        for match in matches:
            for session, reason in self.saved(match).damaged.items():
                yield match, session, reason

    def add_result(  # noqa: PLR0913 - the docstring names the parameters
        self,
        kind: str,
        settings: dict[str, Any],
        result: dict[str, Any],
        seconds: float = 0.0,
        *,
        key: str = "",
        session: SessionResult | None = None,
        deal_seed: DealSeed | None = None,
    ) -> int:
        """Enter a result that is already complete, such as a person's session.

        Parameters
        ----------
        kind
            Kind of the entry, such as `play`.
        settings
            Has the keys `game`, `bots` (names by chair) and `seed`.
        result
            Has the key `hands`.
        seconds
            Seconds since the start.
        key
            A second entry with the same key is ignored.
        session, deal_seed
            The hands, and their deal seed.
        """
        fields = {
            "key": key,
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
            "secrets": json.dumps([{"secret": deal_seed.hex()}] if deal_seed else []),
        }
        with self._open() as database:
            database.execute("BEGIN IMMEDIATE")
            found = database.execute("SELECT id FROM matches WHERE key = ?", (key,)).fetchone()
            if key and found is not None:
                return int(found["id"])
            number = _insert(database, fields)
            kept = [] if session is None else [session]
            database.executemany(_ADD_SESSION, _session_rows(number, kept))
        return number

    def entries(self, last: int | None = None) -> list[Entry]:
        """Return all matches, or the `last` ones, oldest first."""
        if last is not None and not 0 <= last < 2**63:
            raise ArenaError(f"last={last}: the number of matches must be from 0 to 2^63 - 1")
        with self._open() as database:
            rows = database.execute(
                "SELECT * FROM matches ORDER BY id DESC LIMIT ?", (-1 if last is None else last,)
            ).fetchall()
        return [_entry(row) for row in reversed(rows)]

    def frame_columns(self) -> Columns:
        """Return a row for each match, with the first bot's result."""
        return columns_of([_table_row(entry) for entry in self.entries()])

    def entry(self, match: int) -> Entry:
        """Return one match; raise `ArenaError` if it is missing or damaged."""
        with self._open() as database:
            entry = _entry(_row(database, match))
        if entry.damage:
            raise ArenaError(f"match {match} of the ledger is damaged: {entry.damage}")
        return entry


def _text(data: bytes) -> str:
    """Decode text; the checksum finds damaged text."""
    return data.decode("utf-8", "replace")


def _table_row(entry: Entry) -> dict[str, Any]:
    """Return an entry without its settings, for tables."""
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


def _session_rows(
    match: int, sessions: Iterable[SessionResult], run: int = 0
) -> Iterator[tuple[object, ...]]:
    """Yield rows of `sessions`, with their checksums."""
    for result in sessions:
        data = encode_session(result)
        check = session_checksum(match, result.session, run, data)
        yield match, result.session, data, run, check


def _insert(database: sqlite3.Connection, fields: dict[str, Any]) -> int:
    """Insert a row of `matches`; field names are constants of this file."""
    row = {"finished": None, "result": None, "secrets": "[]"} | fields
    marks = ", ".join(f":{name}" for name in row)
    text = f"INSERT INTO matches ({', '.join(row)}) VALUES ({marks})"  # noqa: S608 - names of our own
    number = database.execute(text, row).lastrowid
    if number is None:
        raise ArenaError("SQLite returned no number for the new match")
    check = match_checksum(row | {"id": number})
    database.execute("UPDATE matches SET checksum = ? WHERE id = ?", (check, number))
    return number


@contextmanager
def _changed(database: sqlite3.Connection, match: int) -> Iterator[dict[str, Any]]:
    """Change the row of a match and its checksum, within a transaction."""
    row = dict(_row(database, match))
    if row["checksum"] != match_checksum(row):
        raise ArenaError(f"match {match} of the ledger is damaged: {_WRONG_SUM}")
    yield row
    row["checksum"] = match_checksum(row)
    names = ", ".join(f"{name} = :{name}" for name in (*MATCH_COLUMNS, "checksum"))
    database.execute(f"UPDATE matches SET {names} WHERE id = :id", row)  # noqa: S608 - our own names


def _row(database: sqlite3.Connection, match: int) -> sqlite3.Row:
    """Return the row of a match."""
    row = None
    if 0 < match < 2**63:  # SQLite's range
        row = database.execute("SELECT * FROM matches WHERE id = ?", (match,)).fetchone()
    if row is None:
        raise ArenaError(f"the ledger has no match {match}")
    result: sqlite3.Row = row
    return result


def _entry(row: sqlite3.Row) -> Entry:
    """Read a row; of a damaged row only its number."""
    damage = _WRONG_SUM
    if row["checksum"] == match_checksum(row):
        try:
            return _sound_entry(row)
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            damage = f"the row is not valid: {error}"
    return Entry(row["id"], "", "", "", None, "", "", (), 0, 0, {}, None, damage=damage)


def _sound_entry(row: sqlite3.Row) -> Entry:
    values = {name: row[name] for name in MATCH_COLUMNS}
    values["bots"] = tuple(json.loads(values["bots"]))
    values["settings"] = json.loads(values["settings"])
    values["result"] = None if values["result"] is None else json.loads(values["result"])
    runs = json.loads(values.pop("secrets"))
    values["deal_seeds"] = tuple(Dealt(run["secret"]) for run in runs)
    return Entry(**values)


def _session(match: int, row: sqlite3.Row, settings: MatchSettings | None) -> SessionResult:
    """Read a row of `sessions`."""
    sound = session_checksum(match, row["session"], row["run"], row["data"])
    if row["checksum"] != sound:
        raise ArenaError(_WRONG_SUM)
    result = decode_session(row["data"])
    if result.session != row["session"]:
        raise ArenaError(f"the row contains session {result.session}")
    if settings is not None and (reason := misfit(settings, result)):
        raise ArenaError(reason)
    return result
