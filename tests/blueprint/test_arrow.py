"""Parquet and Arrow: every row of the strategy, once."""

import sys
from pathlib import Path

import numpy as np
import pytest

from blueprint.strategies import leduc_solver, random_table, save
from riverboat.blueprint import (
    Blueprint,
    Header,
    Layout,
    export_arrow,
    write_blueprint,
)
from riverboat.buckets import make_abstraction
from riverboat.cards import HandStrength
from riverboat.errors import BlueprintError
from riverboat.game import catalogue
from riverboat.solve import Scheme
from riverboat.tree import Tree


@pytest.mark.peer
@pytest.mark.parametrize("untrained", [False, True])
@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_leduc_is_exported_whole(tmp_path: Path, suffix: str, untrained: bool) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    blueprint = Blueprint.open(save(leduc_solver(30, Scheme("external")), tmp_path / "a"))
    path = tmp_path / f"leduc.{suffix}"
    count = export_arrow(blueprint, path, untrained=untrained)
    if suffix == "parquet":
        table = parquet.read_table(path)
    else:
        table = arrow.ipc.open_file(path).read_all()
    rows = table.to_pylist()
    assert len(rows) == count
    tree = blueprint.tree
    seen = set()
    for row in rows:
        node = tree.node(row["line"])
        action = tree.actions(node).index(row["action"])
        seen.add((node, row["bucket"], action))
        strategy = blueprint.row(node, row["bucket"])
        assert row["weight"] == blueprint.weight(node, row["bucket"])
        expected = 1 / tree.num_actions[node] if strategy is None else strategy[action]
        assert row["probability"] == np.float32(expected)
        assert (row["street"], row["player"]) == (tree.street[node], tree.player[node])
        assert len(row["hand"]) == (1 if row["street"] == 0 else 3)
    assert len(seen) == count
    trained = int((blueprint.weights() > 0).sum())
    infosets = len({(node, bucket) for node, bucket, _ in seen})
    assert infosets == (288 if untrained else trained)
    assert trained < 288
    assert {row["hand"] for row in rows if row["street"] == 0} == {"J", "Q", "K"}


@pytest.mark.peer
def test_starting_hands_are_named(tmp_path: Path, tables: HandStrength) -> None:
    pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    tree, cards = (
        Tree(catalogue("cardiff"), "cardiff"),
        make_abstraction("percentile 169/5", tables),
    )
    buckets = Header.of(tree, cards).num_buckets
    table = random_table(Layout(tree, buckets), seed=1)
    write_blueprint(tmp_path / "a", Header.of(tree, buckets), tree, table, cards)
    export_arrow(Blueprint.open(tmp_path / "a"), tmp_path / "a.parquet")
    rows = parquet.read_table(tmp_path / "a.parquet").to_pylist()
    assert len({row["hand"] for row in rows if row["street"] == 0}) == 169
    assert {row["hand"] for row in rows if row["street"] == 1} == {None}
    bucket = cards.street_bucket("AhKh")
    assert {row["hand"] for row in rows if row["street"] == 0 and row["bucket"] == bucket} == {
        "AKs"
    }


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blueprint = Blueprint.open(save(leduc_solver(5), tmp_path / "a"))
    with pytest.raises(BlueprintError, match="the suffix must be"):
        export_arrow(blueprint, tmp_path / "a.csv")
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # an import of it fails
    with pytest.raises(BlueprintError, match=r"pip install 'riverboat\[arrow\]'"):
        export_arrow(blueprint, tmp_path / "a.parquet")
    assert not (tmp_path / "a.parquet").exists()
