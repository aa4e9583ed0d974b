"""Trees edited by hand, trees with payoffs in fractions of a chip, and sizes by position."""

from __future__ import annotations

import pickle
import random
import re
from typing import Any

import numpy as np
import pytest

from riverboat.errors import GameError, IllegalActionError, MenuError
from riverboat.game import GameSpec, Hand, Rake, Street, catalogue
from riverboat.tree import DECISION, FOLD, SHOWDOWN, Tree
from tree.checks import check_offsets
from tree.test_twin import compare_nodes
from twins.tree import plain_tree

NOLIMIT = catalogue("nolimit-100bb")
MENU = "100%, a ; cap 2"
RIVER = GameSpec(
    stacks=(128, 127), antes=(28, 27), min_bet=1, streets=(Street(hole=2, board=5, first=0),)
)


def lines(tree: Tree) -> set[str]:
    return {tree.line(node) for node in range(tree.num_nodes) if tree.kind[node] != 3}


def test_added_lines_and_what_the_menu_makes_of_them() -> None:
    tree = Tree(NOLIMIT, MENU, added=["b25c/kb40", "b25b70"])
    assert tree.actions(0) == ("f", "c", "b25", "b30", "b1000")
    assert tree.actions(tree.node("b25")) == ("f", "c", "b70", "b75", "b1000")
    assert tree.actions(tree.node("b25b70")) == ("f", "c")  # two raises: the menu's cap
    assert tree.actions(tree.node("b25c/k")) == ("k", "b40", "b50", "b975")
    assert tree.actions(tree.node("b25c/kb40")) == ("f", "c", "b170", "b975")
    check_offsets(tree)
    # What was there before is all there still; what is on the menu may be added, too.
    short = NOLIMIT.replace(stacks=(100, 100))
    assert lines(Tree(short, MENU)) < lines(Tree(short, MENU, added=["b25c/kb40", "b25b70"]))
    assert lines(Tree(short, MENU, added=["b30"])) == lines(Tree(short, MENU))


def test_removed_lines_and_all_below() -> None:
    short = NOLIMIT.replace(stacks=(100, 100))
    tree = Tree(short, MENU, chance=True, removed=["b30c/k", "b100", "f"])
    whole = lines(Tree(short, MENU, chance=True))
    gone = ("b30c/k", "b100", "f")
    assert lines(tree) == {line for line in whole if not line.startswith(gone)}
    check_offsets(tree)


def test_random_edits_are_the_twins() -> None:
    spec = NOLIMIT.replace(stacks=(60, 60), streets=NOLIMIT.streets[:3])
    rng, compared = random.Random(16), 0
    every = sorted(lines(Tree(spec, MENU)) - {""})
    for _ in range(6):
        removed = rng.choice(every)
        line = rng.choice([each for each in every if re.search(r"b\d+$", each)])
        added = f"{line.rpartition('b')[0]}b{int(line.rpartition('b')[2]) - 1}"
        if added.startswith(removed) or not is_legal(spec, added):
            continue
        tree = Tree(spec, MENU, chance=True, added=[added], removed=[removed])
        plain = plain_tree(spec, tree.menu, chance=True, added=[added], removed=[removed])
        compare_nodes(tree, plain, rng)
        compared += 1
    assert compared > 1


def is_legal(spec: GameSpec, line: str) -> bool:
    try:
        Hand.from_line(spec, line)
    except IllegalActionError:
        return False
    return True


def test_edits_below_a_state_and_pickled() -> None:
    tree = Tree(NOLIMIT, MENU, start="b30c", chance=True, added=["b30c/b33"], removed=["b30c/k"])
    assert tree.actions(0) == ("b33", "b60", "b970")
    assert "edited" in repr(tree)
    copy = pickle.loads(pickle.dumps(tree))
    assert copy.actions(0) == tree.actions(0)
    assert np.array_equal(copy.payoffs, tree.payoffs)


@pytest.mark.parametrize(
    ("edits", "sentence"),
    [
        ({"removed": ["b40"]}, "'b40' cannot be removed: the tree has none"),
        ({"removed": ["b30", "b30c/k"]}, "'b30c/k' cannot be removed"),
        ({"added": ["b30b99"], "removed": ["b30"]}, "'b30b99' cannot be added"),
        ({"added": ["b40"], "removed": ["b40"]}, "'b40' cannot be added"),
        ({"removed": ["f", "c", "b30", "b1000"]}, "no action left"),
        ({"added": ["b15"]}, "not allowed"),
        ({"added": ["b25cb50"]}, "/"),
        ({"added": [""]}, "empty line"),
        ({"added": "b25"}, "list of text"),
        ({"added": ["b25"] * 1001}, "at most 1,000"),
        ({"removed": ["k" * 3000]}, "at most 2,000 characters"),
    ],
)
def test_what_is_impossible(edits: dict[str, Any], sentence: str) -> None:
    with pytest.raises((MenuError, GameError), match=re.escape(sentence)):
        Tree(NOLIMIT, MENU, **edits)


def test_edited_trees_are_not_whole() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"added": ["b25"]}, "was edited by hand"),
        ({"fractions": True}, "pays in fractions of a chip"),
    ]
    for options, why in cases:
        tree = Tree(NOLIMIT, MENU, **options)
        with pytest.raises(GameError, match=why):
            tree.require_whole("a blueprint")


