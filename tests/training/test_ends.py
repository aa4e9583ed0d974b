"""How runs end badly and keep their work: signals, full disks, old files, strange logs."""

import json
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from riverboat.blueprint import Blueprint
from riverboat.errors import RunError
from riverboat.runs import Stop
from riverboat.training import Progress, RunFiles, _progress, load_recipe, read_log, train
from riverboat.training import _member as member
from riverboat.training import _train as ensemble
from sizes import slowly
from training.test_run import assert_same_tables, quick, quiet


def pressed(runs: Iterator[Progress], number: signal.Signals, event: str, times: int = 1) -> Any:
    """Send a signal at the first events of a kind; return the last one."""
    last = None
    for last in runs:
        if last.event == event and last.iterations > 0 and times > 0:
            signal.raise_signal(number)
            times -= 1
    return last


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("event", ["training", "measured", "saved"])
def test_a_signal_while_measurements_are_always_due(
    tmp_path: Path, number: signal.Signals, event: str
) -> None:
    files, whole = RunFiles.of(tmp_path / "x"), RunFiles.of(tmp_path / "whole")
    recipe = quick(bound={"every": 1e-9}, budget={"iterations": 60_000})
    last = pressed(quiet(recipe, files.blueprint), number, event)
    assert last.event == "stopped"
    assert 0 < last.iterations < 60_000
    assert Blueprint.open(files.blueprint).header.training.iterations == last.iterations
    list(quiet(recipe, files.blueprint, resume=True))
    list(quiet(recipe, whole.blueprint))
    assert_same_tables(whole, files)


