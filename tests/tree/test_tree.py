"""Counts, lines, arrays and refusals of betting trees."""

from __future__ import annotations

import doctest
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest

from riverboat.errors import GameError, IllegalActionError, MenuError
from riverboat.game import GameSpec, Street, catalogue
from riverboat.tree import DECISION, FOLD, SHOWDOWN, Tree

LAPTOP = Tree(catalogue("nolimit-100bb"), "laptop")


@pytest.mark.parametrize(
    ("game", "menu", "decisions"),
    [
        # Kuhn (1950): '', k, kb, b.
        ("kuhn", "min", (4,)),
        # By hand: a street has '', k, b, kb, bb, kbb; five of its lines lead on to the next:
        # kk, bc, kbc, bbc, kbbc.
        ("leduc", "min", (6, 30)),
        # 48 information sets of 4 cards (Abou Risk & Szafron 2010).
        ("kuhn3", "min", (12,)),
        # Limit hold'em of the Annual Computer Poker Competition: 6,378 decisions, the design's
        # count of its betting tree. By hand: 8 before the flop, and 7 lines lead on; a later
        # street has 10, and 9 lines lead on: 8 + 70 * (1 + 9 + 81).
        ("limit", "yerevan", (8, 70, 630, 5670)),
        # Design target of the laptop menu: 11,324.
        ("nolimit-100bb", "laptop", (44, 480, 2344, 8456)),
        # Three raises a seat: six a street, 14 decisions and 13 lines on.
        ("nolimit-100bb", "cardiff", (14, 14 * 13, 14 * 13**2, 14 * 13**3)),
        ("cardiff", "cardiff", (14, 14 * 13)),
    ],
)
def test_decisions_by_street(game: str, menu: str, decisions: tuple[int, ...]) -> None:
    tree = Tree(catalogue(game), menu)
    assert tree.num_decisions == decisions
    terminals = sum(tree.num_folds) + sum(tree.num_showdowns)
    assert sum(decisions) + terminals == tree.num_nodes
    # Each action leads to one node, and only the root has no action.
    assert sum(tree.num_entries(1)) == tree.num_nodes - 1
    assert tree.num_infosets(1) == decisions


def test_infosets_and_memory() -> None:
    # Kuhn has 12 and Leduc 288 information sets (Southey et al. 2005, suits of no matter).
    assert Tree(catalogue("kuhn"), "min").num_infosets(3) == (12,)
    leduc = Tree(catalogue("leduc"), "min")
    assert leduc.num_infosets([3, 9]) == (18, 270)
    assert leduc.memory((3, 9)) == 12 * (3 * 14 + 9 * 70)
    assert leduc.memory((3, 9), bytes_per_entry=4) == 4 * (3 * 14 + 9 * 70)
    for buckets in (0, (3,), (3, 9, 9), (3, -1), "39", (3, 2.5), 2.5, None):
        with pytest.raises(GameError, match="2 numbers above 0"):
            leduc.num_infosets(buckets)  # type: ignore[arg-type]  # wrong on purpose


def test_where_tables_keep_their_groups() -> None:
    leduc = Tree(catalogue("leduc"), "min")
    assert leduc.table_bases((3, 3, 9, 9))[-1] == sum(leduc.num_entries((3, 9)))
    with pytest.raises(GameError, match="4 groups, but numbers of buckets are given for 2"):
        leduc.table_bases((3, 9))
    for wrong in (0, -1, 2**32):
        with pytest.raises(GameError, match="1 to 4,294,967,295 buckets"):
            leduc.table_bases((3, 3, 9, wrong))


def test_lines_lead_to_their_nodes() -> None:
    for node in range(0, LAPTOP.num_nodes, 37):
        assert LAPTOP.node(LAPTOP.line(node)) == node
    assert LAPTOP.line(0) == ""
    assert LAPTOP.line(LAPTOP.node("b25c/kb25c")) == "b25c/kb25c"
    assert LAPTOP.node("b25c/") == LAPTOP.node("b25c")
    assert LAPTOP.kind[LAPTOP.node("b1000c")] == SHOWDOWN
    assert LAPTOP.kind[LAPTOP.node("b1000f")] == FOLD
    limit = Tree(catalogue("limit"), "yerevan")
    assert limit.node("bb") == limit.node("b20b30")


