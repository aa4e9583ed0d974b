"""Thresholds: rare bets and folds become checks and calls, in every form of a strategy alike."""

from pathlib import Path

import pytest

from blueprint.strategies import leduc_solver, random_table, save
from riverboat.blueprint import Blueprint, Layout, without_rare
from riverboat.blueprint._rare_actions import block_without_rare, rows_without_rare
from riverboat.game import catalogue
from riverboat.tree import Tree


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.3, 0.5, 1.0])
@pytest.mark.parametrize(
    ("game", "menu"), [("leduc", "min"), ("discard-2017", "a ; cap 1"), ("kuhn", "min")]
)
def test_all_forms_agree(game: str, menu: str, threshold: float) -> None:
    tree = Tree(catalogue(game), menu)
    layout = Layout(tree, [2] * len(tree.group_entries))
    table = random_table(layout, seed=4) + 0.5
    swaps = moved = 0
    for chunk in layout.chunks():
        rows = layout.groups[chunk.group]
        block = table[chunk.entries].reshape(chunk.num_buckets, -1)
        block = block / rows.spread(rows.sums(block))
        played = block_without_rare(block, rows, threshold)
        for start, count, node in zip(rows.starts, rows.counts, rows.nodes, strict=True):
            part = slice(start, start + count)
            actions = tree.actions(int(node))
            both = rows_without_rare(block[:, part], actions, threshold)
            assert both.tolist() == pytest.approx(played[:, part])
            for row, found in zip(block[:, part], both, strict=True):
                one = without_rare(dict(zip(actions, row.tolist(), strict=True)), threshold)
                assert list(one.values()) == pytest.approx(found.tolist())
                assert sum(one.values()) == pytest.approx(1)
                assert one.get("f", 0) <= row[0]
                for passive in {"k", "c"} & {*actions}:
                    assert one[passive] >= row[actions.index(passive)]
                moved += list(one.values()) != row.tolist()
                swaps += "s" in actions
    assert (moved > 0) == (threshold > 0) or game == "kuhn"  # it has few rows
    assert (swaps > 0) == (game == "discard-2017")


def test_what_is_likeliest_stays() -> None:
    strategy = {"f": 0.5, "c": 0.125, "b60": 0.375}
    assert without_rare(strategy, 1) == {"f": 0.5, "c": 0.5, "b60": 0.0}
    assert without_rare(strategy, 0.4) == {"f": 0.5, "c": 0.5, "b60": 0.0}
    assert without_rare(strategy, 0.3) == strategy  # a rare call is no fold
    assert without_rare({"f": 0.25, "c": 0.0, "b60": 0.75}, 0.3) == {"f": 0, "c": 0.25, "b60": 0.75}


def test_a_whole_table_as_played(tmp_path: Path) -> None:
    blueprint = Blueprint.open(save(leduc_solver(20), tmp_path / "a"))
    node, bucket = blueprint.tree.node("b2"), 1
    span = blueprint.layout.span(node)
    begin = span.entry + bucket * span.bucket_entries
    played = blueprint.dense(threshold=0.4)[begin : begin + span.num_actions]
    row = blueprint.row(node, bucket)
    assert row is not None
    named = dict(zip(blueprint.tree.actions(node), row.tolist(), strict=True))
    assert played.tolist() == pytest.approx(list(without_rare(named, 0.4).values()))
    assert played.tolist() != row.tolist()
