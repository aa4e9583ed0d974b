"""Steps are done once; a run that was stopped goes on."""

import json
import time
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import pytest

from riverboat import __version__
from riverboat.arena import Ledger
from riverboat.errors import RunError
from riverboat.reproductions import (
    NAMES,
    Found,
    ReproductionRun,
    StepProgress,
    find_reproduction,
    reproduce,
)
from riverboat.reproductions._work import do_jobs, play_named, play_round_robin, train_recipe
from riverboat.runs import RunLog, num_cores
from riverboat.training import load_recipe


def made(run: ReproductionRun) -> Found:
    return Found(hands=run.seed)


def test_a_step_is_done_once(tmp_path: Path) -> None:
    calls: list[int] = []

    def work(_: ReproductionRun) -> Found:
        calls.append(1)
        return Found(hands=len(calls))

    for _ in range(2):
        assert ReproductionRun("x", tmp_path, ("a",)).step("a", work) == {"hands": 1}
    assert [line["event"] for line in ReproductionRun("x", tmp_path).log_lines()] == [
        "begun",
        "done",
    ]


def test_a_step_that_fails_leaves_nothing_and_is_done_again(tmp_path: Path) -> None:
    run = ReproductionRun("x", tmp_path, ("a",))

    def stopped(_: ReproductionRun) -> Found:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.step("a", stopped)
    assert run.step("a", made) == {"hands": 2026}
    assert [line["event"] for line in run.log_lines()] == ["begun", "stopped", "begun", "done"]

    def failed(_: ReproductionRun) -> Found:
        raise RunError("no bot plays this")

    with pytest.raises(RunError, match="no bot"):
        ReproductionRun("y", tmp_path / "y", ("a",)).step("a", failed)
    assert ReproductionRun("y", tmp_path / "y").log_lines()[-1]["event"] == "failed"
    assert run.seconds() == sum(line["seconds"] for line in run.log_lines()) > 0


def test_other_programs_are_counted_over_all_steps(tmp_path: Path) -> None:
    run = ReproductionRun("x", tmp_path, ("a", "b"))
    log = RunLog(run.path("log.jsonl"), run.log_lines())
    assert run.others() is None
    for step, seconds in (("a", 1.0), ("b", 3.0)):
        log.write(
            {"step": step, "seconds": seconds, "other_cpu_seconds": seconds * num_cores() / 4}
        )
    assert run.others() == pytest.approx(0.25)
    log.write({"step": "c", "seconds": 1.0, "other_cpu_seconds": None})
    assert run.others() is None


def test_matches_are_finished_once_their_step_is_kept(tmp_path: Path) -> None:
    def work(run: ReproductionRun) -> Found:
        played = play_named(run.part(0, 1), {1: ("random", "checkcall")}, game="leduc", hands=40)
        entries = Ledger(tmp_path / "matches.sqlite").entries()
        assert [entry.finished for entry in entries] == [None]  # one match, to be resumed
        if run is first:
            raise KeyboardInterrupt
        return Found(hands=played[1].hands)

    first = ReproductionRun("x", tmp_path, ("a",), workers=1)
    with pytest.raises(KeyboardInterrupt):
        first.step("a", work)
    second = ReproductionRun("x", tmp_path, ("a",), workers=1)
    assert second.step("a", work) == {"hands": 40}
    assert all(entry.finished for entry in Ledger(tmp_path / "matches.sqlite").entries())


def test_what_is_kept_is_not_made_again(tmp_path: Path) -> None:
    run = ReproductionRun("x", tmp_path, ("a",))
    assert [run.kept(f"half.{n}.done", partial(Found, seconds=n / 2)).seconds for n in (2, 4)] == [
        1,
        2,
    ]

    def stopped() -> Found:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.kept("half.6.done", stopped)
    assert len(list((tmp_path / "steps").glob("half.*"))) == 2
    # What was kept is taken as it is, whoever asks.
    again = ReproductionRun("x", tmp_path, ("a",))
    assert [again.kept(f"half.{n}.done", stopped).seconds for n in (2, 4)] == [1, 2]
    assert again.kept("half.6.done", partial(Found, seconds=3.0)).seconds == 3