def test_lines_that_are_not_in_the_tree() -> None:
    with pytest.raises(MenuError, match=r"after 'b25c': b30 is not .* has k, b25, b50, b975 there"):
        LAPTOP.node("b25c/b30")
    with pytest.raises(IllegalActionError):
        LAPTOP.node("b15")
    with pytest.raises(IllegalActionError):
        LAPTOP.node(3)  # type: ignore[arg-type]  # wrong on purpose
    for node in (-1, LAPTOP.num_nodes, "b25"):
        with pytest.raises(GameError, match="there is no node"):
            LAPTOP.line(node)  # type: ignore[arg-type]  # wrong on purpose


def test_arrays_are_views_that_cannot_be_written() -> None:
    names = [
        *("kind", "player", "street", "group", "num_actions", "first_child", "parent", "offset"),
        *("contributions", "action_kind", "action_amount", "payoffs", "payoff_index"),
        *("swap_lines", "group_player", "group_street", "group_swaps", "group_entries"),
        "group_decisions",
    ]
    for name in names:
        array = getattr(LAPTOP, name)
        assert not array.flags.writeable, name
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    assert np.shares_memory(LAPTOP.kind, LAPTOP.compiled.kind)
    # A view keeps the tree alive.
    kind = Tree(catalogue("leduc"), "min").kind
    assert (kind == DECISION).sum() == 36


def test_payoffs_of_two_players() -> None:
    node = LAPTOP.node("b25c/kb25f")
    assert LAPTOP.settle(node, [0, 0]).tolist() == [25.0, -25.0]
    showdown = LAPTOP.node("b1000c")
    row = LAPTOP.payoff_index[showdown] // 2
    assert LAPTOP.payoffs[row : row + 3].tolist() == [[1000, -1000], [0, 0], [-1000, 1000]]
    assert LAPTOP.settle(showdown, [7, 7]).tolist() == [0, 0]
    with pytest.raises(GameError, match="is a decision"):
        LAPTOP.settle(0, [1, 2])
    with pytest.raises(GameError, match="2 strengths"):
        LAPTOP.settle(showdown, [1, 2, 3])


def test_swaps_select_the_group() -> None:
    tree = Tree(catalogue("discard-2017"), "a ; cap 1")
    groups = zip(tree.group_player, tree.group_street, tree.group_swaps, strict=True)
    keys = {tuple(int(part) for part in key) for key in groups}
    # Before the first swap one line, after it two, after the second four.
    expected = {(p, 0, 0) for p in (0, 1)}
    expected |= {(p, 1, s) for p in (0, 1) for s in range(2)}
    expected |= {(p, street, s) for p in (0, 1) for street in (2, 3) for s in range(4)}
    assert keys == expected
    node = tree.node("ck/ds")
    assert tree.line(node) == "ck/ds"
    assert tree.swap_lines[node].tolist() == [0, 1]  # seat 1 is first after the flop
    assert tree.group_swaps[tree.group[node]] == 1
    assert tree.actions(tree.node("ck/d")) == ("s", "d")
    late = tree.node("ck/sskk/sd")
    assert tree.swap_lines[late].tolist() == [2, 0]
    # All-in seats swap, too.
    assert tree.actions(tree.node("b200c")) == ("s", "d")
    assert tree.kind[tree.node("b200c/sd/ds")] == SHOWDOWN


def test_refusals() -> None:
    with pytest.raises(GameError, match="more than 1000 nodes"):
        Tree(catalogue("nolimit-100bb"), "laptop", max_nodes=1000)
    assert Tree(catalogue("nolimit-100bb"), "laptop", max_nodes=29_078).num_nodes == 29_078
    with pytest.raises(GameError, match="more than 29077 nodes"):
        Tree(catalogue("nolimit-100bb"), "laptop", max_nodes=29_077)
    with pytest.raises(GameError, match="tossed cards"):
        Tree(catalogue("tossem-2026"), "a")
    many = ", ".join(f"{size}%" for size in range(100, 1600, 100))
    with pytest.raises(GameError, match="17 actions: at most 16"):
        Tree(catalogue("nolimit-200bb"), many)
    for max_nodes in (0, -1, 10**9, 1.5, True):
        with pytest.raises(GameError, match=r"1 to 200,000,000 nodes"):
            Tree(catalogue("kuhn"), "min", max_nodes)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(GameError, match="GameSpec"):
        Tree("kuhn", "min")  # type: ignore[arg-type]  # wrong on purpose


