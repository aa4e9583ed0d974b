"""`riverboat train` as a user types it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from riverboat.cli._app import make_app
from riverboat.cli._train import cost_lines, next_steps, result_lines
from riverboat.game import catalogue
from riverboat.report import duration
from riverboat.training import RunFiles, cost_of, load_recipe, train

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _no_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not draw plots: tests of training check them."""
    for module in ("_member", "_train"):
        name = f"riverboat.training.{module}.plot_logs"
        monkeypatch.setattr(name, lambda _logs, path, *_: path.touch())


def run(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(make_app(), ["train", *arguments])
    assert result.exit_code == code, result.output
    return result


def test_plain_lines_without_a_terminal(tmp_path: Path) -> None:
    out = tmp_path / "kuhn"
    result = run("kuhn", "-o", str(out), "--iterations", "2000")
    assert "finished: iterations 2,000" in result.stdout
    assert "exact" in result.stdout
    assert "started" in result.stderr
    assert "started" not in result.stdout
    assert (tmp_path / "kuhn.blueprint").exists()
    assert (tmp_path / "kuhn.log.jsonl").exists()
    assert (tmp_path / "kuhn.png").exists()


def test_the_end_is_said_once_and_followed_by_next_steps(tmp_path: Path) -> None:
    out = tmp_path / ("long name of a folder " * 5) / "leduc.blueprint"
    out.parent.mkdir()
    result = run("leduc", "-o", str(out), "--iterations", "500", "--bound-every", "0")
    assert "finished: " not in result.stderr
    last = result.stdout.splitlines()
    assert sum(line.startswith("finished: ") for line in last) == 1
    assert last[-3:] == next_steps(out, catalogue("leduc"))  # each on one line
    assert "left" not in last[0]


def test_the_ends_of_members_are_shown(tmp_path: Path) -> None:
    result = run("kuhn", "-o", str(tmp_path / "k"), "--iterations", "100", "--ensemble", "2")
    lines = result.stderr.splitlines()
    assert [line[:3] for line in lines if "finished: " in line] == ["1/2", "2/2"]
    assert result.stdout.count("finished: ") == 1


def test_the_first_lines_show_only_what_is_known(tmp_path: Path) -> None:
    """The first measurement comes before the first report."""
    options = ("--iterations", "4000", "--bound-every", "0.01", "--report-every", "100")
    lines = run("leduc", "-o", str(tmp_path / "leduc"), *options).stderr.splitlines()
    assert lines[0].startswith("started: infosets 288; tables ")
    assert "per second" not in lines[0]
    measured = next(line for line in lines if line.startswith("measured: "))
    assert "a second 0;" not in measured
    assert "left unknown" not in measured
    assert "visited 0.0 %" not in measured


@pytest.mark.usefixtures("brief_estimates")
def test_measuring_is_part_of_the_announced_time(tmp_path: Path) -> None:
    recipe = load_recipe("leduc").changed({"bound.every": 0.001})
    found = cost_of(recipe, calibration_seconds=0.1)
    assert found.measuring_seconds > 0
    assert found.seconds == found.training_seconds + found.measuring_seconds
    (line,) = (line for line in cost_lines(recipe, found) if line.startswith("time: "))
    assert line.startswith(f"time: {duration(found.seconds)}: ")
    small = recipe.changed({"budget": {"iterations": 4000}, "bound.every": 0.05})
    # Between two measurements at least the last one is still to come.
    for now in train(small, tmp_path / "leduc", plot=False):
        if now.event == "measured" and now.iterations < 4000:
            assert now.measured is not None
            assert now.seconds_left >= now.measured.cost
    assert now.seconds_left == 0


def test_options_without_a_recipe(tmp_path: Path) -> None:
    out = tmp_path / "own"
    options = ("--game", "leduc", "--menu", "min", "--scheme", "outcome", "--seconds", "0.2")
    values = json.loads(run(*options, "--seed", "9", "-o", str(out), "--json").stdout)
    assert values["recipe"]["seed"] == 9
    assert values["seconds"] >= 0.2
    assert values["event"] == "finished"


def keys_of(values: dict[str, Any]) -> list[str]:
    """Every key, those of tables too."""
    keys = list(values)
    for key, value in values.items():
        if isinstance(value, dict) and key != "recipe":
            keys += [f"{key}.{inner}" for inner in value]
    return keys


@pytest.mark.usefixtures("brief_estimates")
@pytest.mark.parametrize("arguments", [("--estimate",), ()])
def test_json_keys_are_on_the_page(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    out = tmp_path / "kuhn"
    values = json.loads(run("kuhn", "-o", str(out), "--json", *arguments).stdout)
    assert values.pop("version")
    name = " ".join(["train", *arguments])
    _, _, rest = PAGE.partition(f"| `{name}` |")
    rows, _, _ = rest.partition("\n| `")  # the next command's; its own begin with an empty cell
    for key in keys_of(values):
        if key not in {"measured", "sizes"}:  # tables
            assert f"`{key}`" in rows or f"`.{key.rpartition('.')[2]}`" in rows, key


@pytest.mark.usefixtures("brief_estimates")
def test_estimate_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = run("leduc", "--estimate").stdout
    for part in ("memory", "disk", "time", "288 infosets", "later iterations are slower"):
        assert part in " ".join(shown.split())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("laptopp",), "laptop, leduc"),
        ((), "name a recipe"),
        (("kuhn", "--iterations", "0"), "'--iterations': '0' is not allowed"),
        (("kuhn", "--scheme", "pure cfr+"), "not sound"),
        (("kuhn", "--cards", "percentile 9/9"), "lossless"),
    ],
)
def test_refusals(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    result = CliRunner().invoke(make_app(), ["train", *arguments, "-o", str(tmp_path / "x")])
    assert result.exit_code != 0
    assert words in f"{result.exception} {result.output}"
    assert not list(tmp_path.iterdir())


def test_a_folder_as_output_takes_the_name_of_the_recipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("kuhn", "-o", ".", "--iterations", "100")
    (tmp_path / "bots").mkdir()
    run("kuhn", "-o", "bots", "--iterations", "100")
    assert (tmp_path / "kuhn.blueprint").exists()
    assert (tmp_path / "bots" / "kuhn.blueprint").exists()


def test_a_stopped_ensemble_names_only_files_that_exist(tmp_path: Path) -> None:
    out = tmp_path / "kuhn"
    recipe = load_recipe("kuhn").changed({"ensemble": 2, "budget": {"iterations": 100}})
    files = RunFiles.of(out)
    runs = train(recipe, out, plot=False)
    stopped = next(each for each in runs if each.event == "written")
    runs.close()  # type: ignore[attr-defined]  # it is a generator
    lines = result_lines(recipe, files, replace(stopped, event="stopped"))
    assert f"member: {files.member(1).blueprint}" in lines
    assert not any(line.startswith("blueprint:") for line in lines)
    assert any("--resume continues" in line for line in lines)
    values = json.loads(
        run(
            "kuhn", "-o", str(out), "--ensemble", "2", "--iterations", "100", "--resume", "--json"
        ).stdout
    )
    assert values["checkpoint"] is None  # members have theirs
    assert values["parts"] == [str(files.member(index).blueprint) for index in (1, 2)]
    for name in ("blueprint", "log", "plot"):
        assert Path(values[name]).exists()


def test_an_old_file_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "kuhn"
    run("kuhn", "-o", str(out), "--iterations", "100")
    before = (tmp_path / "kuhn.blueprint").read_bytes()
    result = CliRunner().invoke(make_app(), ["train", "kuhn", "-o", str(out)])
    assert "--resume" in str(result.exception)
    assert (tmp_path / "kuhn.blueprint").read_bytes() == before
    run("kuhn", "-o", str(out), "--iterations", "200", "--resume")
    run("kuhn", "-o", str(out), "--iterations", "100", "--force")
