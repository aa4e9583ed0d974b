"""A view depends on nothing that its seat may not know."""

from __future__ import annotations

import gc
import pickle
import random

import msgspec
import pytest

from game.random_games import random_catalogue_spec, random_move, random_spec
from riverboat import _core
from riverboat.errors import GameError
from riverboat.game import GameSpec, Hand, View, catalogue
from sizes import few_or_many


def hidden_slots(hand: Hand, seat: int) -> list[int]:
    """Slots of the deal that `seat` cannot know now."""
    spec = hand.spec
    per_seat, n = spec.compiled.hole_cards, spec.players
    dealt_board = sum(street.board for street in spec.streets[: hand.street + 1])
    board = n * per_seat
    own_swaps = {
        phase
        for phase, street in enumerate(i for i, s in enumerate(spec.streets) if s.discard == "swap")
        if any(
            e.seat == seat and e.street == street and e.action.kind == "discard"
            for e in hand.events
        )
    }
    tossed = {
        event.action.card
        for event in hand.events
        if spec.streets[event.street].discard == "toss" and event.action.kind == "discard"
    }
    hidden = []
    for slot, card in enumerate(hand.deal):
        if slot < board:
            known = slot // per_seat == seat or card in tossed
        elif slot < board + spec.compiled.board_cards:
            known = slot - board < dealt_board
        else:
            phase, owner = divmod(slot - board - spec.compiled.board_cards, n)
            known = owner == seat and phase in own_swaps
        if not known:
            hidden.append(slot)
    return hidden


def with_other_hidden_cards(hand: Hand, seat: int, rng: random.Random) -> Hand:
    """Return the same hand for `seat`, with all hidden cards dealt again."""
    hidden = hidden_slots(hand, seat)
    known = {card for slot, card in enumerate(hand.deal) if slot not in hidden}
    pool = [card for card in hand.spec.deck if card not in known]
    rng.shuffle(pool)
    deal = list(hand.deal)
    for slot in hidden:
        deal[slot] = pool.pop()
    original = Hand(hand.spec, cards=hand.deal, stacks=hand.starting_stacks)
    other = Hand(hand.spec, cards=deal, stacks=hand.starting_stacks)
    for event in hand.events:
        if event.action.kind == "discard":
            place = original.hole_cards(event.seat).index(event.action.card)
            other.discard(other.hole_cards(event.seat)[place])
        else:
            other.do(event.action)
        original.do(event.action)
    return other


@pytest.mark.parametrize("hands", few_or_many(80, 250))
@pytest.mark.parametrize("make", [random_spec, random_catalogue_spec])
def test_views_never_leak(make: object, hands: int) -> None:
    assert callable(make)
    checked = 0
    for seed in range(hands):
        rng = random.Random(seed)
        spec: GameSpec = make(rng)
        hand = Hand(spec, seed=seed)
        while True:
            showdown = hand.finished and len(hand.live) > 1
            for seat in range(0 if showdown else hand.players):
                other = with_other_hidden_cards(hand, seat, rng)
                assert hand.view(seat) == other.view(seat), f"seed {seed}, seat {seat}"
                checked += hand.deal != other.deal
            if hand.finished:
                break
            hand.do(random_move(hand, rng))
    assert checked > 4 * hands


def reachable(start: object) -> list[object]:
    """Objects that can be reached from `start`, modules and classes apart."""
    seen: dict[int, object] = {}
    queue = [start]
    while queue:
        item = queue.pop()
        if id(item) in seen or isinstance(item, type) or type(item).__name__ == "module":
            continue
        seen[id(item)] = item
        queue.extend(gc.get_referents(item))
    return list(seen.values())


def test_the_hand_cannot_be_reached_from_a_view() -> None:
    hand = Hand(catalogue("discard-2017"), seed=7)
    hand.play("b6c/ssk")
    view = hand.view(0)
    assert not any(isinstance(item, _core.Hand) for item in reachable(view))
    assert any(item is view.spec for item in reachable(view))  # the walk does walk


def test_views_are_frozen_and_travel() -> None:
    hand = Hand(catalogue("nolimit"), seed=7)
    view = hand.view(0)
    with pytest.raises(AttributeError):
        view.pot = 5  # type: ignore[misc]  # frozen on purpose
    assert pickle.loads(pickle.dumps(view)) == view
    assert msgspec.json.decode(msgspec.json.encode(view), type=View) == view
    assert msgspec.json.decode(msgspec.json.encode(view.legal)) == {
        "fold": True,
        "check": False,
        "call": 5,
        "raise_to": [20, 1000],
        "stand": False,
        "discards": [],
    }


def test_only_the_seat_to_act_has_moves() -> None:
    hand = Hand(catalogue("nolimit"), seed=7)
    assert list(hand.view(0).legal) == ["f", "c", "b20", "b1000"]
    assert list(hand.view(1).legal) == []
    assert "b500" in hand.view(0).legal
    assert "b5" not in hand.view(0).legal
    assert "nonsense" not in hand.view(0).legal


def test_cards_are_shown_at_a_showdown_only() -> None:
    hand = Hand(catalogue("nolimit", players=3), seed=7)
    hand.play("cfk/kk/kk/kk")
    view = hand.view(0)
    assert view.shown == ((), hand.hole_cards(1), hand.hole_cards(2))
    hand = Hand(catalogue("nolimit"), seed=7)
    hand.play("f")
    assert hand.view(1).shown == ((), ())


def test_there_is_no_such_seat() -> None:
    with pytest.raises(GameError, match="there is no seat 2: seats are 0 to 1"):
        Hand(catalogue("nolimit"), seed=7).view(2)


def test_a_view_reads_as_a_person_would_say_it() -> None:
    spec = catalogue("nolimit-100bb")
    hand = Hand(spec, hole=["AhKd", "7s2c"], board="2d7c9hTsJs")
    first = hand.view(0)
    assert str(first) == (
        "preflop, seat 0 (small blind, button) with AhKd: pot 15, 5 to call; "
        "fold, call 5, raise to 20-1000"
    )
    hand.play("b30c/kb40")
    view = hand.view(1)
    assert (view.hole_text, view.board_text, first.board_text) == ("7s2c", "2d7c9h", "")
    assert str(view) == (
        "flop 2d7c9h, seat 1 (big blind) with 7s2c: pot 100, 40 to call; "
        "fold, call 40, raise to 80-970"
    )
    assert str(hand.view(0)).endswith("pot 100; seat 1 is to act")
    hand.fold()
    assert str(hand.view(0)).endswith("the hand is over, +30 chips")


def test_legal_actions_read_as_actions() -> None:
    hand = Hand(catalogue("leduc"), seed=1)
    assert str(hand.legal()) == "check, bet to 2"
    assert repr(hand.legal()) == "<LegalActions: check, bet to 2>"
    swap = Hand(catalogue("discard-2017"), hole=["AhKd", "7s2c"], board="2d7c9hTsJs")
    swap.play("ck")
    assert str(swap.legal()) == "stand pat, discard 7s, discard 2c"
    hand.play("kk/kk")
    assert str(hand.view(0).legal) == "nothing"