def test_deep_raising_wars() -> None:
    # 255 minimum raises per street are more than anybody needs, and work.
    spec = GameSpec(stacks=(10**6,) * 2, blinds=(1, 2), streets=(Street(hole=2, board=3),))
    tree = Tree(spec, "min")
    assert tree.num_nodes < 2000
    with pytest.raises(GameError, match="more than 100000 nodes"):
        Tree(catalogue("nolimit-200bb", players=10).replace(stacks=(10**12,) * 10), "min", 10**5)


def _recalled(tree: Tree, node: int) -> tuple[object, ...]:
    """What an infoset keeps of the line, counted from its text."""
    way = tree.way(node)
    raisers = {(int(tree.player[at]), int(tree.street[at])) for at, a in way if _bets(tree, at, a)}
    here = int(tree.street[node])
    last = [a for at, a in way if tree.street[at] == here and _bets(tree, at, a)]
    before = [sum((seat, s) in raisers for s in range(here)) for seat in range(tree.num_players)]
    kinds = tuple(action[0] for action in tree.actions(node))
    return int(tree.group[node]), kinds, last[-1:], before


def _bets(tree: Tree, node: int, action: int) -> bool:
    return tree.actions(node)[action].startswith("b")


@pytest.mark.parametrize("players", [2, 3])
def test_infosets_that_recall_raises(players: int) -> None:
    """Decisions share entries just where players know the same of the raises."""
    streets = (Street(hole=2), Street(board=3), Street(board=1))
    spec = GameSpec(stacks=(40,) * players, blinds=(1, 2) + (0,) * (players - 2), streets=streets)
    menu = "50%, 200% ; cap 2" if players == 2 else "100% ; cap 1"
    whole, shared = Tree(spec, menu), Tree(spec, f"{menu} ; recall raises")
    assert shared.num_decisions == whole.num_decisions
    decisions = np.flatnonzero(shared.kind == DECISION).tolist()
    known = {node: _recalled(shared, node) for node in decisions}
    entries = {(int(shared.group[node]), int(shared.offset[node])) for node in known}
    assert len(entries) == sum(shared.group_decisions) < sum(whole.group_decisions)
    places = {
        (str(key), int(shared.group[node]), int(shared.offset[node])) for node, key in known.items()
    }
    assert len(places) == len(entries) == len({str(key) for key in known.values()})
    for group, count in enumerate(shared.group_decisions.tolist()):
        rows = shared.decisions_of(group)
        assert len(rows) == count
        counts = shared.num_actions[rows].astype(int)
        assert shared.offset[rows].tolist() == [0, *np.cumsum(counts)[:-1].tolist()]
        assert counts.sum() == shared.group_entries[group]


def test_only_whole_games_recall_raises() -> None:
    with pytest.raises(GameError, match="recalls raises needs the tree of a whole game"):
        Tree(catalogue("leduc"), "min ; recall raises", start="kb2")


def test_pickle() -> None:
    copy = pickle.loads(pickle.dumps(LAPTOP))
    assert repr(copy) == repr(LAPTOP)
    assert np.array_equal(copy.first_child, LAPTOP.first_child)


@pytest.mark.threads
def test_building_lets_other_threads_run() -> None:
    """Two trees built at the same time in two threads are the same."""
    trees: list[Tree] = []
    threads = [
        threading.Thread(target=lambda: trees.append(Tree(catalogue("limit"), "yerevan")))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.array_equal(trees[0].offset, trees[1].offset)


def test_examples_of_the_guide() -> None:
    guide = Path(__file__).parents[2] / "docs" / "tree.md"
    results = doctest.testfile(str(guide), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0
