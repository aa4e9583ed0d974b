"""Kuhn and Leduc, walked through to the last leaf."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from riverboat.game import GameSpec, Hand, catalogue


class Walk:
    """Every deal and every line of a small game, with uniformly random play."""

    def __init__(self, spec: GameSpec) -> None:
        self.infosets: set[tuple[int, tuple[int, ...], tuple[int, ...], str]] = set()
        self.terminals = 0
        self.value = [Fraction(0)] * spec.players
        deals = list(permutations(spec.deck, spec.compiled.slots))
        for deal in deals:
            self.visit(Hand(spec, cards=deal), Fraction(1, len(deals)))

    def visit(self, hand: Hand, reach: Fraction) -> None:
        """Walk on from here."""
        if hand.finished:
            self.terminals += 1
            self.value = [v + reach * p for v, p in zip(self.value, hand.payoffs(), strict=True)]
            return
        view = hand.view(hand.actor or 0)
        self.infosets.add((view.seat, view.hole, view.board, view.line))
        moves = list(hand.legal())
        for move in moves:
            hand.do(move)
            self.visit(hand, reach / len(moves))
            hand.undo()


def test_kuhn() -> None:
    walk = Walk(catalogue("kuhn"))
    assert len(walk.infosets) == 12  # Kuhn 1950: three cards, two decisions, two players
    assert walk.terminals == 30  # six deals, five lines
    assert walk.value == [Fraction(1, 8), Fraction(-1, 8)]  # OpenSpiel expected_game_score_test


def test_kuhn_with_three_players() -> None:
    walk = Walk(catalogue("kuhn3"))
    assert len(walk.infosets) == 48  # Abou Risk & Szafron 2010
    assert walk.terminals == 24 * 13
    assert sum(walk.value) == 0


def test_leduc() -> None:
    walk = Walk(catalogue("leduc"))
    assert len(walk.infosets) == 936  # OpenSpiel distinguishes suits
    assert sum(walk.value) == 0


@pytest.mark.parametrize(("name", "most"), [("kuhn", 2), ("kuhn3", 2), ("leduc", 13)])
def test_the_largest_loss(name: str, most: int) -> None:
    spec = catalogue(name)
    assert {"kuhn": 2, "kuhn3": 2, "leduc": 1 + 2 * 2 + 2 * 4}[name] == most
    hand = Hand(spec, seed=1)
    while not hand.finished:
        if hand.max_raise_to is not None:
            hand.bet_to(hand.max_raise_to)
        else:
            hand.check_or_call()
    assert max(hand.contributions) == most
