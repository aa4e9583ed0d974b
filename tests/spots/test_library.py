"""Sets of boards: one solution each, an index, and a run that can be stopped and resumed."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING

import pytest

from riverboat.errors import CardError, RunError, SpotError
from riverboat.files import locked
from riverboat.runs import working_at
from riverboat.spots import (
    Library,
    Solution,
    SolveSettings,
    Spot,
    few_flops,
    parse_boards,
)
from runs.places import InThisProcess

if TYPE_CHECKING:
    from pathlib import Path

RIVER = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh", menu="a")
BOARDS = ("2s3h4d6c7c", "2s3h4d6c8c", "2s3h4d6c9c")


def library(folder: Path, boards: tuple[str, ...] = BOARDS) -> Library:
    return Library.of(folder, [RIVER.changed({"board": board}) for board in boards])


def states(folder: Path) -> list[str]:
    return [spot["state"] for spot in json.loads((folder / "index.json").read_text())["spots"]]


def test_boards_of_a_text() -> None:
    assert parse_boards("Ks7h2d,\n# dry\nTd 9d 6h, # wet\n") == ("Ks7h2d", "Td9d6h")
    for text, words in (("", "1 to 22,100 boards, not 0"), ("Ks7h2d, 2dKs7h", "is listed twice")):
        with pytest.raises(SpotError, match=words):
            parse_boards(text)
    with pytest.raises(CardError):
        parse_boards("Ks7h2d:0.5")


def test_each_board_has_its_file_and_a_line_in_the_index(tmp_path: Path) -> None:
    plan = library(tmp_path).forecast()
    assert (plan.spots, plan.memory_bytes > 0, plan.seconds > 0) == (3, True, True)
    reports = list(library(tmp_path).solve(SolveSettings(target=0.001), plot=False))
    assert [r.number for r in reports if r.report and r.report.event == "finished"] == [1, 2, 3]
    assert states(tmp_path) == ["solved"] * 3
    assert [Solution.open(path).spot.board for path in Library.files(tmp_path)] == list(BOARDS)
    with pytest.raises(RunError, match="--resume continues"):
        list(library(tmp_path).solve())


def test_a_set_that_was_stopped_goes_on(tmp_path: Path) -> None:
    run = library(tmp_path).solve(SolveSettings(target=0, iterations=10**9), plot=False)
    next(run)
    signal.raise_signal(signal.SIGINT)
    *_, last = run
    assert (last.number, last.report and last.report.event) == (1, "stopped")
    assert states(tmp_path) == ["stopped", "missing", "missing"]
    assert [path.name for path in Library.files(tmp_path)] == ["2s3h4d6c7c.solution"]
    *_, last = library(tmp_path).solve(SolveSettings(target=0.001), resume=True, plot=False)
    assert states(tmp_path) == ["solved"] * 3
    again = list(library(tmp_path).solve(SolveSettings(target=0.001), resume=True, plot=False))
    assert [(each.number, each.report) for each in again] == [(1, None), (2, None), (3, None)]
    # What is solved less well than is wanted now begins again.
    better = list(library(tmp_path).solve(SolveSettings(target=0.0001), resume=True, plot=False))
    assert all(each.report for each in better)


def test_resuming_another_set_is_refused(tmp_path: Path) -> None:
    list(library(tmp_path).solve(SolveSettings(target=0.01), plot=False))
    for options in ({"bits": 16}, {"locks": ("b10: all = c 100",)}, {"exploit": "oop"}):
        with pytest.raises(SpotError, match=f"another {next(iter(options)).rstrip('s')}"):
            list(library(tmp_path).solve(SolveSettings(target=0.01, **options), resume=True))
    other = Library.of(tmp_path, [RIVER.changed({"pot": 30})])
    with pytest.raises(SpotError, match="another spot"):
        list(other.solve(resume=True))
    list(other.solve(SolveSettings(target=0.01), force=True, plot=False))
    with (
        locked(tmp_path / "index.json"),
        pytest.raises(SpotError, match="another run is writing"),
    ):
        list(other.solve(force=True))


def test_folders_without_an_index_and_none_at_all(tmp_path: Path) -> None:
    list(library(tmp_path).solve(SolveSettings(target=0.05), plot=False))
    (tmp_path / "index.json").write_text(json.dumps({"kind": "else"}))
    assert len(Library.files(tmp_path)) == 3
    forged = {"kind": "riverboat-library", "spots": [{"file": "../x.solution"}, 3, {"file": 4}]}
    (tmp_path / "index.json").write_text(json.dumps(forged))
    assert len(Library.files(tmp_path)) == 3
    (tmp_path / "empty").mkdir()
    with pytest.raises(SpotError, match="has no solutions"):
        Library.files(tmp_path / "empty")
    with pytest.raises(SpotError, match="is a file"):
        library(tmp_path / "index.json")


def test_workers_solve_what_one_process_does(tmp_path: Path) -> None:
    for _ in library(tmp_path / "here").solve(SolveSettings(target=0.01), plot=False):
        pass
    place = InThisProcess()
    with working_at(place):
        steps = list(library(tmp_path / "there").solve_on_workers(SolveSettings(target=0.01)))
        assert sorted(step.number for step in steps) == [1, 2, 3]
        assert states(tmp_path / "there") == ["solved"] * 3
        # What is solved stays, and what is lost is solved again.
        (tmp_path / "there" / f"{BOARDS[1]}.solution").unlink()
        again = list(
            library(tmp_path / "there").solve_on_workers(SolveSettings(target=0.01), resume=True)
        )
    assert [(step.number, step.report is None) for step in again] == [
        (1, True),
        (3, True),
        (2, False),
    ]
    assert [(task.name, task.ordered, task.memory > 0) for task in place.tasks] == [
        ("spot", False, True)
    ] * 2
    for board in BOARDS:
        here, there = (
            Solution.open(tmp_path / folder / f"{board}.solution").facts
            for folder in ("here", "there")
        )
        assert (here.values, here.iterations) == (there.values, there.iterations)


def test_flops_that_stand_for_all() -> None:
    """1,755 of 22,100 differ by more than the names of suits (docs/cards.md)."""
    assert len(set(few_flops())) == 1755
    for number in (1, 25, 184, 1754, 1755):
        assert len(set(few_flops(number))) == number
    mono = [len({card[1] for card in (flop[:2], flop[2:4], flop[4:])}) for flop in few_flops(100)]
    # 40 % of all flops have three suits, 55 % two, 5 % one.
    assert (mono.count(3), mono.count(2), mono.count(1)) == (40, 55, 5)
    for number in (0, 1756):
        with pytest.raises(SpotError, match=f"1 to 1,755 flops, not {number:,}"):
            few_flops(number)
