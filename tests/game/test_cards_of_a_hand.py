"""Dealing: from a seed, from given cards, from cards that become known later."""

from __future__ import annotations

import pytest

from riverboat.errors import CardError, GameError, RiverboatError
from riverboat.game import Hand, catalogue

NOLIMIT = catalogue("nolimit")


def test_a_seed_decides_the_deal() -> None:
    deals = {Hand(NOLIMIT, seed=seed).deal for seed in range(200)}
    assert len(deals) == 200
    assert all(len(set(deal)) == 9 for deal in deals)
    assert Hand(NOLIMIT, seed=5).deal == Hand(NOLIMIT, seed=5).deal


def test_every_card_is_dealt_equally_often_to_every_slot() -> None:
    # 52,000 deals: each (slot, card) count is Binomial(52000, 1/52): mean 1000, sigma 31.3.
    # The largest of 468 deviations exceeds 5 sigma with probability below 0.0003.
    counts = [[0] * 52 for _ in range(9)]
    for seed in range(52_000):
        for slot, card in enumerate(Hand(NOLIMIT, seed=seed).deal):
            counts[slot][card] += 1
    assert max(abs(count - 1000) for row in counts for count in row) < 5 * 31.3


def test_given_cards_keep_their_places_and_the_rest_comes_from_the_seed() -> None:
    hand = Hand(NOLIMIT, seed=3, hole=["AhKd", None], board="2c??4c")
    assert hand.hole_cards(0) == (50, 45)
    assert -1 not in hand.deal
    assert (hand.deal[4], hand.deal[6]) == (0, 8)
    assert len(set(hand.deal)) == 9


def test_cards_in_dealing_order() -> None:
    hand = Hand(NOLIMIT, cards="Ah Kd, Qs Qc 2c7d9hTsJs")
    assert hand.hole_cards(1) == Hand(NOLIMIT, hole=[(), "QsQc"]).hole_cards(1)
    assert Hand(NOLIMIT, cards=list(hand.deal)).deal == hand.deal
    assert Hand(NOLIMIT, cards=["Ah", 45, None, "??"]).deal[:4] == (50, 45, -1, -1)


def test_unknown_cards_stay_unknown_until_they_are_needed() -> None:
    hand = Hand(NOLIMIT, hole=["AhKd"])
    hand.play("ck/kk/kk/kk")
    assert hand.finished
    assert not hand.settled
    assert hand.board == (-1,) * 5
    with pytest.raises(GameError, match="a board card is not known"):
        hand.payoffs()
    hand.give_board("2c7d9hTsJs")
    with pytest.raises(GameError, match="the cards of seat 1 are not known"):
        hand.payoffs()
    hand.give_hole(1, "QsQc")
    assert hand.payoffs() == (-10, 10)


def test_no_cards_are_needed_when_all_others_fold() -> None:
    hand = Hand(NOLIMIT)
    hand.play("b30f")
    assert hand.payoffs() == (10, -10)


def test_the_board_comes_street_by_street() -> None:
    hand = Hand(NOLIMIT, hole=["AhKd"])
    hand.play("ck")
    hand.give_board("2c7d9h")
    assert list(hand.board) == [0, 21, 30]
    hand.play("kk")
    hand.give_board("2c7d9hTs")
    assert list(hand.board) == [0, 21, 30, 35]
    with pytest.raises(GameError, match="3c cannot be here: the card is known to be 2c"):
        hand.give_board("3c")
    with pytest.raises(GameError, match="Ah is already dealt elsewhere"):
        hand.give_hole(1, "QsAh")
    assert hand.hole_cards(1) == (-1, -1)


def test_a_swap_of_an_unknown_card() -> None:
    hand = Hand(catalogue("discard"), hole=["AhKd"], board="2c7d9hTsJs")
    hand.play("ck/ds")
    assert hand.line == "ck/ds"
    hand.play("kk/sdAh")
    assert hand.hole_cards(0) == (-1, 45)
    hand.give_swap(0, 2, "Ac")
    assert hand.hole_cards(0) == (48, 45)
    with pytest.raises(GameError, match="came too late"):
        hand.give_hole(1, "QsQc")
    with pytest.raises(GameError, match="street 3 has no swaps"):
        hand.give_swap(0, 3, "Ad")


def test_a_swapped_card_must_be_named_by_who_knows_it() -> None:
    hand = Hand(catalogue("discard"), seed=1)
    hand.play("ck")
    with pytest.raises(RiverboatError, match=r"one of s .stand pat., d"):
        hand.do("d")


