"""The core against the plain Python rules, move by move, on random games."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from game.random_games import random_catalogue_spec, random_move, random_spec
from riverboat.game import Hand
from riverboat.plain import PlainHand
from sizes import few_or_many

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.game import GameSpec


def play_both(spec: GameSpec, seed: int, rng: random.Random) -> Hand:
    hand = Hand(spec, seed=seed)
    plain = PlainHand(spec, hand.deal, list(spec.stacks))
    while not hand.finished:
        assert not plain.finished
        assert (hand.street, hand.actor) == (plain.street, plain.actor)
        assert hand.discarding == bool(plain.waiting_to_discard)
        assert list(hand.stacks) == plain.stacks
        assert list(hand.bets) == plain.bets
        assert list(hand.board) == plain.board
        assert list(hand.hole_cards(plain.actor)) == plain.hole[plain.actor]
        legal = hand.legal()
        assert legal.raise_to == plain.raise_bounds()
        if not hand.discarding:
            assert (legal.call or 0) == plain.owed(plain.actor)
        move = random_move(hand, rng)
        hand.do(move)
        plain.move(move)
    assert plain.finished
    assert [(pot.amount, pot.eligible) for pot in hand.pots()] == plain.pots
    assert list(hand.payoffs()) == plain.payoffs
    assert sum(hand.payoffs()) == -hand.rake
    return hand


@pytest.mark.parametrize("count", few_or_many(400, 1500))
@pytest.mark.parametrize("make", [random_spec, random_catalogue_spec])
def test_same_as_the_plain_rules(make: Callable[[random.Random], GameSpec], count: int) -> None:
    for seed in range(count):
        rng = random.Random(seed)
        spec = make(rng)
        try:
            play_both(spec, seed, rng)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, {spec}: {error}") from error


@pytest.mark.slow
@pytest.mark.parametrize("make", [random_spec, random_catalogue_spec])
def test_same_as_the_plain_rules_on_many_hands(make: Callable[[random.Random], GameSpec]) -> None:
    for seed in range(100_000, 140_000):
        rng = random.Random(seed)
        play_both(make(rng), seed, rng)
