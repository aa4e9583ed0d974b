"""The demo: what it says, and from its beginning to its end."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from reproductions.stored import replace
from riverboat.cards import HandStrength
from riverboat.cli._app import make_app
from riverboat.report import Table
from riverboat.reproductions import (
    Found,
    ReproductionRun,
    find_reproduction,
    reproduce,
)
from riverboat.reproductions.demo import training_recipe
from riverboat.statistics import Estimate

WON = {
    "shark": Estimate.with_margin(-9.0, 2.0),
    "our bot": None,
    "killer": Estimate(4.0, None),
    "fish": Estimate.with_margin(7.0, 3.0),
}
MEAN = Estimate.with_margin(10.0, 1.0)
POINT = Found(iterations=5, seconds=2.0, exploitability=3.0, low=2.5, high=3.5)
FOUND = Found(
    cards=Found(seconds=1.0, buckets=[169, 5], decisions=7),
    training=Found(
        iterations=10,
        seconds=4.0,
        iterations_per_second=2.5,
        infosets=9,
        visited=8,
        blueprint_bytes=100,
        curve=[POINT],
        big_blind=10,
        shipped_iterations=8,
    ),
    matches=Found(
        seconds=1.0,
        lines=[Found(bot=bot, mean=MEAN, lost=won) for bot, won in WON.items()],
        slowest_decision=0.002,
    ),
)


def tables_of(found: Found) -> tuple[str, list[Table]]:
    sections = find_reproduction("demo").sections(found, "tiny", 1)
    parts = [part for section in sections for part in section.parts]
    return str(parts), [part for part in parts if isinstance(part, Table)]


def test_the_verdict_is_the_intervals() -> None:
    words, _ = tables_of(FOUND)
    verdict = "beat 1 of 3 opponents; lost to shark; does not differ significantly from killer"
    assert f"Our bot {verdict} (95 % intervals)." in words


def test_a_verdict_leaves_out_what_did_not_happen() -> None:
    lines = [line for line in FOUND.matches.lines if line.bot in {"our bot", "fish"}]
    words, _ = tables_of(replace(FOUND, matches=replace(FOUND.matches, lines=lines)))
    assert "Our bot beat 1 of 1 opponents (95 % intervals)." in words


def test_the_leaderboard_leaves_out_what_is_not_known() -> None:
    _, (curve, board) = tables_of(FOUND)
    assert [row[2] for row in board.rows] == ["-9.0 ± 2.0", "", "+4.0 ± ?", "+7.0 ± 3.0"]
    assert board.rows[0][:2] == ("1. shark", "+10.0 ± 1.0")
    assert curve.rows == (("5", "2 s", "300 (250 to 350)"),)


def test_budgets_are_the_demos(tmp_path: Path) -> None:
    recipe = training_recipe(ReproductionRun("demo", tmp_path, effort="full", seed=5))
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
    assert page.count("data:image/png;base64,") == 4
    assert tuple(find_reproduction("demo").steps) == tuple(
        each["step"]
        for each in ReproductionRun("demo", tmp_path / "demo").log_lines()
        if each["event"] == "done"
    )


@pytest.mark.slow
def test_the_command(tables: HandStrength, tmp_path: Path) -> None:
    arguments = ["demo", "--quick", "--output", str(tmp_path / "demo"), "--json"]
    result = CliRunner().invoke(make_app(), arguments)
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)["reports"][0]
    assert report["command"] == "riverboat demo --quick"
    assert report["sections"][2]["parts"][1]["columns"][0] == "bot"
    assert tables.folder.exists()
