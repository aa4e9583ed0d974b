"""A blueprint as the strategy to exploit: what it plays in a spot is what it plays at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.cards import HOLES, SUIT_PERMUTATIONS, hole_permutations
from riverboat.errors import SpotError
from riverboat.game import Hand
from riverboat.runs import Stop
from riverboat.spots import Imported, SolveSettings, Spot, solve
from riverboat.spots._follow import _translated
from riverboat.spots._layout import Layout
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from riverboat.tree import Tree

BOARD, LINE = "Ks7h2d3c8d", "b25c/kk/kk"


@pytest.fixture(scope="module")
def blueprint() -> Blueprint:
    return Blueprint.open(default_blueprint())


def river(menu: str, **changes: object) -> Spot:
    """A river of the shipped strategy's game."""
    spot = Spot(
        board=BOARD, pot=50, stack=975, oop="QQ-88, AKs, 76s", ip="AA, KQ, 99:0.5", menu=menu,
        big_blind=10,
    )  # fmt: skip
    return spot.changed(changes)


def decisions(tree: Tree, player: int) -> list[int]:
    return np.flatnonzero((tree.kind == DECISION) & (tree.player == player)).tolist()


@pytest.mark.parametrize("threshold", [0.0, 0.3])
def test_rows_of_its_own_menu_are_what_a_bot_asks_for(
    blueprint: Blueprint, threshold: float
) -> None:
    """Every decision of both players, asked hand by hand."""
    spot = river("50%, 100%, a | 100%, a ; cap 3")
    tree, query = spot.tree(), blueprint.query(threshold=threshold)
    layout = Layout(spot, tree, isomorphism=True)
    for player in (0, 1):
        imported = Imported(blueprint, LINE, threshold=threshold)
        told = {node: rows for node, _, rows in imported.rows(layout, player)}
        assert sorted(told) == decisions(tree, player)
        for node, rows in told.items():
            for hole in layout.holes(player, ())[::9].tolist():
                cards = [HOLES[hole], (-1, -1)][:: -1 if player == 0 else 1]  # seat 1 is oop
                hand = Hand(
                    blueprint.tree.spec, hole=[list(map(int, c)) for c in cards], board=BOARD
                )
                hand.play(f"{LINE}/{tree.line(node)}".rstrip("/"))
                answer = query.strategy(hand.view(hand.actor or 0))
                if answer.status == "trained":
                    assert answer.exact
                    asked = dict(answer.actions)
                else:
                    asked = dict(query.menu(hand.view(hand.actor or 0)))
                assert rows[:, hole].tolist() == pytest.approx(
                    [asked.get(action, 0.0) for action in tree.actions(node)], abs=1e-3
                )
        assert imported.counts["trained"] > 0
        assert imported.counts["off-tree"] == 0


def test_bets_off_its_menu_are_read_as_the_bot_reads_them(blueprint: Blueprint) -> None:
    """Each hand draws for itself; calls and folds have the probabilities of the place it drew."""
    spot = river("70%, 200% | 3x ; cap 2", oop="QQ-22, A2s+")
    tree, query = spot.tree(), blueprint.query()
    layout = Layout(spot, tree, isomorphism=False)
    rows = {node: rows for node, _, rows in Imported(blueprint, LINE).rows(layout, 0)}
    node = tree.node("kb35")
    lines = set()
    for hole in layout.holes(0, ())[::5].tolist():
        hand = Hand(blueprint.tree.spec, hole=["????", HOLES[hole].tolist()], board=BOARD)
        hand.play(f"{LINE}/kb35")
        answer = query.strategy(hand.view(1))
        lines.add(answer.line)
        if answer.status == "trained":
            asked = dict(answer.actions)
            assert rows[node][0, hole] == pytest.approx(asked["f"], abs=1e-3)
    assert lines == {f"{LINE}/kb25", f"{LINE}/kb50"}


