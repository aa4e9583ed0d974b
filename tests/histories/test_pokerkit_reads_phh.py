"""PokerKit, the reference reader of PHH, understands our files and pays the same."""

from __future__ import annotations

import random
from typing import Any

import pytest

from game.random_games import random_move
from riverboat.game import GameSpec, Hand, Street, catalogue
from riverboat.histories import from_text, record_of, to_text

pokerkit = pytest.importorskip("pokerkit")
pytestmark = pytest.mark.peer


def peer_spec(rng: random.Random) -> GameSpec:
    """Games where the rules agree (docs/rules.md says where they do not)."""
    players = rng.randint(2, 9)
    betting = rng.choice(["no-limit", "pot-limit", "fixed-limit"])
    ante = rng.choice([0, 0, 1, 3])
    stacks = [rng.randint(20, 400) for _ in range(players)]
    return GameSpec(
        stacks=tuple(stacks),
        blinds=(5, 10) + (0,) * (players - 2),
        antes=(ante,) * players,
        betting=betting,  # type: ignore[arg-type]  # a word drawn from the right ones
        streets=tuple(
            Street(
                hole=2 * (i == 0),
                board=(0, 3, 1, 1)[i],
                bet_size=(10, 10, 20, 20)[i],
                max_raises=4,
            )
            for i in range(4)
        ),
    )


def final_state(text: str) -> Any:
    state = list(pokerkit.HandHistory.loads(text))[-1]
    assert not state.status, "PokerKit does not come to the end of the hand"
    return state


def is_comparable(hand: Hand) -> bool:
    """One odd chip at most (PokerKit gives several to one seat), no short all-in raises."""
    if sum(pot.amount % len(pot.winners) for pot in hand.pots()) > 1:
        return False
    for i, event in enumerate(hand.events):
        if event.action.kind != "bet":
            continue
        before = Hand(hand.spec, cards=hand.deal)
        for earlier in hand.events[:i]:
            before.do(earlier.action)
        size = (10, 10, 20, 20)[event.street] if hand.spec.betting == "fixed-limit" else 10
        if event.action.amount - before.price < size:
            return False
    return True


def compare(seed: int, spec: GameSpec) -> bool:
    rng = random.Random(seed)
    hand = Hand(spec, seed=seed)
    while not hand.finished:
        hand.do(random_move(hand, rng))
    if not is_comparable(hand):
        return False
    state = final_state(to_text(record_of(hand, hand_id=str(seed)), "phh"))
    payoffs = list(state.payoffs)[::-1] if hand.players == 2 else list(state.payoffs)
    assert payoffs == list(hand.payoffs()), f"seed {seed}"
    return True


def test_pokerkit_pays_the_same_from_our_files() -> None:
    compared = 0
    for seed in range(600):
        compared += compare(seed, peer_spec(random.Random(seed)))
    print(f"{compared} hands compared")
    assert compared > 300


def test_short_deck() -> None:
    spec = catalogue("short-deck", players=4)
    assert sum(compare(seed, spec) for seed in range(100)) > 50


def test_we_read_what_pokerkit_writes() -> None:
    """PokerKit records its own state, with the checks it asks for when nobody can reply."""
    for seed in range(100):
        spec = peer_spec(random.Random(seed))
        rng = random.Random(seed)
        hand = Hand(spec, seed=seed)
        while not hand.finished:
            hand.do(random_move(hand, rng))
        if not is_comparable(hand):
            continue
        ours = pokerkit.HandHistory.loads(to_text(record_of(hand), "phh"))
        state = final_state(ours.dumps())
        theirs = pokerkit.HandHistory.from_game_state(ours.create_game(), state).dumps()
        read = from_text(theirs, "phh").hand()
        assert read.payoffs() == hand.payoffs()
        assert read.line == hand.line
