"""Hole pairs and starting classes."""

from itertools import combinations

import numpy as np
import pytest

from riverboat.cards import (
    CLASS_COMBOS,
    CLASS_HOLES,
    HOLE_CLASS,
    HOLES,
    NUM_CLASSES,
    NUM_HOLES,
    class_text,
    hole_cards,
    hole_index,
    hole_text,
    parse_class,
    parse_hole,
)
from riverboat.errors import CardError


def test_every_pair_of_cards_has_its_index() -> None:
    # The order of core/cards/card.hpp: b(b-1)/2 + a for cards a < b.
    expected = {(a, b): b * (b - 1) // 2 + a for a, b in combinations(range(52), 2)}
    assert sorted(expected.values()) == list(range(NUM_HOLES))
    for (a, b), index in expected.items():
        assert hole_index(a, b) == hole_index(b, a) == index
        assert hole_cards(index) == tuple(HOLES[index]) == (a, b)


def test_small_numpy_integers_do_not_overflow() -> None:
    assert hole_index(np.uint8(50), np.uint8(51)) == NUM_HOLES - 1
    assert hole_cards(np.uint16(1325)) == (50, 51)
    assert class_text(np.uint8(168)) == "22"


def test_hole_text_both_ways() -> None:
    for index in range(NUM_HOLES):
        text = hole_text(index)
        assert parse_hole(text) == parse_hole(text[2:] + text[:2]) == index
        assert hole_cards(index)[1] // 4 >= hole_cards(index)[0] // 4
    assert hole_text(parse_hole("kd, ah")) == "AhKd"
    assert hole_text(parse_hole("2c2s")) == "2s2c"


def test_classes_are_ranks_and_suitedness() -> None:
    for hole in range(NUM_HOLES):
        low, high = hole_cards(hole)
        text = hole_text(hole)[::2]
        if low // 4 != high // 4:
            text += "s" if low % 4 == high % 4 else "o"
        assert class_text(HOLE_CLASS[hole]) == text


def test_class_sizes() -> None:
    # 13 pairs of 6 combos, 78 suited hands of 4, 78 offsuit hands of 12: 1,326 in all.
    assert np.bincount(CLASS_COMBOS).nonzero()[0].tolist() == [4, 6, 12]
    assert np.bincount(CLASS_COMBOS)[[4, 6, 12]].tolist() == [78, 13, 78]
    assert CLASS_COMBOS.sum() == NUM_HOLES
    for index, holes in enumerate(CLASS_HOLES):
        assert len(holes) == CLASS_COMBOS[index]
        assert (HOLE_CLASS[holes] == index).all()


def test_grid() -> None:
    corners = {"AA": (0, 0), "AKs": (0, 1), "AKo": (1, 0), "A2s": (0, 12), "A2o": (12, 0)}
    assert {text: divmod(parse_class(text), 13) for text in corners} == corners
    for index in range(NUM_CLASSES):
        row, column = divmod(index, 13)
        assert class_text(index)[2:] == ("" if row == column else "s" if column > row else "o")


def test_class_text_both_ways() -> None:
    for index in range(NUM_CLASSES):
        text = class_text(index)
        swapped = text[1] + text[0] + text[2:]
        for spelling in (text, text.lower(), text.upper(), swapped, text.replace("T", "10")):
            assert parse_class(spelling) == index


def test_tables_are_read_only() -> None:
    for array in (HOLES, HOLE_CLASS, CLASS_COMBOS):
        assert array.dtype == np.uint8
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    for holes in CLASS_HOLES:
        with pytest.raises(ValueError, match="read-only"):
            holes[0] = 0
    assert HOLES.shape == (1326, 2)


@pytest.mark.parametrize("text", ["AK", "77s", "77o", "AKx", "", "A", "AKss", "10s", "\u212aAs"])
def test_bad_class_text(text: str) -> None:
    with pytest.raises(CardError, match="is not a starting class: give two ranks") as caught:
        parse_class(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ah", "a hole pair has 2 cards, such as AhKd: 'Ah' has 1"),
        ("AhKdQc", "'AhKdQc' has 3"),
        ("AhAh", "the card Ah appears twice in 'AhAh'"),
        ("Ah1d", "'1d' is not a card"),
    ],
)
def test_bad_hole_text(text: str, message: str) -> None:
    with pytest.raises(CardError, match=message):
        parse_hole(text)


@pytest.mark.parametrize("bad", [-1, 1326, 2.0])
def test_bad_hole_number(bad: int) -> None:
    for function in (hole_cards, hole_text):
        with pytest.raises(CardError, match=f"{bad} is not a hole pair: .* 0 to 1325"):
            function(bad)


@pytest.mark.parametrize("bad", [-1, 169])
def test_bad_class_number(bad: int) -> None:
    with pytest.raises(CardError, match=f"{bad} is not a starting class: .* 0 to 168"):
        class_text(bad)


def test_a_hole_pair_is_two_cards() -> None:
    with pytest.raises(CardError, match="the card Ah appears twice"):
        hole_index("Ah", 50)
    with pytest.raises(CardError, match="52 is not a card"):
        hole_index(0, 52)
