"""Trees from any state, and trees with chance nodes, against the plain tree of the whole game."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

from riverboat.blueprint import Header
from riverboat.errors import GameError, IllegalActionError, MenuError
from riverboat.game import GameSpec, Hand, Street, catalogue
from riverboat.solve import enumerate_deals
from riverboat.translation import Tracker
from riverboat.tree import CHANCE, DECISION, FOLD, SHOWDOWN, Tree
from tree.checks import check_offsets

GAMES = {
    "kuhn": (catalogue("kuhn"), "min"),
    "kuhn3": (catalogue("kuhn3"), "min"),
    "leduc": (catalogue("leduc"), "min"),
    "limit": (catalogue("limit"), "yerevan"),
    "nolimit": (catalogue("nolimit-100bb"), "laptop"),
    "discard": (catalogue("discard-2017"), "a ; cap 1"),
    "three": (catalogue("nolimit-100bb", players=3), "100% ; cap 1 / a ; cap 1"),
}
# Arrays that are the same for a node of the whole tree and of the tree below a state.
SAME = ["kind", "player", "street", "num_actions", "action_kind", "action_amount"]
SAME += ["contributions", "swap_lines"]


@pytest.fixture(scope="module", params=GAMES)
def whole(request: pytest.FixtureRequest) -> Tree:
    return Tree(*GAMES[request.param])


def nodes_below(tree: Tree, root: int) -> list[int]:
    """The node and all below it, in the order of their numbers."""
    found = [root]
    for node in found:
        found.extend(tree.children(node))
    return sorted(found)


def payoff_rows(tree: Tree, nodes: list[int]) -> list[list[float]]:
    """What terminals pay by order of strengths; of folds one row serves for all."""
    orders = [list(range(tree.num_players)), [5] * tree.num_players, [2, 1, 1][: tree.num_players]]
    ends = [node for node in nodes if tree.kind[node] in (FOLD, SHOWDOWN)]
    return [tree.settle(node, order).tolist() for node in ends for order in orders]


def check_subtree(whole: Tree, node: int) -> None:
    below = Tree(whole.spec, whole.menu, start=whole.line(node))
    nodes = nodes_below(whole, node)
    assert below.num_nodes == len(nodes)
    assert [below.line(i) for i in range(0, len(nodes), 7)] == [whole.line(n) for n in nodes[::7]]
    for name in SAME:
        skip = 1 if name.startswith("action") else 0  # the root has no action that leads to it
        here, there = getattr(below, name), getattr(whole, name)[nodes]
        assert np.array_equal(here[skip:], there[skip:]), name
    place = {number: index for index, number in enumerate(nodes)}
    assert below.parent[1:].tolist() == [place[int(whole.parent[n])] for n in nodes[1:]]
    firsts = [place.get(int(whole.first_child[n]), -1) for n in nodes]
    assert below.first_child.tolist() == firsts
    ends = range(below.num_nodes)
    sample = [i for i in ends if below.kind[i] != DECISION][:: 1 + below.num_nodes // 200]
    assert payoff_rows(below, sample) == payoff_rows(whole, [nodes[i] for i in sample])
    check_groups(whole, below, nodes)


def check_groups(whole: Tree, below: Tree, nodes: list[int]) -> None:
    """Decisions keep player, street and swaps; their entries keep their order, without gaps."""
    decisions = np.flatnonzero(below.kind == DECISION)
    originals = np.array(nodes)[decisions]
    here, there = below.group[decisions], whole.group[originals]
    for name in ("group_player", "group_street", "group_swaps"):
        assert np.array_equal(getattr(below, name)[here], getattr(whole, name)[there])
    check_offsets(below)
    for group in range(len(below.group_player)):
        mine = here == group
        order = np.argsort(below.offset[decisions[mine]])
        assert np.array_equal(order, np.argsort(whole.offset[originals[mine]]))


def test_tree_below_a_state_is_that_part_of_the_whole_tree(whole: Tree) -> None:
    rng = random.Random(5)
    decisions = np.flatnonzero(whole.kind == DECISION).tolist()
    for node in {0, *rng.sample(decisions, min(12, len(decisions)))}:
        check_subtree(whole, node)


def test_without_its_chance_nodes_it_is_the_plain_tree(whole: Tree) -> None:
    dealt = Tree(whole.spec, whole.menu, chance=True)
    kept = np.flatnonzero(dealt.kind != CHANCE)
    # Both trees are walked side by side: chance nodes are stepped over.
    pairs, image = [(0, 0)], {}
    for plain, node in pairs:
        while dealt.kind[node] == CHANCE:
            assert dealt.num_actions[node] == 1
            child = dealt.children(node)[0]
            assert dealt.parent[child] == node
            assert dealt.street[child] == dealt.street[node] + 1
            node = child  # noqa: PLW2901 - the walk goes on below it
        image[plain] = node
        pairs.extend(zip(whole.children(plain), dealt.children(node), strict=True))
    assert sorted(image.values()) == kept.tolist()
    nodes = [image[node] for node in range(whole.num_nodes)]
    for name in ["kind", "player", "street", "num_actions", "group", "offset", "contributions"]:
        assert np.array_equal(getattr(dealt, name)[nodes], getattr(whole, name)), name
    for name in ["group_entries", "group_decisions", "group_street", "payoffs"]:
        assert np.array_equal(getattr(dealt, name), getattr(whole, name)), name
    for node in range(0, whole.num_nodes, 1 + whole.num_nodes // 300):
        assert dealt.line(image[node]) == whole.line(node)
        assert dealt.node(whole.line(node)) == image[node]
        assert dealt.actions(image[node]) == whole.actions(node)


def test_chance_nodes_end_their_street() -> None:
    """Every street is left by chance nodes alone, and entered below them alone."""
    tree = Tree(*GAMES["nolimit"], chance=True)
    later = np.flatnonzero(tree.parent >= 0)
    steps = tree.street[later].astype(int) - tree.street[tree.parent[later]]
    assert np.array_equal(steps, (tree.kind[tree.parent[later]] == CHANCE).astype(int))
    assert (tree.parent[later] < later).all()
    assert tree.num_chances[-1] == 0
    # The number of lines to a street is that of its first decisions and runouts.
    for street in range(1, 4):
        entries = (tree.street == street) & (tree.kind[tree.parent] == CHANCE)
        assert tree.num_chances[street - 1] == entries.sum()


def test_run_outs_are_chance_nodes_in_a_row() -> None:
    tree = Tree(catalogue("nolimit-100bb"), "a", start="b1000", chance=True)
    assert tree.actions(0) == ("f", "c")
    assert tree.kind.tolist() == [DECISION, FOLD, CHANCE, CHANCE, CHANCE, SHOWDOWN]
    assert tree.street.tolist() == [0, 0, 0, 1, 2, 3]
    assert tree.parent.tolist() == [-1, 0, 0, 2, 3, 4]
    assert [tree.line(node) for node in range(2, 6)] == ["b1000c"] * 4
    assert tree.node("b1000c") == 5
    assert tree.actions(3) == ()
    assert tree.children(3) == range(4, 5)
    with pytest.raises(GameError, match="node 3 is a chance node: only terminals have payoffs"):
        tree.settle(3, [1, 2])
    assert tree.settle(5, [1, 2]).tolist() == [-1000.0, 1000.0]


def test_caps_count_what_was_raised_before() -> None:
    tree = Tree(catalogue("nolimit-100bb"), "100% ; cap 3", start="b20b50")
    assert tree.actions(0) == ("f", "c", "b150")
    assert tree.actions(tree.node("b20b50b150")) == ("f", "c")
    each = Tree(catalogue("nolimit-100bb"), "100% ; cap 1 each", start="b20b50")
    assert each.actions(0) == ("f", "c")


def test_bets_before_the_start_need_not_be_on_the_menu() -> None:
    spec = catalogue("nolimit-100bb")
    tree = Tree(spec, "100%", start="b37c/kb41")
    assert tree.contributions[0].tolist() == [78, 37]  # seat 1 is first after the flop
    assert tree.actions(0) == ("f", "c", "b197")
    assert tree.line(tree.node("b37c/kb41c/k")) == "b37c/kb41c/k"
    assert tree.start.line == "b37c/kb41"
    with pytest.raises(MenuError, match="'b25c' is not in the tree, which starts after 'b37c/kb41"):
        tree.node("b25c")
    with pytest.raises(MenuError, match="leaves the tree at its start: b100 is not on the menu"):
        tree.node("b37c/kb41b100")


def test_start_at_a_hand() -> None:
    """Its stacks count, its cards do not."""
    spec = catalogue("nolimit-100bb")
    hand = Hand(spec, seed=3, stacks=(200, 80))
    hand.play("b30c")
    tree = Tree(spec, "a", start=hand, chance=True)
    assert tree.start.hole_cards(0) == (-1, -1)
    assert tree.actions(0) == ("k", "b50")
    assert tree.node("b30c/b50c") == tree.num_nodes - 1
    assert tree.settle(tree.node("b30c/b50c"), [2, 1]).tolist() == [80, -80]
    hand.check()
    tree.start.check()
    assert tree.start.line == "b30c"
    copy = pickle.loads(pickle.dumps(tree))
    assert repr(copy) == repr(tree)
    assert np.array_equal(copy.contributions, tree.contributions)
    assert repr(tree).startswith("<Tree of nolimit-100bb below 'b30c' with chance nodes, menu 'a'")


def test_start_among_discards() -> None:
    """One seat has swapped, with a card that is known; the other is to choose."""
    spec = catalogue("discard-2017")
    hand = Hand(spec, hole=["AhKd", "QsQc"])
    hand.play("ck/dQs")
    tree = Tree(spec, "a ; cap 1", start=hand)
    assert tree.actions(0) == ("s", "d")
    assert tree.swap_lines[0].tolist() == [0, 1]
    assert tree.line(1) == "ck/ds"
    assert tree.start.full_line == "ck/d"


def test_blinds_that_put_everybody_all_in() -> None:
    streets = (Street(hole=2), Street(board=3, discard="swap"))
    spec = GameSpec(stacks=(2, 2), blinds=(1, 2), streets=streets)
    tree = Tree(spec.replace(stacks=(1, 2)), "a", chance=True)
    assert tree.street[0] == 1
    assert tree.actions(0) == ("s", "d")
    assert tree.line(tree.node("/ds")) == "/ds"
    assert tree.num_chances == (0, 0)


def test_whole_trees_only() -> None:
    spec = catalogue("leduc")
    assert Tree(spec, "min", start="").whole
    assert enumerate_deals(Tree(spec, "min", start=Hand(spec, seed=1))).num_deals
    for tree in (
        Tree(spec, "min", start="k"),
        Tree(spec, "min", chance=True),
        Tree(spec, "min", start=Hand(spec, stacks=(5, 5))),
    ):
        assert not tree.whole
        with pytest.raises(GameError, match="deals need the tree of a whole game"):
            enumerate_deals(tree)
        with pytest.raises(GameError, match="a blueprint needs the tree of a whole game: this"):
            Header.of(tree, (3, 3, 9, 9))
        with pytest.raises(GameError, match="translation needs the tree of a whole game: this"):
            Tracker(tree)


def test_refusals() -> None:
    spec = catalogue("leduc")
    for line in ("kk/kk", "b2f"):
        with pytest.raises(GameError, match=f"where a seat is to act: after '{line}' the hand is"):
            Tree(spec, "min", start=line)
    with pytest.raises(IllegalActionError):
        Tree(spec, "min", start="b3")
    with pytest.raises(GameError, match="must start at a Hand or a line of play, not 7"):
        Tree(spec, "min", start=7)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(GameError, match="tree of leduc cannot start at a hand of kuhn"):
        Tree(spec, "min", start=Hand(catalogue("kuhn")))
    with pytest.raises(GameError, match="more than 10 nodes"):
        Tree(spec, "min", 10, start="kk")
    with pytest.raises(GameError, match="tossed cards"):
        Tree(catalogue("tossem-2026"), "a", start="")
