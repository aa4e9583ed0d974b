"""Bucket tables on disk: small, shared by rule, never used when damaged."""

from pathlib import Path

import numpy as np
import pytest

from riverboat.buckets import (
    AbstractionProgress,
    abstraction_files,
    bucket_tables,
    make_abstraction,
)
from riverboat.cards import HandStrength
from riverboat.errors import DamagedFileError, RiverboatError


def test_tables_are_compiled_once(tables: HandStrength, tmp_path: Path) -> None:
    cards = make_abstraction("percentile 5/256/257 recall", tables)
    reports: list[AbstractionProgress] = []
    made = bucket_tables(cards, tables, tmp_path, reports.append)
    assert {report.street for report in reports} == {"flop", "turn"}
    assert reports[-1].done == reports[-1].total == 16_432
    assert [table.dtype for table in made.tables] == [np.uint8, np.uint8, np.uint16]
    assert made.num_buckets == (5, 256, 257)
    assert made.recall
    assert len(abstraction_files(tmp_path)) == 2
    again = bucket_tables(cards, None, tmp_path, reports.clear)  # type: ignore[arg-type]  # never called
    assert reports  # nothing was reported: nothing was built
    for first, second in zip(made.tables, again.tables, strict=True):
        assert np.array_equal(first, second)
    assert not again.tables[1].flags.writeable


def test_rules_share_tables_and_other_rules_do_not(tables: HandStrength, tmp_path: Path) -> None:
    bucket_tables(make_abstraction("percentile 5/20", tables), tables, tmp_path)
    bucket_tables(make_abstraction("lossless | percentile 20 recall", tables), tables, tmp_path)
    assert len(abstraction_files(tmp_path)) == 1
    bucket_tables(make_abstraction("lossless | percentile 21", tables), tables, tmp_path)
    bucket_tables(make_abstraction("lossless | equity-bins 20", tables), tables, tmp_path)
    assert len(abstraction_files(tmp_path)) == 3


def test_tables_without_hand_strength(tmp_path: Path) -> None:
    bucket_tables(make_abstraction("suitless 2"), folder=tmp_path)
    assert [path.name.split("-")[0] for path in tmp_path.iterdir()] == ["buckets"]


@pytest.mark.parametrize("place", [0, 9, 300, 500_000, -1])
def test_damaged_tables_are_built_anew(place: int, tables: HandStrength, tmp_path: Path) -> None:
    cards = make_abstraction("percentile 5/20", tables)
    good = np.array(bucket_tables(cards, tables, tmp_path).tables[1])
    (path,) = abstraction_files(tmp_path)
    content = bytearray(path.read_bytes())
    content[place] ^= 0x41
    path.write_bytes(content)
    with pytest.raises(DamagedFileError):
        list(abstraction_files(tmp_path)[path]().verify())
    assert np.array_equal(bucket_tables(cards, tables, tmp_path).tables[1], good)
    list(abstraction_files(tmp_path)[path]().verify())


def test_a_cut_file_and_a_foreign_one_are_built_anew(tables: HandStrength, tmp_path: Path) -> None:
    cards = make_abstraction("percentile 5/20", tables)
    good = np.array(bucket_tables(cards, tables, tmp_path).tables[1])
    (path,) = abstraction_files(tmp_path)
    whole = path.read_bytes()
    for content in (b"", whole[: len(whole) // 2]):
        path.write_bytes(content)
        assert np.array_equal(bucket_tables(cards, tables, tmp_path).tables[1], good)
    bucket_tables(make_abstraction("lossless | percentile 21", tables), tables, tmp_path)
    (other,) = set(abstraction_files(tmp_path)) - {path}
    path.write_bytes(other.read_bytes())  # sound, but of another rule
    assert np.array_equal(bucket_tables(cards, tables, tmp_path).tables[1], good)


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(RiverboatError, match="cannot read or write bucket tables in"):
        bucket_tables(make_abstraction("suitless 2"), folder=tmp_path / "file")