def test_unfinished_files_of_a_killed_run_are_removed(tmp_path: Path) -> None:
    def stop(_: StepProgress) -> None:
        raise KeyboardInterrupt

    folder = tmp_path / "run"
    (folder / "steps").mkdir(parents=True)
    left = [folder / ".run.json.0a.part", folder / ".won.png.1b.part"]
    left += [folder / "steps" / ".cards.json.2c.part"]
    left[0].touch()
    (folder / "steps").rmdir()  # killed while it took the folder
    with pytest.raises(KeyboardInterrupt):
        reproduce("demo", folder, effort="tiny", listener=stop)
    for path in left:
        path.touch()
    mine = folder / "mine.part"
    mine.touch()
    with pytest.raises(KeyboardInterrupt):
        reproduce("demo", folder, effort="tiny", resume=True, listener=stop)
    assert list(folder.rglob("*.part")) == [mine]


def test_a_damaged_step_is_named(tmp_path: Path) -> None:
    run = ReproductionRun("x", tmp_path, ("a",))
    (tmp_path / "steps" / "a.json").write_text("{", encoding="utf-8")
    with pytest.raises(RunError, match=r"a\.json cannot be read"):
        run.step("a", made)


def test_an_unknown_step_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="'b' is not a step of x, which has a"):
        ReproductionRun("x", tmp_path, ("a",)).step("b", made)


def test_progress_never_goes_back(tmp_path: Path) -> None:
    seen: list[StepProgress] = []
    run = ReproductionRun("x", tmp_path, ("a", "b"), listener=seen.append)

    def work(_: ReproductionRun) -> Found:
        for share in (0.5, 0.2, 2.0):
            run.tell(share, "works")
        return Found(hands=0)

    run.step("b", work)
    assert [(each.index, each.share) for each in seen] == [(2, s) for s in (0, 0.5, 0.5, 1, 1)]


def test_trainings_and_matches_of_a_run(tmp_path: Path) -> None:
    run = ReproductionRun("x", tmp_path, ("a",), "tiny", seed=3, workers=1)
    trained = train_recipe(run, load_recipe("kuhn").changed({"budget": {"iterations": 50}}), "k")
    assert trained.iterations == 50
    assert trained.curve[-1]["exact"] is True
    assert (tmp_path / trained.blueprint).stat().st_size == trained.blueprint_bytes
    assert not (tmp_path / "k.checkpoint").exists()

    one = {"": ("random", "checkcall")}
    result = play_named(run, one, game="leduc", hands=400)[""]
    again = play_named(run, one, game="leduc", hands=400)[""]
    assert result.hands == 400
    assert again.chips_per_hand() == result.chips_per_hand()

    pairs = {"first": ("random", "checkcall"), "second": ("random", "fold")}
    named = play_named(run, pairs, game="leduc", hands=400, seed=3)
    assert list(named) == ["first", "second"]
    assert named["first"].chips_per_hand() == result.chips_per_hand()

    table = play_round_robin(run, ["random", "checkcall", "fold"], game="leduc", hands=100)
    assert len(table.results) == 3


def test_jobs_are_told_and_come_in_order(tmp_path: Path) -> None:
    seen: list[StepProgress] = []
    run = ReproductionRun("x", tmp_path, workers=1, listener=seen.append)
    assert do_jobs(run.part(0.5, 1.0), abs, [-1, 2, -3], "counts") == [1, 2, 3]
    assert [(each.text, round(each.share, 2)) for each in seen] == [
        ("counts", share) for share in (0.67, 0.83, 1.0)
    ]


def test_parts_of_parts_are_told_and_note_files_once(tmp_path: Path) -> None:
    seen: list[StepProgress] = []
    run = ReproductionRun("x", tmp_path, listener=seen.append)
    for part, name in run.part(0.5, 1.0).parts("ab"):
        part.tell(0.5, name)
        part.path("file")
    assert [(each.text, each.share) for each in seen] == [("a", 0.625), ("b", 0.875)]
    assert (tmp_path / "steps" / "files.txt").read_text(encoding="utf-8") == "file\n"


@pytest.mark.slow
def test_jobs_end_with_an_interrupt(tmp_path: Path) -> None:
    """A long sleep is not waited for, and nothing is left behind."""

    def stop(standing: StepProgress) -> None:
        assert standing.share == 1 / 3
        raise KeyboardInterrupt

    before = set(active_children())
    run = ReproductionRun("x", tmp_path, workers=2, listener=stop)
    with pytest.raises(KeyboardInterrupt):
        do_jobs(run, time.sleep, [0.0, 600.0, 600.0], "sleeps")
    assert set(active_children()) <= before


