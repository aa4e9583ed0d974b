"""Runs: the loop around a task, and the files that it leaves.

What a killed training keeps is in tests/training/test_killed.py, and full disks, strange logs and
signals in tests/training/test_ends.py.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from riverboat.errors import DamagedFileError, RunError
from riverboat.runs import Checkpoint, Due, PieceLog, Run, RunFiles, RunLog, Slices, Stop, Task


@dataclass(frozen=True)
class Report:
    """How a count stands."""

    event: str
    iterations: int
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


class Count(Task[Report]):
    """Counts to a number, one slice an iteration."""

    kind = "count"
    dues = (Due("report", 1, "iterations"), Due("save", 2, "iterations"))

    def __init__(self, until: int, seed: int = 1) -> None:
        super().__init__()
        self.until, self.seed = {"iterations": until}, seed
        self.slices = Slices(lambda *_: None, steady=True)
        self.saves: list[int] = []

    def identity(self) -> dict[str, Any]:
        """Only the seed decides it."""
        return {"seed": self.seed}

    def checkpoint(self) -> Checkpoint:
        """The count."""
        self.saves.append(self.slices.iterations)
        return Checkpoint({"count": self.slices.iterations}, {})

    def restore(self, checkpoint: Checkpoint) -> None:
        """The count."""
        self.slices.iterations = int(checkpoint.progress["count"])

    def report(self, event: str) -> Report:
        """How it stands."""
        return Report(event, self.slices.iterations, self.slices.seconds)

    def reports(self, due: frozenset[str], stop: Stop) -> Iterator[Report]:  # noqa: ARG002 - a hook
        """One a slice."""
        yield self.report("counting")

    def write(self, path: Path, stop: Stop) -> Iterator[Report]:  # noqa: ARG002 - a hook
        """Write it."""
        path.write_text(str(self.slices.iterations))
        yield self.report("finished" if self.over else "stopped")


class Kept(Count):
    """A count that can be continued when it is finished."""

    continues = True


def stopped_at(task: Count, files: RunFiles, number: int, **options: Any) -> list[Report]:
    """Stop a run after so many iterations."""
    stop = Stop()
    seen = []
    for report in Run(task, files, stop=stop, **options):
        seen.append(report)
        if report.iterations == number:
            stop.ask()
    return seen


def test_what_is_due_is_done_and_a_finished_run_leaves_its_result(tmp_path: Path) -> None:
    files, task = RunFiles.of(tmp_path / "x"), Count(5)
    seen = list(Run(task, files))
    assert [(each.event, each.iterations) for each in seen] == [
        *(("counting", n) for n in range(1, 6)),
        ("finished", 5),
    ]
    assert task.saves == [2, 4]
    assert files.result.read_text() == "5"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.log.jsonl", "x.result"]
    assert [json.loads(line)["iterations"] for line in files.log.read_text().splitlines()] == [
        1, 2, 3, 4, 5, 5,
    ]  # fmt: skip
    with pytest.raises(RunError, match=r"x\.result already exists: --resume continues"):
        list(Run(Count(5), files))


def test_a_stopped_run_continues_with_the_same_identity_alone(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    assert stopped_at(Count(9), files, 3)[-1].event == "stopped"
    assert files.written()["checkpoint"] == str(files.checkpoint)
    with pytest.raises(RunError, match="to another run: seed was 1 and is 2"):
        list(Run(Count(9, seed=2), files, resume=True))
    seen = list(Run(Count(9), files, resume=True))
    assert [each.iterations for each in seen] == [4, 5, 6, 7, 8, 9, 9]
    assert not files.checkpoint.exists()
    with pytest.raises(RunError, match="cannot be resumed: there is no checkpoint"):
        list(Run(Count(9), files, resume=True))


class Failing(Count):
    """Fails at the third slice."""

    def reports(self, due: frozenset[str], stop: Stop) -> Iterator[Report]:
        """Fail."""
        if self.slices.iterations == 3:
            raise RunError("the table is too large")
        yield from super().reports(due, stop)


def test_a_failure_is_the_last_line_of_the_log_until_the_run_is_resumed(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "count.txt")
    with pytest.raises(RunError, match="too large"):
        list(Run(Failing(5), files))
    lines = [json.loads(line) for line in files.log.read_text().splitlines()]
    assert [line["event"] for line in lines].count("failed") == 1
    assert (lines[-1]["event"], lines[-1]["problem"]) == ("failed", "the table is too large")
    list(Run(Count(5), files, resume=True))
    lines = [json.loads(line) for line in files.log.read_text().splitlines()]
    assert "failed" not in [line["event"] for line in lines]
    assert files.result.exists()


def test_some_tasks_continue_when_they_are_finished(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    list(Run(Kept(3), files))
    assert [each.iterations for each in Run(Kept(5), files, resume=True)] == [4, 5, 5]
    assert files.result.read_text() == "5"


def test_force_keeps_old_files_until_the_first_new_one(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    list(Run(Kept(3), files))
    files.plot.write_text("old")
    run = iter(Run(Kept(5), files, force=True))
    assert next(run).iterations == 1
    assert files.result.read_text() == "3"
    assert files.plot.exists()
    next(run)  # after the second slice the checkpoint is saved
    next(run)
    assert not files.result.exists()
    assert not files.plot.exists()
    list(run)
    assert files.result.read_text() == "5"


def test_lines_that_the_checkpoint_lacks_are_dropped(tmp_path: Path) -> None:
    files, task = RunFiles.of(tmp_path / "x"), Count(9)
    run = iter(Run(task, files))
    while next(run).iterations < 5:
        pass
    del run  # killed: the last checkpoint has 4
    again = Count(9)
    assert next(iter(Run(again, files, resume=True))).iterations == 5
    lines = [json.loads(line)["iterations"] for line in files.log.read_text().splitlines()]
    assert lines == [1, 2, 3, 4, 5]


def test_a_state_that_does_not_fit_is_damaged(tmp_path: Path) -> None:
    class Other(Count):
        def checkpoint(self) -> Checkpoint:
            return Checkpoint({"number": "many"}, {})

    files = RunFiles.of(tmp_path / "x")
    stopped_at(Other(9), files, 3)
    with pytest.raises(DamagedFileError, match=r"x\.checkpoint is damaged"):
        list(Run(Count(9), files, resume=True))


def test_somebody_who_looks_on_is_asked_after_every_slice(tmp_path: Path) -> None:
    task, looks = Count(4), list[int]()
    list(Run(task, RunFiles.of(tmp_path / "x"), between=lambda: looks.append(1)))
    assert len(looks) == 4


def test_ordinary_lines_grow_rarer(tmp_path: Path) -> None:
    log = RunLog(tmp_path / "log")
    for number in range(1000, 2000):
        log.write({"event": "usual", "seconds": number / 1000}, ordinary=True)
    log.write({"event": "end", "seconds": 1.99})
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    # Each is a hundredth later than the one before: ln 2 / ln 1.01 = 69.7 fit into a doubling.
    assert 60 < len(lines) < 72
    assert lines[-1]["event"] == "end"


def test_a_budget_of_time_shortens_the_last_slices() -> None:
    """Slices of two seconds would go far past a budget of 0.2 seconds."""
    slices = Slices(lambda first, last: time.sleep((last - first) * 0.002))
    slices.slice_seconds = lambda: 2.0
    for _ in slices.run({"seconds": 0.2}):
        pass
    assert slices.iterations < 150  # 100 in 0.2 seconds; without the limit 341


def test_work_may_end_a_slice_early() -> None:
    slices = Slices(lambda first, last: min(last, first + 3), length=10, steady=True)
    ends = [slices.iterations for _ in slices.run({"iterations": 8})]
    assert ends == [3, 6, 8]


def test_steady_slices_keep_their_length() -> None:
    slices = Slices(lambda *_: None, length=10, steady=True)
    ends = [slices.iterations for _ in slices.run({"iterations": 35})]
    assert ends == [10, 20, 30, 35]


class Piece(msgspec.Struct):
    """A piece of work that is done."""

    piece: int


def piece_log(path: Path, run: int, *, resume: bool = False) -> PieceLog[Piece]:
    return PieceLog(path, {"run": run}, Piece, resume=resume)


def test_the_log_of_several_runs_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "log"
    piece_log(path, 1).add(Piece(1))
    with path.open("a") as file:
        file.write('{"run": 2, "piece": 5, "ha')  # a crash
    piece_log(path, 3).add(Piece(1))
    piece_log(path, 3, resume=True).add(Piece(2))
    first, torn, *others = path.read_text().splitlines()
    assert torn == '{"run": 2, "piece": 5, "ha'
    assert [json.loads(line)["run"] for line in (first, *others)] == [1, 3, 3]
    assert piece_log(path, 3, resume=True).done == [Piece(1), Piece(2)]
    assert piece_log(path, 2).done == []
    with pytest.raises(RunError, match="already has 2 lines of this run"):
        piece_log(path, 3)
    with pytest.raises(RunError, match="there is nothing to resume"):
        PieceLog(None, {}, Piece, resume=True)


@pytest.mark.parametrize("text", ["notes\n", "a\nb", '{"results": []}\n'])
def test_a_file_that_is_no_log_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes"
    path.write_text(text)
    for resume in (False, True):
        with pytest.raises(RunError, match="is not a log of such runs: name another"):
            piece_log(path, 1, resume=resume)
    assert path.read_text() == text


def test_a_log_with_one_torn_line_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text('{"run": 1, "pie')
    piece_log(path, 1, resume=True).add(Piece(1))
    assert piece_log(path, 1, resume=True).done == [Piece(1)]