@pytest.mark.parametrize(
    "arguments",
    [
        {"cards": "AhAh"},
        {"hole": ["AhKd", "AhQd"]},
        {"hole": ["AhKdQd"]},
        {"hole": ["AhKd", "QdJd", "2c2d"]},
        {"hole": "AhKd"},
        {"hole": 5},
        {"board": "2c3c4c5c6c7c"},
        {"hole": ["AhKd"], "cards": "KdAh"},
        {"seed": -1},
        {"seed": 2**64},
        {"seed": 1.5},
        {"seed": "x"},
        {"stacks": (1000,)},
        {"stacks": (1000, 0)},
        {"stacks": (1000, -5)},
        {"stacks": (1000, 10**13)},
        {"stacks": (1000, "x")},
        {"stacks": 5},
    ],
)
def test_what_cannot_be_dealt(arguments: dict[str, object]) -> None:
    with pytest.raises(GameError):
        Hand(NOLIMIT, **arguments)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("cards", ["Ax", "A", 5, [52], [-2], [1.5], ["Ahh"], "\ud800", "???"])
def test_what_is_no_card(cards: object) -> None:
    with pytest.raises(RiverboatError) as error:
        Hand(NOLIMIT, cards=cards)  # type: ignore[arg-type]  # wrong on purpose
    assert isinstance(error.value, CardError | GameError)


def test_each_fault_of_given_cards_has_its_own_sentence() -> None:
    with pytest.raises(GameError, match="the card Qd is given twice"):
        Hand(NOLIMIT, hole=["QdKd", "QdJd"])
    with pytest.raises(GameError, match="the card Qd is given where Kd is given already"):
        Hand(NOLIMIT, cards="Kd", hole=["QdKh"])
    with pytest.raises(GameError, match=r"the stack of seat 0 must be a whole number .* not 1.5"):
        Hand(NOLIMIT, stacks=(1.5, 2))  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("name", ["stacks", "cards", "hole", "board"])
def test_a_list_may_change_while_it_is_read(name: str) -> None:
    # Each item empties the list when it is asked for its number: the items that
    # were given are read all the same, and nothing is freed too early.
    class Emptier:
        def __init__(self, number: int) -> None:
            self.number = number

        def __index__(self) -> int:
            items.clear()
            return self.number

    items: list[object] = [Emptier(500), Emptier(600)]
    if name == "stacks":
        assert Hand(NOLIMIT, stacks=items).starting_stacks == (500, 600)  # type: ignore[arg-type]  # they turn into numbers
        return
    items = [Emptier(5), Emptier(6)]
    if name == "hole":
        items = [[Emptier(5), Emptier(6)], [7, 8]]
    deal = Hand(NOLIMIT, **{name: items}).deal  # type: ignore[arg-type]  # they turn into numbers
    assert [card for card in deal if card >= 0] == ([5, 6, 7, 8] if name == "hole" else [5, 6])


@pytest.mark.parametrize("items", [{1: 2}, {1, 2}, frozenset({1, 2})])
def test_cards_and_stacks_have_an_order(items: object) -> None:
    for name in ("cards", "board", "hole", "stacks"):
        with pytest.raises(RiverboatError):
            Hand(NOLIMIT, **{name: items})  # type: ignore[arg-type]  # wrong on purpose


def test_a_tossed_card_of_an_unknown_hand() -> None:
    # The opponent's toss is face up: a seat that knows its own cards only can replay it.
    spec = catalogue("tossem-2026")
    full = Hand(spec, cards="AhKdQs JcTc9c 2c7d 3h 4h")
    full.play("ck/dTcdKdkk/kk/kk")
    hand = Hand(spec, hole=["AhKdQs"], board="2c7d3h4h")
    hand.play("ck")
    for card in ("Ah", "2c"):
        assert not hand.can(f"d{card}")  # dealt elsewhere
    hand.play("/dTc")
    assert not hand.can("dTc")
    hand.play("dKdkk/kk/kk")
    assert (hand.line, hand.board) == (full.line, full.board)
    assert hand.hole_cards(1) == (-1, -1)
    with pytest.raises(GameError, match="9s cannot be here: it does not fit the cards"):
        hand.give_hole(1, "JcJd9s")
    hand.give_hole(1, "JcTc9c")
    assert hand.hole_cards(1) == full.hole_cards(1)
    assert hand.payoffs() == full.payoffs()
    hand.undo()
    assert not hand.finished


def test_a_card_of_another_deck() -> None:
    with pytest.raises(GameError, match="2c is not in the deck of this game"):
        Hand(catalogue("short-deck"), hole=["2cAh"])
    with pytest.raises(GameError, match="is not a GameSpec"):
        Hand("nolimit", seed=1)


def test_stacks_of_a_session() -> None:
    hand = Hand(NOLIMIT, seed=1, stacks=(1500, 500))
    hand.play("b500c")
    assert sorted(hand.stacks) in ([0, 2000], [500, 1500], [1000, 1000])
