"""The demo: what it says, and from its beginning to its end."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from riverboat.cards import HandStrength
from riverboat.cli._app import make_app
from riverboat.report._report import Picture, Table
from riverboat.seeds import Reproduction, find_seed, reproduce
from riverboat.seeds._work import Won
from riverboat.seeds.demo.steps import Line, Matches, the_recipe
from riverboat.seeds.demo.view import matches_section, verdict


def line(bot: str, won: Won | None) -> Line:
    return Line(bot, Won(10.0, 1.0, 80), 5.0, (1.0, 9.0), won)


MATCHES = Matches(
    40,
    1.0,
    (
        line("shark", Won(-9.0, 2.0, 40)),
        line("our bot", None),
        line("killer", Won(4.0, -1.0, 40)),
        line("fish", Won(7.0, 3.0, 40)),
    ),
    0.002,
)


def test_the_verdict_is_the_intervals() -> None:
    assert verdict(MATCHES) == (
        "Our bot beat 1 of 3 opponents; lost to shark; is not told apart from killer "
        "(95 % intervals)."
    )


def test_the_leaderboard_leaves_out_what_is_not_known(tmp_path: Path) -> None:
    section = matches_section(Reproduction("demo", tmp_path), MATCHES)
    (table,) = (part for part in section.parts if isinstance(part, Table))
    assert [row[3] for row in table.rows] == ["-9 ± 2", "", "+4 ± ?", "+7 ± 3"]
    files = [part.file for part in section.parts if isinstance(part, Picture)]
    assert (tmp_path / files[0]).exists()


def test_budgets_are_the_demos(tmp_path: Path) -> None:
    recipe = the_recipe(Reproduction("demo", tmp_path, effort="full", seed=5))
    assert (recipe.budget.seconds, recipe.budget.iterations, recipe.seed) == (90, None, 5)


@pytest.mark.slow
def test_a_demo_from_beginning_to_end(tables: HandStrength, tmp_path: Path) -> None:
    report = reproduce("demo", tmp_path / "demo", effort="tiny", workers=1)
    assert tables.folder.exists()
    assert [section.title for section in report.sections] == [
        "Cards and bets",
        "Training",
        "Matches",
    ]
    page = (tmp_path / "demo" / "report.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == 3
    assert find_seed("demo").steps == tuple(
        each["step"]
        for each in Reproduction("demo", tmp_path / "demo").log_lines()
        if each["event"] == "done"
    )


@pytest.mark.slow
def test_the_command(tables: HandStrength, tmp_path: Path) -> None:
    arguments = ["demo", "--quick", "--folder", str(tmp_path / "demo"), "--json"]
    result = CliRunner().invoke(make_app(), arguments)
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)["reports"][0]
    assert report["command"] == "riverboat demo --quick"
    assert report["sections"][2]["parts"][1]["columns"][0] == "bot"
    assert tables.folder.exists()
