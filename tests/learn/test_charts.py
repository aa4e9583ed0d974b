"""Preflop charts: the decisions they show, and what their files say."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from blueprint.strategies import leduc_solver, save
from cli.typed import riverboat
from riverboat.blueprint import Blueprint, decision_at, default_blueprint
from riverboat.cards import HOLE_CLASS, Range, parse_class
from riverboat.errors import BlueprintError
from riverboat.learn import (
    ChartBook,
    charts_html,
    preflop_charts,
    write_charts,
)


@pytest.fixture(scope="module")
def book() -> ChartBook:
    return ChartBook.of(Blueprint.open(default_blueprint()), "default")


def test_kinds_stand_for_what_came_before(book: ChartBook) -> None:
    kinds = {chart.line: chart.kind for chart in book.charts}
    assert kinds[""] == "open"
    assert kinds["c"] == "limp"
    assert kinds["b25"] == kinds["cb25"] == "defence"
    assert kinds["b25b75"] == "3-bet"
    assert kinds["b25b75b225"] == "4-bet"


def test_a_chart_is_the_decision_that_show_shows(book: ChartBook) -> None:
    chart = next(each for each in book.charts if each.line == "b25")
    view = decision_at(Blueprint.open(default_blueprint()), chart.line)
    assert (chart.position, chart.depth) == ("BB", 100)
    np.testing.assert_array_equal(chart.classes, view.by_class())


def test_decisions_that_hardly_come_are_left_out(book: ChartBook) -> None:
    blueprint = Blueprint.open(default_blueprint())
    assert min(chart.share for chart in book.charts) >= 0.002
    assert [chart.line for chart in preflop_charts(blueprint, least=1)] == [""]
    assert len(preflop_charts(blueprint, least=0)) == 30  # all decisions before the flop


def test_ranges_are_read_back_as_the_chart_has_them(book: ChartBook, tmp_path: Path) -> None:
    write_charts(tmp_path / "charts.txt", [book])
    lines = (tmp_path / "charts.txt").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# default, 100 bb: SB, open"
    ranges = [line for line in lines if line and not line.startswith("#")]
    chart = book.charts[0]
    for action, text in zip(chart.actions, ranges, strict=False):
        shares = chart.classes[:, chart.actions.index(action)].round(3)
        np.testing.assert_allclose(Range.parse(text).weights, shares[HOLE_CLASS], atol=1e-9)


def test_rows_add_up_to_one(book: ChartBook, tmp_path: Path) -> None:
    write_charts(tmp_path / "charts.csv", [book])
    text = (tmp_path / "charts.csv").read_text(encoding="utf-8").splitlines()
    head = "strategy depth_bb position chart line hand combos reach action words probability"
    assert text[0].split(",") == head.split()
    rows = list(csv.DictReader(text))
    aces = [row for row in rows if row["line"] == "b25" and row["hand"] == "AA"]
    assert sum(float(row["probability"]) for row in aces) == pytest.approx(1, abs=1e-3)
    assert {row["combos"] for row in aces} == {"6"}
    assert [row["words"] for row in aces][:3] == ["fold", "call", "3-bet to 7.5 bb"]


def test_the_page_has_every_chart_and_every_hand(book: ChartBook) -> None:
    page = charts_html([book], title="<mine>")
    assert "<h1>&lt;mine&gt;</h1>" in page
    assert page.count("<td") == 169 * len(book.charts)
    assert page.count("http") == 0


def test_the_command_writes_and_tells(tmp_path: Path) -> None:
    page, rows = tmp_path / "charts.html", tmp_path / "charts.csv"
    shown = riverboat("charts", "default", "-o", str(page), "-o", str(rows), "--json")
    told = json.loads(shown.stdout)["strategies"][0]
    first = told["charts"][0]
    assert first["title"] == "SB, open"
    assert len(first["classes"]) == 169
    assert first["classes"][parse_class("AA")]["hand"] == "AA"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert rows.read_text(encoding="utf-8").startswith("strategy,")


def test_the_terminal_draws_every_chart() -> None:
    shown = riverboat("charts", "default", "--least", "5", "--matrix").stdout
    assert shown.count("of hands") == shown.count("all-in 1000") > 3


def test_push_or_fold_is_a_book_of_its_own() -> None:
    told = json.loads(riverboat("charts", "push-fold-10bb", "--ante", "0.1", "--json").stdout)
    [found] = told["strategies"]
    assert found["shown"].startswith("push or fold, ante 0.1 bb")
    assert [chart["title"] for chart in found["charts"]] == ["SB, open", "BB, against a raise"]
    refused = riverboat("charts", "default", "--ante", "0.1", code=2)
    assert "--ante 0.1 is for push or fold" in refused.stderr


def test_what_has_no_charts_says_so(tmp_path: Path) -> None:
    with pytest.raises(BlueprintError, match="preflop charts need hold'em"):
        preflop_charts(Blueprint.open(save(leduc_solver(2), tmp_path / "leduc.blueprint")))
    told = riverboat("charts", "default", "-o", str(tmp_path / "charts.pdf"), code=2)
    assert "charts are written as .html, .csv, .txt" in told.stderr
