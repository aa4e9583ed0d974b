"""Lines of `.jsonl`: every detail of a record, and what a line must not say."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from game.random_games import random_catalogue_spec
from histories.random_records import play_out
from riverboat.errors import RiverboatError
from riverboat.game import Hand, catalogue
from riverboat.histories import from_text, record_of, to_text

LINE = '{"game":"nolimit-100bb","stacks":[1000,1000],"cards":"%s","line":"ck/kk/kk/kk"%s}'
UNKNOWN = "??????????????????"  # two hands and a board


def test_every_detail_comes_back() -> None:
    for seed in range(100):
        rng = random.Random(seed)
        hand = play_out(random_catalogue_spec(rng), seed, rng)
        record = record_of(
            hand,
            hand_id="7-a",
            table="Thames",
            site="here",
            date=datetime(2020, 2, 29, 12, 0, 1, tzinfo=UTC),
            hero=1,
            currency="EUR",
            unit=100,
            seat_numbers=tuple(range(2, 2 + hand.players)),
            table_size=9,
            shows=rng.choice([(), ((1, False),), ((0, True), (1, True))]),
        )
        text = to_text(record, "lines")
        assert from_text(text, "lines") == record
        assert text.count("\n") == 1


def test_usual_shows_need_no_words() -> None:
    hand = Hand.from_line(catalogue("kuhn"), "kbc", seed=1)
    record = record_of(hand)
    assert record.shows
    assert "shows" not in to_text(record, "lines")
    assert from_text(to_text(record, "lines"), "lines") == record


def test_winnings_that_only_the_source_knows() -> None:
    text = LINE % (UNKNOWN, ',"won":[[20,0]]')
    record = from_text(text, "lines")
    assert record.payoffs() == (10, -10)
    assert from_text(to_text(record, "lines"), "lines") == record


def test_games_without_a_name_are_found_in_the_catalogue() -> None:
    hand = Hand.from_line(catalogue("leduc").replace(name=""), "kk/kb4f", seed=1)
    assert to_text(record_of(hand), "lines").startswith('{"game":"leduc"')


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (',"won":[[21,0]]', "cannot take"),
        (',"won":[[-1,21]]', "cannot take"),
        (',"won":[[20]]', "a pot needs 2 whole numbers"),
        (',"won":[]', "a row for each of 1 pots"),
        (',"won":5', "the line is not a hand"),
        (',"shows":[[2,true]]', "at most once"),
        (',"unit":3', "the unit must be"),
        (',"date":"0001-01-01T00:00:00+14:00"', "out of range"),
    ],
)
def test_bad_lines(more: str, reason: str) -> None:
    with pytest.raises(RiverboatError, match=reason):
        from_text(LINE % (UNKNOWN, more), "lines")