@pytest.mark.parametrize("name", ["", "Cardiff", "all"])
def test_an_unknown_reproduction_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="there is no reproduction"):
        reproduce(name, tmp_path / "x")
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("name", NAMES)
def test_reproductions_say_what_they_take(name: str) -> None:
    found = find_reproduction(name)
    assert found.name == name
    assert len(set(found.steps)) == len(found.steps) > 2
    assert 0 < found.recipe.minutes[1] <= 3 < found.recipe.minutes[0] <= 60
    assert 1e8 < found.recipe.memory_bytes < 8e9


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(RunError, match="holds other files"):
        reproduce("cardiff", tmp_path)
    with pytest.raises(RunError, match="nothing to resume"):
        reproduce("cardiff", tmp_path, resume=True)
    with pytest.raises(RunError, match="is not a folder"):
        reproduce("cardiff", tmp_path / "letter.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_another_run_is_not_overwritten(tmp_path: Path) -> None:
    mark = {"name": "cardiff", "effort": "full", "seed": 1, "version": "0.0.1"}
    (tmp_path / "run.json").write_text(json.dumps(mark), encoding="utf-8")
    with pytest.raises(RunError, match="holds a run: --resume continues it"):
        reproduce("cardiff", tmp_path)
    with pytest.raises(RunError, match="a run with seed 1, not 2026"):
        reproduce("cardiff", tmp_path, resume=True)
    with pytest.raises(RunError, match="give only one of them"):
        reproduce("cardiff", tmp_path, resume=True, force=True)


def test_a_run_of_another_version_is_refused(tmp_path: Path) -> None:
    """As a folder of 0.2: its steps hold no rows."""
    mark = {"name": "cardiff", "effort": "full", "seed": 2026, "version": "0.1.9"}
    (tmp_path / "run.json").write_text(json.dumps(mark), encoding="utf-8")
    with pytest.raises(RunError, match=r"a run with version '0\.1\.9', not .*--force"):
        reproduce("cardiff", tmp_path, resume=True)


def test_two_runs_do_not_work_in_one_folder(tmp_path: Path) -> None:
    def again() -> None:
        with pytest.raises(RunError, match=r"another run is using .*: wait for it, or stop it"):
            reproduce("cardiff", tmp_path / "run", force=True)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce("cardiff", tmp_path / "run", prepare=again)
    assert [each.name for each in tmp_path.iterdir()] == ["run"]


def test_a_run_does_not_go_on_with_another_recipe(tmp_path: Path) -> None:
    mark = {"name": "cardiff", "effort": "full", "seed": 2026, "version": __version__}
    (tmp_path / "run.json").write_text(json.dumps(mark | {"recipe": "0123"}), encoding="utf-8")
    with pytest.raises(RunError, match="a run with recipe '0123', not"):
        reproduce("cardiff", tmp_path, resume=True)


def test_beginning_again_removes_only_what_the_run_wrote(tmp_path: Path) -> None:
    run = ReproductionRun("cardiff", tmp_path, ("a",))
    mark = {"name": "cardiff", "effort": "full", "seed": 1, "version": "0.0.1"}
    for name in ("run.json", "report.html", "mine.blueprint", "letter.txt"):
        (tmp_path / name).write_text(json.dumps(mark), encoding="utf-8")
    run.path("k")
    (tmp_path / "k.checkpoint").write_text("x", encoding="utf-8")
    run.step("a", made)

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce("cardiff", tmp_path, force=True, prepare=stop)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"run.json", "mine.blueprint", "letter.txt"}


@pytest.mark.parametrize(
    ("folder", "seed", "sentence"),
    [
        ("a,b", 1, "have a meaning"),
        ("a=b", 1, "have a meaning"),
        ("a", -1, "the seed must be from 0 to 2,147,483,647, not -1"),
    ],
)
def test_bad_input_is_refused_before_anything_is_written(
    folder: str, seed: int, sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(RunError, match=sentence):
        reproduce("cardiff", tmp_path / folder, seed=seed)
    assert not list(tmp_path.iterdir())


def test_a_training_is_done_once_for_a_recipe(tmp_path: Path) -> None:
    run = ReproductionRun("x", tmp_path, ("a",), "tiny", workers=1)
    recipe = load_recipe("kuhn").changed({"budget": {"iterations": 20}})
    first = train_recipe(run, recipe, "k")
    assert train_recipe(run, recipe, "k") == first
    longer = train_recipe(run, recipe.changed({"budget": {"iterations": 30}}), "k")
    assert longer.iterations == 30
