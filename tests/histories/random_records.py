"""Random complete hands as records, with names and chairs that are hard to read back."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from game.random_games import random_move
from riverboat.game import GameSpec, Hand, Rake, Street
from riverboat.histories import HandRecord, record_of

# Names that look like parts of the formats.
NAMES = (
    "Ada",
    "a: folds",
    "Seat 3: x",
    "*** FLOP ***",
    "b: bets 5 and is all-in",
    "collected",
    "é ü (5 in chips)",
    "x collected 5 from pot",
    "Dealt to Ada [Ah Kd]",
    '"quoted\\"',
    "玩家 💰",
    "PokerStars Hand #1:",
)
PLAIN_NAMES = tuple(f"bot{i}" for i in range(10))


def random_holdem(rng: random.Random) -> GameSpec:
    """Hold'em: 2 to 9 seats, three betting structures, unequal stacks, antes, rake."""
    players = rng.choice([2, 2, 3, 4, 5, 6, 9])
    big = rng.choice([2, 10])
    ante = rng.choice([0, 0, 0, 1, 4])
    antes = [ante] * players
    if rng.random() < 0.1:  # the big blind posts an ante for the table
        antes = [0, big] + [0] * (players - 2)
    deepest = rng.choice([8, 25, 60, 300])
    streets = tuple(
        Street(hole=2 * (i == 0), board=(0, 3, 1, 1)[i], bet_size=big * (1 + i // 2))
        for i in range(4)
    )
    return GameSpec(
        stacks=tuple(rng.randint(1, deepest) for _ in range(players)),
        blinds=(big // 2, big) + (0,) * (players - 2),
        antes=tuple(antes),
        betting=rng.choice(["no-limit", "pot-limit", "fixed-limit"]),
        streets=streets,
        rake=rng.choice([Rake(), Rake(), Rake(5.0, 3), Rake(2.5, 0, False)]),
    )


def play_out(spec: GameSpec, seed: int, rng: random.Random) -> Hand:
    """A whole hand of random legal moves."""
    hand = Hand(spec, seed=seed)
    while not hand.finished:
        hand.do(random_move(hand, rng))
    return hand


def random_record(seed: int, plain: bool = False) -> HandRecord:
    """A record of a random hand with all its details."""
    rng = random.Random(seed)
    spec = random_holdem(rng)
    if plain:  # what every format can carry
        spec = spec.replace(rake=Rake(), antes=())
        spec = spec.replace(betting=rng.choice(["no-limit", "fixed-limit"]))
    hand = play_out(spec, seed, rng)
    n = hand.players
    if plain:
        return record_of(hand, names=PLAIN_NAMES[:n], hand_id=str(seed))
    ring = sorted(rng.sample(range(1, 11), n))
    first = rng.randrange(n)
    return record_of(
        hand,
        names=rng.sample(NAMES, n),
        hand_id=str(seed),
        table=rng.choice(["Halley", "T'x' 2-max", "a b"]),
        site="PokerStars",
        date=datetime(2000, 1, 1, tzinfo=UTC) + timedelta(seconds=rng.randrange(10**9)),
        hero=rng.choice([None, None, rng.randrange(n)]),
        currency=rng.choice(["", "USD", "EUR", "CAD"]),
        unit=rng.choice([1, 100]),
        seat_numbers=tuple(ring[first:] + ring[:first]),
        table_size=10,
    )
