"""Runs: what they yield, write and log; checkpoints; Ctrl-C."""

import json
import signal
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riverboat.blueprint import Blueprint
from riverboat.errors import DamagedFileError, RunError
from riverboat.evaluate import exploitability
from riverboat.files import ArrayFile
from riverboat.solve import Scheme
from riverboat.training import (
    Recipe,
    RunFiles,
    load_recipe,
    read_log,
    train,
)

QUICK: dict[str, Any] = {
    "game": "leduc",
    "menu": "min",
    "scheme": "external",
    "threads": 1,
    "seed": 3,
    "budget": {"iterations": 20_000},
    "every": {"report": 0.0, "checkpoint": 0.0},
    "bound": {"every": 0},
}


def quick(**changes: Any) -> Recipe:
    return load_recipe({**QUICK, **changes})


quiet = partial(train, plot=False)  # a plot takes longer than these runs


def tables(files: RunFiles) -> dict[str, Any]:
    """Everything in the checkpoint."""
    file = ArrayFile(files.checkpoint)
    return {name: np.array(file.array(name)) for name in file.names}


def assert_same_tables(one: RunFiles, two: RunFiles) -> None:
    first, second = tables(one), tables(two)
    assert first.keys() == second.keys() >= {"regrets", "average"}
    for name in first:
        np.testing.assert_array_equal(first[name], second[name])
    np.testing.assert_array_equal(
        Blueprint.open(one.blueprint).dense(), Blueprint.open(two.blueprint).dense()
    )


@pytest.mark.usefixtures("plain_pictures")
def test_a_run_yields_writes_and_logs(tmp_path: Path) -> None:
    recipe = quick(bound={"every": 1e-9})  # at each slice, however quick the machine
    files = RunFiles.of(tmp_path / "leduc")
    seen = list(train(recipe, files.blueprint))
    events = [progress.event for progress in seen]
    assert events[0] == "started"
    assert events[-1] == "finished"
    assert {"training", "measured", "saved", "written"} <= set(events)
    last = seen[-1]
    assert last.iterations == 20_000
    assert last.infosets == 288
    assert last.visited > 200
    assert last.measured is not None
    assert last.measured.iterations == 20_000  # measured once more at the end
    blueprint = Blueprint.open(files.blueprint)
    assert blueprint.header.training.iterations == 20_000
    assert load_recipe(blueprint.header.training.recipe) == recipe
    exact = exploitability(blueprint.deals(), blueprint.dense(np.float64))
    assert exact.exploitability == pytest.approx(last.measured.exploitability, abs=1e-6)
    lines = read_log(files.log)
    assert lines[0]["event"] == "started"
    assert lines[-1]["event"] == "finished"
    assert files.plot.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_intervals_change_no_table(tmp_path: Path) -> None:
    busy, calm = RunFiles.of(tmp_path / "busy"), RunFiles.of(tmp_path / "calm")
    list(quiet(quick(bound={"every": 0.001}), busy.blueprint))
    list(quiet(quick(every={"report": 99, "checkpoint": 99}), calm.blueprint))
    assert_same_tables(busy, calm)


def test_the_file_keeps_the_whole_scheme(tmp_path: Path) -> None:
    """Whatever defaults become, the file says what was run: 10,000 iterations a step."""
    files = RunFiles.of(tmp_path / "x")
    list(quiet(quick(budget={"iterations": 10}), files.blueprint))
    kept = Blueprint.open(files.blueprint).header.training.scheme
    assert Scheme.from_dict(kept) == Scheme("external", "cfr", "uniform", step=10_000)
    assert kept.keys() == set(Scheme.__struct_fields__)


