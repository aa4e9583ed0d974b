"""PHH written out by hand, among them the standard's best-known example."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from riverboat.errors import HistoryError
from riverboat.histories import from_text, read, to_text

# Dwan against Ivey, Full Tilt Million Dollar Cash Game, season 4: the first example of the
# PHH paper (Kim 2024), which states the final stacks 572,100, 1,997,500 and 1,109,500.
DWAN_IVEY = """\
variant = "NT"
ante_trimming_status = true
antes = [500, 500, 500]
blinds_or_straddles = [1000, 2000, 0]
min_bet = 2000
starting_stacks = [1125600, 2000000, 553500]
year = 2009
players = ["Phil Ivey", "Patrik Antonius", "Tom Dwan"]
currency = "USD"
event = "a field that is passed over"
actions = [
  "d dh p1 Ac2d # the small blind",
  "d dh p2 ????",
  "d dh p3 7h6h",
  "p3 cbr 7000", "p1 cbr 23000", "p2 f", "p3 cc",
  "d db Jc3d5c", "p1 cbr 35000", "p3 cc",
  "d db 4h", "p1 cbr 90000", "p3 cbr 232600", "p1 cbr 1067100", "p3 cc",
  "p1 sm Ac2d", "p3 sm 7h6h",
  "d db Jh",
]
"""

# Heads-up everything is reverse-assigned: p1 is the big blind, and p2 the button.
HEADS_UP = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [0.5, 1]
min_bet = 1
starting_stacks = [100, 80.25]
actions = ["d dh p1 AhAd", "d dh p2 KsKc", "p2 cbr 2.5", "p1 cbr 9", "p2 f"]
players = ["big", "small"]
finishing_stacks = [102.5, 77.75]
seats = [5, 2]
seat_count = 6
hand = "a-7"
time = 23:59:58
time_zone = "UTC"
day = 31
month = 12
year = 2023
"""


def test_dwan_against_ivey() -> None:
    record = from_text(DWAN_IVEY, "phh")
    hand = record.hand()
    assert hand.stacks == (572_100, 1_997_500, 1_109_500)
    assert record.payoffs() == (-553_500, -2_500, 556_000)
    assert record.line == "b7000b23000fc/b35000c/b90000b232600b1067100c"
    assert record.hand().refund == (0, 572_100)
    assert record.names == ("Phil Ivey", "Patrik Antonius", "Tom Dwan")
    assert record.shows == ((0, True), (2, True))
    assert hand.hole_cards(1) == (-1, -1)
    assert (record.currency, record.unit, record.date) == ("USD", 1, None)


def test_heads_up_is_reverse_assigned() -> None:
    record = from_text(HEADS_UP, "phh")
    assert record.names == ("small", "big")
    assert record.unit == 100
    assert record.stacks == (8025, 10000)
    assert record.spec.blinds == (50, 100)
    assert record.line == "b250b900f"
    assert record.payoffs() == (-250, 250)
    assert record.seat_numbers == (2, 5)
    assert record.hand_id == "a-7"
    assert record.date == datetime(2023, 12, 31, 23, 59, 58, tzinfo=UTC)


@pytest.mark.parametrize("text", [DWAN_IVEY, HEADS_UP])
def test_fixed_point(text: str) -> None:
    record = from_text(text, "phh")
    first = to_text(record, "phh")
    again = from_text(first, "phh")
    assert again == record
    assert to_text(again, "phh") == first


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"p1 cbr 23000"', '"p1 cbr 9000"', "must be to at least 12000 and at most 1125100"),
        ('"p2 f"', '"p1 f"', "it is seat 1's turn, not seat 0's"),
        ('"p2 f"', '"p7 f"', "p7 is not a player"),
        ('"p2 f"', '"p2 sd"', "is not an action of hold'em"),
        ('"NT"', '"PO"', "this is a hand of pot-limit Omaha"),
        ('"NT"', '"XX"', "use NT, FT or NS"),
        ("min_bet = 2000\n", "", "the field min_bet is missing"),
        ("[500, 500, 500]", "[500, 500]", "3 players need as many antes, not 2"),
        ("1125600", "nan", "is not an amount"),
        ('"d db Jh"', '"d db Ac"', "Ac"),
        ('"d db Jh"', '"d db JhJs"', "6 cards"),
        ('  "d db Jh",\n', "", "4 board cards, but the betting needs 5"),
        ('"p3 sm 7h6h"', '"p3 sm 7h6c"', "7h6h was dealt, but 7h6c was shown"),
        ('"Tom Dwan"', '"Phil Ivey"', "two players have the name"),
        ("year = 2009", "year = ", "not TOML"),
        ("year = 2009", f"_unit = 0x{'f' * 9000}", "more than 100 digits"),
        ("year = 2009", "_unit = 7", "the unit must be one of"),
        ("year = 2009", "_hero = 4", "p4 is not a player"),
        ("year = 2009", "_rake = [1, 2]", "_rake must be"),
        ("year = 2009", "_betting = 'free'", "the betting must be one of"),
    ],
)
def test_bad_hands_are_refused_with_a_reason(old: str, new: str, reason: str) -> None:
    assert old in DWAN_IVEY
    bad = DWAN_IVEY.replace(old, new)
    result = read(f"[1]\n{DWAN_IVEY}\n[2]\n{bad}\n[3]\n{HEADS_UP}")
    assert [record.hand_id for record in result.hands] == ["", "a-7"]
    (refused,) = result.refused
    assert refused.line == DWAN_IVEY.count("\n") + 3
    assert reason in refused.reason


RETURNING = """\
variant = "NT"
antes = [0, 0, 0, 0]
blinds_or_straddles = [5, 10, 0, -10]
min_bet = 10
starting_stacks = [1000, 1000, inf, 1000]
actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "d dh p4 ????",
    "p3 f", "p4 cc", "p1 f", "p2 cc", "d db 2c7dKh", "p2 f"]
winnings = [0, 0, 0, 24]
"""


def test_a_post_of_a_returning_player_and_a_free_fold() -> None:
    """p4 posts 10 out of turn and does not change who acts first; p2 folds for nothing."""
    record = from_text(RETURNING, "phh")
    assert record.spec.blinds == (5, 10, 0, 10)
    assert record.spec.first_seat(0) == 2
    assert record.line == "fkfk/f"
    assert record.payoffs() == (-5, -10, 0, 14)
    assert record.hand().rake == 1  # 25 in the pot, 24 won


def test_winnings_that_contain_a_returned_bet() -> None:
    text = RETURNING.replace('"p2 f"', '"p2 cc", "p4 cbr 30", "p2 f"').replace("24]", "55]")
    assert from_text(text, "phh").payoffs() == (-5, -10, 0, 15)


def test_winnings_that_contradict_the_finishing_stacks() -> None:
    text = RETURNING.replace("inf", "1000") + "finishing_stacks = [995, 990, 1000, 1010]\n"
    with pytest.raises(HistoryError, match="contradict the finishing stacks"):
        from_text(text, "phh")


def test_chairs_that_are_mixed_up_are_left_out() -> None:
    assert from_text(RETURNING + "seats = [2, 4, 3, 1]\n", "phh").seat_numbers == ()
    assert from_text(RETURNING + "seats = [2, 3, 4, 1]\n", "phh").seat_numbers == (2, 3, 4, 1)
