"""River of Blood (MIT Pokerbots 2023): the river runs on until a black card."""

from __future__ import annotations

import importlib
import os
import random
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from game.random_games import random_move
from game.test_rules_twin import play_both
from riverboat.arena import expected_payoffs
from riverboat.errors import GameError
from riverboat.game import GameSpec, Hand, Street, catalogue
from riverboat.tree import Tree
from twins.evaluator import best_value

if TYPE_CHECKING:
    from collections.abc import Iterator

SPEC = catalogue("river-of-blood-2023")
RED = [card for card in range(52) if card % 4 in (1, 2)]
BLACK = [card for card in range(52) if card % 4 in (0, 3)]


def test_the_game() -> None:
    assert (SPEC.stacks, SPEC.blinds, len(SPEC.streets)) == ((400, 400), (1, 2), 30)
    assert SPEC.street_names[2:6] == ("turn", "river", "run 1", "run 2")
    assert catalogue("River of Blood") == SPEC
    assert not SPEC.is_holdem
    assert not SPEC.has_holdem_cards


def test_a_black_river_is_the_end() -> None:
    hand = Hand(SPEC, hole=["AhKd", "QsQc"], board="2c7d9hTsJs")
    hand.play("ck/kk/kk/kk")
    assert (len(hand.board), hand.payoffs()) == (5, (-2, 2))


def test_a_red_river_runs_on_with_bets() -> None:
    hand = Hand(SPEC, hole=["AhKd", "QsQc"], board="2c7d9hTsJd3h3c")
    hand.play("ck/kk/kk/kk/kb10c")
    assert (hand.street, len(hand.board), hand.actor, hand.finished) == (5, 7, 1, False)
    hand.play("/kk")
    assert (hand.line, hand.payoffs()) == ("ck/kk/kk/kk/kb10c/kk", (-12, 12))


def test_all_in_runs_to_the_black_card() -> None:
    hand = Hand(SPEC, hole=["AhKh", "QsQc"], board="2c7d9hTsJd3h4h5h3c9c")
    hand.play("b400c")
    assert (len(hand.board), hand.street) == (9, 7)
    assert hand.payoffs() == (400, -400)  # five hearts
    assert Hand.from_line(SPEC, "b400c///////", cards=hand.deal).payoffs() == (400, -400)
    with pytest.raises(ValueError, match="the street is not over"):
        Hand.from_line(SPEC, "b400c////////", cards=hand.deal)
    assert expected_payoffs(hand, seed=1) is None


def test_the_longest_hand() -> None:
    board = [*BLACK[:4], *RED, BLACK[10]]
    hand = Hand(SPEC, hole=[BLACK[11:13], BLACK[13:15]], board=board)
    hand.play("ck" + "/kk" * 29)
    assert (hand.settled, len(hand.board)) == (True, 31)
    assert hand.payoffs() == (0, 0)  # both have the royal flush of the board


def test_an_unknown_card_does_not_end_it() -> None:
    hand = Hand(SPEC, hole=["AhKh", None], board="2c7d9hTs")
    hand.play("ck/kk/kk/kk/k")
    assert (hand.street, hand.actor) == (4, 0)
    with pytest.raises(GameError, match="a black card ends the hand, and it went on"):
        hand.give_board("2c7d9hTsJs")
    hand.give_board("2c7d9hTsJdQs")
    hand.do("k")
    assert hand.finished


def test_the_best_five_of_many_cards() -> None:
    rng = random.Random(1)
    for _ in range(20):
        cards = rng.sample(BLACK, 4) + rng.sample(RED, rng.randint(0, 6))
        rest = [card for card in range(52) if card not in cards]
        holes = rng.sample(rest, 4)
        last = next(card for card in BLACK if card not in (*cards, *holes))
        hand = Hand(SPEC, hole=[holes[:2], holes[2:]], board=[*cards, last])
        hand.play("b400c")
        ours, theirs = (best_value([*holes[i : i + 2], *hand.board]) for i in (0, 2))
        assert hand.payoffs()[0] == 400 * ((ours > theirs) - (ours < theirs))


@pytest.mark.parametrize("name", ["river-of-blood-2023", "tossem-2026"])
def test_same_as_the_plain_rules(name: str) -> None:
    longest = 0
    for seed in range(80):
        hand = play_both(catalogue(name), seed, random.Random(seed))
        longest = max(longest, len(hand.board))
    assert longest > 5


def test_more_than_two_seats() -> None:
    spec = catalogue("river-of-blood-2023", players=6)
    for seed in range(50):
        hand, rng = Hand(spec, seed=seed), random.Random(seed)
        while not hand.finished:
            hand.do(random_move(hand, rng))
        assert sum(hand.payoffs()) == 0
        reds = [card for card in hand.board[4:-1] if card in BLACK]
        assert not reds


