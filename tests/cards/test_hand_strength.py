"""The hand-strength tables against counts by definition, and their files against damage."""

import os
import shutil
import subprocess
import sys
import time
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riverboat.cards import (
    TABLE_BYTES,
    HandStrength,
    StreetName,
    as_cards,
    board_multiplicities,
    build_tables,
    canonical_board,
    equity,
    evaluate_batch,
    hole_index,
    open_table,
    parse_hole,
    table_path,
)
from riverboat.cards import run_out_points as one_hand_points
from riverboat.errors import CardError, DamagedFileError, RiverboatError
from riverboat.files import ArrayFileWriter

SPOTS = [
    ("AhKh", "Qh7c2d5s3h"),
    ("7s7d", "7h7c2d5s3h"),
    ("2c3d", "AsKsQsJsTs"),
    ("9h8h", "ThJhQh2c2d"),
    ("AhKh", "Qh7c2d5s"),
    ("6c5c", "4c3c2dAd"),
]


def river_points(hole: list[int], board: list[int]) -> tuple[int, int]:
    """Count opponents beaten and tied on the river, one by one."""
    left = [card for card in range(52) if card not in {*hole, *board}]
    hands = [[*other, *board] for other in combinations(left, 2)]
    strengths = evaluate_batch([[*hole, *board], *hands]).astype(int)
    others = strengths[1:]
    return int((others < strengths[0]).sum()), int((others == strengths[0]).sum())


def run_out_points(hole: list[int], board: list[int]) -> list[tuple[int, int]]:
    left = [card for card in range(52) if card not in {*hole, *board}]
    return [river_points(hole, [*board, *more]) for more in combinations(left, 5 - len(board))]


@pytest.mark.parametrize(("hole", "board"), SPOTS)
def test_strength_is_the_count_by_definition(tables: HandStrength, hole: str, board: str) -> None:
    points = np.array(run_out_points(as_cards(hole), as_cards(board)))
    win, tie = points.mean(axis=0) / 990
    strengths = (points[:, 0] + points[:, 1] / 2) / 990
    found = tables.strength(hole, board)
    assert (found.win, found.tie) == pytest.approx((win, tie), abs=1e-12)
    assert found.mean == pytest.approx(strengths.mean(), abs=1e-12)
    assert found.mean_square == pytest.approx((strengths**2).mean(), abs=1e-12)


def test_flop_with_a_published_count(tables: HandStrength) -> None:
    # 615,678 wins and 10,976 ties of 1,070,190: full enumeration, Riverboat's target table.
    found = tables.strength("AhKh", "Qh7c2d")
    assert (found.win, found.tie) == (615_678 / 1_070_190, 10_976 / 1_070_190)


def test_before_the_flop(tables: HandStrength) -> None:
    # 85.20 % and 32.30 %: the usual published odds of AA and 32o against a random hand.
    assert round(tables.strength("AhAs").mean, 4) == 0.8520
    assert round(tables.strength("3h2s").mean, 4) == 0.3230


@pytest.mark.slow
def test_before_the_flop_by_enumeration(tables: HandStrength) -> None:
    exact = equity("AhAs", "random", method="exact").players[0]
    found = tables.strength("AhAs")
    assert (found.win, found.tie) == pytest.approx((exact.win, exact.tie), abs=1e-15)


def test_a_whole_board_agrees_with_single_look_ups(tables: HandStrength) -> None:
    for board in ("", "Qh7c2d", "QhQc2d5s", "Qh7c2d5s3h"):
        rows = tables.board_strength(board)
        for hole in ("AhKh", "2c2s", "9d8d"):
            one, place = tables.strength(hole, board), parse_hole(hole)
            row = (rows.win[place], rows.tie[place], rows.mean[place], rows.mean_square[place])
            assert row == pytest.approx((one.win, one.tie, one.mean, one.mean_square))
        dead = [hole_index(a, b) for a in as_cards(board) for b in range(52) if a != b]
        assert np.isnan(rows.mean[dead]).all()
        assert np.isfinite(rows.mean).sum() == 1326 - len(set(dead))


