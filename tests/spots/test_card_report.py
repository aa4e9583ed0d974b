"""Reports over cards and boards: they add up."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from riverboat.cards import HOLES
from riverboat.errors import SpotError
from riverboat.spots import (
    Solution,
    SolveSettings,
    SpotTable,
    card_report,
    solve,
    solve_file,
)
from spots.made import BLUFF, TURN

if TYPE_CHECKING:
    from pathlib import Path


def test_a_report_over_rivers_adds_up(turn: Solution, tmp_path: Path) -> None:
    table = card_report(turn, "kk")
    assert len(table.rows) == 48
    assert table.player == "oop"
    mean = table.mean
    assert sum(mean.frequencies.values()) == pytest.approx(1)
    assert sum(mean.values) == pytest.approx(20)
    # Over all cards, what is won is what the turn said it would be.
    source, line = turn._source, turn.tree.node("kk")
    chance = int(turn.tree.parent[line])
    node = turn.node("k")
    won = node.action_values[:, node.actions.index("k")]
    reach = node.reach.copy()
    reach[1] *= np.nan_to_num(node.strategy[:, node.actions.index("k")])
    values = source.values(1, chance, ())
    assert np.nanmax(np.abs(values - won)) < 1e-6
    met = np.array([reach[0][~_shares(h)].sum() for h in range(1326)])
    expected = np.nansum(reach[1] * met * values) / (reach[1] * met).sum()
    assert mean.values[1] == pytest.approx(expected, abs=1e-6)
    for name in ("r.csv", "r.json"):
        table.write(tmp_path / name)
    assert (tmp_path / "r.csv").read_text().startswith("cards,weight,k,b")
    assert json.loads((tmp_path / "r.json").read_text())["rows"][0]["name"] == "As"
    with pytest.raises(SpotError, match="name must end in"):
        table.write(tmp_path / "r.pdf")


def test_pictures(turn: Solution, tmp_path: Path) -> None:
    nodes = [(card, turn.node("kk", card)) for card in ("As", "8d")]
    SpotTable.of("After kk", nodes).write(tmp_path / "table.png")
    list(solve_file(BLUFF, tmp_path / "run", SolveSettings(target=0.01)))
    for name in ("table.png", "run.png"):
        assert (tmp_path / name).read_bytes()[1:4] == b"PNG"


def _shares(index: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """[1326] which hands share a card with one."""
    return np.asarray(np.isin(HOLES, HOLES[index]).any(axis=1))


def test_reports_that_cannot_be(turn: Solution) -> None:
    with pytest.raises(SpotError, match="needs a line to a later street"):
        card_report(turn, "k")
    with pytest.raises(SpotError, match="the same player"):
        SpotTable.of("both", [("a", turn.node()), ("b", turn.node("k"))])


def test_a_report_over_boards(turn: Solution) -> None:
    other = solve(TURN.changed({"board": "Ks7h2d3c"}), SolveSettings(target=0.05)).finish()
    table = SpotTable.of("At the start", [(s.spot.board, s.node()) for s in (turn, other)])
    assert [row.name for row in table.rows] == ["Ks7h2d2c", "Ks7h2d3c"]
    assert len(table.frame_columns()["ev oop"]) == 2
