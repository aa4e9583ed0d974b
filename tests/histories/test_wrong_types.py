"""Values of wrong types get a sentence that names them, not a traceback from inside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from riverboat.errors import RiverboatError
from riverboat.game import Hand, catalogue
from riverboat.histories import HandRecord, from_text, read, record_of, to_text, write

if TYPE_CHECKING:
    from collections.abc import Callable

HAND = Hand.from_line(catalogue("nolimit-100bb"), "b30f", seed=1)
TEXT = to_text(record_of(HAND), "phh")
RECORD = record_of(HAND)

CALLS: list[tuple[Callable[[Any], object], str]] = [
    (record_of, "expected a Hand to record, not "),
    (lambda value: record_of(HAND, names=value), "the players' names must be a list, not "),
    (lambda value: record_of(HAND, shows=value), "the shows must be a list, not "),
    (lambda value: record_of(HAND, shows=[value]), "each of the shows must be a list, not "),
    (lambda value: record_of(HAND, shows=[(0, value)]), "pairs of a seat and True or False"),
    (lambda value: record_of(HAND, seat_numbers=value), "the seat numbers must be a list, not "),
    (lambda value: record_of(HAND, seat_numbers=[value, 2]), "chairs must have numbers from 1"),
    (lambda value: record_of(HAND, won=value), "the pots won must be a list, not "),
    (lambda value: record_of(HAND, won=[value]), "each of the pots won must be a list, not "),
    (lambda value: record_of(HAND, won=[(value, 0)]), "a pot needs 2 whole numbers of chips"),
    (lambda value: record_of(HAND, hand_id=value), "the hand id must be text, not "),
    (lambda value: record_of(HAND, date=value), "the date must be a datetime, not "),
    (lambda value: record_of(HAND, table_size=value), "the table size must be a whole number"),
    (lambda value: record_of(HAND, hero=value), "the hero's seat must be 0 to 1, not "),
    (lambda value: record_of(HAND, unit=value), "the unit must be one of "),
    (lambda value: HandRecord(value, HAND.deal, "f"), "the game of a record must be a GameSpec"),
    (lambda value: HandRecord(HAND.spec, value, "f"), "the deal must be a list, not "),
    (lambda value: HandRecord(HAND.spec, HAND.deal, value), "the line of play must be text, not "),
    (read, "the source must be a path or text, not "),
    (lambda value: read(TEXT, format=value), "the format must be one of "),
    (lambda value: read(TEXT, game=value), "the game must be a GameSpec, a catalogue name or"),
    (lambda value: from_text(value, "phh"), "expected the text of a hand, not "),
    (lambda value: from_text(TEXT, value), "the format must be one of "),
    (lambda value: from_text(TEXT, "phh", game=value), "the game must be a GameSpec, a catalogue"),
    (lambda value: to_text(value, "phh"), "expected a HandRecord to write, not "),
    (lambda value: to_text(RECORD, value), "the format must be one of "),
    (lambda value: write(value, "x.phhs"), "the hands must be a list, not "),
    (lambda value: write([value], "x.phhs"), "expected a HandRecord to write, not "),
    (lambda value: write([RECORD], value), "expected a path to write to, not "),
]


@pytest.mark.parametrize("value", [5.5, b"x", {1: 2}], ids=repr)
@pytest.mark.parametrize("number", range(len(CALLS)))
def test_wrong_types(number: int, value: object) -> None:
    call, sentence = CALLS[number]
    with pytest.raises(RiverboatError, match=sentence):
        call(value)


def test_lists_do_for_tuples() -> None:
    record = record_of(
        HAND, names=["Ada", "Bob"], seat_numbers=[2, 5], shows=[[0, False]], won=[[0, 20]]
    )
    assert (record.names, record.seat_numbers) == (("Ada", "Bob"), (2, 5))
    assert (record.shows, record.won) == (((0, False),), ((0, 20),))
    assert hash(record)


def test_unknown_games_are_refused_before_reading() -> None:
    with pytest.raises(RiverboatError, match="no-such-game"):
        read(TEXT, game="no-such-game")
    with pytest.raises(RiverboatError, match="a game file must start with GAMEDEF"):
        read("STATE:0:f:|:50|-50:x|y\n", game="limit\n")
