"""Random games and random legal moves for the tests of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverboat.game import GameSpec, Hand, Rake, Street, catalogue, catalogue_names

if TYPE_CHECKING:
    import random

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def random_spec(rng: random.Random) -> GameSpec:
    """Return a game with random betting, 2 to 10 seats, stacks, antes, rake, discards and caps."""
    players = rng.choice([2, 2, 3, 3, 4, 5, 6, 9, 10])
    betting = rng.choice(["no-limit", "pot-limit", "fixed-limit"])
    deepest = rng.choice([8, 25, 60, 300])
    ante = rng.choice([0, 0, 0, 1, 4])
    antes = [ante] * players
    if rng.random() < 0.2:
        antes[1] = 10  # a big-blind ante: dead money of one seat
    big = rng.choice([2, 10])
    discard = rng.choice(["none", "none", "none", "swap"]) if players < 8 else "none"
    cap = rng.choice([None, None, 1, 3])
    streets = tuple(
        Street(
            hole=2 if i == 0 else 0,
            board=(0, 3, 1, 1)[i],
            bet_size=big * (1 + i // 2),
            max_raises=cap,
            max_raises_per_seat=rng.choice([None, None, 2]),
            discard=discard if i in (1, 2) else "none",  # type: ignore[arg-type]  # a word drawn from the right ones
        )
        for i in range(rng.choice([2, 4, 4]))
    )
    return GameSpec(
        stacks=tuple(rng.randint(1, deepest) for _ in range(players)),
        blinds=(big // 2, big) + (0,) * (players - 2),
        antes=tuple(antes),
        betting=betting,  # type: ignore[arg-type]  # a word drawn from the right ones
        streets=streets,
        rake=rng.choice([Rake(), Rake(), Rake(5.0, 3), Rake(2.5, 0, False)]),
    )


def random_catalogue_spec(rng: random.Random) -> GameSpec:
    """Choose a game of the catalogue, sometimes with unequal stacks."""
    spec = catalogue(rng.choice(catalogue_names()))
    if rng.random() < 0.5 or spec.players > 2:
        return spec
    return spec.replace(stacks=tuple(rng.randint(1, stack) for stack in spec.stacks))


def random_move(hand: Hand, rng: random.Random) -> str:
    """Return a legal move as text; calls are more likely than folds."""
    legal = hand.legal()
    if hand.discarding:
        moves = [f"d{CARDS[card]}" for card in legal.discards] + ["s"] * legal.stand
        return rng.choice(moves)
    moves = ["k"] * (2 * legal.check) + ["c"] * (2 * (legal.call is not None)) + ["f"] * legal.fold
    if legal.raise_to is not None:
        low, high = legal.raise_to
        sizes = [low, high, rng.randint(low, high), min(high, low + 1)]
        moves += [f"b{rng.choice(sizes)}" for _ in range(2)]
    return rng.choice(moves)
