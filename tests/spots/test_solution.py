"""Solutions and their files: one answer everywhere, and damage is found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest

from riverboat.errors import CardError, DamagedFileError, MenuError, SpotError
from riverboat.files import ArrayFile, ArrayFileWriter, ArraySpec
from riverboat.spots import (
    Solution,
    SolveFiles,
    SolveSettings,
    Spot,
    card_report,
    solve,
    solve_file,
)
from riverboat.spots._sources import river_root, river_tree
from riverboat.tree import DECISION
from spots.made import BLUFF, TURN

if TYPE_CHECKING:
    from pathlib import Path


# ---- Decisions


def test_a_decision_in_numbers(turn: Solution) -> None:
    node = turn.node("b10")
    assert (node.side, node.pot, node.to_call) == ("ip", 30, 10)
    assert node.frequencies().sum() == pytest.approx(1)
    # Value = sum of the actions' values by their probabilities.
    mixed = np.nansum(node.strategy * np.nan_to_num(node.action_values), axis=1)
    held = node.alive & ~np.isnan(node.values[1])
    assert mixed[held] == pytest.approx(node.values[1][held], abs=1e-3)
    # What both win is the pot.
    assert node.value(0) + node.value(1) == pytest.approx(30, abs=1e-3)
    assert node.mean(0, node.equity[0]) + node.mean(1, node.equity[1]) == pytest.approx(1)
    root = turn.node()
    assert root.to_call == 0
    assert (root.value(0), root.value(1)) == pytest.approx(turn.facts.values, abs=1e-3)
    assert str(root).startswith("At the start on Ks7h2d2c: oop decides, pot 20; check ")


def test_a_decision_as_frame_and_html(turn: Solution) -> None:
    pytest.importorskip("pyarrow")
    node = turn.node()
    columns = node.frame_columns()
    assert set(columns["player"]) == {"oop", "ip"}
    assert {"hole", "class", "reach", "equity", "ev", "k", "ev k"} <= set(columns)
    assert "riverboat-node" in node._repr_html_()


@pytest.mark.parametrize(
    ("line", "cards", "words"),
    [
        ("kk", "", r"after 'kk' 1 card is dealt since Ks7h2d2c, but --cards gives none"),
        ("", "8d", r"at the start 0 cards are dealt since Ks7h2d2c, but --cards gives 8d"),
        ("kk", "Ks", r"Ks cannot be dealt"),
        ("b10f", "", r"there is no decision"),
        ("b11", "", r"b11 is not on the menu"),
    ],
)
def test_decisions_that_are_not_there(turn_file: Path, line: str, cards: str, words: str) -> None:
    with pytest.raises((SpotError, MenuError, CardError), match=words):
        Solution.open(turn_file).node(line, cards)


def test_the_whole_board_is_understood(turn: Solution) -> None:
    assert turn.node("kk", "Ks7h2d2c8d").board == turn.node("kk", "8d").board


# ---- Files


def decisions(solution: Solution) -> list[tuple[str, str]]:
    """Lines with cards: the turn's, and rivers on cards that suits make equal."""
    tree = solution.tree
    turns = [n for n in range(tree.num_nodes) if tree.kind[n] == DECISION and tree.street[n] == 0]
    rivers = ["kk", "kk/k", "kb10c/k", "b10c", "b10c/kb20"]
    return [(tree.line(n), "") for n in turns] + [(r, c) for r in rivers for c in ("8d", "8c")]


def test_a_file_tells_the_same(turn: Solution, turn_file: Path) -> None:
    opened = Solution.open(turn_file)
    assert opened.facts == turn.facts
    assert opened.spot == TURN
    for line, cards in decisions(turn):
        ours, theirs = turn.node(line, cards), opened.node(line, cards)
        for name in ("strategy", "reach", "values", "action_values", "equity"):
            a, b = getattr(ours, name), getattr(theirs, name)
            np.testing.assert_allclose(a, b, atol=2e-4, err_msg=f"{name} of {line} {cards}")


