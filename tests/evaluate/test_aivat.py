"""AIVAT is unbiased: on Leduc, over all deals and lines, for a value drawn at random."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from riverboat.bots import HandStrategies
from riverboat.evaluate._aivat import Aivat, AivatTerms, Situation
from riverboat.game import Hand, catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_LEDUC = catalogue("leduc")
_DECK = _LEDUC.deck
_Cards = tuple[int, ...]


class LeducCards:
    """Six hands of one card."""

    def index(self, hole: _Cards) -> int:
        """The card's place in the deck."""
        return _DECK.index(hole[0])

    def live(self, cards: _Cards) -> NDArray[np.float64]:
        """Cards that are left."""
        return np.array([float(card not in cards) for card in _DECK])

    def shares(self, hole: _Cards, board: _Cards) -> NDArray[np.float64]:
        """As the rules have it."""
        return _shares(hole[0], board)

    def deals(self, dealt: _Cards, count: int) -> NDArray[np.intp]:
        """The one public card."""
        assert count == 1
        return np.array([[card] for card in _DECK if card not in dealt])

    def room(self, weights: NDArray[np.float64], new: NDArray[np.intp]) -> NDArray[np.float64]:
        """Card by card."""
        return np.array([weights @ self.live(tuple(cards)) for cards in new.tolist()])


@cache
def _shares(hole: int, board: _Cards) -> NDArray[np.float64]:
    """By playing it out: checked down, a hand wins, loses or splits an ante."""
    shares = np.zeros(len(_DECK))
    for index, card in enumerate(_DECK):
        if card not in (hole, *board):
            played = Hand.from_line(_LEDUC, "kk/kk", cards=[card, hole, *board])
            shares[index] = (1 + played.payoffs()[0]) / 2
    return shares


class RandomValue:
    """Another number for every state; the same when it is asked again."""

    name = "random"

    def __init__(self, seed: int) -> None:
        draws = np.random.default_rng(seed)
        self._number = cache(lambda *_: float(draws.normal(0, 5)))

    def holes(self, hand: Hand, seat: int) -> NDArray[np.float64]:
        """Before the first action."""
        return np.array([self._number(hand.line, seat, card) for card in _DECK])

    def boards(self, at: Situation, new: NDArray[np.intp]) -> NDArray[np.float64]:
        """After each public card."""
        cards = new[:, 0].tolist()
        return np.array([self._number(at.hand.line, at.seat, at.hole, card) for card in cards])

    def action(self, at: Situation) -> float:
        """After an action."""
        return self._number(at.hand.line, at.seat, at.hole, at.board, "after")


class Player:
    """Plays at random, in its own way with every card."""

    def __init__(self, seed: int) -> None:
        draws = np.random.default_rng(seed)

        def row(_line: str, _board: _Cards, actions: tuple[str, ...]) -> HandStrategies:
            return HandStrategies(actions, draws.dirichlet([0.7] * len(actions), len(_DECK)))

        self.row = cache(row)


_Line = tuple[float, Hand, tuple[HandStrategies, ...]]


def _endings(
    hand: Hand, players: tuple[Player, Player], chance: float, told: tuple[HandStrategies, ...] = ()
) -> Iterator[_Line]:
    """All ways that a deal can end, with how likely each is."""
    seat = hand.actor
    if seat is None:
        yield chance, hand, told
        return
    rows = players[seat].row(hand.line, hand.board, tuple(hand.legal()))
    held = rows.rows[_DECK.index(hand.hole_cards(seat)[0])]
    for action, part in zip(rows.actions, held.tolist(), strict=True):
        following = hand.clone()
        following.do(action)
        yield from _endings(following, players, chance * part, (*told, rows))


@cache
def _whole_game() -> list[_Line]:
    """Every deal of J, Q, K by rank (suits do not matter to the seats' cards), and every line."""
    players = Player(1), Player(2)
    deals = list(permutations(_DECK, 3))
    return [
        ending
        for deal in deals
        for ending in _endings(Hand(_LEDUC, cards=deal), players, 1 / len(deals))
    ]


def _means(known: tuple[int, ...], seat: int) -> tuple[float, AivatTerms]:
    """The exact mean of the payoff, and of each term of the estimate.

    An estimate does not depend on the cards that the known seat holds, so that one serves all.
    """
    aivat = Aivat(LeducCards(), RandomValue(3))
    found: dict[object, AivatTerms] = {}
    payoff, means = 0.0, np.zeros(5)
    for chance, hand, told in _whole_game():
        key = hand.hole_cards(1 - seat), hand.board, hand.line
        if key not in found:
            events = zip(hand.events, told, strict=True)
            rows = [each if event.seat in known else None for event, each in events]
            found[key] = aivat.terms(hand, seat, rows)
        payoff += chance * hand.payoffs()[seat]
        means += chance * np.array(found[key])
    return payoff, AivatTerms(*means.tolist())


@pytest.mark.parametrize(("known", "seat"), [((0,), 0), ((1,), 1), ((0, 1), 0), ((0, 1), 1)])
def test_no_bias_whatever_the_value(known: tuple[int, ...], seat: int) -> None:
    payoff, means = _means(known, seat)
    assert abs(payoff) > 0.01  # two players that differ
    assert means.total == pytest.approx(payoff, abs=1e-9)
    assert means[1:] == pytest.approx([0.0] * 4, abs=1e-9)  # each kind of term
