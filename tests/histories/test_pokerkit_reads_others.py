"""PokerKit's readers of PokerStars text and ACPC lines pay the same from what we write."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import pytest

from game.random_games import random_move
from histories.test_pokerkit_reads_phh import is_comparable, peer_spec
from riverboat.game import GameSpec, Hand, catalogue
from riverboat.histories import record_of, to_text

pokerkit = pytest.importorskip("pokerkit")
# Its reader of PokerStars text makes a field that its own writer warns about.
pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore:The field 'time_zone")]


def play(spec: GameSpec, seed: int) -> Hand:
    rng = random.Random(seed)
    hand = Hand(spec, seed=seed)
    while not hand.finished:
        hand.do(random_move(hand, rng))
    return hand


def payoffs(parser: Any, text: str) -> list[int]:
    (history,) = parser(text, error_status=True)
    return list(list(history)[-1].payoffs)


def test_pokerstars() -> None:
    compared = 0
    for seed in range(200):  # it reads no-limit without antes
        hand = play(peer_spec(random.Random(seed)).replace(betting="no-limit", antes=()), seed)
        if not is_comparable(hand):
            continue
        date = datetime(2024, 1, 1, tzinfo=UTC)
        record = record_of(hand, hand_id=str(seed), date=date, table="T", table_size=9)
        found = payoffs(pokerkit.notation.PokerStarsParser(), to_text(record, "pokerstars"))
        if hand.players == 2:
            found.reverse()
        assert found == list(hand.payoffs()), f"seed {seed}"
        compared += 1
    assert compared > 100


def test_acpc() -> None:
    compared = 0
    for seed in range(100):
        players = random.Random(seed).choice([2, 3, 6])
        spec = catalogue("nolimit-200bb", players=players)
        hand = play(spec, seed)
        if not is_comparable(hand):
            continue
        text = to_text(record_of(hand, hand_id=str(seed)), "acpc")
        game = pokerkit.NoLimitTexasHoldem((), True, 0, (50, 100), 100)
        parser = pokerkit.notation.ACPCProtocolParser(game, 20000)
        found = payoffs(parser, text)
        if players == 2:
            found.reverse()
        assert found == list(hand.payoffs()), f"seed {seed}"
        compared += 1
    assert compared > 30
