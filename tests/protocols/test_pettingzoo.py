"""Poker as an environment: numbers mean legal moves, observations tell no secret."""

import random
import warnings
from typing import Any

import numpy as np
import pytest

from riverboat.bots import make_bot
from riverboat.errors import GameError, IllegalActionError, MenuError
from riverboat.game import GameSpec, Hand, catalogue, catalogue_names
from riverboat.protocols.pettingzoo import ActionMenu, Encoder, PokerEnv


@pytest.mark.parametrize("name", catalogue_names())
def test_every_number_that_is_offered_is_a_legal_move(name: str) -> None:
    spec = catalogue(name)
    menu, draw = ActionMenu(spec), random.Random(1)
    for seed in range(20):
        hand = Hand(spec, seed=seed)
        while hand.actor is not None:
            view = hand.view(hand.actor)
            moves = [move for move in menu.moves(view) if move is not None]
            assert len(moves) == len(set(moves))
            assert all(move in view.legal for move in moves)
            kinds = {move[0] for move in view.legal}
            assert {move[0] for move in moves} == kinds
            hand.do(draw.choice(moves))


def test_sizes_of_bets() -> None:
    spec = catalogue("nolimit-100bb")
    menu = ActionMenu(spec, "3x, 4bb, 50%, 75%, a")
    assert menu.names[2:] == ("bet 4bb", "bet 3x", "bet 50%", "bet 75%", "bet a")
    raised = Hand.from_line(spec, "b30", seed=1).view(1)
    # To call 20 into 40; half of the 60 after it on top of the 30; the least is to 50.
    assert menu.moves(raised) == ("f", "c", "b50", "b90", "b60", "b75", "b1000")
    flop = Hand.from_line(spec, "b30c", seed=1).view(1)
    # 30 three times: by big blinds where there is no bet, and as half of the pot of 60.
    assert menu.moves(flop) == (None, "k", "b40", "b30", None, "b45", "b970")
    assert menu.number(flop, "b600") == 6
    assert menu.number(flop, "b41") == 2
    with pytest.raises(IllegalActionError, match="'f' is not allowed: check, bet to 10-970"):
        menu.number(flop, "f")


@pytest.mark.parametrize(
    "bets", ["min / a", "min | a", "min; cap 3", "min; cap 1 each", "none", "2e"]
)
def test_bets_are_sizes_only(bets: str) -> None:
    with pytest.raises(MenuError):
        ActionMenu(catalogue("nolimit-100bb"), bets)


def test_an_observation_is_what_the_view_says() -> None:
    spec = catalogue("nolimit-100bb", players=3)
    hand = Hand.from_line(spec, "fb30c/kb45", hole=["2c2d", "AhKd", "7s6s"], board="QsJs2h", seed=1)
    encoder = Encoder(spec, history=3)
    told = encoder.encode(hand.view(1))
    part = {field.name: told[field.begin : field.end] for field in encoder.fields}
    assert np.flatnonzero(part["hole"]).tolist() == sorted(hand.hole_cards(1))
    assert np.flatnonzero(part["board"]).tolist() == sorted(hand.board)
    assert not part["discarded"].any()
    assert part["street"].tolist() == [0, 1, 0, 0]
    # Clockwise from seat 1: 1, 2, 0; the button is seat 2, which has folded.
    assert part["button"].tolist() == [0, 1, 0]
    assert part["live"].tolist() == [1, 0, 1]
    assert part["stacks"] * 3000 == pytest.approx([hand.stacks[seat] for seat in (1, 2, 0)])
    assert part["bets"] * 3000 == pytest.approx([hand.bets[seat] for seat in (1, 2, 0)])
    assert part["pot"] * 3000 == pytest.approx(hand.pot)
    rows = part["history"].reshape(3, 8)
    assert ["fkcbsd"[np.argmax(row[:6])] for row in rows] == ["b", "k", "c"]
    assert rows[0, 6] * 3000 == pytest.approx(45)
    assert rows[:, 7].tolist() == [0, 1, 0]


def test_other_peoples_cards_change_nothing() -> None:
    spec = catalogue("nolimit-100bb")
    encoder = Encoder(spec)
    seen = [
        encoder.encode(Hand.from_line(spec, "b30c/k", hole=["AhKd", other], board="QsJs2h").view(0))
        for other in ("7s6s", "2c2d")
    ]
    assert np.array_equal(seen[0], seen[1])


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverboat.protocols.pettingzoo._env.AECEnv", object)
    with pytest.raises(GameError, match=r"pip install 'riverboat\[pettingzoo\]'"):
        PokerEnv("leduc")


@pytest.mark.peer
@pytest.mark.parametrize(
    ("name", "players"),
    [
        *((name, None) for name in catalogue_names()),
        ("leduc", 4),
        ("nolimit-100bb", 10),
        ("discard-2017", 6),
    ],
)
def test_pettingzoo_accepts_it(name: str, players: int | None) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test  # noqa: PLC0415 - an extra

    with warnings.catch_warnings():
        # Its checker says so of every environment with masks, its own ones too.
        warnings.filterwarnings("ignore", "Observation space for each agent probably")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        for _ in range(5):  # it plays one hand
            api_test(PokerEnv(name, players, render_mode="ansi"), 100)
    seed_test(lambda: PokerEnv(name, players), 100)


@pytest.mark.peer
def test_agents_are_paid_what_the_hand_pays() -> None:
    pytest.importorskip("pettingzoo")
    env = PokerEnv("nolimit-100bb", players=4)
    bots = [make_bot("random", seed=seat) for seat in range(4)]
    env.reset(seed=5)
    first = env.hand.deal
    for _ in range(50):
        paid = {}
        for agent in env.agent_iter():
            _, reward, terminated, *_ = env.last()
            if terminated:
                paid[agent] = reward
                env.step(None)
            else:
                view = env.view(agent)
                env.step(env.menu.number(view, bots[view.seat].act(view)))
        assert list(paid.values()) == [chips / 10 for chips in env.hand.payoffs()]
        env.reset()
    assert env.hand.deal != first
    env.reset(seed=5)
    assert env.hand.deal == first


@pytest.mark.peer
def test_a_wrong_action_is_a_sentence_and_changes_nothing() -> None:
    pytest.importorskip("pettingzoo")
    env = PokerEnv(GameSpec(stacks=(100, 100), blinds=(5, 10)), bets="a", render_mode="ansi")
    env.reset(seed=1)
    before = env.render()
    assert before is not None
    assert before.startswith("board: no cards yet, pot 15")
    wrong: Any
    for wrong in (3, -1, None, "f"):
        with pytest.raises(IllegalActionError, match=r"seat_0 may do 0 \(fold\), 1"):
            env.step(wrong)
    assert env.render() == before
    assert PokerEnv("kuhn").render() is None
    for given, sentence in (
        ({"render_mode": "human"}, "None or 'ansi'"),
        ({"game": catalogue("kuhn"), "players": 3}, "for 2 players, not 3"),
    ):
        with pytest.raises(GameError, match=sentence):
            PokerEnv(**given)
