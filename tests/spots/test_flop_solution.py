"""Flop strategies: the run with its files, evaluation, damaged files, the command line."""

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from riverboat.errors import DamagedFileError, GameError, RunError, SpotError
from riverboat.files import ArrayFile
from riverboat.runs import Stop
from riverboat.spots import (
    FlopSolution,
    FlopSolving,
    SampledSettings,
    SampledSolver,
    Spot,
    _flop_forecast,
    solve_flop_file,
)

SPOT = Spot(
    board="8s2dJs", pot=50, stack=100, oop="QQ, 99, AJs, As5s", ip="KK, TT, KJs, 88",
    menu="75%, a ; cap 2 / 75% ; cap 1 / 75% ; cap 1",
)  # fmt: skip
SETTINGS = SampledSettings(seed=3)


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("flops") / "mine.flop"
    reports = list(solve_flop_file(SPOT, path, SETTINGS, iterations=400))
    assert reports[-1].event == "finished"
    return path


def test_a_file_has_the_strategy_of_the_solver(solved: Path) -> None:
    solver = SampledSolver(SPOT, SETTINGS)
    solver.run(400)
    flop = FlopSolution.open(solved)
    for line in ("", "k", "kb38"):
        mine, theirs = solver.node(line), flop.node(line)
        assert np.allclose(mine.strategy, theirs.strategy, atol=1e-7, equal_nan=True)
        assert np.allclose(mine.reach, theirs.reach, atol=1e-6)
    assert flop.facts.boards == 800
    assert "400 iterations on 800 sampled boards" in flop.node().note
    assert json.loads(solved.with_suffix(".log.jsonl").read_text().splitlines()[-1])["gain"] > 0


def test_a_stopped_run_continues_to_the_same_file(solved: Path, tmp_path: Path) -> None:
    path = tmp_path / "half.flop"
    list(solve_flop_file(SPOT, path, SETTINGS, iterations=150))
    first = FlopSolving(SPOT, SETTINGS)
    first.solver.run(150)
    first.save(tmp_path / "half.checkpoint")
    with pytest.raises(RunError, match="already exists"):
        list(solve_flop_file(SPOT, path, SETTINGS, iterations=400))
    again = list(solve_flop_file(SPOT, path, SETTINGS, iterations=400, resume=True))
    assert again[-1].iterations == 400
    whole, parts = FlopSolution.open(solved), FlopSolution.open(path)
    assert np.array_equal(whole.strategy(0), parts.strategy(0), equal_nan=True)
    assert whole.facts.gain == parts.facts.gain


def test_a_stop_keeps_the_strategy_so_far(tmp_path: Path) -> None:
    stop = Stop()
    reports = []
    for report in solve_flop_file(SPOT, tmp_path / "x", SETTINGS, seconds=600, stop=stop):
        reports.append(report)
        stop.ask()
    assert reports[-1].event == "stopped"
    assert FlopSolution.open(tmp_path / "x.flop").facts.iterations == reports[-1].iterations
    assert (tmp_path / "x.checkpoint").exists()


# ---- Evaluation


def test_an_evaluation_changes_nothing() -> None:
    solver = SampledSolver(SPOT, SETTINGS)
    solver.run(50)
    before = solver.state()
    first, second = solver.evaluate(90), solver.evaluate(90)
    assert np.array_equal(before, solver.state())
    assert first == second
    assert first.boards == 160


def test_deviations_gain_less_from_a_longer_run() -> None:
    solver = SampledSolver(SPOT, SETTINGS)
    gains = []
    for iterations in (30, 3000):
        solver.run(iterations)
        gains.append(solver.evaluate(1800).gain)
    assert gains[1].interval[1] < gains[0].interval[0] / 3
    assert gains[1].mean < 0.03 * SPOT.pot
    with pytest.raises(SpotError, match="at least 9 iterations, not 8"):
        solver.evaluate(8)


def test_a_bad_action_is_found_by_a_deviation() -> None:
    # Out of position has quads; after one iteration, of uniform play, the strategy folds them.
    spot = Spot(board="8s8d8h", pot=50, stack=50, oop="8cAc", ip="KK, QQ", menu="a")
    solver = SampledSolver(spot, SampledSettings(seed=1))
    solver.run(1)
    worth = solver.evaluate(900)
    assert worth.gains[0].mean > 0
    assert worth.values[0].mean + worth.values[1].mean == pytest.approx(50, rel=0.05)
    assert set(worth.as_dict()) == {"boards", "values", "gains", "gain"}


# ---- Files


def damaged(source: Path, target: Path, **changes: Any) -> Path:
    """Copy a file with other values in its header."""
    file = ArrayFile(source)
    header = json.loads(file.metadata["header"]) | changes
    metadata = dict(file.metadata) | {"header": msgspec.json.encode(header).decode()}
    ArrayFile.save(target, {"strategy": np.array(file.array("strategy"))}, metadata)
    return target


def test_damaged_files_are_refused(solved: Path, tmp_path: Path) -> None:
    flop = FlopSolution.open(solved)
    for changes, words in (
        ({"spot": {**SPOT.as_dict(), "board": "8s2dJs3c"}}, "its spot cannot be used"),
        ({"spot": {**SPOT.as_dict(), "menu": "a"}}, "its tree is not"),
        ({"iterations": -1}, "is damaged"),
        ({"gain": 1e999}, "is damaged"),
    ):
        with pytest.raises(DamagedFileError, match=words):
            FlopSolution.open(damaged(solved, tmp_path / "x.flop", **changes))
    rows = np.array(ArrayFile(solved).array("strategy"))
    metadata = ArrayFile(solved).metadata
    for wrong in (rows[:-1], np.where(rows > 0, 2, rows).astype(np.float32)):
        ArrayFile.save(tmp_path / "y.flop", {"strategy": wrong}, metadata)
        with pytest.raises(DamagedFileError, match="is damaged"):
            FlopSolution.open(tmp_path / "y.flop")
    with pytest.raises(SpotError, match="there is no flop strategy"):
        FlopSolution.open(tmp_path / "none.flop")
    with pytest.raises(SpotError, match="for the flop only"):
        flop.node("kk/")
    with pytest.raises(SpotError, match="for the flop only"):
        flop.node("k", "3c")


def test_trees_that_no_file_opens_are_refused_before_they_are_solved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(_flop_forecast, "MOST_NODES", 10)
    with pytest.raises(GameError, match="10 nodes"):
        list(solve_flop_file(SPOT, tmp_path / "large.flop", SETTINGS, iterations=1))