def test_parts_of_a_chip() -> None:
    spec = RIVER.replace(rake=Rake(5, 4))
    tree = Tree(spec, "50%, a ; cap 1", fractions=True)
    # A pot of 55: rake 2.75, each gets half of the rest; with 28 called 111: rake 4, the cap.
    assert tree.settle(tree.node("kk"), [1, 1]).tolist() == [26.125 - 28, 26.125 - 27]
    assert tree.settle(tree.node("kk"), [2, 1]).tolist() == [52.25 - 28, -27]
    assert tree.settle(tree.node("b28c"), [1, 2]).tolist() == [-56, 107 - 55]
    assert tree.settle(tree.node("b28f"), [0, 0]).tolist() == [52.25 - 28, -27]
    # At a table the odd chip goes to the seat left of the button, and rake is rounded down.
    table = Tree(RIVER, "50%, a ; cap 1")
    assert table.settle(table.node("kk"), [1, 1]).tolist() == [27 - 28, 28 - 27]
    with pytest.raises(GameError, match="only two players"):
        Tree(catalogue("kuhn3"), "min", fractions=True)


def test_parts_are_the_rules_to_a_chip() -> None:
    spec = RIVER.replace(rake=Rake(3.5, 6))
    menu = "33%, 75%, a ; cap 3"
    parts, table = Tree(spec, menu, fractions=True), Tree(spec, menu)
    ends = [n for n in range(table.num_nodes) if table.kind[n] in (FOLD, SHOWDOWN)]
    for node in ends:
        for order in ([2, 1], [1, 1], [1, 2]):
            gap = np.abs(parts.settle(node, order) - table.settle(node, order))
            assert gap.max() < 1.0


def test_sizes_by_position() -> None:
    # Before the flop the small blind opens, after it the big blind.
    menu = "min ; ip 100% ; cap 2 / 50% | 3x ; ip 75% | 2x ; donk 25%"
    tree = Tree(NOLIMIT, menu, max_nodes=2_000_000)
    assert tree.actions(0) == ("f", "c", "b20")
    assert tree.actions(tree.node("c")) == ("k", "b30")
    assert tree.actions(tree.node("ck")) == ("k", "b10")
    assert tree.actions(tree.node("ck/k")) == ("k", "b15")
    assert tree.actions(tree.node("ck/b10")) == ("f", "c", "b20")
    assert tree.actions(tree.node("ck/kb15")) == ("f", "c", "b45")
    # The big blind called a raise: a donk bet; on the turn only after calling again.
    assert tree.actions(tree.node("b20c")) == ("k", "b10")
    assert tree.actions(tree.node("b20c/kk")) == ("k", "b20")
    assert tree.actions(tree.node("b20c/kb30c")) == ("k", "b25")
    assert tree.actions(tree.node("b20c/b10c")) == ("k", "b30")
    assert Tree(NOLIMIT, menu, start="b20c/kb30c", chance=True).actions(0) == ("k", "b25")
    with pytest.raises(GameError, match="for two players, not for 3"):
        Tree(catalogue("nolimit-100bb", players=3), "a ; donk 50%")


def test_geometric_sizes_end_all_in() -> None:
    """Called on every street, as many bets as `e` says put the stacks in, to a chip's rounding."""
    streets = (Street(hole=2, board=3), Street(board=1), Street(board=1))
    spec = GameSpec(stacks=(1000, 1000), antes=(100, 100), min_bet=1, streets=streets)
    for menu, bets in (("e ; cap 1", 3), ("2e ; cap 1 / 1e ; cap 1", 2), ("1e ; cap 1", 1)):
        tree, line = Tree(spec, menu), ""
        for street in range(bets):
            bet = tree.actions(tree.node(line))[1]
            line += ("/" if street else "") + bet + "c"
        assert tree.contributions[tree.node(line)].tolist() == [1000, 1000]
        assert tree.kind[tree.node(line)] == SHOWDOWN


def test_added_and_forced_all_in() -> None:
    spec = RIVER.replace(stacks=(250, 250), antes=(50, 50))  # a pot of 100, 200 behind
    for menu, found in (
        ("50% ; add 199%", "k b50"),
        ("50% ; add 200%", "k b50 b200"),
        ("none ; add 200%", "k b200"),
        ("100% ; force 33% called", "k b100"),  # leaves 100 of 300
        ("100% ; force 34% called", "k b200"),
        ("60%, 100% ; near 24%", "k b60 b100"),  # 200 / 160 = 1.25
        ("60%, 100% ; near 25%", "k b100"),
        ("50%, 60%, 75%, 100% ; near 15%", "k b60 b100"),
    ):
        assert " ".join(Tree(spec, menu).actions(0)) == found, menu


def test_start_of_a_hand_keeps_its_donk() -> None:
    hand = Hand(NOLIMIT)
    hand.play("b20c")
    tree = Tree(NOLIMIT, "100% ; donk 25% ; cap 1", start=hand)
    assert tree.actions(0) == ("k", "b10")
    assert int(tree.num_decisions[1]) == int((tree.kind[tree.street == 1] == DECISION).sum())
