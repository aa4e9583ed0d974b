"""Spots for tests: from a board, a pot, a stack and a menu."""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Range, as_cards, hole_index, parse_cards
from riverboat.game import GameSpec, Street
from riverboat.spots import DeviceEngine, Engine, Spot
from riverboat.tree import Tree

#: Whether the tests of spots run on a graphics card: `make test-gpu`.
ON_CARD = os.environ.get("RIVERBOAT_TEST_DEVICE") == "gpu"

BLUFF = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh", menu="a")
#: A turn with suits that can be renamed, donk bets, and lines added and removed.
TURN = Spot(
    board="Ks7h2d2c",
    pot=20,
    stack=60,
    oop="QQ, 77, A5s",
    ip="AKs, JJ:0.5, QTs",
    menu="50%, a | 3x ; donk 100%",
    added=("kk/b13",),
    removed=("kk/b60",),
)


def spec_of(board: str, pot: int, stack: int, **changes: Any) -> GameSpec:
    """Return the game of a spot: the pot is two antes."""
    dealt = len(parse_cards(board))
    return GameSpec(
        stacks=(stack + pot // 2,) * 2,
        antes=(pot // 2, pot // 2),
        min_bet=1,
        streets=(Street(hole=2, board=dealt), *[Street(board=1)] * (5 - dealt)),
        **changes,
    )


def made(
    spec: GameSpec,
    menu: str,
    board: str,
    ranges: tuple[str, str],
    *,
    kind: type[Engine] = DeviceEngine if ON_CARD else Engine,
    **options: Any,
) -> Engine:
    """Return the engine of a spot."""
    weights = (Range.parse(ranges[0]).weights, Range.parse(ranges[1]).weights)
    return kind(Tree(spec, menu, chance=True), parse_cards(board), weights, **options)


def hole(text: str) -> int:
    """Return the number of a hole pair."""
    first, second = as_cards(text)
    return hole_index(first, second)


def played(engine: Engine, line: str, hand: str) -> list[float]:
    """Return the probabilities of a hand's actions at a line without cards to come."""
    rows: NDArray[np.float32] = engine.strategy(engine.tree.node(line))
    return [float(p) for p in rows[:, hole(hand)]]


def one_hand(actions: list[float], hand: str) -> NDArray[np.float32]:
    """Return a lock of one hand; the others are free."""
    rows = np.full((len(actions), 1326), np.nan, dtype=np.float32)
    rows[:, hole(hand)] = actions
    return rows
