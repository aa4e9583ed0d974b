"""Random hands played side by side with PokerKit: same moves, bounds, pots, payoffs.

The two differ on purpose in a few places, each checked here and argued in
docs/rules.md: when a short all-in reopens the betting, how several odd chips
are divided, and a check that PokerKit asks for when nobody can reply.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from riverboat.game import GameSpec, Hand, Pot, Street

pokerkit = pytest.importorskip("pokerkit")
pytestmark = pytest.mark.peer

CAP = 4  # PokerKit's fixed-limit hold'em allows four bets and raises on each street
SIZES = (10, 10, 20, 20)


def random_spec(rng: random.Random) -> GameSpec:
    """Two to nine seats, any betting, unequal stacks, sometimes antes."""
    players = rng.randint(2, 9)
    betting = rng.choice(["no-limit", "pot-limit", "fixed-limit"])
    ante = rng.choice([0, 0, 1, 3])
    deepest = rng.choice([40, 120, 1000])
    stacks = [rng.randint(1, deepest) for _ in range(players)]
    # PokerKit lowers the price when the big blind is short; see docs/rules.md.
    stacks[1] = max(stacks[1], 10 + ante)
    streets = tuple(
        Street(
            hole=2 if i == 0 else 0,
            board=(0, 3, 1, 1)[i],
            bet_size=SIZES[i],
            max_raises=CAP if betting == "fixed-limit" else None,
        )
        for i in range(4)
    )
    return GameSpec(
        stacks=tuple(stacks),
        blinds=(5, 10) + (0,) * (players - 2),
        antes=(ante,) * players,
        betting=betting,  # type: ignore[arg-type]  # a word drawn from the right ones
        streets=streets,
    )


def peer_state(spec: GameSpec) -> Any:
    """Set up the same game in PokerKit."""
    pk = pokerkit
    automations = tuple(
        getattr(pk.Automation, name)
        for name in (
            "ANTE_POSTING",
            "BET_COLLECTION",
            "BLIND_OR_STRADDLE_POSTING",
            "RUNOUT_COUNT_SELECTION",
            "CHIPS_PULLING",
        )
    )
    game = pk.FixedLimitTexasHoldem(automations, True, 0, (5, 10), 10, 20)
    if spec.betting != "fixed-limit":
        game = pk.NoLimitTexasHoldem(automations, True, 0, (5, 10), 10)
    structure = {
        "no-limit": pk.BettingStructure.NO_LIMIT,
        "pot-limit": pk.BettingStructure.POT_LIMIT,
        "fixed-limit": pk.BettingStructure.FIXED_LIMIT,
    }
    stacks = spec.stacks[::-1] if spec.players == 2 else spec.stacks
    return pk.State(
        automations,
        game.deck,
        game.hand_types,
        game.streets,
        structure[spec.betting],
        True,
        spec.antes,
        spec.blinds,
        0,
        stacks,
        spec.players,
        mode=pk.Mode.CASH_GAME,  # nobody shows cards before the showdown
    )


@dataclass
class SideBySide:
    """One hand in both engines; seats are ours."""

    hand: Hand
    peer: Any
    seen: Counter[str]

    def seat(self, index: int) -> int:
        """Our seat for PokerKit's index, and back: heads-up they are swapped."""
        return 1 - index if self.hand.players == 2 else index

    def deal(self) -> None:
        """Give PokerKit the cards that our hand holds, as it asks for them."""
        deal = self.hand.deal
        n = self.hand.players
        while not self.peer.actor_indices and self.peer.status:
            if self.peer.can_burn_card():
                self.peer.burn_card("??")
            elif self.peer.can_deal_hole():
                seat = self.seat(self.peer.hole_dealee_index)
                self.peer.deal_hole(card_text(deal[2 * seat : 2 * seat + 2]))
            elif self.peer.can_deal_board():
                done = len(self.peer.board_cards)
                count = 3 if done == 0 else 1
                self.peer.deal_board(card_text(deal[2 * n + done : 2 * n + done + count]))
            else:
                return

    def compare_decision(self) -> bool:
        """Compare who acts and what is allowed; return whether PokerKit lets us raise."""
        hand, peer = self.hand, self.peer
        assert hand.actor == self.seat(peer.actor_index)
        amount = peer.checking_or_calling_amount
        assert hand.to_call == amount
        ours = (hand.min_raise_to, hand.max_raise_to)
        theirs = (
            peer.min_completion_betting_or_raising_to_amount,
            peer.max_completion_betting_or_raising_to_amount,
        )
        for seat in range(hand.players):
            assert hand.stacks[seat] == peer.stacks[self.seat(seat)]
            assert hand.bets[seat] == peer.bets[self.seat(seat)]
        assert hand.pot == peer.total_pot_amount
        if ours != theirs:
            self.explain(ours, theirs)
        return theirs[0] is not None

    def explain(self, ours: tuple[Any, Any], theirs: tuple[Any, Any]) -> None:
        """Allow only the stated difference: what reopens the betting."""
        hand = self.hand
        acted = [e for e in hand.events if e.street == hand.street and e.seat == hand.actor]
        assert acted, "a seat that has not acted on this street may always raise"
        assert (ours[0] is None) != (theirs[0] is None)
        # A seat that acts again had matched the price, so what it owes is the increase.
        increase = hand.price - hand.bets[hand.actor or 0]
        if hand.spec.betting == "fixed-limit":
            size = SIZES[hand.street]
            assert increase < size, "only a short all-in can make a difference"
            assert (2 * increase >= size) == (ours[0] is not None)
            self.seen["fixed limit: half a bet reopens"] += 1
        else:
            assert ours[0] is None
            assert increase < 10, "less than the minimum raise does not reopen"
            self.seen["a raise below the big blind does not reopen"] += 1

    def step(self, rng: random.Random) -> None:
        """Compare, choose one move at random, make it in both."""
        hand, peer = self.hand, self.peer
        raises = self.compare_decision()
        legal = hand.legal()
        kinds = (
            ["call"] * 3
            + ["fold"] * legal.fold
            + ["raise"] * (2 * (legal.raise_to is not None and raises))
        )
        kind = rng.choice(kinds)
        if kind == "raise" and legal.raise_to is not None:
            low, high = legal.raise_to
            to = rng.choice([low, low, high, rng.randint(low, high), min(high, low + 3)])
            hand.bet_to(to)
            peer.complete_bet_or_raise_to(to)
        elif kind == "fold":
            hand.fold()
            peer.fold()
        else:
            hand.check_or_call()
            peer.check_or_call()
        self.deal()

    def skip_idle_check(self) -> None:
        """PokerKit asks the last seat with chips to check even if nobody can reply."""
        while self.peer.actor_indices and (
            self.hand.finished or self.hand.actor != self.seat(self.peer.actor_index)
        ):
            assert self.peer.checking_or_calling_amount == 0
            assert self.peer.min_completion_betting_or_raising_to_amount is None
            self.peer.check_or_call()
            self.deal()
            self.seen["idle check"] += 1

    def compare_end(self) -> None:
        """Compare pots and payoffs."""
        hand, peer = self.hand, self.peer
        pots = hand.pots()
        if len(hand.live) > 1:
            assert [pot.amount for pot in pots] == list(peer.pot_amounts)
            theirs = [sorted(map(self.seat, pot.player_indices)) for pot in peer.pots]
            assert [list(pot.eligible) for pot in pots] == theirs
        while peer.status:
            self.deal()
            if peer.can_show_or_muck_hole_cards():
                peer.show_or_muck_hole_cards(True)
            elif peer.can_kill_hand():
                peer.kill_hand()
            else:
                peer.push_chips()
        expected = self.payoffs_by_their_odd_chips(pots)
        for seat in range(hand.players):
            assert peer.payoffs[self.seat(seat)] == expected[seat]
        odd = [pot.amount % len(pot.winners) for pot in pots]
        if sum(odd) <= 1:
            assert list(hand.payoffs()) == expected
        self.seen["several odd chips"] += sum(odd) > 1
        self.seen["one odd chip"] += sum(odd) == 1
        self.seen["side pot"] += len(pots) > 1

    def payoffs_by_their_odd_chips(self, pots: tuple[Pot, ...]) -> list[int]:
        """Our winners, PokerKit's odd chips.

        It gives all odd chips of a pot to the first winner, and joins pots
        whose claims are equal once the losing hands are dead.
        """
        hand = self.hand
        alive = {seat for pot in pots for seat in pot.winners}
        joined: list[tuple[int, set[int], tuple[int, ...]]] = []
        for pot in pots:
            claims = alive & set(pot.eligible)
            if joined and joined[-1][1] == claims:
                joined[-1] = (joined[-1][0] + pot.amount, claims, pot.winners)
            else:
                joined.append((pot.amount, claims, pot.winners))
        payoffs = [-chips for chips in hand.contributions]
        for amount, _, winners in joined:
            share, odd = divmod(amount, len(winners))
            first = min(winners, key=lambda s: (s - hand.button - 1) % hand.players)
            for seat in winners:
                payoffs[seat] += share + (odd if seat == first else 0)
        return payoffs


def card_text(cards: tuple[int, ...]) -> str:
    return "".join("23456789TJQKA"[card // 4] + "cdhs"[card % 4] for card in cards)


def play(seed: int, seen: Counter[str]) -> None:
    rng = random.Random(seed)
    spec = random_spec(rng)
    hand = Hand(spec, seed=seed)
    both = SideBySide(hand, peer_state(spec), seen)
    both.deal()
    both.skip_idle_check()
    while not hand.finished:
        both.step(rng)
        both.skip_idle_check()
    both.compare_end()
    seen["hands"] += 1
    seen[spec.betting] += 1


def run(hands: int, first_seed: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in range(first_seed, first_seed + hands):
        try:
            play(seed, seen)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
    return seen


def test_same_as_pokerkit_on_a_few_hundred_hands() -> None:
    seen = run(600, first_seed=0)
    print(dict(seen))
    assert seen["hands"] == 600
    assert min(seen[b] for b in ("no-limit", "pot-limit", "fixed-limit")) > 150
    assert seen["side pot"] > 50


@pytest.mark.slow
def test_same_as_pokerkit_on_twenty_thousand_hands() -> None:
    seen = run(20_000, first_seed=1_000_000)
    assert seen["hands"] == 20_000
    print(dict(seen))