def test_a_flops_file_tells_the_same(tmp_path: Path) -> None:
    # Clubs and spades can be renamed: boards of the file stand for others.
    spot = Spot(board="Td9d6h", pot=20, stack=40, oop="QQ, AKs", ip="JJ, 76s", menu="a ; cap 2")
    solution = solve(spot, SolveSettings(target=0, iterations=5)).finish()
    solution.write(tmp_path / "flop")
    opened = Solution.open(tmp_path / "flop")
    places = [("", ""), ("k", ""), ("kk", "2s"), ("kk/k", "2c"), ("kk", "Ad"), ("kk/kk", "3s2c")]
    for line, cards in places:
        ours, theirs = solution.node(line, cards), opened.node(line, cards)
        for name in ("strategy", "reach", "values", "action_values", "equity"):
            a, b = getattr(ours, name), getattr(theirs, name)
            np.testing.assert_allclose(a, b, atol=2e-4, err_msg=f"{name} of {line} {cards}")
    table = card_report(opened, "kk/kk", "2s")
    assert len(table.rows) == 48
    assert sum(table.mean.values) == pytest.approx(20, abs=1e-3)


def test_tables_and_files_of_16_bits(turn: Solution, tmp_path: Path) -> None:
    small = solve(TURN, SolveSettings(target=0.003, bits=16)).finish()
    small.write(tmp_path / "small")
    opened = Solution.open(tmp_path / "small")
    assert opened.facts.bits == 16
    assert opened.node().value(0) == pytest.approx(turn.facts.values[0], abs=0.003 * 20 * 2)
    a, b = opened.node("b10"), small.node("b10")
    np.testing.assert_allclose(a.strategy, b.strategy, atol=1e-4)


def test_rivers_that_were_left_out_are_solved_again(
    turn: Solution, turn_file: Path, tmp_path: Path
) -> None:
    path = tmp_path / "small.solution"
    turn.write(path, rivers=False)
    assert path.stat().st_size * 8 < turn_file.stat().st_size
    opened = Solution.open(path)
    assert not opened.facts.rivers
    for line in ("", "b10"):
        np.testing.assert_allclose(opened.node(line).values, turn.node(line).values, atol=1e-4)
    # The value of a river for its ranges is one number, whatever the strategies.
    for line, cards in (("kk", "8d"), ("b10c", "Ah")):
        again, solved = opened.node(line, cards), turn.node(line, cards)
        assert again.value(0) == pytest.approx(solved.value(0), abs=0.02 * solved.pot)
        assert opened.node(line, cards).strategy is not again.strategy  # asked twice
        np.testing.assert_array_equal(opened.node(line, cards).strategy, again.strategy)
    with pytest.raises(SpotError, match="is a river"):
        solve(BLUFF, SolveSettings(target=0.01)).finish().write(path, rivers=False)
    held = solve(TURN, SolveSettings(target=0.1, locks=("kk on 8d: all = k 100",))).finish()
    with pytest.raises(SpotError, match="cannot be left out"):
        held.write(path, rivers=False)


#: A river card that leaves ip no hand, and a call that nobody makes.
_NEVER = (("AhKh", (), "kk", "Ah"), ("AK, JJ", ("b10: all = f 100",), "b10c", "8d"))


@pytest.mark.parametrize("never", _NEVER)
@pytest.mark.parametrize("rivers", [True, False])
def test_a_file_tells_of_rivers_where_play_never_comes(
    never: tuple[str, tuple[str, ...], str, str], rivers: bool, tmp_path: Path
) -> None:
    ip, locks, line, card = never
    spot = Spot(board="Ks7h2d2c", pot=20, stack=20, oop="QQ, 77", ip=ip, menu="50%, a")
    found = solve(spot, SolveSettings(target=0.01, locks=locks)).finish()
    found.write(tmp_path / "never.solution", rivers=rivers)
    file = Solution.open(tmp_path / "never.solution")
    for each in (line, f"{line}/k"):
        node, expected = file.node(each, card), found.node(each, card)
        assert node.weight == 0
        assert np.array_equal(node.alive, expected.alive)
        assert np.array_equal(np.isnan(node.values), np.isnan(expected.values))
        assert np.array_equal(np.isnan(node.equity), np.isnan(expected.equity))
        assert np.array_equal(np.isnan(node.action_values), np.isnan(expected.action_values))
        if rivers:
            assert node.values == pytest.approx(expected.values, abs=1e-4, nan_ok=True)
    if rivers:
        table = card_report(file, line)
        told = json.loads(json.dumps(table.as_dict(), allow_nan=False))
        (row,) = (row for row in told["rows"] if row["name"] == card)
        assert row["values"] == [None, None]
        assert (told["mean"]["values"] == [None, None]) == bool(locks)


