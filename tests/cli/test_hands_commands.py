"""`riverboat hands`, as a user types it."""

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from cli.typed import riverboat
from histories.site_hands import STARS, WINAMAX


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two hands, one of them twice, a hand of Omaha, and one without a game."""
    place = tmp_path / "histories"
    place.mkdir()
    (place / "stars.txt").write_text(STARS)
    (place / "winamax.txt").write_text(WINAMAX)
    (place / "twice.txt").write_text(STARS + "\n\n" + STARS.replace("Hold'em", "Omaha"))
    return place


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(tmp_path / "hands.sqlite")


def test_add(folder: Path, database: str) -> None:
    added = riverboat("hands", "add", str(folder), "--workers", "1", "--database", database)
    words = " ".join(added.stdout.split())
    assert "2 new hands from 3 files, 1 known hands, 0 known files, 0 refused" in words
    assert "Hands of other games: 1 Omaha" in words
    assert "Database:" in words
    again = riverboat("hands", "add", str(folder), "--database", database, "--json")
    values = json.loads(again.stdout)
    assert values == {
        "version": version("riverboat"),
        "database": database,
        "files": 0,
        "known_files": 3,
        "hands": 0,
        "duplicates": 0,
        "refused": 0,
        "other_games": {},
        "problems": [],
    }


def test_refused_hands_and_damaged_archives(tmp_path: Path, database: str) -> None:
    hand, archive = tmp_path / "damaged.txt", tmp_path / "damaged.zip"
    hand.write_text(STARS.replace("FLOP *** [2c", "FLOP *** [Kh"))
    archive.write_bytes(b"PK\3\4 no archive")
    added = riverboat("hands", "add", str(hand), "--database", database)
    assert "0 known files, 1 refused" in added.stdout
    assert "SELECT * FROM refused" in added.stdout
    reason = riverboat("hands", "query", "SELECT reason FROM refused", "--database", database)
    assert "the card Kh is given twice" in reason.stdout
    failed = riverboat("hands", "add", str(archive), "--database", database, "--json", code=1)
    (problem,) = json.loads(failed.stdout)["problems"]
    assert str(archive) in problem


def test_query(folder: Path, database: str) -> None:
    riverboat("hands", "add", str(folder), "--workers", "1", "--database", database)
    command = ["hands", "query", "SELECT site, number FROM hands ORDER BY site", "--database"]
    shown = riverboat(*command, database).stdout.split()
    assert shown[:2] == ["site", "number"]
    assert {"PokerStars", "Winamax", "900001"} <= set(shown)
    values = json.loads(riverboat(*command, database, "--rows", "1", "--json").stdout)
    assert values["columns"] == ["site", "number"]
    assert (values["rows"], values["more"]) == ([["PokerStars", "900001"]], True)
    few = riverboat(*command, database, "--rows", "1").stdout
    assert "The first 1 row; --rows shows more." in few


def test_bytes_and_nothing(folder: Path, database: str) -> None:
    riverboat("hands", "add", str(folder), "--workers", "1", "--database", database)
    command = ["hands", "query", "SELECT x'00ff' AS raw, NULL AS missing", "--database", database]
    assert json.loads(riverboat(*command, "--json").stdout)["rows"] == [["00ff", None]]
    assert riverboat(*command).stdout.split()[-1] == "00ff"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["query", "DELETE FROM hands"], "one SELECT that only reads is allowed"),
        (["query", "SELECT odd FROM hands"], "no such column: odd"),
        (["add", "nowhere"], "'nowhere' is not a file or folder"),
    ],
)
def test_mistakes_get_a_sentence(
    words: list[str], sentence: str, folder: Path, database: str
) -> None:
    riverboat("hands", "add", str(folder), "--workers", "1", "--database", database)
    result = riverboat("hands", *words, "--database", database, code=2)
    assert sentence in " ".join(result.stderr.split())
    counted = riverboat("hands", "query", "SELECT count(*) FROM hands", "--database", database)
    assert counted.stdout.split()[-1] == "2"
