"""One decision for all hands: buckets, strategies, reach."""

from pathlib import Path

import numpy as np
import pytest

from riverboat.blueprint import (
    Blueprint,
    Header,
    Layout,
    decision_at,
    decisions_to,
    line_reach,
    write_blueprint,
)
from riverboat.blueprint._buckets import board_buckets
from riverboat.buckets import CardAbstraction, make_abstraction
from riverboat.cards import (
    HOLES,
    HandStrength,
    as_cards,
    class_text,
    hands_met,
    hole_index,
    parse_hole,
)
from riverboat.errors import BlueprintError, CardError
from riverboat.game import catalogue
from riverboat.tree import Tree

FLOP = "Qh7c2d"


def no_tables() -> HandStrength:
    raise AssertionError("suitless buckets need no tables")


@pytest.fixture(scope="module")
def blueprint(tmp_path_factory: pytest.TempPathFactory) -> Blueprint:
    """Random weights, one row in five untrained."""
    cards = make_abstraction("suitless 2")
    tree = Tree(catalogue("cardiff"), "min ; cap 1")
    layout = Layout(tree, Header.of(tree, cards).num_buckets)
    rng = np.random.default_rng(2)
    table = rng.integers(1, 1000, layout.num_entries).astype(np.float32)
    for chunk in layout.chunks():
        block = table[chunk.entries].reshape(chunk.num_buckets, -1)
        rows = layout.groups[chunk.group]
        block[rows.spread(rng.random((chunk.num_buckets, len(rows.nodes)))) < 0.2] = 0
    path = tmp_path_factory.mktemp("view") / "small.blueprint"
    write_blueprint(path, Header.of(tree, layout.num_buckets), tree, table, cards)
    return Blueprint.open(path)


def test_every_hand_by_the_definition(blueprint: Blueprint) -> None:
    """Strategy and reach of single hands, asked one by one."""
    tree, cards = blueprint.tree, blueprint.cards
    assert cards is not None
    node = tree.node("b20c/kb10")  # seat 1 checked, seat 0 bet: seat 1 decides
    view = decision_at(blueprint, node, FLOP, no_tables)
    assert int(tree.player[node]) == 1
    for text in ("AhKh", "7s7d", "3c2h", "Th9h"):
        hole = parse_hole(text)
        bucket, before = cards.street_bucket(text, FLOP), cards.street_bucket(text)
        assert view.buckets[hole] == bucket
        row = blueprint.row(node, bucket)
        assert view.trained[hole] == (row is not None)
        if row is not None:
            np.testing.assert_allclose(view.strategy[hole], row)
        called = blueprint.row(tree.node("b20"), before)
        checked = blueprint.row(tree.node("b20c/"), bucket)
        expected = (0.5 if called is None else called[1]) * (0.5 if checked is None else checked[0])
        assert view.reach[1, hole] == pytest.approx(expected)


def test_reach_of_both_players(blueprint: Blueprint) -> None:
    tree = blueprint.tree
    node = tree.node("b20c/kb10")
    reach = line_reach(blueprint, node, FLOP, no_tables)
    np.testing.assert_array_equal(reach, decision_at(blueprint, node, FLOP, no_tables).reach)
    before = decision_at(blueprint, tree.node("b20c/k"), FLOP, no_tables)
    bet = np.where(np.isnan(before.strategy[:, 1]), 0.5, before.strategy[:, 1])
    np.testing.assert_allclose(reach[0], before.reach[0] * bet)
    assert line_reach(blueprint, 0, "", no_tables).tolist() == [[1.0] * 1326] * 2
    with pytest.raises(BlueprintError, match="is not a decision"):
        line_reach(blueprint, tree.node("f"), "", no_tables)


def test_all_decisions_on_the_way_at_once(blueprint: Blueprint) -> None:
    """The same as asked one by one, each with the cards of its street."""
    tree = blueprint.tree
    lines = ["", "b20", "b20c/", "b20c/k", "b20c/kb10"]
    found = decisions_to(blueprint, tree.node(lines[-1]), FLOP, no_tables, threshold=0.2)
    assert [each.line for each in found] == [tree.line(tree.node(line)) for line in lines]
    for line, ours in zip(lines, found, strict=True):
        theirs = decision_at(blueprint, line, FLOP if "/" in line else "", no_tables, threshold=0.2)
        assert (ours.board, ours.where, ours.note) == (theirs.board, theirs.where, theirs.note)
        np.testing.assert_allclose(ours.reach, theirs.reach)
        np.testing.assert_array_equal(ours.strategy, theirs.strategy)


