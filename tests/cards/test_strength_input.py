"""Hand strength of what is no hand: sentences, and no harm done."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.cards import (
    HandIndexer,
    cactus_kev,
    category,
    describe_strength,
    evaluate,
    evaluate_batch,
)
from riverboat.errors import CardError


@pytest.mark.parametrize("strength", [-1, 7462])
def test_no_strength(strength: int) -> None:
    sentence = f"^{strength} is not a strength: strengths are 0 to 7461$"
    for use in (cactus_kev, category, describe_strength):
        with pytest.raises(CardError, match=sentence):
            use(strength)
        with pytest.raises(CardError, match=r"^1\.5 is not a strength"):
            use(1.5)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(CardError, match=r"^1404 is not a strength: strengths are 0 to 1403$"):
        category(1404, short_deck=True)


@pytest.mark.parametrize(
    ("hand", "sentence"),
    [
        ("AhKd", "a hand has 5, 6 or 7 cards: 'AhKd' has 2"),
        ("", "a hand has 5, 6 or 7 cards: '' has 0"),
        (range(8), "a hand has 5, 6 or 7 cards: range(0, 8) has 8"),
        ([0, 1, 2, 3, 52], "52 is not a card: cards are numbers 0 to 51 or text like 'Ah'"),
        ([0, 1, 2, 3, -1], "-1 is not a card: cards are numbers 0 to 51 or text like 'Ah'"),
        ([0, 1, 2, 3, 10**30], "is not a card"),
        ([0, 1, 2, 3, 4.0], "4.0 is not a card"),
        ([0, 1, 2, 3, None], "None is not a card"),
        ([0, 1, 2, 3, 0], "the card 2c appears twice in [0, 1, 2, 3, 0]"),
        ("AhKhQhJhAh", "the card Ah appears twice in 'AhKhQhJhAh'"),
        ("AhKhQhJh1h", "'1h' is not a card: ranks are 23456789TJQKA, suits cdhs"),
        (["Ah", "Kh", "Qh", "Jh", "Tx"], "'Tx' is not a card"),
        (None, "None is not a hand"),
        (5, "5 is not a hand"),
        (np.zeros((2, 7), np.uint8), "is not a card"),
    ],
)
def test_evaluate_refuses(hand: Any, sentence: str) -> None:
    with pytest.raises(CardError, match=re.escape(sentence)):
        evaluate(hand)


@pytest.mark.parametrize("reader", ["evaluate", "index"])
def test_a_card_that_empties_its_own_list_does_no_harm(reader: str) -> None:
    read: Callable[[Any], int] = evaluate if reader == "evaluate" else HandIndexer().index

    class Emptying:
        def __index__(self) -> int:
            hand.clear()
            return 0

        def __repr__(self) -> str:
            hand.clear()
            return "emptying"

    for rest in (range(4, 28, 4), range(4, 400, 4)):
        hand: list[Any] = [Emptying(), *rest]
        try:
            assert read(hand) >= 0
        except CardError as error:
            assert "is not a card" in str(error)  # noqa: PT017 - either end is sound


@pytest.mark.parametrize("error", [KeyboardInterrupt, LookupError])
def test_errors_of_the_callers_own_code_pass(error: type[BaseException]) -> None:
    class Raising:
        def __index__(self) -> int:
            raise error

    def cards() -> Iterator[int]:
        yield 0
        raise error

    hands: list[Any] = [cards(), [0, 4, 8, 12, Raising()]]
    for hand in hands:
        with pytest.raises(error):
            evaluate(hand)


def test_truth_of_short_deck() -> None:
    assert evaluate("AhKhQhJhTh", 1) == 1403  # type: ignore[arg-type]  # as good as True
    assert evaluate("AhKhQhJhTh", np.bool_(False)) == 7461  # type: ignore[arg-type]  # as good as False


def test_short_deck_starts_at_the_six() -> None:
    with pytest.raises(CardError, match=r"^5s is not in the short deck: it starts at the six$"):
        evaluate("5s6s7s8s9s", short_deck=True)
    with pytest.raises(CardError, match=r"^row 1 of the batch is not .* 16 to 51 \(the short deck"):
        evaluate_batch([[16, 17, 18, 19, 20], [15, 17, 18, 19, 20]], short_deck=True)


@pytest.mark.parametrize(
    ("batch", "sentence"),
    [
        (np.zeros((2, 4), np.uint8), "has the shape [n, 5], [n, 6] or [n, 7], not [n, 4]"),
        (np.zeros((0, 8), np.uint8), "has the shape [n, 5], [n, 6] or [n, 7], not [n, 8]"),
        (np.arange(7, dtype=np.uint8), "an array [n, k] of whole numbers, not one of shape [7]"),
        (np.zeros((2, 2, 7), np.uint8), "not one of shape [2, 2, 7]"),
        (7, "not one of shape []"),
        ([[0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4]], "must have equal length"),
        (np.zeros((2, 7)), "of whole numbers, not one of shape [2, 7] and type float64"),
        (np.zeros((2, 7), np.bool_), "and type bool"),
        (["AhKhQhJhTh"], "and type <U10"),
        ([[0, 1, 2, 3, 4, 5, 10**30]], "and type object"),
        (None, "and type object"),
        ([[0, 1, 2, 3, 4, 5, 52]], "52 is not a card: a batch of hands holds numbers 0 to 51"),
        ([[0, 1, 2, 3, -4]], "-4 is not a card: a batch of hands holds numbers 0 to 51"),
        ([[256, 257, 258, 259, 260]], "256 is not a card"),
        ([[0, 1, 2, 3, 4], [5, 6, 7, 8, 5]], "row 1 of the batch is not a hand of 5 different"),
    ],
)
def test_batch_refuses(batch: Any, sentence: str) -> None:
    with pytest.raises(CardError, match=re.escape(sentence)):
        evaluate_batch(batch)


def test_a_batch_may_be_empty() -> None:
    assert evaluate_batch([]).shape == evaluate_batch(np.empty((0, 7), np.uint8)).shape == (0,)


@pytest.mark.parametrize("num_cards", [5, 6, 7])
def test_batch_refuses_every_byte_that_is_no_card(num_cards: int) -> None:
    # With five cards of its suit, the byte also comes to the look-up of flushes.
    for byte in range(52, 256):
        suited = [4 * rank + byte % 4 for rank in range(num_cards - 1)]
        batch = np.array([[0, 5, 10, 15, 16, 21, 26][:num_cards], [*suited, byte]], np.uint8)
        with pytest.raises(CardError, match=f"^row 1 of .* {num_cards} different cards 0 to 51$"):
            evaluate_batch(batch)


@given(st.lists(st.integers(0, 255), min_size=7, max_size=7))
def test_batch_takes_hands_only(row: list[int]) -> None:
    is_hand = len(set(row)) == 7 and max(row) < 52
    batch = np.array([row], np.uint8)
    if is_hand:
        assert evaluate_batch(batch)[0] == evaluate(row)
    else:
        with pytest.raises(CardError, match=r"^row 0 of the batch is not a hand of 7 different"):
            evaluate_batch(batch)
