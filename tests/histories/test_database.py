"""Folders, archives and the database of hands."""

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from histories.site_hands import HANDS, IPOKER, PARTY, STARS, WINAMAX
from riverboat.errors import HistoryError
from riverboat.histories import HandDatabase, _folders, read


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two folders and an archive: hands of all sites, two twice, and a hand of Omaha."""
    place = tmp_path / "histories"
    (place / "deep" / "er").mkdir(parents=True)
    for site, text in HANDS.items():
        kind = "xml" if text.startswith("<") else "txt"
        (place / "deep" / f"{site}.{kind}").write_text(text)
    (place / "deep" / "er" / "again.txt").write_text(STARS + "\n\n" + PARTY)
    (place / "picture.png").write_bytes(b"\x89PNG")
    with zipfile.ZipFile(place / "more.zip", "w") as archive:
        archive.writestr("a/omaha.txt", STARS.replace("Hold'em No Limit", "Omaha Pot Limit"))
        archive.writestr("b.txt", STARS.replace("#900001", "#900002"))
        archive.writestr("readme.md", "nothing")
    return place


@pytest.fixture
def database(tmp_path: Path) -> HandDatabase:
    return HandDatabase(tmp_path / "data" / "hands.sqlite")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_folder(folder: Path, database: HandDatabase, workers: int) -> None:
    added = database.add([folder], workers)
    assert (added.files, added.hands, added.duplicates) == (17, 14, 3)
    assert (added.refused, added.other_games, added.problems) == (0, {"Omaha": 1}, [])
    again = database.add([folder], workers)
    assert (again.files, again.known_files, again.hands) == (0, 17, 0)


def test_a_file_that_grows_is_read_again(folder: Path, database: HandDatabase) -> None:
    database.add([folder], 1)
    file = folder / "deep" / "winamax.txt"
    file.write_text(WINAMAX + "\n\n" + WINAMAX.replace("#77-12-", "#77-13-"))
    added = database.add([folder], 1)
    assert (added.files, added.hands, added.duplicates) == (1, 1, 1)
    rows = database.query(
        "SELECT path FROM hands JOIN files ON files.id = hands.file"
        " WHERE files.hands = 2 AND new_hands = 2"
    ).rows
    assert rows == ((str(file),),) * 2


PHH = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [10000, 10000]
actions = ["d dh p1 AhAd", "d dh p2 KcKd", "p2 cbr 300", "p1 f"]
hand = 0
"""


def test_hands_of_no_site_may_share_a_number(tmp_path: Path, database: HandDatabase) -> None:
    for name, size in (("a", 300), ("b", 400), ("c", 400)):
        (tmp_path / f"{name}.phh").write_text(PHH.replace("cbr 300", f"cbr {size}"))
    added = database.add([tmp_path], 1)
    assert (added.hands, added.duplicates, added.refused) == (2, 1, 0)
    assert all(row[0].startswith("0 ") for row in database.query("SELECT number FROM hands").rows)


def test_what_is_stored_is_the_same_hand(folder: Path, database: HandDatabase) -> None:
    database.add([folder], 1)
    (stored,) = database.hands("site = 'Winamax'")
    (record,) = read(WINAMAX).hands
    assert stored == record


def test_queries(folder: Path, database: HandDatabase) -> None:
    database.add([folder], 1)
    result = database.query("SELECT name, position, net FROM seats WHERE hand = 1 ORDER BY seat")
    assert result.columns == ("name", "position", "net")
    assert [row[1:] for row in result.rows] == [("SB", -50), ("BB", 1400), ("BTN", -1500)]
    assert database.query("SELECT sum(net) FROM seats").rows == ((-14 * 150,),)  # the rake
    assert database.query("SELECT game FROM refused").rows == (("Omaha",),)
    few = database.query("SELECT id FROM hands", rows=3)
    assert (len(few.rows), few.more) == (3, True)


def test_long_files_are_cut_between_hands(
    tmp_path: Path, database: HandDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_folders, "_BLOCK", 1000)
    hands = [STARS.replace("#900001", f"#{number}") for number in range(100, 140)]
    path = tmp_path / "long.txt"
    path.write_text("\n\n".join(hands))
    blocks = list(_folders.blocks_of(_folders.HandFile(str(path))))
    assert len(blocks) > 10
    assert "".join(block.text for block in blocks) == path.read_text()
    lines = path.read_text().split("\n")
    assert all(lines[block.line - 1].startswith("PokerStars") for block in blocks)
    added = database.add([path], 1)
    assert (added.hands, added.refused) == (40, 0)


def test_xml_is_one_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_folders, "_BLOCK", 500)
    path = tmp_path / "long.xml"
    path.write_text(IPOKER)
    (block,) = _folders.blocks_of(_folders.HandFile(str(path)))
    assert block.text == IPOKER


def test_a_missing_folder(database: HandDatabase) -> None:
    with pytest.raises(HistoryError, match="is not a file or folder"):
        database.add(["nowhere"])


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "hands.sqlite"
    path.write_text("PokerStars Hand #1" * 100)
    with pytest.raises(HistoryError, match="is not a database of hands"):
        HandDatabase(path)


def test_a_database_whose_tables_are_no_text(database: HandDatabase) -> None:
    """SQLite quotes them in its message, which Python then cannot read."""
    data = database.path.read_bytes()
    database.path.write_bytes(data.replace(b"path TEXT NOT NULL", b"path TEXT NOT NU\xccL"))
    with pytest.raises(HistoryError, match="its tables are damaged"):
        HandDatabase(database.path)
    (database.path.parent / "a.txt").write_text(STARS)
    with pytest.raises(HistoryError, match="its tables are damaged"):
        database.add([database.path.parent], 1)
    with pytest.raises(HistoryError, match="the query is not possible"):
        database.query("SELECT * FROM files")


@pytest.mark.parametrize("version", [0, 1])
def test_a_database_of_another_program(tmp_path: Path, version: int) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.executescript(f"CREATE TABLE notes (text); PRAGMA user_version = {version};")
    before = path.read_bytes()
    with pytest.raises(HistoryError, match="it has other tables"):
        HandDatabase(path)
    assert path.read_bytes() == before


def test_rows_are_plain_json(folder: Path, database: HandDatabase) -> None:
    database.add([folder], 1)
    assert json.dumps(database.query("SELECT * FROM hands").rows)