@pytest.mark.parametrize(
    "scheme", ["external linear linear", "chance", "pure", "outcome", "full predictive+ quadratic"]
)
def test_a_resumed_run_is_the_unbroken_one(tmp_path: Path, scheme: str) -> None:
    number = 40 if scheme.startswith("full") else 12_000
    whole, broken = RunFiles.of(tmp_path / "whole"), RunFiles.of(tmp_path / "broken")
    recipe = quick(scheme=scheme, budget={"iterations": 3 * number})
    list(quiet(recipe, whole.blueprint))
    for part in (1, 2, 3):
        budget = {"budget": {"iterations": part * number}}
        *_, last = quiet(recipe.changed(budget), broken.blueprint, resume=part > 1)
        assert last.iterations == part * number
    assert_same_tables(whole, broken)


def test_resuming_what_is_finished_changes_nothing(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    list(quiet(quick(), files.blueprint))
    before = tables(files)
    *_, last = quiet(quick(), files.blueprint, resume=True)
    assert (last.event, last.iterations) == ("finished", 20_000)
    for name, table in tables(files).items():
        np.testing.assert_array_equal(table, before[name])


def test_lost_lines_leave_the_log_when_a_run_is_resumed(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    list(quiet(quick(), files.blueprint))
    lost = json.dumps({"event": "training", "iterations": 10**9, "seconds": 1.0})
    with files.log.open("a") as log:
        log.write(lost + '\n{"event": "train')  # cut short by a crash
    list(quiet(quick(budget={"iterations": 21_000}), files.blueprint, resume=True))
    assert max(line["iterations"] for line in read_log(files.log)) == 21_000
    assert '{"event": "train\n' not in files.log.read_text()


def test_old_work_is_not_overwritten(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    list(quiet(quick(), files.blueprint))
    with pytest.raises(RunError, match=r"x\.blueprint already exists.*--resume.*--force"):
        quiet(quick(), files.blueprint)
    kept = files.checkpoint.read_bytes()
    files.checkpoint.unlink()
    with pytest.raises(RunError, match=r"cannot be resumed: there is no checkpoint"):
        quiet(quick(), files.blueprint, resume=True)
    files.checkpoint.write_bytes(kept)
    files.blueprint.unlink()
    with pytest.raises(RunError, match=r"x\.checkpoint belongs to a stopped run.*--resume"):
        quiet(quick(), files.blueprint)
    *_, last = quiet(quick(budget={"iterations": 10}), files.blueprint, force=True)
    assert last.iterations == 10


def test_a_checkpoint_of_another_recipe_is_refused(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    list(quiet(quick(), files.blueprint))
    before = files.checkpoint.read_bytes()
    for change, words in (
        ({"seed": 4}, "seed was 3 and is 4"),
        ({"game": "kuhn"}, "game was .* and is"),
        ({"scheme": "outcome"}, "scheme was .*external.* and is .*outcome"),
    ):
        with pytest.raises(RunError, match=f"another run: .*{words}"):
            list(quiet(quick(**change), files.blueprint, resume=True))
    assert files.checkpoint.read_bytes() == before


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    list(quiet(quick(), files.blueprint))
    data = bytearray(files.checkpoint.read_bytes())
    data[len(data) // 2] ^= 1
    files.checkpoint.write_bytes(data)
    with pytest.raises(DamagedFileError, match="checksum"):
        list(quiet(quick(), files.blueprint, resume=True))
    files.checkpoint.write_bytes(files.blueprint.read_bytes())
    with pytest.raises(RunError, match="not a checkpoint of kind riverboat-checkpoint"):
        list(quiet(quick(), files.blueprint, resume=True))


def test_ctrl_c_saves_and_writes(tmp_path: Path) -> None:
    whole, files = RunFiles.of(tmp_path / "whole"), RunFiles.of(tmp_path / "x")
    recipe = quick(budget={"iterations": 200_000})
    events = []
    for progress in quiet(recipe, files.blueprint):
        events.append(progress)
        if progress.event == "training" and progress.iterations > 0:
            signal.raise_signal(signal.SIGINT)
    assert events[-1].event == "stopped"
    assert 0 < events[-1].iterations < 200_000
    assert Blueprint.open(files.blueprint).header.training.iterations == events[-1].iterations
    list(quiet(recipe, files.blueprint, resume=True))
    list(quiet(recipe, whole.blueprint))
    assert_same_tables(whole, files)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_budget_of_seconds_counts_all_runs(tmp_path: Path) -> None:
    files = RunFiles.of(tmp_path / "x")
    recipe = quick(budget={"seconds": 0.3})
    *_, last = quiet(recipe, files.blueprint)
    assert last.seconds >= 0.3
    *_, again = quiet(recipe, files.blueprint, resume=True)
    assert again.iterations == last.iterations
    with pytest.raises(RunError, match="no budget"):
        quiet(recipe.changed({"budget": {}}), files.blueprint, resume=True)


def test_an_ensemble_is_its_members_summed(tmp_path: Path) -> None:
    """Kuhn: every infoset is trained in every member, so each counts a third everywhere."""
    recipe = quick(game="kuhn", ensemble=3)
    files = RunFiles.of(tmp_path / "x")
    *_, last = quiet(recipe, files.blueprint)
    assert (last.event, last.iterations) == ("finished", 60_000)
    members = [Blueprint.open(files.member(index).blueprint) for index in (1, 2, 3)]
    assert [member.header.training.seed for member in members] == [3, 4, 5]
    assert all(member.weights().min() > 0 for member in members)
    alone = RunFiles.of(tmp_path / "alone")
    list(quiet(quick(game="kuhn", seed=4), alone.blueprint))
    np.testing.assert_array_equal(members[1].dense(), Blueprint.open(alone.blueprint).dense())
    combined = Blueprint.open(files.blueprint).dense()
    mean = sum(member.dense().astype(np.float64) for member in members) / 3
    np.testing.assert_allclose(combined, mean, atol=1e-6)


def test_starting_weights_are_where_training_starts(tmp_path: Path) -> None:
    """Kuhn: with a start worth 10^9 iterations a few change nothing; a king bets or calls."""
    recipe = load_recipe(
        {
            "game": "kuhn", "menu": "min", "scheme": "external", "threads": 1,
            "start": {"iterations": 1e9}, "budget": {"iterations": 2_000},
        }
    )  # fmt: skip
    files = RunFiles.of(tmp_path / "x")
    first, *_, last = quiet(recipe, files.blueprint)
    assert (first.iterations, first.visited) == (0, 0)  # nothing is visited yet
    # A king that always bets never comes to the bet after its check.
    assert last.visited == last.infosets - 1
    assert 0 < first.average_regret < 10  # a chip or two, not those of 10^9 iterations at once
    blueprint = Blueprint.open(files.blueprint)
    keys = blueprint.deals().bucket_keys
    assert keys is not None
    lowest_first = np.argsort([key[0][0] for key in keys[0]])  # type: ignore[index]  # keys are nested tuples
    for bucket, rate in zip(lowest_first, (0.0, 0.5, 1.0), strict=True):  # jack, queen, king
        row = blueprint.row(0, int(bucket))
        assert row is not None
        np.testing.assert_allclose(row, [1 - rate, rate], atol=0.01)


def test_infosets_that_recall_raises_are_kept_and_asked_for(tmp_path: Path) -> None:
    """Two lines of Leduc after which both players raised on the first street are one infoset."""
    changes = {"menu": "min ; recall raises", "scheme": "external", "bound.every": 0}
    recipe = load_recipe("leduc").changed({**changes, "budget.iterations": 300})
    path = tmp_path / "leduc.blueprint"
    assert list(train(recipe, path))[-1].iterations == 300
    blueprint = Blueprint.open(path)
    tree, rows = blueprint.tree, blueprint.layout.groups
    one, other, third = (tree.node(line) for line in ("b2b4c/", "kb2b4c/", "kb2c/"))
    assert blueprint.layout.span(one) == blueprint.layout.span(other)
    assert blueprint.layout.span(one) != blueprint.layout.span(third)
    assert sum(len(group.starts) for group in rows) == sum(tree.group_decisions)
    assert blueprint.dense().size == sum(tree.num_entries((3, 9)))