def test_classes_are_means_over_live_suits(blueprint: Blueprint) -> None:
    node = blueprint.tree.node("ck/")
    view = decision_at(blueprint, node, FLOP, no_tables)
    assert int(view.alive.sum()) == 49 * 48 // 2
    queens = [hole_index(a, b) for a, b in HOLES.tolist() if a // 4 == b // 4 == 10]
    live = [hole for hole in queens if view.alive[hole]]
    assert len(live) == 3  # of six pairs, without the queen of hearts
    by_class, reach = view.by_class(), view.class_reach()
    index = [class_text(i) for i in range(169)].index("QQ")
    own = view.reach[view.player]
    assert reach[index] == pytest.approx(own[live].mean())
    known = [hole for hole in live if view.trained[hole]]
    assert np.isnan(by_class[index, 0]) == (not known)
    if known:  # weighted by reach
        wanted = np.average(view.strategy[known], axis=0, weights=own[known] + 1e-9)
        np.testing.assert_allclose(by_class[index], wanted)
    sums = by_class.sum(axis=1)
    np.testing.assert_allclose(sums[~np.isnan(sums)], 1, atol=1e-6)
    weights = np.where(view.trained, own * hands_met(view.reach[1 - view.player]), 0)
    expected = (weights[:, None] * np.nan_to_num(view.strategy)).sum(axis=0) / weights.sum()
    np.testing.assert_allclose(view.frequencies(), expected)


@pytest.fixture(scope="module")
def recalling(tables: HandStrength) -> CardAbstraction:
    """Up to the turn, with perfect recall."""
    return make_abstraction("lossless | percentile 10 | percentile 10 recall", tables)


@pytest.mark.parametrize("board", ["", "Qh7c2d", "Qh7c2dTs", "AsAd2c2dTh"])
def test_board_buckets_are_those_of_single_hands(
    tables: HandStrength, recalling: CardAbstraction, board: str
) -> None:
    cards = make_abstraction("suitless 4") if len(board) == 10 else recalling
    found = board_buckets(cards, tuple(as_cards(board)), lambda: tables)
    boards = [board[: 2 * size] for size in (0, 3, 4, 5) if 2 * size <= len(board)]
    assert len(found) == len(boards)
    rng = np.random.default_rng(3)
    for hole in rng.choice(1326, 12, replace=False).tolist():
        pair = HOLES[hole].tolist()
        if set(pair) & set(as_cards(board)):
            assert found[-1][hole] == -1
            continue
        wanted = cards.combine([cards.street_bucket(pair, part) for part in boards])
        assert found[-1][hole] == wanted


def test_board_buckets_without_tables_are_the_same(tables: HandStrength) -> None:
    cards = make_abstraction("lossless | suitless | percentile 10", tables)
    board, told = tuple(as_cards("Qh7c2dTs")), []
    with_tables = board_buckets(cards, board, lambda: tables)
    without = board_buckets(cards, board, lambda: None, lambda *report: told.append(report))
    for ours, theirs in zip(without, with_tables, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert told[-1] == (1326, 1326)


def test_hands_that_the_deck_lacks_are_not_there(tmp_path: Path) -> None:
    """Short deck: 36 cards, so 630 hole pairs, and 33 * 32 / 2 after a flop."""
    cards = make_abstraction("suitless 4")
    tree = Tree(catalogue("short-deck"), "a ; cap 1")
    header = Header.of(tree, cards)
    path = tmp_path / "short.blueprint"
    write_blueprint(path, header, tree, np.ones(header.entries, np.float32), cards)
    blueprint = Blueprint.open(path)
    start = decision_at(blueprint, "", open_tables=no_tables)
    assert start.alive.sum() == 36 * 35 // 2
    assert not start.cells()[-1].alive  # deuces
    flop = decision_at(blueprint, "ck/", "AhKhQh", no_tables)
    assert (flop.reach > 0).sum(axis=1).tolist() == [33 * 32 // 2] * 2


def test_wrong_boards_get_a_sentence(blueprint: Blueprint) -> None:
    flop = blueprint.tree.node("ck/")
    with pytest.raises(CardError, match="the board has 3 cards, but none are given: give 3"):
        decision_at(blueprint, flop)
    with pytest.raises(CardError, match="has 0 cards, but Qh7c2d are given: omit --board"):
        decision_at(blueprint, 0, FLOP)
    with pytest.raises(BlueprintError, match="not a decision"):
        decision_at(blueprint, blueprint.tree.node("f"))
