"""Databases of hands that are damaged, cut short or filled with lies; adding that is killed."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from histories.site_hands import HANDS, STARS
from hostile.forged import damage
from hostile.trial import tried
from riverboat.errors import RiverboatError
from riverboat.histories import HandDatabase

SEED = int(os.environ.get("RIVERBOAT_FUZZ_SEED") or Random().randrange(2**32))
DAMAGES, LIES, SHORT = 1_500, 1_500, 40
KILLS = max(1, int(os.environ.get("RIVERBOAT_KILLS", "100")) // 7)
MANY = 3_000
LONGEST = 5_000  # characters of a sentence
COLUMNS = {
    "hands": ("site", "number", "date", "unit", "players", "record", "record", "record"),
    "seats": ("hand", "seat", "name", "stack", "cards", "net"),
    "files": ("path", "size", "changed", "hands", "new_hands"),
    "refused": ("file", "line", "reason", "game"),
}
VALUES = (-1, 0, 2**62, 1e308, "", "x", "\x1b[2J", "{" * 400, b"\xff\x00", b"", "[]", "null")


def use(path: Path, source: Path) -> None:
    """Everything that Riverboat does with a database of hands."""
    database = HandDatabase(path)
    for table in COLUMNS:
        database.query(f"SELECT * FROM {table}")  # noqa: S608 - ours
    database.query("SELECT name, sum(net) FROM seats GROUP BY name ORDER BY 2")
    for _ in database.hands("players > 1"):
        pass
    database.add([source], 1)


def refused(path: Path, source: Path) -> bool:
    """Use a database; return whether there was a sentence. Another error is raised."""
    try:
        use(path, source)
    except RiverboatError as error:
        sentence = str(error)
    else:
        return False
    assert 0 < len(sentence) < LONGEST
    return True


@pytest.fixture
def kept(tmp_path: Path) -> tuple[Path, bytes]:
    """A folder with hands, and the bytes of their database."""
    folder = tmp_path / "given"
    folder.mkdir()
    for site, text in HANDS.items():
        kind = "xml" if text.startswith("<") else "txt"
        (folder / f"{site}.{kind}").write_text(text)
    HandDatabase(tmp_path / "good.sqlite").add([folder], 1)
    (folder / "new.txt").write_text(STARS.replace("#900001", "#900077"))
    assert not refused(tmp_path / "good.sqlite", folder)
    return folder, (tmp_path / "good.sqlite").read_bytes()


def damaged(kept: tuple[Path, bytes], path: Path, seed: int, count: int) -> int:
    """Use damaged databases; return how many were refused."""
    (folder, data), random, found = kept, Random(seed), 0
    for number in range(count):
        bad = data
        for _ in range(random.choice((1, 1, 8, 60))):
            bad = damage(bad, random) or b"\0"
        path.write_bytes(bad)
        try:
            found += refused(path, folder)
        except Exception as error:
            pytest.fail(f"seed {seed}, damage {number}: {error!r:.300}", pytrace=False)
        for rest in path.parent.glob(f"{path.name}-*"):
            rest.unlink()
    return found


def lie(path: Path, random: Random) -> None:
    """Put values of other types into rows, as another program could."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        for _ in range(random.choice((1, 2, 5))):
            table = random.choice(list(COLUMNS))
            column, value = random.choice(COLUMNS[table]), random.choice(VALUES)
            if isinstance(value, str) and column == "record" and random.random() < 0.7:
                [text] = database.execute("SELECT record FROM hands LIMIT 1").fetchone()
                text = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
                at = random.randrange(len(text) + 1)
                value = text[:at] + random.choice(('"', "9", "-", "[", "null", "é")) + text[at:]
            database.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))  # noqa: S608


def lied(kept: tuple[Path, bytes], path: Path, seed: int, count: int) -> int:
    """Use forged databases; return how many were refused."""
    (folder, data), random, found = kept, Random(seed), 0
    for number in range(count):
        path.write_bytes(data)
        lie(path, random)
        try:
            found += refused(path, folder)
        except Exception as error:
            pytest.fail(f"seed {seed}, forgery {number}: {error!r:.300}", pytrace=False)
    return found


Attack = Callable[[tuple[Path, bytes], Path, int, int], int]


@pytest.mark.parametrize("attack", [damaged, lied])
def test_a_few_databases(kept: tuple[Path, bytes], quick_folder: Path, attack: Attack) -> None:
    assert attack(kept, quick_folder / "bad.sqlite", 1, SHORT)


@pytest.mark.hostile
def test_damaged_databases(kept: tuple[Path, bytes], quick_folder: Path) -> None:
    with tried("damage", "database of hands", SEED) as trial:
        trial.attempts = DAMAGES
        assert damaged(kept, quick_folder / "bad.sqlite", SEED, DAMAGES) > DAMAGES // 4


@pytest.mark.hostile
def test_forged_databases(kept: tuple[Path, bytes], quick_folder: Path) -> None:
    with tried("headers", "database of hands", SEED) as trial:
        trial.attempts = LIES
        assert lied(kept, quick_folder / "bad.sqlite", SEED, LIES) > LIES // 20


def test_an_added_hand_is_there_wholly_or_not_at_all(tmp_path: Path) -> None:
    killed_while_adding(tmp_path, 1, 2)


@pytest.mark.hostile
def test_adding_that_is_killed(tmp_path: Path) -> None:
    with tried("kills", "hands add", SEED) as trial:
        trial.attempts = KILLS
        killed_while_adding(tmp_path, SEED, KILLS)


def killed_while_adding(folder: Path, seed: int, kills: int) -> None:
    """Kill `hands add` at random moments: the database is whole, and the next one adds the rest."""
    source, random = folder / "given", Random(seed)
    source.mkdir()
    for file in range(10):
        hands = range(file * MANY // 10, (file + 1) * MANY // 10)
        text = "\n\n".join(STARS.replace("#900001", f"#{100_000 + hand}") for hand in hands)
        (source / f"{file}.txt").write_text(text)
    path = folder / "hands.sqlite"
    length, killed = added_in(path, source, None)
    assert not killed
    for _ in range(kills):
        if random.random() < 0.5:
            for old in folder.glob("hands.sqlite*"):
                old.unlink()
        added_in(path, source, random.uniform(0.2, 1.1) * length)
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        count = "SELECT (SELECT sum(hands) FROM files), (SELECT count(*) FROM seats)"
        if path.stat().st_size:  # else it was killed before the first write
            HandDatabase(path)
        [(hands, seats)] = HandDatabase(path).query(count).rows
        assert (hands or 0, seats) in {(0, 0), (MANY, 3 * MANY)}
    added_in(path, source, None)
    [(hands,)] = HandDatabase(path).query("SELECT count(*) FROM hands").rows
    assert hands == MANY


def added_in(path: Path, source: Path, delay: float | None) -> tuple[float, bool]:
    """Add hands in a process of its own, killed after some seconds; return its seconds."""
    began = time.monotonic()
    words = ["hands", "add", str(source), "--database", str(path), "--workers", "2", "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "riverboat", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            told, said = process.communicate(timeout=delay)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return time.monotonic() - began, True
    assert process.returncode == 0, said
    assert json.loads(told)["problems"] == []
    return time.monotonic() - began, False