@pytest.mark.parametrize(("street", "size"), [("flop", 3), ("turn", 4), ("river", 5)])
def test_the_mean_over_all_hands_is_a_half(tables: HandStrength, street: str, size: int) -> None:
    """Whoever wins, somebody loses: wins equal losses over each board."""
    cells = tables.cells(street)  # type: ignore[arg-type]  # a street's name
    sample = slice(0, None, max(1, len(cells) // 2000))
    part = cells[sample].astype(np.int64)
    live = part[:, :, 0] != np.iinfo(cells.dtype).max
    deals = {3: 1_070_190, 4: 45_540, 5: 990}[size]
    points = np.where(live, 2 * part[:, :, 0] + part[:, :, 1], 0).sum(axis=1)
    assert np.array_equal(points, live.sum(axis=1) * deals)
    assert len(cells) == len(board_multiplicities(size))


@pytest.mark.parametrize(("street", "board"), [("turn", "Qh7c2d5s"), ("flop", "Qh7c2d")])
def test_histograms_are_the_run_outs(tables: HandStrength, street: str, board: str) -> None:
    found = canonical_board(board)
    rows = tables.histograms(street, [found.id], 20)[0]  # type: ignore[arg-type]  # a street's name
    summary = tables.board_strength(board)
    assert rows.sum(axis=1).max() == (46 if street == "turn" else 1081)
    # Exact histogram of one hole; each strength is then known to within a bin.
    hole = as_cards("AhKh")
    if street == "turn":
        points = np.array(run_out_points(hole, as_cards(board)))
        expected = np.minimum((2 * points[:, 0] + points[:, 1]) * 20 // 1980, 19)
        place = tables._place("turn", as_cards(board))[1][hole_index(*hole)]
        assert np.array_equal(np.bincount(expected, minlength=20), rows[place])
    middle = rows @ (np.arange(20) + 0.5) / 20 / rows.sum(axis=1).max()
    moved = tables._place(street, as_cards(board))[1]  # type: ignore[arg-type]  # a street's name
    live = np.isfinite(summary.mean)
    assert np.abs(middle[moved][live] - summary.mean[live]).max() <= 0.5 / 20


def test_bad_questions_get_a_sentence(tables: HandStrength) -> None:
    for hole, board, sentence in [
        ("Ah", "", "Ah on no board: two hole cards are needed"),
        ("AhKh", "AhKdQd", "share a card"),
        ("AhKh", "2c3d", "a board of 0, 3, 4 or 5 cards"),
        ("AhXh", "", "'Xh' is not a card"),
    ]:
        with pytest.raises(CardError, match=sentence):
            tables.strength(hole, board)
    with pytest.raises(CardError, match="on the flop and the turn"):
        tables.histograms("river", [0])
    with pytest.raises(CardError, match="1755 is not a flop"):
        tables.histograms("flop", [1755])
    with pytest.raises(CardError, match="0 bins"):
        tables.histograms("flop", [0], 0)
    with pytest.raises(CardError, match="'showdown' is not a street"):
        tables.cells("showdown")  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    ("ids", "bins", "sentence"),
    [
        ([-1], 5, "-1 is not a board"),
        ([2**32 + 1], 5, "is not a board"),
        ([0.5], 5, "type float64"),
        ([[0]], 5, r"shape \[1, 1\]"),
        ([0], 1.5, "1.5 bins are not possible"),
        ([0], "5", "a list of bins is an array"),
        ([0], [0, 1], r"an array \[1981\] of whole numbers, not one of shape \[2\]"),
        ([0], np.full(1981, -1), "-1 is not a bin"),
        ([0], np.full(1981, 70_000), "70000 is not a bin"),
        ([0], np.full(1981, 2000, np.uint16), "2000 is not a bin"),
        ([0], np.zeros(1981), "type float64"),
    ],
)
def test_histograms_refuse(tables: HandStrength, ids: Any, bins: Any, sentence: str) -> None:
    with pytest.raises(CardError, match=sentence):
        tables.histograms("flop", ids, bins)


def test_histograms_of_many_boards_are_those_of_each(tables: HandStrength) -> None:
    ids = np.arange(16_431, 0, -61)  # three slices and a part
    many = tables.histograms("turn", ids, np.int64(4))
    assert many.shape == (len(ids), 1326, 4)
    for place in (0, 127, 128, len(ids) - 1):
        assert np.array_equal(many[place], tables.histograms("turn", [ids[place]], 4)[0])
    assert tables.histograms("turn", [], 4).shape == (0, 1326, 4)


def test_tables_take_less_than_a_gigabyte() -> None:
    assert TABLE_BYTES < 1e9


def damage(path: Path, place: int) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 0x10]))