def test_rivers_have_the_numbers_of_the_spots_tree() -> None:
    tree = TURN.tree()
    roots = {
        river_root(tree, node)
        for node in np.flatnonzero((tree.kind == DECISION) & (tree.street == 1)).tolist()
    }
    assert len(roots) > 3
    for root in roots:
        river = river_tree(TURN, tree, root)
        lines = [river.line(node) for node in range(river.num_nodes)]
        assert lines == [tree.line(root + node) for node in range(river.num_nodes)]


def test_a_solution_of_the_short_deck_with_rake(tmp_path: Path) -> None:
    spot = Spot(
        board="KsTh7d6c", pot=20, stack=20, oop="QQ, 99", ip="AK, JJ", menu="a", deck="short",
        rake_percent=5, rake_cap=3,
    )  # fmt: skip
    solution = solve(spot, SolveSettings(target=0.005)).finish()
    solution.write(tmp_path / "short")
    node = Solution.open(tmp_path / "short").node()
    assert node.value(0) + node.value(1) < 19.1
    assert card_report(Solution.open(tmp_path / "short"), "kk").rows[0].name == "As"


def damaged(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


def test_damage_is_found_at_the_first_touch(turn: Solution, tmp_path: Path) -> None:
    path = tmp_path / "torn.solution"
    turn.write(path)
    begin = 8 + int.from_bytes(path.read_bytes()[:8], "little")
    damaged(path, begin + 100)
    opened = Solution.open(path)
    with pytest.raises(DamagedFileError, match="does not match its checksum"):
        opened.node()
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(DamagedFileError):
        Solution.open(path)


@pytest.mark.parametrize(
    "forged",
    [
        {"spot": {"board": "Ks7h2d2c"}},
        {"spot": {**TURN.as_dict(), "menu": "min"}},
        {"spot": {**TURN.as_dict(), "oop": "QQ"}},
        {"bits": 16},
        {"rivers": False},
        {"exploitability": 1e400},
        {"iterations": -1},
        {"path": "/etc/passwd"},
        {"locks": ["__import__"]},
        {"tree": {"nodes": 10**9, "group_entries": [], "group_decisions": [], "checksum": 0}},
    ],
)
def test_a_forged_header_is_refused(
    turn_file: Path, tmp_path: Path, forged: dict[str, Any]
) -> None:
    path = tmp_path / "forged.solution"
    forge(turn_file, path, "header", forged)
    with pytest.raises(DamagedFileError, match="damaged"):
        Solution.open(path)


def forge(source: Path, path: Path, key: str, forged: dict[str, Any]) -> None:
    """Write a file's arrays again, with other words in its header and sound checksums."""
    file = ArrayFile(source)
    text = {**json.loads(file.metadata[key]), **forged}
    metadata = {**file.metadata, key: msgspec.json.encode(text).decode()}
    names = [name for name in file.names if name != "header.crc32"]
    specs: dict[str, ArraySpec] = {name: file.spec(name) for name in names}
    with ArrayFileWriter(path, specs, metadata) as writer:
        for name in names:
            writer.write(name, file.array(name))


@pytest.mark.parametrize("forged", [{"iteration": -1}, {"seconds": "long"}, {"more": 1}])
def test_a_forged_checkpoint_is_refused(tmp_path: Path, forged: dict[str, Any]) -> None:
    files = SolveFiles.of(tmp_path / "mine")
    list(solve_file(BLUFF, files.solution, SolveSettings(target=0, iterations=2), plot=False))
    forge(files.checkpoint, files.checkpoint, "progress", forged)
    with pytest.raises(DamagedFileError, match="damaged"):
        list(solve_file(BLUFF, files.solution, resume=True))


def test_other_files_are_no_solutions(tmp_path: Path) -> None:
    with pytest.raises(SpotError, match="there is no solution"):
        Solution.open(tmp_path / "none")
    with ArrayFileWriter(tmp_path / "other", {}, {}):
        pass
    with pytest.raises(SpotError, match="but not a solution"):
        Solution.open(tmp_path / "other")
