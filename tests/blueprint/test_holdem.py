"""Hold'em blueprints carry their card abstraction."""

from pathlib import Path

import numpy as np
import pytest

from blueprint.strategies import random_table
from riverboat.blueprint import Blueprint, Header, Layout, verify, write_blueprint
from riverboat.buckets import CardAbstraction, bucket_tables, make_abstraction
from riverboat.cards import HandStrength
from riverboat.errors import BlueprintError
from riverboat.game import catalogue
from riverboat.tree import Tree

TREE = Tree(catalogue("cardiff"), "cardiff")


@pytest.fixture(scope="module")
def cards(tables: HandStrength) -> CardAbstraction:
    return make_abstraction("percentile 169/20", tables)


def test_the_abstraction_travels_in_the_file(
    cards: CardAbstraction, tables: HandStrength, tmp_path: Path
) -> None:
    buckets = Header.of(TREE, cards).num_buckets
    assert buckets == (169, 169, 20, 20)
    table = random_table(Layout(TREE, buckets), seed=1)
    header = Header.of(TREE, buckets, pruned=True)
    findings = write_blueprint(tmp_path / "a", header, TREE, table, cards)
    blueprint = Blueprint.open(tmp_path / "a")
    assert verify(blueprint) == findings
    assert [finding.check for finding in findings] == ["distributions", "visited", "aces"]
    assert [finding.level for finding in findings] == ["good", "good", "warning"]
    assert blueprint.cards is not None
    assert blueprint.cards.name == cards.name
    for hole, board in (("AhKh", ""), ("AhKh", "Qh7c2d"), ("2c2d", "Qh7c2h")):
        assert blueprint.cards.street_bucket(hole, board) == cards.street_bucket(hole, board)
    deals = blueprint.deals(tables=tables)
    assert deals.num_buckets == blueprint.num_buckets


@pytest.mark.parametrize("folded", [0.0, 0.25])
def test_aces_that_are_folded_are_noticed(
    cards: CardAbstraction, tmp_path: Path, folded: float
) -> None:
    buckets = Header.of(TREE, cards).num_buckets
    average = np.ones(Layout(TREE, buckets).num_entries)
    # Before the flop every decision but the big blind's option after a call can fold.
    can_fold = [node for node in range(TREE.num_nodes) if TREE.actions(node)[:1] == ("f",)]
    entries = int(TREE.group_entries[0])
    for node in can_fold:
        if TREE.street[node] == 0:
            group = int(TREE.group[node])
            begin = group * 169 * entries + cards.street_bucket("AhAs") * int(
                TREE.group_entries[group]
            )
            begin += int(TREE.offset[node])
            count = int(TREE.num_actions[node])
            average[begin : begin + count] = (1 - folded) / (count - 1)
            average[begin] = folded
    findings = write_blueprint(tmp_path / "a", Header.of(TREE, buckets), TREE, average, cards)
    assert findings[2].level == ("warning" if folded else "good")
    assert findings[2].value == pytest.approx(folded)


def test_wrong_cards_are_refused(cards: CardAbstraction, tmp_path: Path) -> None:
    wrong = Header.of(TREE, (169, 169, 7, 7))
    table = np.ones(Layout(TREE, (169, 169, 7, 7)).num_entries)
    with pytest.raises(BlueprintError, match=r"has \(169, 169, 20, 20\) buckets by group"):
        write_blueprint(tmp_path / "a", wrong, TREE, table, cards)
    with pytest.raises(
        BlueprintError, match=r"boards of 0, 3, 4, 5 cards, but '.*' is for boards of 0, 3"
    ):
        Header.of(Tree(catalogue("limit"), "min"), cards)
    buckets = Header.of(TREE, cards).num_buckets
    table = np.ones(Layout(TREE, buckets).num_entries)
    write_blueprint(tmp_path / "a", Header.of(TREE, buckets), TREE, table, cards)
    with pytest.raises(BlueprintError, match="but its cards have"):
        Blueprint.open(tmp_path / "a").deals(bucket_tables(make_abstraction("suitless 2")))