def with_tables(
    folder: Path, source: Path, linked: tuple[StreetName, ...], copied: StreetName
) -> None:
    """Put built tables into a folder: those that are only read as links, one to be spoilt."""
    for street in linked:
        os.link(table_path(street, source), table_path(street, folder))
    shutil.copy(table_path(copied, source), folder)


def test_a_damaged_table_is_found_out_and_built_anew(tables: HandStrength, tmp_path: Path) -> None:
    right = tables.strength("AhKh", "Qh7c2d")
    with_tables(tmp_path, tables.folder, ("preflop", "turn", "river"), "flop")
    path = table_path("flop", tmp_path)
    row = canonical_board("Qh7c2d").id
    damage(path, path.stat().st_size // 3 * 2 * row // 1755)
    reports: list[object] = []
    again = HandStrength(tmp_path, reports.append)
    assert not reports  # opening reads the header only
    assert again.strength("AhKh", "Qh7c2d") == right
    for _ in HandStrength(tmp_path)._files["flop"].verify():
        pass


def test_a_damaged_header_or_a_cut_file_is_built_anew(tables: HandStrength, tmp_path: Path) -> None:
    right = tables.strength("AhKh", "Qh7c2d")
    with_tables(tmp_path, tables.folder, ("preflop", "turn", "river"), "flop")
    path = table_path("flop", tmp_path)
    for spoil in (lambda: damage(path, 20), lambda: path.write_bytes(path.read_bytes()[:-1000])):
        spoil()
        reports: list[object] = []
        assert HandStrength(tmp_path, reports.append).strength("AhKh", "Qh7c2d") == right
        assert reports


def test_a_build_that_stops_late_is_gone_on_with(tables: HandStrength, tmp_path: Path) -> None:
    """With river and turn, which take most of the time, already there."""
    for street in ("river", "turn"):
        os.link(table_path(street, tables.folder), table_path(street, tmp_path))
    build = build_tables(tmp_path)
    for report in build:
        if report.street == "preflop":
            break
    build.close()
    built = [table_path(street, tmp_path) for street in ("river", "turn", "flop")]
    assert {*tmp_path.iterdir()} == {*built}
    changed = [path.stat().st_mtime_ns for path in built]
    assert {report.street for report in build_tables(tmp_path)} == {"preflop"}
    assert [path.stat().st_mtime_ns for path in built] == changed
    # Now a damaged block in the flop, and what needs it missing.
    damage(built[2], built[2].stat().st_size // 3)
    table_path("preflop", tmp_path).unlink()
    streets = [report.street for report in build_tables(str(tmp_path))]
    assert list(dict.fromkeys(streets)) == ["flop", "preflop"]
    again = HandStrength(str(tmp_path))
    assert again.strength("AhKh", "Qh7c2d") == tables.strength("AhKh", "Qh7c2d")
    assert list(again._files["flop"].verify())


@pytest.mark.slow
def test_a_build_that_stops_is_gone_on_with(tmp_path: Path) -> None:
    build = build_tables(tmp_path)
    for report in build:
        if report.street == "turn":
            break
    build.close()
    assert list(tmp_path.iterdir()) == [table_path("river", tmp_path)]
    river = table_path("river", tmp_path).stat().st_mtime_ns
    streets = {report.street for report in build_tables(tmp_path)}
    assert streets == {"turn", "flop", "preflop"}
    assert table_path("river", tmp_path).stat().st_mtime_ns == river
    # Now a damaged block in two streets, and the one that needs them missing.
    right = HandStrength(tmp_path).strength("AhKh", "Qh7c2d")
    for street in ("river", "turn"):
        path = table_path(street, tmp_path)
        damage(path, path.stat().st_size // 3)
    table_path("flop", tmp_path).unlink()
    built = [report.street for report in build_tables(str(tmp_path))]
    assert list(dict.fromkeys(built)) == ["river", "turn", "flop"]
    again = HandStrength(str(tmp_path))
    assert again.strength("AhKh", "Qh7c2d") == right
    for file in again._files.values():
        assert list(file.verify())
    for path in tmp_path.iterdir():
        path.unlink()  # a gigabyte


def test_a_table_of_another_kind_is_refused(tmp_path: Path, tables: HandStrength) -> None:
    path = table_path("preflop", tmp_path)
    metadata = {"kind": "hand-strength", "street": "preflop", "version": "0"}
    whole = open_table("preflop", tables.folder)
    layout = {name: whole.spec(name) for name in whole.names}
    with ArrayFileWriter(path, layout, metadata) as writer:
        for name, spec in layout.items():
            writer.write(name, np.zeros(spec.shape, spec.dtype))
    with pytest.raises(DamagedFileError, match="header is not that of a preflop table"):
        open_table("preflop", tmp_path)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2"])
def test_threads_are_a_positive_number(tmp_path: Path, threads: Any) -> None:
    with pytest.raises(CardError, match=r"threads=.* is not allowed"):
        next(build_tables(tmp_path, threads))


def test_what_the_system_refuses_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    (tmp_path / "b" / table_path("river").name).mkdir(parents=True)
    for folder in (file, file / "under", Path("/proc/nowhere"), tmp_path / "b"):
        with pytest.raises(RiverboatError, match=r"cannot read or write .*RIVERBOAT_CACHE"):
            next(build_tables(folder))


def test_a_full_disk_is_a_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    code = (
        "import resource, sys, riverboat.cards as c\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 22, 1 << 22))\n"
        "for _ in c.build_tables(sys.argv[1]): pass"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
    )
    last = result.stderr.splitlines()[-1]
    assert last.startswith("riverboat.errors.RiverboatError: cannot read or write hand-strength")
    assert "File too large" in last
    assert not list(tmp_path.iterdir())


def test_a_killed_build_leaves_no_half_table(tmp_path: Path) -> None:
    code = "import sys, pathlib, riverboat.cards as c; c.HandStrength(pathlib.Path(sys.argv[1]))"
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) as process:
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob(".*.part")) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.kill()
    assert list(tmp_path.glob(".*.part"))  # killed in the middle of writing
    assert not list(tmp_path.glob("hand-strength-*"))
    with pytest.raises(FileNotFoundError):
        open_table("river", tmp_path)


@pytest.mark.parametrize(("hole", "board"), SPOTS)
def test_one_hand_needs_no_tables(hole: str, board: str) -> None:
    counted = run_out_points(as_cards(hole), as_cards(board))
    assert one_hand_points(hole, board).tolist() == [2 * win + tie for win, tie in counted]


def test_one_hand_on_the_flop_is_the_table(tables: HandStrength) -> None:
    points = one_hand_points("9h8h", "ThJh2c").astype(np.int64)
    found = tables.strength("9h8h", "ThJh2c")
    assert points.sum() == round(found.mean * 1980 * 1081)
    assert (points**2).sum() == round(found.mean_square * 1980**2 * 1081)


def test_run_outs_of_a_flop_come_by_their_higher_card() -> None:
    board, hole = as_cards("ThJh2c"), as_cards("9h8h")
    live = [card for card in range(52) if card not in {*board, *hole}]
    pairs = [(low, high) for i, high in enumerate(live) for low in live[:i]]
    points = one_hand_points(hole, board)
    for place in (0, 1, 17, 500, 1080):
        finished = one_hand_points(hole, [*board, *pairs[place]])
        assert finished.tolist() == [points[place]]


@pytest.mark.parametrize(
    ("hole", "board", "sentence"),
    [
        ("Ah", "2c3c4c", "Ah on 2c3c4c: two hole cards are needed"),
        ("AhKh", "2c3c", "a board of 3, 4 or 5 cards"),
        ("AhKh", "Ah3c4c", "share a card"),
    ],
)
def test_one_hand_refuses(hole: str, board: str, sentence: str) -> None:
    with pytest.raises(CardError, match=sentence):
        one_hand_points(hole, board)
