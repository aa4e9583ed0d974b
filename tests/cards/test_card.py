"""Cards and their text, and agreement with the core's own reader."""

import unicodedata
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat import _core
from riverboat.cards import (
    NUM_CARDS,
    RANKS,
    SUITS,
    Range,
    as_cards,
    card_symbol,
    card_text,
    cards_text,
    evaluate,
    parse_card,
    parse_cards,
    parse_class,
    parse_hole,
)
from riverboat.errors import CardError, RangeError

DECK = range(52)


def core_error(text: str) -> str | None:
    """Tell what the core says against a hand text, if anything."""
    try:
        _core.evaluate(text)
    except CardError as error:
        return str(error)
    return None


def python_error(text: str) -> str | None:
    try:
        parse_cards(text)
    except CardError as error:
        return str(error)
    return None


def test_numbering() -> None:
    assert len(DECK) == NUM_CARDS == 52
    assert [card_text(card) for card in DECK] == [rank + suit for rank in RANKS for suit in SUITS]
    assert (card_text(0), card_text(51)) == ("2c", "As")


@pytest.mark.parametrize("card", DECK)
def test_text_both_ways_in_either_case(card: int) -> None:
    text = card_text(card)
    suit = card % 4
    signs = ["♣♦♥♠"[suit], "♧♢♡♤"[suit], "♣♦♥♠"[suit] + "\ufe0f", "♣♦♥♠"[suit] + "\ufe0e"]
    ranks = {text[0], text[0].lower(), text[0].replace("T", "10")}
    spellings = {rank + suit for rank in ranks for suit in (text[1], text[1].upper(), *signs)}
    assert {parse_card(spelling) for spelling in spellings} == {card}
    others = [other for other in DECK if other // 4 != card // 4][:4]
    hands = {_core.evaluate(spelling + cards_text(others)) for spelling in spellings}
    assert hands == {_core.evaluate([card, *others])}


@pytest.mark.parametrize(
    "text", ["AhKd2c", "Ah Kd 2c", "Ah,Kd,2c", " ah,\tkD\n2C, ", "A♥K♦2♣", "A♥️K♦️ 2♣️", "a♡K♢2♧"]
)
def test_cards_in_every_usual_spelling(text: str) -> None:
    assert parse_cards(text) == [50, 45, 0]


def test_cards_text() -> None:
    assert cards_text([50, 45, 0]) == "AhKd2c"
    assert cards_text(np.array([50, 45], dtype=np.uint8), separator=", ") == "Ah, Kd"
    assert cards_text([]) == ""
    assert card_symbol(50) == "A♥"


def test_as_cards_takes_text_numbers_and_both() -> None:
    assert as_cards("AhKd") == as_cards(["Ah", 45]) == as_cards(np.array([50, 45])) == [50, 45]
    assert as_cards([]) == []


@pytest.mark.parametrize("text", ["1h", "", "A", "Ax", "Ahh", "hA", "♥A", "\u212ah", "A\u017f"])
def test_bad_card_is_named_with_what_is_allowed(text: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_card(text)
    assert str(caught.value) == f"'{text}' is not a card: ranks are 23456789TJQKA, suits cdhs"


@pytest.mark.parametrize("number", [-1, 52, 256, 10**30, 1.5, None, np.int64(52)])
def test_bad_number_is_named(number: int) -> None:
    with pytest.raises(CardError, match="is not a card: cards are numbers 0 to 51") as caught:
        card_text(number)
    assert str(caught.value).startswith(repr(number))


def test_twins_are_refused() -> None:
    with pytest.raises(CardError, match="the card Ah appears twice in 'AhKdah'"):
        parse_cards("AhKdah")
    with pytest.raises(CardError, match=r"the card Ah appears twice in \['Ah', 50\]"):
        as_cards(["Ah", 50])


def test_halves_of_surrogates_are_refused_in_printable_words() -> None:
    for text in ("\ud800", "A\ud800", "Ah\ud800"):
        with pytest.raises(CardError) as caught:
            parse_cards(text)
        str(caught.value).encode()
        with pytest.raises(CardError) as caught:
            parse_card(text)
        str(caught.value).encode()


# The core adds its own rule, five to seven cards, so the texts below have five and up to two more.
# No NUL: the message of a C++ exception ends there.
PIECES = st.sampled_from(["Ah", "Kd", "2c", "ts", "9H", "1h", "A", " ", ",", "\n", "é", "🂡", "K"])
PIECES |= st.sampled_from(["10", "10s", "10♦", "A♠", "2♡", "♣", "\ufe0f", "0", "1"])


@given(st.lists(PIECES, max_size=2).map("".join))
def test_core_refuses_the_same_texts_in_the_same_words(text: str) -> None:
    text = f"3c3d3h3s4c{text}"
    assert core_error(text) == python_error(text)


@given(st.text(st.characters(exclude_characters="\0"), max_size=3))
def test_core_agrees_on_any_text(text: str) -> None:
    text = f"3c3d3h3s4c{text}"
    assert core_error(text) == python_error(text)


@given(st.lists(st.sampled_from(DECK), min_size=5, max_size=7, unique=True))
def test_core_reads_the_same_cards(cards: list[int]) -> None:
    assert parse_cards(cards_text(cards)) == cards
    assert _core.evaluate(cards_text(cards, " ")) == _core.evaluate(cards)


@pytest.mark.parametrize("given", [None, 5, 3.5])
def test_what_is_not_cards_at_all_is_refused(given: object) -> None:
    with pytest.raises(CardError, match="is not cards"):
        as_cards(given)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("value", [None, 5, 1.5, [], b"Ah"])
def test_what_is_no_text_gets_a_sentence(value: Any) -> None:
    for read in (parse_card, parse_cards, parse_hole, parse_class):
        with pytest.raises(CardError, match="is not"):
            read(value)
    with pytest.raises(RangeError, match="is not text"):
        Range.parse(value)


def test_carriage_returns_separate_cards() -> None:
    text = "AhKh\rQh\r\nJhTh"
    assert parse_cards(text) == [50, 46, 42, 38, 34]
    assert evaluate(text) == 7461


@pytest.mark.parametrize(
    "text", ["\x1b[", "A\x00", "\x9bA", "A\u0085", "\x7f2", "A\u00a0", "\u00e9\u00c2"]
)
def test_both_readers_quote_control_characters_alike(text: str) -> None:
    with pytest.raises(CardError) as plain:
        parse_cards(text)
    with pytest.raises(CardError) as core:
        evaluate(text)
    assert str(core.value) == str(plain.value)
    assert not any(unicodedata.category(char) == "Cc" for char in str(plain.value))
