"""Random walks by Hypothesis: chips are conserved, undo is exact, views never leak."""

from __future__ import annotations

import pickle
import random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from game.random_games import random_catalogue_spec, random_move, random_spec
from game.test_seat_view import with_other_hidden_cards
from riverboat.errors import IllegalActionError
from riverboat.game import Hand


def snapshot(hand: Hand) -> tuple[object, ...]:
    """Everything that can be asked of a hand."""
    views = tuple(hand.view(seat) for seat in range(hand.players))
    payoffs = hand.payoffs() if hand.settled else None
    more = (hand.full_line, hand.pots(), hand.refund, hand.contributions, hand.events, hand.price)
    return views, hand.legal(), hand.deal, hand.discarding, payoffs, more


class HandMachine(RuleBasedStateMachine):
    """Any game, any legal moves, undo at any time."""

    @initialize(seed=st.integers(0, 2**32 - 1), usual=st.booleans())
    def start(self, seed: int, usual: bool) -> None:
        """Deal a random game."""
        rng = random.Random(seed)
        self.hand = Hand((random_catalogue_spec if usual else random_spec)(rng), seed=seed)
        self.chips = sum(self.hand.starting_stacks)
        self.past: list[tuple[object, ...]] = []

    @precondition(lambda self: not self.hand.finished)
    @rule(seed=st.integers(0, 2**32 - 1))
    def move(self, seed: int) -> None:
        """Make a legal move."""
        before = snapshot(self.hand)
        self.past.append(before)
        text = random_move(self.hand, random.Random(seed))
        assert self.hand.can(text)
        twin = self.hand.clone()
        self.hand.do(text)
        assert snapshot(twin) == before  # a clone lives by itself

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        """Take the last move back."""
        self.hand.undo()
        assert snapshot(self.hand) == self.past.pop()

    @rule(
        text=st.sampled_from(["f", "k", "c", "s", "d", "dAh", "b0", "b1", "b999999", "b", "x", ""])
    )
    def wrong_moves_change_nothing(self, text: str) -> None:
        """Try a move that may be wrong."""
        if self.hand.can(text):
            self.hand.verify(text)
            return
        before = snapshot(self.hand)
        for attempt in (self.hand.do, self.hand.verify):
            with pytest.raises(IllegalActionError):
                attempt(text)
        assert snapshot(self.hand) == before

    @rule()
    def pickle_and_replay(self) -> None:
        """Send the hand through pickle."""
        assert snapshot(pickle.loads(pickle.dumps(self.hand))) == snapshot(self.hand)

    @invariant()
    def chips_are_conserved(self) -> None:
        """Count the chips."""
        if not hasattr(self, "hand"):
            return
        assert min(self.hand.stacks) >= 0
        if self.hand.settled:
            assert sum(self.hand.stacks) + self.hand.rake == self.chips
            assert sum(pot.amount for pot in self.hand.pots()) == self.hand.pot
        else:
            assert sum(self.hand.stacks) + self.hand.pot == self.chips
        assert sum(self.hand.contributions) == self.hand.pot

    @invariant()
    def views_never_leak(self) -> None:
        """Deal hidden cards again: the view of a seat stays the same."""
        if not hasattr(self, "hand") or (self.hand.finished and len(self.hand.live) > 1):
            return
        rng = random.Random(self.hand.num_actions)
        for seat in range(self.hand.players):
            other = with_other_hidden_cards(self.hand, seat, rng)
            assert other.view(seat) == self.hand.view(seat)


TestHandMachine = HandMachine.TestCase
TestHandMachine.settings = settings(max_examples=20, stateful_step_count=30, deadline=None)


@pytest.mark.slow
class TestManyHands(HandMachine.TestCase):  # type: ignore[misc,valid-type]  # made by hypothesis
    """The same at length."""

    settings = settings(max_examples=500, stateful_step_count=30, deadline=None)
