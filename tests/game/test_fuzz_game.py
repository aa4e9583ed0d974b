"""Nonsense in, the package's own error out: lines of play and game files."""

from __future__ import annotations

import random

import pytest

from game.random_games import random_catalogue_spec, random_move, random_spec
from game.test_game_spec import KUHN, LIMIT, THREE_PLAYERS
from riverboat.errors import RiverboatError
from riverboat.game import Action, Hand, catalogue, read_acpc_game, write_acpc_game

LETTERS = "kcfbrsd/0123456789AhKd \n\x00é♥b1b20/x-+."
WORDS = [
    "GAMEDEF",
    "END GAMEDEF",
    "limit",
    "nolimit",
    "numPlayers",
    "blind",
    "stack",
    "=",
    "#",
    "-1",
    "0",
    "1",
    "99",
    "255",
    "numRounds",
    "1000000000000000000000",
    "numBoardCards",
    "\x00",
    "é",
]


def mutated(text: str, rng: random.Random, pieces: str | list[str]) -> str:
    """Cut, double, swap and insert a few times."""
    for _ in range(rng.randint(1, 4)):
        i, j = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:i] + text[j:]
        elif kind == 1:
            text = text[:j] + text[i:]
        elif kind == 2:
            text = text[:i] + rng.choice(pieces) + text[i:]
        else:
            text = text[:i] + rng.choice(pieces) + text[i + 1 :]
    return text


def good_line(rng: random.Random) -> tuple[Hand, str]:
    """Make a fresh hand and a line that fits it."""
    spec = (random_spec if rng.random() < 0.5 else random_catalogue_spec)(rng)
    hand = Hand(spec, seed=rng.randrange(2**32))
    fresh = hand.clone()
    while not hand.finished:
        hand.do(random_move(hand, rng))
    return fresh, hand.full_line


def fuzz_lines(count: int, seed: int) -> int:
    """Feed mutated lines; return how many were refused."""
    rng = random.Random(seed)
    refused = 0
    for i in range(count):
        if i % 50 == 0:
            fresh, line = good_line(rng)
        text = mutated(line, rng, LETTERS)
        if i % 9 == 0:
            text = "".join(rng.choice(LETTERS) for _ in range(rng.randint(0, 12)))
        hand = fresh.clone()
        try:
            hand.play(text)
            Action(text[:4])
        except RiverboatError:
            refused += 1
        # Played whole, or not at all; and what was played reads back.
        again = fresh.clone()
        again.play(hand.full_line)
        assert again.stacks == hand.stacks
    return refused


def fuzz_game_files(count: int, seed: int) -> int:
    """Feed mutated game files; return how many were refused."""
    rng = random.Random(seed)
    files = [LIMIT, THREE_PLAYERS, KUHN, write_acpc_game(catalogue("leduc"))]
    refused = 0
    for i in range(count):
        text = mutated(rng.choice(files), rng, WORDS)
        try:
            spec = read_acpc_game(text)
            if i % 20 == 0:
                assert read_acpc_game(write_acpc_game(spec)) == spec
                Hand(spec, seed=i)
        except RiverboatError:
            refused += 1
    return refused


def test_fuzz_lines() -> None:
    assert 3_200 < fuzz_lines(8_000, seed=1) < 8_000


def test_fuzz_game_files() -> None:
    assert 3_200 < fuzz_game_files(8_000, seed=2) < 8_000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_fuzz_a_million_inputs(seed: int) -> None:
    assert fuzz_lines(60_000, seed=100 + seed) > 0
    assert fuzz_game_files(40_000, seed=200 + seed) > 0
