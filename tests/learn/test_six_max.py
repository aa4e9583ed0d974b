"""Charts and decisions of a strategy for six players, by position and opener."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bots.strategy_files import random_strategy
from cli.typed import riverboat
from riverboat.blueprint import Blueprint, decision_at
from riverboat.game import catalogue
from riverboat.learn import preflop_charts

if TYPE_CHECKING:
    from pathlib import Path

    from riverboat.cards import HandStrength

MENU = "2.5x | a ; sb 3x ; cap 2 ; limp sb ; flop 2 / none"


@pytest.fixture(scope="module")
def file(tables: HandStrength, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("six") / "six.blueprint"
    six = catalogue("nolimit-100bb", players=6)
    return random_strategy(path, six, MENU, "equity-bins 3/4/3/4", tables)


def test_charts_name_position_and_opener(file: Path) -> None:
    charts = {chart.line: chart for chart in preflop_charts(Blueprint.open(file), least=0)}
    titles = {line: chart.title for line, chart in charts.items()}
    assert [titles["f" * folds] for folds in range(5)] == [
        "LJ, open", "HJ, open", "CO, open", "BTN, open", "SB, open",
    ]  # fmt: skip
    assert titles["ffffc"] == "BB, against a limp by SB"
    assert titles["fffb25f"] == "BB, against a raise by BTN"
    assert titles["b25fc"] == "BTN, against a raise by LJ, 1 caller"
    assert titles["fffb25fb1000"] == "BTN, against a 3-bet by BB"
    opens = [title for title in titles.values() if title.endswith("open")]
    assert opens == [titles["f" * folds] for folds in range(5)]  # in the order of acting
    values = charts["b25fc"].as_dict()
    assert (values["opener"], values["callers"]) == ("LJ", 1)


def test_a_decision_without_check_or_call_is_shown(file: Path) -> None:
    """The first seat may not limp: it folds or raises, and the price is the big blind."""
    view = decision_at(Blueprint.open(file), "")
    assert view.actions == ("f", "b25")
    assert (view.players[view.player], view.to_call) == ("LJ", 10)
    shown = riverboat("show", str(file), "--json")
    assert json.loads(shown.stdout)["to_call"] == 10
    assert "LJ decides" in riverboat("show", str(file)).stdout
    assert "HJ decides" in riverboat("show", str(file), "b25").stdout
