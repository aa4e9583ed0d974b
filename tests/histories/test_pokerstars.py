"""PokerStars text written out by hand, checked field by field."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from riverboat.errors import HistoryError
from riverboat.game import Hand, catalogue
from riverboat.histories import from_text, read, record_of, to_text

# Three players all-in for two amounts, a folded big blind, a rake taken from both pots
# in proportion (1.16 of 61.00 and 1.34 of 70.00), and a loser who mucks.
SIDE_POT = """\
PokerStars Hand #1001:  Hold'em No Limit ($0.50/$1.00 USD) - 2024/07/01 8:05:09 ET
Table 'Halley's II' 9-max Seat #6 is the button
Seat 1: Ann ($20 in chips)
Seat 2: Sleepy ($77 in chips) is sitting out
Seat 3: Bob: the Builder ($100.50 in chips)
Seat 4: C D ($55 in chips)
Seat 5: waits for the blind ($10 in chips)
Seat 7: moved ($9 in chips) out of hand (moved from another table into small blind)
Seat 6: Dee ($100 in chips)
Ann: posts small blind $0.50
Bob: the Builder: posts big blind $1
*** HOLE CARDS ***
Dealt to C D [Kh Kd]
C D: raises $2 to $3
Dee: calls $3
Ann said, "C D: folds"
Ann: raises $17 to $20 and is all-in
Bob: the Builder: folds
C D: raises $35 to $55 and is all-in
Dee: calls $52
*** FLOP *** [2c 7d 9h]
*** TURN *** [2c 7d 9h] [Ts]
*** RIVER *** [2c 7d 9h Ts] [3s]
*** SHOW DOWN ***
C D: shows [Kh Kd] (a pair of Kings)
Dee: mucks hand
C D collected $68.66 from side pot
Ann: shows [Ah As] (a pair of Aces)
Ann collected $59.84 from main pot
Bob: the Builder: shows [2h]
Dee leaves the table
*** SUMMARY ***
Total pot $131 Main pot $61. Side pot $70. | Rake $2.50
Board [2c 7d 9h Ts 3s]
Seat 1: Ann (small blind) showed [Ah As] and won ($59.84) with a pair of Aces
Seat 3: Bob: the Builder (big blind) folded before Flop
Seat 4: C D showed [Kh Kd] and won ($68.66) with a pair of Kings
Seat 6: Dee (button) mucked [Qc Qd]
"""

# Fixed limit: the small blind's dead 5 chips make an odd pot of 25, split in two.
ODD_CHIP = """\
PokerStars Hand #7:  Hold'em Limit (10/20)
Table 'odd' 3-max (Play Money) Seat #3 is the button
Seat 1: small (200 in chips)
Seat 2: big (200 in chips)
Seat 3: button (200 in chips)
small: posts small blind 5
big: posts big blind 10
*** HOLE CARDS ***
Dealt to big [Ah 2c]
button: calls 10
small: folds
big: checks
*** FLOP *** [Kd Ks Qh]
big: checks
button: checks
*** TURN *** [Kd Ks Qh] [Qd]
big: checks
button: checks
*** RIVER *** [Kd Ks Qh Qd] [9s]
big: checks
button: checks
*** SHOW DOWN ***
big: shows [Ah 2c] (two pair, Kings and Queens)
button: shows [Ac 3c] (two pair, Kings and Queens)
big collected 13 from pot
button collected 12 from pot
*** SUMMARY ***
Total pot 25 | Rake 0
Board [Kd Ks Qh Qd 9s]
Seat 1: small (small blind) folded before Flop
Seat 2: big (big blind) showed [Ah 2c] and won (13) with two pair, Kings and Queens
Seat 3: button (button) showed [Ac 3c] and won (12) with two pair, Kings and Queens
"""

# A tournament, antes, heads-up: the button is the small blind. The loser's cards stay unknown.
MUCKED = """\
\ufeffPokerStars Hand #9: Tournament #99, $1.00+$0.10 USD Hold'em No Limit - Level II (10/20) \
- 2024/11/03 12:30:00 WET [2024/11/03 7:30:00 ET]
Table '99 1' 9-max Seat #4 is the button
Seat 4: hero (500 in chips)
Seat 8: villain (300 in chips)
hero: posts the ante 2
villain: posts the ante 2
hero: posts small blind 10
villain: posts big blind 20
*** HOLE CARDS ***
Dealt to hero [Td Tc]
hero: raises 20 to 40
villain: calls 20
*** FLOP *** [2c 7d 9h]
villain: checks
hero: bets 50
villain: calls 50
*** TURN *** [2c 7d 9h] [Ts]
villain: checks
hero: checks
*** RIVER *** [2c 7d 9h Ts] [3s]
villain: bets 60
hero: calls 60
*** SHOW DOWN ***
villain: mucks hand
hero collected 304 from pot
*** SUMMARY ***
Total pot 304 | Rake 0
Board [2c 7d 9h Ts 3s]
Seat 4: hero (button) (small blind) collected (304)
Seat 8: villain (big blind) mucked
"""


def test_side_pot_with_rake() -> None:
    record = from_text(SIDE_POT, "pokerstars")
    assert record.names == ("Ann", "Bob: the Builder", "C D", "Dee")
    assert record.seat_numbers == (1, 3, 4, 6)
    assert record.table_size == 9
    assert record.table == "Halley's II"
    assert record.hand_id == "1001"
    assert (record.currency, record.unit) == ("USD", 100)
    assert record.date == datetime(2024, 7, 1, 12, 5, 9, tzinfo=UTC)
    assert record.hero == 2
    assert record.stacks == (2000, 10050, 5500, 10000)
    assert record.spec.blinds == (50, 100, 0, 0)
    assert record.line == "b300cb2000fb5500c"
    assert record.shows == ((2, True), (3, False), (0, True))
    hand = record.hand()
    assert [pot.amount for pot in hand.pots()] == [6100, 7000]
    assert [pot.eligible for pot in hand.pots()] == [(0, 2, 3), (2, 3)]
    # No usual rule of rake divides it so: the site's own numbers are kept.
    assert record.won == ((5984, 0, 0, 0), (0, 0, 6866, 0))
    assert record.payoffs() == (3984, -100, 1366, -5500)


def test_odd_chip_in_fixed_limit() -> None:
    record = from_text(ODD_CHIP, "pokerstars")
    assert record.spec.betting == "fixed-limit"
    assert [street.bet_size for street in record.spec.streets] == [10, 10, 20, 20]
    assert record.spec.blinds == (5, 10, 0)
    assert record.line == "cfk/kk/kk/kk"
    assert record.won is None  # the rules give the odd chip to the same seat
    assert record.payoffs() == record.hand().payoffs() == (-5, 3, 2)
    assert record.unit == 1
    assert record.date is None


def test_odd_chip_that_the_source_gives_to_the_other_winner() -> None:
    text = ODD_CHIP.replace("big collected 13", "big collected 12")
    text = text.replace("button collected 12", "button collected 13")
    record = from_text(text, "pokerstars")
    assert record.won == ((0, 12, 13),)
    assert record.payoffs() == (-5, 2, 3)
    assert record.hand().payoffs() == (-5, 3, 2)
    again = from_text(to_text(record, "pokerstars"), "pokerstars")
    assert again == record.replace(hero=again.hero)


def test_mucked_cards_stay_unknown() -> None:
    record = from_text(MUCKED, "pokerstars")
    assert record.names == ("hero", "villain")
    assert record.seat_numbers == (4, 8)
    assert record.spec.antes == (2, 2)
    assert record.date == datetime(2024, 11, 3, 12, 30, tzinfo=UTC)
    assert record.line == "b40c/kb50c/kk/b60c"
    assert record.hand().hole_cards(1) == (-1, -1)
    assert not record.hand().settled
    assert record.won == ((304, 0),)
    assert record.payoffs() == (152, -152)


@pytest.mark.parametrize("text", [SIDE_POT, ODD_CHIP, MUCKED])
def test_what_is_read_goes_through_every_format(text: str) -> None:
    record = from_text(text, "pokerstars")
    first = to_text(record, "pokerstars")
    assert to_text(from_text(first, "pokerstars"), "pokerstars") == first
    for name in ("phh", "ohh"):
        back = from_text(to_text(record, name), name)
        assert back.payoffs() == record.payoffs()
        assert back.line == record.line
        assert (back.names, back.chairs, back.unit) == (record.names, record.chairs, record.unit)


def test_a_player_called_like_a_header() -> None:
    text = ODD_CHIP.replace("big", "PokerStars Hand #1").replace(
        "posts PokerStars Hand #1", "posts big"
    )
    text = text.replace("(PokerStars Hand #1 blind)", "(big blind)")
    result = read("\n\n".join([text, text]))
    assert result.refused == ()
    assert [record.names[1] for record in result.hands] == ["PokerStars Hand #1"] * 2


def test_windows_line_ends() -> None:
    result = read("\ufeff" + "\n\n\n".join([SIDE_POT, ODD_CHIP]).replace("\n", "\r\n"))
    assert result.refused == ()
    assert [record.hand_id for record in result.hands] == ["1001", "7"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("button: calls 10", "button: calls 9", "a call adds 10 chips here"),
        ("button: calls 10", "button: raises 5 to 15", "a raise must be to 20"),
        ("big: checks\n*** FLOP", "small: checks\n*** FLOP", "it is seat 1's turn, not seat 0's"),
        ("small: posts small blind 5\n", "", "the pot is 20"),
        (
            "big: posts big blind 10",
            "big: posts small & big blinds 15",
            "a call adds 15 chips here",
        ),
        ("big: checks\n*** FLOP", "big: waits\n*** FLOP", "is not an action that"),
        ("[Kd Ks Qh] [Qd]", "[Kd Ks Qh] [Ah]", "Ah"),
        ("collected 13", "collected 15", "the pot is 25"),
        ("Hold'em Limit", "Omaha Pot Limit", "this is a hand of Omaha"),
        ("big: shows [Ah 2c]", "big: shows [Ah 2d]", "two different hands"),
        ("*** SUMMARY ***\n", "", "ends before the summary"),
        ("collected 13 from", "collects 13 from", "the players won 12"),
    ],
)
def test_bad_hands_are_refused_with_a_reason(old: str, new: str, reason: str) -> None:
    assert old in ODD_CHIP
    result = read("\n\n\n".join([ODD_CHIP, ODD_CHIP.replace(old, new), SIDE_POT]))
    assert len(result.hands) == 2
    (refused,) = result.refused
    assert refused.line == ODD_CHIP.count("\n") + 4
    assert reason in refused.reason
    assert refused.text_head.startswith("PokerStars Hand #7")


def test_a_rake_that_follows_a_usual_rule_is_found() -> None:
    spec = catalogue("nolimit-100bb", players=3)
    spec = spec.replace(rake=type(spec.rake)(5.0, 8))
    hand = Hand(spec, seed=5)
    hand.play("b30cc/kkb60cf/kk/kk")
    record = from_text(to_text(record_of(hand), "pokerstars"), "pokerstars")
    assert record.won is None
    assert record.hand().payoffs() == hand.payoffs()
    assert record.hand().rake == 8


@pytest.mark.parametrize(
    ("game", "what"),
    [
        ("short-deck", "short deck; PHH can"),
        ("kuhn", "one hole card; ACPC and .jsonl lines can"),
        ("discard-2017", "discards; .jsonl lines can"),
    ],
)
def test_what_the_text_cannot_carry(game: str, what: str) -> None:
    hand = Hand(catalogue(game), seed=1)
    while not hand.finished:
        hand.do("s" if hand.discarding else "k" if hand.can("k") else "c")
    with pytest.raises(HistoryError, match=what):
        to_text(record_of(hand), "pokerstars")


def test_an_unfinished_hand() -> None:
    hand = Hand(catalogue("nolimit-100bb"), seed=1)
    hand.play("b30")
    with pytest.raises(HistoryError, match="unfinished hands; PHH can"):
        to_text(record_of(hand), "pokerstars")
    assert from_text(to_text(record_of(hand), "phh"), "phh") == record_of(hand).replace(
        spec=record_of(hand).spec.replace(name="")
    )
