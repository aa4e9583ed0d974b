"""Kuhn and Leduc beside OpenSpiel: the same tree, the same payoffs at every leaf."""

from __future__ import annotations

from typing import Any

import pytest

from riverboat.game import Hand, catalogue

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.peer

KUHN = {"k": 0, "f": 0, "c": 1, "b": 1}
LEDUC = {"f": 0, "k": 1, "c": 1, "b": 2}


class Pair:
    """A walk through both trees at once."""

    def __init__(self, game: str, name: str, moves: dict[str, int]) -> None:
        self.game = pyspiel.load_game(game)
        self.spec = catalogue(name)
        self.moves = moves
        self.leaves = 0
        self.histories = 0
        self.ours: set[tuple[object, ...]] = set()
        self.theirs: set[str] = set()
        self.walk(self.game.new_initial_state(), ())

    def walk(self, state: Any, deal: tuple[int, ...]) -> None:
        """Follow chance in OpenSpiel; compare as soon as a player acts or the hand ends."""
        if state.is_chance_node():
            for card, _ in state.chance_outcomes():
                self.walk(state.child(card), (*deal, self.spec.deck[card]))
            return
        hand = Hand(self.spec, cards=deal)
        line = [a for a in state.full_history() if a.player >= 0]
        for step in line:
            hand.do(next(m for m in hand.legal() if self.moves[m[0]] == step.action))
        self.compare(hand, state)
        if not state.is_terminal():
            for action in state.legal_actions():
                self.walk(state.child(action), deal)

    def compare(self, hand: Hand, state: Any) -> None:
        """Compare one history."""
        self.histories += 1
        assert hand.finished == state.is_terminal()
        if hand.finished:
            self.leaves += 1
            assert list(hand.payoffs()) == state.returns()
            return
        assert hand.actor == state.current_player()
        assert sorted(self.moves[m[0]] for m in hand.legal()) == state.legal_actions()
        view = hand.view(state.current_player())
        self.ours.add((view.seat, view.hole, view.board, view.line))
        self.theirs.add(state.information_state_string())


@pytest.mark.parametrize(
    ("game", "name", "moves", "infosets"),
    [
        ("kuhn_poker", "kuhn", KUHN, 12),
        ("kuhn_poker(players=3)", "kuhn3", KUHN, 48),
        ("leduc_poker", "leduc", LEDUC, 936),
    ],
)
def test_same_tree_and_payoffs(game: str, name: str, moves: dict[str, int], infosets: int) -> None:
    pair = Pair(game, name, moves)
    assert len(pair.ours) == len(pair.theirs) == infosets
    assert pair.leaves > 0