def test_hands_that_suits_make_equal_read_a_bet_alike(blueprint: Blueprint) -> None:
    spot = river("70%, 200% ; cap 1", board="7d7h2d2h9d")  # clubs and spades can be renamed
    tree = spot.tree()

    def row(isomorphism: bool) -> np.ndarray:
        told = Imported(blueprint, LINE).rows(Layout(spot, tree, isomorphism), 0)
        return {node: rows for node, _, rows in told}[tree.node("kb35")]

    renamed = hole_permutations()[SUIT_PERMUTATIONS.index((3, 1, 2, 0))]
    np.testing.assert_array_equal(row(isomorphism=True)[:, renamed], row(isomorphism=True))
    alone = np.nan_to_num(row(isomorphism=False))
    assert (alone[:, renamed] != alone).any()
    solve(spot).follow(Imported(blueprint, LINE), "oop")  # the engine has hands of one kind once


def test_exploiting_wins_at_least_the_equilibrium(blueprint: Blueprint) -> None:
    for menu in ("50%, 100%, a | 100%, a ; cap 3", "33%, 150% | 3x"):
        solved = solve(river(menu), SolveSettings(target=0.001))
        solved.finish()
        assert solved.report is not None
        assert solved.report.values is not None
        for player, (side, other) in enumerate((("oop", "ip"), ("ip", "oop"))):
            solving = solve(river(menu))
            solving.follow(Imported(blueprint, LINE), other)  # type: ignore[arg-type]
            report = solving.exploit(side)  # type: ignore[arg-type]
            assert report.values is not None
            assert report.values[player] > solved.report.values[player] - 0.1
            assert solving.solution.facts.against == f"default.blueprint {LINE}"


def test_somebody_who_wants_it_to_end_is_heard(blueprint: Blueprint) -> None:
    solving = solve(river("a"))
    (stop := Stop()).ask()
    with pytest.raises(KeyboardInterrupt):
        solving.follow(Imported(blueprint, LINE), "ip", stop)


def test_bets_that_the_spot_lacks_go_to_their_neighbours(blueprint: Blueprint) -> None:
    hand = Hand.from_line(blueprint.tree.spec, "b25c/kk/kk/k", board=BOARD)
    view = hand.view(0)
    actions = ("k", "b20", "b50", "b975")
    assert _translated(view, actions, "b50") == [("b50", 1.0)]
    # Ganzfried and Sandholm: (1 - 0.5) (1 + 0.4) / ((1 - 0.4) (1 + 0.5)) = 7/9 to the smaller.
    assert dict(_translated(view, actions, "b25")) == pytest.approx({"b20": 7 / 9, "b50": 2 / 9})
    assert _translated(view, actions, "b10") == [("b20", 1.0)]
    assert _translated(view, actions[:3], "b975") == [("b50", 1.0)]
    assert _translated(view, ("k",), "b975") == [("k", 1.0)]


@pytest.mark.parametrize(
    ("line", "changes", "words"),
    [
        ("b25c/kk/kk/k", {}, "must end where the river begins"),
        ("b25c/kk", {}, "leads to the turn of a hand, not to a river"),
        ("b30c/kk/kk", {}, "has a pot of 60, the spot has 50"),
        ("b25f", {}, "leads to the end of a hand"),
        (
            LINE,
            {"betting": "pot-limit", "menu": "50%"},
            "has the betting no-limit, the spot has pot-limit",
        ),
        (
            LINE,
            {"big_blind": 1, "menu": "10%"},
            "cannot be played in the blueprint's game: 'b5' is not",
        ),
    ],
)
def test_what_cannot_be_followed(
    blueprint: Blueprint, line: str, changes: dict[str, object], words: str
) -> None:
    solving = solve(river("a").changed(changes))
    with pytest.raises(SpotError, match=words):
        solving.follow(Imported(blueprint, line), "ip")


def test_off_the_tree_it_checks_and_calls(blueprint: Blueprint) -> None:
    """A bet of more than its chips is its all-in, and after a raise of that everybody is all-in."""
    spot = river("2000% | 2.1x ; cap 3", stack=3000)
    tree, layout = spot.tree(), Layout(spot, spot.tree(), isomorphism=True)
    imported = Imported(blueprint, LINE)
    rows = {node: rows for node, _, rows in imported.rows(layout, 1)}
    assert imported.counts["off-tree"] > 0
    assert imported.counts.total() == len(rows) * len(layout.holes(1, ()))
    last = max(rows, key=lambda node: len(tree.line(node)))
    held = layout.holes(1, ())
    assert rows[last][:, held].sum(axis=0) == pytest.approx(1)
    assert (rows[last][tree.actions(last).index("c"), held] == 1).all()
