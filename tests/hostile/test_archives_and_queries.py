"""Archives, XML and queries of strangers."""

import os
import stat
import time
import zipfile
from pathlib import Path

import pytest

from histories.site_hands import IPOKER, STARS
from hostile.trial import tried
from riverboat.errors import HistoryError
from riverboat.histories import HandDatabase, _folders, read, sites

SECONDS = 20


@pytest.fixture
def database(tmp_path: Path) -> HandDatabase:
    return HandDatabase(tmp_path / "hands.sqlite")


def archive_of(path: Path, name: str, data: bytes, *, link: bool = False) -> Path:
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    if link:
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(info, data)
    return path


def test_names_that_lead_out_are_only_text(tmp_path: Path, database: HandDatabase) -> None:
    with tried("parsers", "archive: names"):
        path = archive_of(tmp_path / "a.zip", "../../../evil.txt", STARS.encode())
        assert database.add([path], 1).hands == 1
        assert not list(tmp_path.parent.rglob("evil.txt"))


def test_links_in_archives(tmp_path: Path, database: HandDatabase) -> None:
    with tried("parsers", "archive: links"):
        path = archive_of(tmp_path / "a.zip", "a.txt", b"/etc/passwd", link=True)
        (problem,) = database.add([path], 1).problems
        assert "is a link" in problem


def test_links_in_folders(tmp_path: Path, database: HandDatabase) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "a.txt").write_text(STARS)
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / "link.txt").symlink_to(tmp_path / "secret" / "a.txt")
    (folder / "folder").symlink_to(tmp_path / "secret")
    assert database.add([folder], 1).files == 0


def test_bombs(tmp_path: Path, database: HandDatabase) -> None:
    with tried("parsers", "archive: bomb"):
        path = archive_of(tmp_path / "a.zip", "a.txt", b"0" * 20_000_000)
        (problem,) = database.add([path], 1).problems
        assert "compressed more than 200 times" in problem


def test_a_forged_size(
    tmp_path: Path, database: HandDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive may claim any size: what is read is counted."""
    path = archive_of(tmp_path / "a.zip", "a.txt", STARS.encode() * 50)
    monkeypatch.setattr(_folders, "MOST_MEMBER", 1000)
    monkeypatch.setattr(_folders, "_check_member", lambda *_: None)
    (problem,) = database.add([path], 1).problems
    assert "more than 1,000 bytes" in problem


def test_too_many_files(
    tmp_path: Path, database: HandDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_folders, "MOST_FILES", 3)
    for number in range(5):
        (tmp_path / f"{number}.txt").write_text("")
    with pytest.raises(HistoryError, match="at most 3 files"):
        database.add([tmp_path], 1)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"PK\x05\x06" + b"\xff" * 18])
def test_damaged_archives(tmp_path: Path, database: HandDatabase, data: bytes) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    (tmp_path / "b.txt").write_text(STARS)
    added = database.add([tmp_path], 1)
    assert added.hands == 1
    (problem,) = added.problems
    assert "is not an archive" in problem


def test_a_damaged_file_in_an_archive(tmp_path: Path, database: HandDatabase) -> None:
    path = archive_of(tmp_path / "a.zip", "a.txt", STARS.encode())
    data = bytearray(path.read_bytes())
    start = 30 + len("a.txt")  # of the compressed bytes, after the header
    data[start : start + 20] = b"\xff" * 20
    path.write_bytes(data)
    (tmp_path / "b.txt").write_text(STARS)
    added = database.add([tmp_path], 1)
    assert added.hands == 1
    (problem,) = added.problems
    assert "a.txt' cannot be read" in problem


def test_file_names_that_are_not_text(tmp_path: Path, database: HandDatabase) -> None:
    folder = os.fsencode(tmp_path)
    try:
        Path(os.fsdecode(folder + b"/\xff.txt")).write_text(STARS)
    except OSError:
        pytest.skip("this file system has no such names")
    assert database.add([tmp_path], 1).hands == 1
    assert database.add([tmp_path], 1).known_files == 1
    assert database.query("SELECT path FROM files").rows[0][0].endswith(r"\udcff.txt")


def test_files_that_are_read_as_a_whole(
    tmp_path: Path, database: HandDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_folders, "MOST_UNDIVIDED", 1000)
    path = archive_of(tmp_path / "a.zip", "a.xml", IPOKER.encode())
    (problem,) = database.add([path], 1).problems
    assert "more than 1,000 bytes and is read as a whole" in problem


def test_an_endless_description_of_a_session() -> None:
    """Each hand would repeat it: 1000 hands would have 200 MB."""
    text = f"<session><general>{'a' * 200_000}</general>{'<game></game>' * 1000}</session>"
    assert sum(len(part.text) for part in sites.parts_of(text)) <= len(text)


@pytest.mark.parametrize(
    "inside",
    [
        '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
        "<a>&b;</a>",
        "<a>" * 50 + "</a>" * 50,
        "<a/>" * 6000,
    ],
)
def test_xml(inside: str) -> None:
    with tried("parsers", "xml"):
        began = time.thread_time()
        result = read(IPOKER.replace('<round no="0">', f'{inside}<round no="0">'))
        assert result.hands == ()
        assert time.thread_time() - began < SECONDS


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM hands",
        "DROP TABLE hands",
        "INSERT INTO hands (site, number, record) VALUES ('a', 'b', 'c')",
        "ATTACH DATABASE 'other.sqlite' AS other",
        "PRAGMA query_only = OFF",
        "PRAGMA writable_schema = ON",
        "VACUUM INTO 'copy.sqlite'",
        "SELECT load_extension('evil.so')",
        "CREATE TEMP TABLE a (b)",
        "SELECT 1; DELETE FROM hands",
        "SELECT zeroblob(1000000000)",
        "SELECT * FROM pragma_database_list",
        "SELECT replace(hex(zeroblob(5000000)), '0', hex(zeroblob(5000000)))",
        "\0",
        "SELECT",
    ],
)
def test_queries_only_read(sql: str, tmp_path: Path, database: HandDatabase) -> None:
    with tried("parsers", "query"):
        before = sorted(tmp_path.iterdir())
        with pytest.raises(HistoryError, match="the query is not possible"):
            database.query(sql)
        assert sorted(tmp_path.iterdir()) == before


def test_endless_queries_end(database: HandDatabase) -> None:
    endless = "WITH RECURSIVE a(b) AS (SELECT 1 UNION ALL SELECT b + 1 FROM a) SELECT max(b) FROM a"
    with pytest.raises(HistoryError, match=r"more than 0\.2 seconds"):
        database.query(endless, seconds=0.2)


@pytest.mark.parametrize(
    "sql",
    [
        "WITH RECURSIVE a(b) AS (SELECT 1 UNION ALL SELECT b + 1 FROM a LIMIT 400) "
        "SELECT zeroblob(1000000) FROM a",
        f"SELECT {', '.join(['zeroblob(1000000)'] * 400)}",
        "SELECT zeroblob(10000000)",
    ],
)
def test_results_are_limited(sql: str, database: HandDatabase) -> None:
    with pytest.raises(HistoryError, match=r"300,000,000 bytes|too many columns|too big"):
        database.query(sql)


def test_rows_are_limited(database: HandDatabase) -> None:
    endless = "WITH RECURSIVE a(b) AS (SELECT 1 UNION ALL SELECT b + 1 FROM a) SELECT b FROM a"
    result = database.query(endless, rows=10)
    assert (len(result.rows), result.more) == (10, True)