def test_ctrl_c_during_a_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    measure = _progress.measure

    def interrupted(*arguments: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            signal.raise_signal(signal.SIGINT)
        return measure(*arguments)

    monkeypatch.setattr(member, "measure", interrupted)
    files = RunFiles.of(tmp_path / "x")
    recipe = quick(bound={"every": 1e-9}, budget={"iterations": 60_000})
    seen = list(quiet(recipe, files.blueprint))
    assert [each.event for each in seen].count("measured") == 1
    assert seen[-1].event == "stopped"
    assert len(calls) == 2  # none afterwards
    assert Blueprint.open(files.blueprint).header.training.iterations == seen[-1].iterations


def test_ctrl_c_in_the_last_measurement_is_no_finish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    monkeypatch.setattr(member, "measure", lambda *_: signal.raise_signal(signal.SIGINT))
    files = RunFiles.of(tmp_path / "x")
    *_, last = quiet(quick(bound={}), files.blueprint)
    assert (last.event, last.iterations, last.measured) == ("stopped", 20_000, None)
    assert files.blueprint.exists()
    monkeypatch.undo()
    *_, last = quiet(quick(bound={}), files.blueprint, resume=True)
    assert last.event == "finished"
    assert last.measured is not None


def test_work_is_not_begun_once_somebody_asked() -> None:
    stop = Stop()
    assert stop.interruptible(lambda: 1) == 1
    stop.ask()
    assert stop.interruptible(lambda: 1) is None


def test_a_stopped_ensemble_has_no_combination(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    recipe = quick(game="kuhn", ensemble=3)
    last = pressed(quiet(recipe, files.blueprint), signal.SIGINT, "written")
    assert (last.event, last.member) == ("stopped", 1)
    assert files.member(1).blueprint.exists()
    assert not files.blueprint.exists()
    *_, last = quiet(recipe, files.blueprint, resume=True)
    assert last.event == "finished"
    assert files.blueprint.exists()


@pytest.mark.usefixtures("plain_pictures")
def test_an_ensemble_draws_its_plot(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    recipe = quick(game="kuhn", ensemble=2, bound={"every": 0.01})
    *_, last = train(recipe, files.blueprint)
    assert last.measured is not None
    assert files.plot.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_ctrl_c_while_the_combination_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ensemble, "measure", lambda *_: signal.raise_signal(signal.SIGINT))
    files = RunFiles.of(tmp_path / "x")
    *_, last = quiet(quick(game="kuhn", ensemble=2, bound={}), files.blueprint)
    assert (last.event, last.measured) == ("stopped", None)
    assert files.blueprint.exists()


def test_the_log_is_json(tmp_path: Path) -> None:
    """A budget of seconds, or none of speed yet, leaves the time left unknown: null."""
    files = RunFiles.of(tmp_path / "x")
    seen = list(quiet(quick(), files.blueprint))
    assert seen[0].seconds_left == float("inf")

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    for text in files.log.read_text().splitlines():
        json.loads(text, parse_constant=refuse)
    assert read_log(files.log)[0]["seconds_left"] is None


STRANGE = (
    "[]",
    "3",
    "\x00\xff",
    '{"iterations": "many"}',
    '{"iterations": null}',
    '{"iterations": 5, "measured": {"low": 1}}',
    '{"iterations": 5, "measured": 7}',
    '{"iterations": 5, "seconds": "x"}',
    '{"iterations": NaN}',
    "[" * 100_000,
)


@pytest.mark.parametrize("line", STRANGE)
def test_a_strange_line_of_a_log_is_left_out(tmp_path: Path, line: str) -> None:
    (tmp_path / "log").write_text(f'{{"iterations": 4}}\n{line}\n', encoding="latin-1")
    assert len(read_log(tmp_path / "log")) == 1


def test_strange_lines_of_an_old_log_stop_nothing(tmp_path: Path) -> None:
    """Not even the plot at the end, which is made of the log."""
    files = RunFiles.of(tmp_path / "x")
    list(quiet(quick(), files.blueprint))
    with files.log.open("a", encoding="latin-1") as log:
        log.writelines(f"{line}\n" for line in STRANGE)
    *_, last = train(quick(budget={"iterations": 21_000}), files.blueprint, resume=True)
    assert last.event == "finished"
    assert not {*STRANGE} & {*files.log.read_text(encoding="latin-1").splitlines()}


def test_nothing_to_resume_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"nothing to resume: .*x\.checkpoint"):
        quiet(quick(), tmp_path / "x", resume=True)
    with pytest.raises(RunError, match="give only one"):
        quiet(quick(), tmp_path / "x", resume=True, force=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("output", ["", ".", "..", "/", " "])
def test_an_output_that_names_no_file_is_refused(output: str) -> None:
    with pytest.raises(RunError, match="is not a file name"):
        RunFiles.of(output)


def test_a_folder_is_no_output(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="is not a file name"):
        RunFiles.of(tmp_path)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scheme": "full cfr+"}, "'full cfr.*' needs a small game .* use chance, external"),
        ({"cards": "percentile 9/9"}, r"'percentile 9/9' has buckets for only 2 of the 4 streets"),
        ({"cards": "percentil 9/9"}, "it is not a kind"),
        ({"game": "discard-2017", "scheme": "public-chance"}, "two players and no swaps"),
    ],
)
def test_parts_that_do_not_go_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], words: str
) -> None:
    """They are refused before cards are prepared: the cache stays empty."""
    monkeypatch.setenv("RIVERBOAT_CACHE", str(tmp_path / "cache"))
    recipe = load_recipe("laptop").changed(changes)
    with pytest.raises(RunError, match=words):
        train(recipe, tmp_path / "x")
    assert not list(tmp_path.iterdir())


