"""A damaged ledger: one sentence, never a traceback, never a figure that is wrong."""

from __future__ import annotations

import shutil
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from arena.broken_ledgers import STOPPED, flip_bits, read_all, write_ledger
from riverboat.arena import Ledger, Match, finish_matches, play_match, play_matches
from riverboat.arena import _ledger_rows as rows
from riverboat.arena._ledger import Ending
from riverboat.arena._ledger_rows import decode_session
from riverboat.errors import ArenaError

OLD = Path(__file__).parent / "data" / "ledger-0.1.sqlite"
FLIPS = 150


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with a finished match, one from a secret, and one that was stopped."""
    path = tmp_path_factory.mktemp("ledger") / "ledger.sqlite"
    write_ledger(path)
    return path


@pytest.fixture
def path(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(played, tmp_path))


def change(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, values)


def test_a_sound_ledger(path: Path) -> None:
    ledger = Ledger(path)
    assert list(ledger.damage()) == []
    assert [len(ledger.sessions(match)) for match in (1, 2, 3)] == [1, 2, 3]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE matches SET result = replace(result, '1', '2') WHERE id = 1",
        "UPDATE matches SET hands = 41 WHERE id = 1",
        'UPDATE matches SET bots = \'["fold", "random"]\' WHERE id = 1',
        "UPDATE matches SET finished = NULL WHERE id = 1",
        "UPDATE matches SET settings = 'no JSON' WHERE id = 1",
        "UPDATE matches SET secrets = '[{}]' WHERE id = 1",
        "UPDATE matches SET checksum = '' WHERE id = 1",
        "UPDATE matches SET seed = 'text' WHERE id = 1",
    ],
)
def test_a_changed_match_is_noticed(path: Path, statement: str) -> None:
    change(path, statement)
    ledger = Ledger(path)
    with pytest.raises(
        ArenaError, match="match 1 of the ledger is damaged: the row does not match"
    ):
        ledger.entry(1)
    assert [bool(entry.damage) for entry in ledger.entries()] == [True, False, False]
    assert [(match, session) for match, session, _ in ledger.damage()] == [(1, None)]
    with pytest.raises(ArenaError, match="damaged"):
        ledger.finish([Ending(1, 40, {})])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sessions SET data = zeroblob(100) WHERE match = 3 AND session = 1",
        "UPDATE sessions SET run = 1 WHERE match = 3 AND session = 1",
        "UPDATE sessions SET checksum = 'abc' WHERE match = 3 AND session = 1",
        "UPDATE sessions SET data = (SELECT data FROM sessions WHERE match = 3 AND session = 0) "
        "WHERE match = 3 AND session = 1",
    ],
)
def test_damaged_sessions_are_played_again(path: Path, statement: str) -> None:
    change(path, statement)
    ledger = Ledger(path)
    assert [(match, session) for match, session, _ in ledger.damage()] == [(3, 1)]
    again = Match(STOPPED, ledger=ledger, resume=True)
    assert (again.number, again.damaged) == (3, (1,))
    list(play_matches([again], workers=1))
    result = again.finish()
    whole = play_match(STOPPED.bots, "leduc", hands=80, seed=3, session=10)
    assert (result.unit_chips == whole.unit_chips).all()
    assert result.hands_before == 40  # sessions 0 and 2
    assert list(ledger.damage()) == []


def test_a_damaged_match_is_not_resumed(path: Path) -> None:
    change(path, "UPDATE matches SET hands = 7 WHERE id = 3")
    assert Match(STOPPED, ledger=Ledger(path), resume=True).number is None


def test_a_well_summed_session_that_is_none(path: Path) -> None:
    for data in (b"", b"nonsense", b"x\x9cc\x00\x00\x00\x01\x00\x01"):
        check = rows.session_checksum(3, 1, 0, data)
        change(
            path,
            "UPDATE sessions SET data = ?, checksum = ? WHERE match = 3 AND session = 1",
            *(data, check),
        )
        assert "damaged" in Ledger(path).saved(3).damaged[1]


MISFITS: dict[str, tuple[dict[str, Any], str]] = {
    "more deals": ({"hands": ["<i8", [9], bytes(72)]}, "its hands do not fit 10 deals"),
    "other seats": ({"seats": ["<f8", [1], bytes(8)]}, "its seats do not fit 10 deals"),
    "no number": ({"chips": ["<f8", [10, 2], b"\xff" * 160]}, "its chips do not fit"),
    "texts": ({"chips": ["<U1", [10, 2], bytes(80)]}, "its chips do not fit 10 deals"),
    "no hands": ({"hands": ["<i8", [10], bytes(80)]}, "it has deals without hands"),
    "a third bot": ({"learns": [False] * 3}, "it does not have 2 bots"),
    "times": ({"times": [[1, 1.0, 1.0, ["<i8", [0], b""]]] * 2}, "its decision times have"),
    "another": ({"session": 2}, "the row contains session 2"),
}


@pytest.mark.parametrize("name", MISFITS)
def test_a_forged_session_is_played_again(path: Path, name: str) -> None:
    values, reason = MISFITS[name]
    with closing(sqlite3.connect(path)) as database:
        sound = "SELECT data FROM sessions WHERE match = 3 AND session = 1"
        [data] = database.execute(sound).fetchone()
    packed = msgspec.msgpack.decode(zlib.decompress(data)) | values
    forged = zlib.compress(msgspec.msgpack.encode(packed))
    check = rows.session_checksum(3, 1, 0, forged)
    change(
        path,
        "UPDATE sessions SET data = ?, checksum = ? WHERE match = 3 AND session = 1",
        *(forged, check),
    )
    ledger = Ledger(path)
    assert reason in ledger.saved(3, STOPPED).damaged[1]
    assert Match(STOPPED, ledger=ledger, resume=True).damaged == (1,)


def test_a_session_unpacks_to_what_one_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = zlib.compress(msgspec.msgpack.encode(GOOD | {"x": bytes(1 << 20)}), 9)
    assert decode_session(bomb).session == 0
    monkeypatch.setattr(rows, "_MOST_SUMS", 1 << 19)
    with pytest.raises(ArenaError, match="a session in the ledger is damaged"):
        decode_session(bomb)


def test_damaged_bytes_give_sentences_and_no_wrong_figure(path: Path) -> None:
    refused, in_part = flip_bits(path, FLIPS, seed=7)
    assert refused > FLIPS // 20
    assert in_part > FLIPS // 20


@pytest.mark.parametrize("size", [10, 1_000, 5_000, 9_000])
def test_a_cut_ledger_is_refused(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(ArenaError, match=r"the ledger .* is damaged|cannot use the ledger"):
        read_all(path)


def test_other_files_are_refused(tmp_path: Path, path: Path) -> None:
    other = tmp_path / "other.sqlite"
    change(other, "CREATE TABLE songs (name TEXT)")
    with pytest.raises(ArenaError, match="it is not a ledger"):
        Ledger(other)
    change(path, "PRAGMA user_version = 9")
    with pytest.raises(ArenaError, match="it has format 9, and this version of Riverboat reads"):
        Ledger(path)


def test_a_ledger_of_0_1_is_refused_and_left_alone(tmp_path: Path) -> None:
    """`data/ledger-0.1.sqlite` was written by Riverboat 0.1.0."""
    path = Path(shutil.copy(OLD, tmp_path))
    with pytest.raises(ArenaError, match=r"Riverboat 0\.1 wrote it; move the file away"):
        Ledger(path)
    assert path.read_bytes() == OLD.read_bytes()


GOOD: dict[str, Any] = {
    "session": 0,
    "run_outs": 0,
    **{
        name: ["<f8", [0], b""] for name in ("hands", "chips", "corrected", "wins", "seats", "ends")
    },
    **dict.fromkeys(("learns", "times", "errors", "said", "records"), ()),
}


FORGED: dict[str, dict[str, Any]] = {
    "short": {"hands": []},
    "objects": {"hands": ["O", [1], bytes(8)]},
    "shape": {"hands": ["<f8", [-1, -1], b""]},
    "times": {"times": [[1]]},
    "errors": {"errors": [5]},
    "learns": {"learns": 7},
}


@pytest.mark.parametrize("name", ["deep", *FORGED])
def test_forged_sessions_give_a_sentence(name: str) -> None:
    assert decode_session(zlib.compress(msgspec.msgpack.encode(GOOD))).session == 0
    deep = b"\x91" * 100_000
    packed = msgspec.msgpack.encode(GOOD | FORGED[name]) if name in FORGED else deep
    with pytest.raises(ArenaError, match="a session in the ledger is damaged"):
        decode_session(zlib.compress(packed))


def test_matches_are_finished_together_or_not_at_all(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite")
    matches = [Match(replace(STOPPED, seed=seed), ledger=ledger) for seed in (1, 2)]
    list(play_matches(matches, workers=1))
    change(ledger.path, "UPDATE matches SET hands = 1 WHERE id = 2")
    with pytest.raises(ArenaError, match="match 2 of the ledger is damaged"):
        finish_matches(matches)
    assert ledger.entry(1).finished is None
    assert Match(matches[0].settings, ledger=ledger, resume=True).over