def test_what_is_no_such_game() -> None:
    with pytest.raises(GameError, match="needs at least 5 board cards and no discards"):
        SPEC.replace(streets=SPEC.streets[:3])
    with pytest.raises(GameError, match="number of streets must be between 1 and 8, not 30"):
        SPEC.replace(showdown="high")
    with pytest.raises(GameError, match="has no tree"):
        Tree(SPEC, "a")


def test_a_run_that_is_cut_ends_with_a_showdown() -> None:
    streets = (Street(hole=2), Street(board=5), Street(board=1))
    spec = GameSpec(stacks=(10, 10), blinds=(1, 2), streets=streets, showdown="high-on-black")
    hand = Hand(spec, hole=["AhKd", "QsQc"], board="2c7d9hTsJd3h")
    hand.play("ck/kk/kk")
    assert hand.payoffs() == (-2, 2)


# ---- The real engine of 2023 -------------------------------------------------------------------

ENGINES = os.environ.get("RIVERBOAT_MIT_ENGINES", "")


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    """Load the engine's own state machine; its numbers come from the config beside it."""
    folder = str(Path(ENGINES) / "engine-2023")
    sys.path.insert(0, folder)
    try:
        yield importlib.import_module("engine")
    finally:
        sys.path.remove(folder)
        for name in ("engine", "config"):
            sys.modules.pop(name, None)


def both(engine: Any, rng: random.Random) -> tuple[Hand, tuple[int, ...]]:
    """Play one random hand in both; return ours, and what theirs paid."""
    deck = importlib.import_module("eval7").Deck()
    rng.shuffle(deck.cards)
    holes = [deck.deal(2), deck.deal(2)]
    last = 5 + next(i for i, card in enumerate(deck.cards[4:]) if card.suit in (0, 3))
    state = engine.RoundState(0, 0, last, [1, 2], [399, 398], holes, deck, -1, None)
    cards = ["".join(map(str, cards)) for cards in (*holes, deck.cards[:31])]
    hand = Hand(SPEC, hole=cards[:2], board=cards[2])
    while not isinstance(state, engine.TerminalState):
        if 0 in state.stacks and engine.CheckAction in state.legal_actions():
            state = state.proceed(engine.CheckAction())  # theirs asks, ours does not
            continue
        same_state(engine, state, hand)
        move = random_move(hand, rng)
        if move[0] == "b":
            least, most = state.raise_bounds()
            move = f"b{min(max(int(move[1:]), least), most)}"
        hand.do(move)
        kinds = {"k": engine.CheckAction, "c": engine.CallAction, "f": engine.FoldAction}
        done = engine.RaiseAction(int(move[1:])) if move[0] == "b" else kinds[move]()
        state = state.proceed(done)
    assert hand.finished
    return hand, tuple(state.deltas)


def same_state(engine: Any, state: Any, hand: Hand) -> None:
    """Compare who is to act, the board and what is allowed."""
    legal, theirs = hand.legal(), state.legal_actions()
    assert hand.actor == state.button % 2
    assert list(hand.board) == [4 * card.rank + card.suit for card in state.deck.peek(state.street)]
    assert legal.check == (engine.CheckAction in theirs)
    assert legal.fold == (engine.FoldAction in theirs)
    assert (legal.raise_to is not None) == (engine.RaiseAction in theirs)
    if legal.raise_to is not None:
        least, most = state.raise_bounds()
        assert least == legal.raise_to[0]
        assert most <= legal.raise_to[1]  # theirs is cut at what the other can pay


def has_two_flushes(hand: Hand, seat: int) -> bool:
    suits = Counter(card % 4 for card in (*hand.hole_cards(seat), *hand.board))
    return sum(count >= 5 for count in suits.values()) > 1


@pytest.mark.peer
@pytest.mark.filterwarnings("ignore:.*deprecated")  # of what eval7 imports
@pytest.mark.skipif(not ENGINES, reason="RIVERBOAT_MIT_ENGINES names no folder with their engines")
def test_the_real_engine_pays_the_same(engine: Any) -> None:
    rng, runs, differ = random.Random(1), 0, 0
    for _ in range(20_000):
        hand, paid = both(engine, rng)
        runs += len(hand.board) > 5
        if paid != hand.payoffs():
            # eval7 takes the first suit of two that make a flush, not the better one.
            assert has_two_flushes(hand, 0) or has_two_flushes(hand, 1)
            differ += 1
    assert runs > 3000
    assert differ < 40