def test_force_keeps_old_files_until_new_ones_are_there(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    list(quiet(quick(), files.blueprint))
    before = files.checkpoint.read_bytes(), files.blueprint.read_bytes()
    runs = quiet(quick(seed=4), files.blueprint, force=True)
    assert next(runs).event == "started"
    assert (files.checkpoint.read_bytes(), files.blueprint.read_bytes()) == before
    for progress in runs:
        if progress.event == "saved":
            break
    assert not files.blueprint.exists()  # it is of another run than the checkpoint
    assert files.checkpoint.read_bytes() != before[0]
    assert list(runs)[-1].event == "finished"
    assert Blueprint.open(files.blueprint).header.training.seed == 4


def test_a_checkpoint_that_cannot_be_written_ends_nothing(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    runs = quiet(quick(), files.blueprint)
    assert next(runs).event == "started"
    files.checkpoint.mkdir()  # nothing can be renamed over a folder
    seen = list(runs)
    assert "saved" not in {each.event for each in seen}
    unsaved = next(each for each in seen if each.event == "unsaved")
    assert "x.checkpoint cannot be written" in unsaved.problem
    assert seen[-1].event == "finished"
    assert any("--resume cannot continue" in finding for finding in seen[-1].findings)
    assert Blueprint.open(files.blueprint).header.training.iterations == 20_000


def test_a_blueprint_that_cannot_be_written(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    runs = quiet(quick(), files.blueprint)
    assert next(runs).event == "started"
    files.blueprint.mkdir()
    with pytest.raises(RunError, match=r"x\.blueprint cannot be written.*--resume"):
        list(runs)
    files.blueprint.rmdir()
    *_, last = quiet(quick(), files.blueprint, resume=True)
    assert (last.event, last.iterations) == ("finished", 20_000)


@pytest.mark.skipif(os.name != "posix", reason="permissions of folders")
def test_a_place_that_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"cannot be written.*--output"):
        list(quiet(quick(), tmp_path / "file" / "x"))


def test_a_full_disk_is_told_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    with pytest.raises(RunError, match=r"need .* kB in .*free some space"):
        quiet(quick(), tmp_path / "x")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has no hang-ups")
def test_a_terminal_that_is_closed_saves(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    recipe = quick(budget={"iterations": 60_000})
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # `nohup pytest` has it ignored
    try:
        last = pressed(quiet(recipe, files.blueprint), signal.SIGHUP, "training")
    finally:
        signal.signal(signal.SIGHUP, before)
    assert last.event == "stopped"
    assert 0 < last.iterations < 60_000
    assert files.checkpoint.exists()
    assert Blueprint.open(files.blueprint).header.training.iterations == last.iterations


@pytest.mark.parametrize(
    ("number", "members"),
    [(signal.SIGINT, 1), (signal.SIGTERM, 2), *slowly((signal.SIGTERM, 1), (signal.SIGINT, 2))],
)
def test_the_last_plot_can_be_broken_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, members: int
) -> None:
    drawn: list[str] = []

    def drawing(*_: Any) -> None:
        drawn.append("begun")
        signal.raise_signal(number)
        drawn.append("done")

    monkeypatch.setattr(ensemble if members > 1 else member, "plot_logs", drawing)
    files = RunFiles.of(tmp_path / "x")
    *_, last = train(quick(ensemble=members, bound={"every": 0}), files.blueprint)
    assert drawn == ["begun"]
    assert last.event == "finished"  # all but the plot
    assert files.blueprint.exists()


def test_two_trainings_do_not_write_one_file(tmp_path: Path) -> None:
    first = quiet(quick(), tmp_path / "x")
    next(first)
    again: tuple[dict[str, Any], ...] = ({}, {"force": True}, {"resume": True})
    for switches in again:
        with pytest.raises(RunError, match=r"another run is writing .*x\.blueprint|nothing"):
            list(quiet(quick(), tmp_path / "x", **switches))
    *_, last = first
    assert last.event == "finished"
    assert not list(tmp_path.glob(".*"))  # no lock is left
    with pytest.raises(RunError, match="already exists: --resume"):
        list(quiet(quick(), tmp_path / "x"))
    *_, last = quiet(quick(), tmp_path / "x", force=True)
    assert last.event == "finished"


def test_a_lock_of_a_killed_run_is_free(tmp_path: Path) -> None:
    (tmp_path / ".x.blueprint.lock").touch()  # its process is gone
    *_, last = quiet(quick(), tmp_path / "x")
    assert last.event == "finished"


def test_torn_lines_of_a_log_are_told(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    list(quiet(quick(), files.blueprint))
    with files.log.open("a") as log:
        log.write('{"iterations": 5, "sec')
    recipe = quick(budget={"iterations": 30_000})
    *_, last = quiet(recipe, files.blueprint, resume=True)
    assert [text for text in last.findings if "incomplete" in text] == [
        f"warning: 1 incomplete line removed from {files.log}"
    ]
    assert read_log(files.log).torn == 0


@pytest.mark.parametrize("stopped", [False, True])
def test_those_who_help_leave_after_the_last_slice(tmp_path: Path, stopped: bool) -> None:
    """The end of a run is no error to them, and their machines are free before the file exists."""
    files = RunFiles.of(tmp_path / "x")
    left: list[bool] = []

    @contextmanager
    def helped(*_: object) -> Iterator[None]:
        yield
        left.append(files.blueprint.exists())

    recipe = quick(budget={"iterations": 60_000})
    runs = train(recipe, files.blueprint, helped=helped, plot=False)
    last = pressed(runs, signal.SIGINT, "training") if stopped else [*runs][-1]
    assert last.event == ("stopped" if stopped else "finished")
    assert left == [False]
