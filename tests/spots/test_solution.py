"""Solving, solutions, their files, locks and reports: known values, and one answer everywhere."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest

from riverboat.cards import HOLES, card_text
from riverboat.errors import CardError, DamagedFileError, MenuError, RiverboatError, SpotError
from riverboat.files import ArrayFile, ArrayFileWriter, ArraySpec, locked
from riverboat.spots import (
    Lock,
    Solution,
    SolveFiles,
    Spot,
    card_report,
    forecast,
    parse_locks,
    solve,
    solve_file,
    spot_table,
)
from riverboat.spots._rivers import river_root, river_tree
from riverboat.tree import DECISION
from spots.made import hole

if TYPE_CHECKING:
    from pathlib import Path

BLUFF = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh", menu="a")
#: A turn with suits that can be renamed, donk bets, and lines added and removed.
TURN = Spot(
    board="Ks7h2d2c",
    pot=20,
    stack=60,
    oop="QQ, 77, A5s",
    ip="AKs, JJ:0.5, QTs",
    menu="50%, a | 3x ; donk 100%",
    added=("kk/b13",),
    removed=("kk/b60",),
)


@pytest.fixture(scope="module")
def turn() -> Solution:
    return solve(TURN, target=0.002).finish()


@pytest.fixture(scope="module")
def turn_file(turn: Solution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("solutions") / "turn.solution"
    turn.write(path)
    return path


# ---- Solving


def test_reports_come_down_to_the_target() -> None:
    solving = solve(TURN, target=0.01)
    reports = list(solving)
    assert [report.event for report in reports[:-1]] == ["solving"] * (len(reports) - 1)
    last = reports[-1]
    assert last.event == "finished"
    assert last.share <= 0.01 < reports[-2].share
    assert last.exploitability == pytest.approx(last.share * TURN.pot)
    assert last.values is not None
    assert sum(last.values) == pytest.approx(TURN.pot)
    assert sum(last.best_responses) - TURN.pot == pytest.approx(2 * last.exploitability)
    assert solving.solution.share == last.share


def test_budgets_end_it() -> None:
    report = list(solve(TURN, target=0, iterations=15))[-1]
    assert (report.event, report.iteration) == ("stopped", 15)
    report = list(solve(TURN, target=0, seconds=0.02))[-1]
    assert report.event == "stopped"
    assert report.seconds >= 0.02


@pytest.mark.parametrize(
    "options",
    [
        {"target": 2},
        {"target": 0},
        {"seconds": -1.0},
        {"iterations": 0},
        {"schedule": "fast"},
        {"bits": 8},
        {"locks": ["k: KK"]},
        {"locks": ["b10: KK = c 50"]},
        {"locks": ["b10: KK = c 50 c 50"]},
        {"locks": ["b10: KK = b30 100"]},
        {"locks": ["kk: all = k 100"]},
        {"locks": ["b11: all = k 100"]},
        {"locks": ["b10: XX = c 100"]},
    ],
)
def test_what_cannot_be_solved(options: dict[str, Any]) -> None:
    with pytest.raises(RiverboatError):
        solve(BLUFF, **options)


def test_what_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverboat.spots._forecast.available_memory", lambda: 1000)
    with pytest.raises(SpotError, match=r"kB of memory, and 1 kB are free"):
        solve(TURN)
    assert forecast(TURN).available_bytes == 1000


# ---- Locks and exploitation


def test_locks_move_values() -> None:
    # postflop-solver's test node_locking; unlocked by hand: QQ bets 1/3, K calls 2/3.
    free = solve(BLUFF, target=0.0001).finish().node()
    assert free.values[0, hole("AsAh")] == pytest.approx(26.667, abs=0.01)
    assert free.value(1) == pytest.approx(6.667, abs=0.01)
    assert free.hand("QsQh").strategy[1] == pytest.approx(1 / 3, abs=0.01)
    for calls, aces, queens, kings in ((75, 27.5, 0.0, 6.25), (50, 25.0, 5.0, 5.0)):
        lock = f"b10: KsKh = f {100 - calls} c {calls}"
        node = solve(BLUFF, target=0.00001, locks=[lock]).finish().node()
        assert node.values[0, hole("AsAh")] == pytest.approx(aces, abs=1e-3)
        assert node.values[0, hole("QsQh")] == pytest.approx(queens, abs=1e-3)
        assert node.value(1) == pytest.approx(kings, abs=1e-3)


def test_a_lock_of_one_hand_leaves_the_others_free() -> None:
    # postflop-solver's test node_locking_partial: JJ bets 20 %, then QQ bets 30 %.
    spot = BLUFF.changed({"oop": "AsAh, QsQh, JsJh", "pot": 10})
    lock = ": JsJh = k 80 b10 20"
    node = solve(spot, target=0.0001, locks=[lock]).finish().node()
    assert node.hand("JsJh").strategy.tolist() == pytest.approx([0.8, 0.2])
    assert node.hand("QsQh").strategy[1] == pytest.approx(0.3, abs=0.01)
    assert node.values[0, hole("AsAh")] == pytest.approx(15, abs=0.05)
    assert node.value(1) == pytest.approx(5, abs=0.05)


def test_text_of_locks() -> None:
    text = "kk/b60 on 8d: QQ+, AKs = f 12.5 c 87.5; all = f 100"
    lock = Lock.parse(text)
    assert Lock.parse(str(lock)) == lock
    assert lock.cards is not None
    assert card_text(lock.cards[0]) == "8d"
    rows = lock.strategy(("f", "c"))
    assert rows[:, hole("AsAh")].tolist() == [0.125, 0.875]
    assert rows[:, hole("7s2h")].tolist() == [1, 0]
    assert parse_locks(f"# all\n{text}\n\n") == (lock,)
    with pytest.raises(SpotError, match="at most"):
        parse_locks("k: all = k 100\n" * 1001)


def test_a_lock_on_one_card_holds_there_only() -> None:
    lock = "kk on 8d: all = k 100"
    solution = solve(TURN, target=0.02, locks=["kk: all = b13 100", lock]).finish()
    checks = solution.node("kk", "8d").actions.index("k")
    there, elsewhere = solution.node("kk", "8d"), solution.node("kk", "3d")
    assert there.frequencies()[checks] == pytest.approx(1)
    assert elsewhere.frequencies()[checks] == pytest.approx(0)


def test_maximal_exploitation() -> None:
    # Against a king that always calls, aces win 30 and queens nothing.
    solving = solve(BLUFF, target=0.001, locks=["b10: KK = c 100"])
    solving.finish()
    report = solving.exploit("oop")
    assert report.values == pytest.approx((15, 5))
    node = solving.solution.node()
    assert node.hand("AsAh").strategy.tolist() == [0, 1]
    assert node.hand("QsQh").strategy.tolist() == [1, 0]
    assert solving.solution.facts.exploited == "oop"


def test_the_best_response_to_a_given_solution(turn: Solution, turn_file: Path) -> None:
    solving = solve(TURN)
    solving.follow(Solution.open(turn_file), "ip")
    assert solving.exploit("oop").values is not None
    response = solving.engine.value(0)
    assert response == pytest.approx(turn._source.engine.best_response(0), abs=1e-4)  # type: ignore[attr-defined]
    assert response > turn.facts.values[0]
    with pytest.raises(SpotError, match="same board and tree"):
        solve(TURN.changed({"pot": 21})).follow(turn, "ip")
    with pytest.raises(SpotError, match="lacks hands of the range ip"):
        solve(TURN.changed({"ip": "AKs, JJ, QTs, 99"})).follow(turn, "ip")


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
        ("kk", "", r"after 'kk' 1 card is dealt since Ks7h2d2c, and none given"),
        ("", "8d", r"at the start 0 cards are dealt since Ks7h2d2c, and 8d given"),
        ("kk", "Ks", r"Ks cannot come"),
        ("b10f", "", r"nobody decides"),
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
    solution = solve(spot, target=0, iterations=5).finish()
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
    small = solve(TURN, target=0.003, bits=16).finish()
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
        solve(BLUFF, target=0.01).finish().write(path, rivers=False)
    held = solve(TURN, target=0.1, locks=["kk on 8d: all = k 100"]).finish()
    with pytest.raises(SpotError, match="cannot be left out"):
        held.write(path, rivers=False)


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
    solution = solve(spot, target=0.005).finish()
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
    list(solve_file(BLUFF, files.solution, target=0, iterations=2, plot=False))
    forge(files.checkpoint, files.checkpoint, "progress", forged)
    with pytest.raises(DamagedFileError, match="damaged"):
        list(solve_file(BLUFF, files.solution, resume=True))


def test_other_files_are_no_solutions(tmp_path: Path) -> None:
    with pytest.raises(SpotError, match="there is no solution"):
        Solution.open(tmp_path / "none")
    with ArrayFileWriter(tmp_path / "other", {}, {}):
        pass
    with pytest.raises(SpotError, match="but no solution"):
        Solution.open(tmp_path / "other")


# ---- Runs


def test_a_resumed_run_is_a_straight_one(tmp_path: Path) -> None:
    straight, halves = SolveFiles.of(tmp_path / "straight"), SolveFiles.of(tmp_path / "halves")
    *_, last = solve_file(TURN, straight.solution, target=0, iterations=24, plot=False)
    *_, first = solve_file(TURN, halves.solution, target=0, iterations=12, plot=False)
    assert (first.event, first.iteration) == ("stopped", 12)
    assert halves.checkpoint.exists()
    with pytest.raises(SpotError, match="--resume goes on"):
        list(solve_file(TURN, halves.solution))
    with pytest.raises(SpotError, match="a run with another spot"):
        list(solve_file(TURN.changed({"oop": "QQ"}), halves.solution, resume=True))
    *_, again = solve_file(TURN, halves.solution, target=0, iterations=24, resume=True, plot=False)
    assert again.exploitability == last.exploitability
    a, b = ArrayFile(straight.checkpoint), ArrayFile(halves.checkpoint)
    for name in ("regrets0", "average1"):
        np.testing.assert_array_equal(a.array(name), b.array(name))
    log = [json.loads(line)["iteration"] for line in halves.log.read_text().splitlines()]
    assert log == sorted(set(log))


def test_the_target_takes_the_checkpoint_away(tmp_path: Path) -> None:
    files = SolveFiles.of(tmp_path / "mine")
    list(solve_file(TURN, files.solution, target=0, iterations=10, plot=False))
    assert files.checkpoint.exists()
    *_, last = solve_file(TURN, files.solution, target=0.02, resume=True, plot=False)
    assert last.event == "finished"
    assert not files.checkpoint.exists()
    with pytest.raises(SpotError, match=r"no checkpoint .* \(it was finished\)"):
        list(solve_file(TURN, files.solution, resume=True))
    *_, last = solve_file(TURN, files.solution, target=0.02, force=True, exploit="ip", plot=False)
    assert Solution.open(files.solution).facts.exploited == "ip"


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.solution"
    with locked(path), pytest.raises(SpotError, match="another run is writing"):
        list(solve_file(TURN, path))
    assert not path.exists()


def test_a_run_that_is_stopped_keeps_what_there_is(tmp_path: Path) -> None:
    run = solve_file(TURN, tmp_path / "mine", target=0, iterations=10**9, plot=False)
    next(run)
    signal.raise_signal(signal.SIGINT)
    *_, last = run
    assert last.event == "stopped"
    assert Solution.open(tmp_path / "mine.solution").facts.iterations == last.iteration
    assert (tmp_path / "mine.checkpoint").exists()


# ---- Reports


def test_a_report_over_rivers_adds_up(turn: Solution, tmp_path: Path) -> None:
    table = card_report(turn, "kk")
    assert len(table.rows) == 48
    assert table.player == "oop"
    mean = table.mean
    assert sum(mean.frequencies.values()) == pytest.approx(1)
    assert sum(mean.values) == pytest.approx(20)
    # Over all cards, what is won is what the turn said it would be.
    source, line = turn._source, turn.tree.node("kk")
    chance = int(turn.tree.parent[line])
    node = turn.node("k")
    won = node.action_values[:, node.actions.index("k")]
    reach = node.reach.copy()
    reach[1] *= np.nan_to_num(node.strategy[:, node.actions.index("k")])
    values = source.values(1, chance, ())
    assert np.nanmax(np.abs(values - won)) < 1e-6
    met = np.array([reach[0][~_shares(h)].sum() for h in range(1326)])
    expected = np.nansum(reach[1] * met * values) / (reach[1] * met).sum()
    assert mean.values[1] == pytest.approx(expected, abs=1e-6)
    for name in ("r.csv", "r.json"):
        table.write(tmp_path / name)
    assert (tmp_path / "r.csv").read_text().startswith("cards,weight,k,b")
    assert json.loads((tmp_path / "r.json").read_text())["rows"][0]["name"] == "As"
    with pytest.raises(SpotError, match="is written as"):
        table.write(tmp_path / "r.pdf")


def test_pictures(turn: Solution, tmp_path: Path) -> None:
    nodes = [(card, turn.node("kk", card)) for card in ("As", "8d")]
    spot_table("After kk", nodes).write(tmp_path / "table.png")
    list(solve_file(BLUFF, tmp_path / "run", target=0.01))
    for name in ("table.png", "run.png"):
        assert (tmp_path / name).read_bytes()[1:4] == b"PNG"


def _shares(index: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """[1326] which hands share a card with one."""
    return np.asarray(np.isin(HOLES, HOLES[index]).any(axis=1))


def test_reports_that_cannot_be(turn: Solution) -> None:
    with pytest.raises(SpotError, match="take a line to a later street"):
        card_report(turn, "k")
    with pytest.raises(SpotError, match="of one player"):
        spot_table("both", [("a", turn.node()), ("b", turn.node("k"))])


def test_a_report_over_boards(turn: Solution) -> None:
    other = solve(TURN.changed({"board": "Ks7h2d3c"}), target=0.05).finish()
    table = spot_table("At the start", [(s.spot.board, s.node()) for s in (turn, other)])
    assert [row.name for row in table.rows] == ["Ks7h2d2c", "Ks7h2d3c"]
    assert len(table.frame_columns()["ev oop"]) == 2
