"""Golden playthroughs: one hand of each catalogue game, written out.

`RIVERBOAT_WRITE_PLAYTHROUGHS=1 uv run pytest tests/game/test_playthroughs.py`
writes the files again; do that only in a commit that says which rule changed.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from msgspec.structs import asdict

from game.random_games import random_move
from riverboat.game import Hand, LegalActions, catalogue, catalogue_names, simulate

FOLDER = Path(__file__).parent / "playthroughs"
SHORTEST = 6  # moves; shorter hands show too little


def fields_of(legal: LegalActions) -> str:
    """All fields, where the text of legal actions says them in words."""
    values = ", ".join(f"{name}={value!r}" for name, value in asdict(legal).items())
    return f"LegalActions({values})"


def play(name: str) -> Hand:
    """Return the first seeded random hand that is long enough."""
    spec = catalogue(name)
    for seed in range(1000):
        rng = random.Random(seed)
        hand = Hand(spec, seed=seed)
        while not hand.finished:
            move = random_move(hand, rng)
            hand.do("c" if move == "f" else move)
        if hand.num_actions >= SHORTEST or (name.startswith("kuhn") and hand.num_actions >= 3):
            return hand
    raise AssertionError(name)


def playthrough(name: str) -> str:
    """Every state of one hand as text."""
    hand = play(name)
    replay = Hand(hand.spec, cards=hand.deal)
    lines = [f"game {name}", f"spec {hand.spec}", ""]
    for event in hand.events:
        lines += [
            repr(replay),
            f"  {fields_of(replay.legal())}",
            f"  stacks {replay.stacks} bets {replay.bets}",
        ]
        lines += [f"  view {replay.view(event.seat).line!r} {replay.view(event.seat).hole}"]
        lines += [f"seat {event.seat}: {event.action}", ""]
        replay.do(event.action)
    lines += [repr(replay), f"full line {replay.full_line}"]
    lines += [str(pot) for pot in replay.pots()]
    lines += [f"payoffs {replay.payoffs()} refund {replay.refund}", ""]
    lines += [f"random play {simulate(hand.spec, hands=10_000, seed=1)}", ""]
    return "\n".join(lines)


@pytest.mark.parametrize("name", catalogue_names())
def test_playthrough(name: str) -> None:
    file = FOLDER / f"{name}.txt"
    text = playthrough(name)
    if os.environ.get("RIVERBOAT_WRITE_PLAYTHROUGHS") == "1":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")
