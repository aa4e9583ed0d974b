"""Runs that leave files: stopped, resumed, refused."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING

import numpy as np
import pytest

from riverboat.errors import RunError, SpotError
from riverboat.files import ArrayFile, locked
from riverboat.spots import (
    Solution,
    SolveFiles,
    SolveSettings,
    solve_file,
)
from spots.made import TURN

if TYPE_CHECKING:
    from pathlib import Path


def test_a_resumed_run_is_a_straight_one(tmp_path: Path) -> None:
    straight, halves = SolveFiles.of(tmp_path / "straight"), SolveFiles.of(tmp_path / "halves")
    *_, last = solve_file(
        TURN, straight.solution, SolveSettings(target=0, iterations=24), plot=False
    )
    *_, first = solve_file(
        TURN, halves.solution, SolveSettings(target=0, iterations=12), plot=False
    )
    assert (first.event, first.iteration) == ("stopped", 12)
    assert halves.checkpoint.exists()
    with pytest.raises(RunError, match="--resume continues"):
        list(solve_file(TURN, halves.solution))
    with pytest.raises(RunError, match="another run: spot was"):
        list(solve_file(TURN.changed({"oop": "QQ"}), halves.solution, resume=True))
    *_, again = solve_file(
        TURN, halves.solution, SolveSettings(target=0, iterations=24), resume=True, plot=False
    )
    assert again.exploitability == last.exploitability
    a, b = ArrayFile(straight.checkpoint), ArrayFile(halves.checkpoint)
    for name in ("regrets0", "average1"):
        np.testing.assert_array_equal(a.array(name), b.array(name))
    log = [json.loads(line)["iteration"] for line in halves.log.read_text().splitlines()]
    assert log == sorted(set(log))


def test_a_folder_is_no_output(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="is not a file name"):
        SolveFiles.of(tmp_path)


def test_a_checkpoint_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    files = SolveFiles.of(tmp_path / "mine")
    run = solve_file(TURN, files.solution, SolveSettings(target=0, iterations=20), plot=False)
    next(run)
    files.checkpoint.mkdir()  # nothing can be renamed over a folder
    with pytest.raises(SpotError, match=r"mine\.checkpoint cannot be written.*is written, but"):
        list(run)
    assert Solution.open(files.solution).facts.iterations == 20


def test_the_target_takes_the_checkpoint_away(tmp_path: Path) -> None:
    files = SolveFiles.of(tmp_path / "mine")
    list(solve_file(TURN, files.solution, SolveSettings(target=0, iterations=10), plot=False))
    assert files.checkpoint.exists()
    *_, last = solve_file(TURN, files.solution, SolveSettings(target=0.02), resume=True, plot=False)
    assert last.event == "finished"
    assert not files.checkpoint.exists()
    with pytest.raises(RunError, match=r"cannot be resumed: there is no checkpoint"):
        list(solve_file(TURN, files.solution, resume=True))
    *_, last = solve_file(
        TURN, files.solution, SolveSettings(target=0.02, exploit="ip"), force=True, plot=False
    )
    assert Solution.open(files.solution).facts.exploited == "ip"


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.solution"
    with locked(path), pytest.raises(RunError, match="another run is writing"):
        list(solve_file(TURN, path))
    assert not path.exists()


def test_a_run_that_is_stopped_keeps_what_there_is(tmp_path: Path) -> None:
    run = solve_file(TURN, tmp_path / "mine", SolveSettings(target=0, iterations=10**9), plot=False)
    next(run)
    signal.raise_signal(signal.SIGINT)
    *_, last = run
    assert last.event == "stopped"
    assert Solution.open(tmp_path / "mine.solution").facts.iterations == last.iteration
    assert (tmp_path / "mine.checkpoint").exists()
