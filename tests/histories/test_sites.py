"""The same hand in the form of each site, and what happens inside real hands."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from histories.site_hands import GG, HANDS, IPOKER, MERGE, PACIFIC, PARTY, STARS, WINAMAX
from riverboat.cards import card_text
from riverboat.errors import HistoryError
from riverboat.histories import SITES, HandRecord, from_text, read, to_text

LINE = "b300fc/kb400b1200c/kk/b2000f"


def one(text: str) -> HandRecord:
    """Read the only hand of a text."""
    result = read(text)
    assert result.refused == ()
    (record,) = result.hands
    return record


def test_every_site_has_a_hand() -> None:
    assert set(HANDS) == set(SITES)


@pytest.mark.parametrize("site", HANDS)
def test_the_same_hand(site: str) -> None:
    """Bob loses the small blind, Ann 15, and Cid gets 29 for 15."""
    result = read(HANDS[site])
    assert (result.refused, result.format) == ((), site)
    (record,) = result.hands
    assert record.line == LINE
    assert record.payoffs() == (-50, 1400, -1500)
    assert record.stacks == (5050, 8000, 10000)
    assert record.chairs == (4, 5, 2)
    assert record.unit == 100
    assert record.hero == 1
    assert [card_text(card) for card in record.hand().hole_cards(1)] in (["7c", "7h"], ["7h", "7c"])
    assert [card_text(card) for card in record.hand().board] == ["2c", "7d", "Kh", "9s", "3d"]
    assert record.hand().rake == 150
    assert record.names == (
        ("Small Blind", "Big Blind", "Dealer") if site == "bovada" else ("Bob", "Cid", "Ann")
    )
    assert "90000" in record.hand_id or record.hand_id == "77-12-1425496510"
    assert record.date is not None
    assert from_text(HANDS[site], site) == record if site not in ("ipoker", "merge") else True


@pytest.mark.parametrize(
    ("site", "date"),
    [
        ("pokerstars", datetime(2015, 3, 5, 1, 15, 10, tzinfo=UTC)),  # 20:15 Eastern
        ("partypoker", datetime(2015, 3, 5, 1, 15, 10, tzinfo=UTC)),
        ("fulltilt", datetime(2010, 3, 5, 1, 15, 10, tzinfo=UTC)),
        ("winamax", datetime(2015, 3, 4, 19, 15, 10, tzinfo=UTC)),
        ("ongame", datetime(2015, 3, 4, 19, 15, 10, tzinfo=UTC)),  # GMT+0100
        ("888", datetime(2015, 3, 4, 20, 15, 10, tzinfo=UTC)),  # without a zone
    ],
)
def test_times(site: str, date: datetime) -> None:
    assert one(HANDS[site]).date == date


def test_several_sites_in_one_file() -> None:
    text = "\n\n".join([STARS, WINAMAX, PARTY, GG, PACIFIC])
    result = read(text)
    assert result.refused == ()
    assert [record.site for record in result.hands] == [
        "PokerStars", "Winamax", "PartyPoker", "GGPoker", "888poker",
    ]  # fmt: skip
    assert result.format == "pokerstars+winamax+partypoker+gg+888"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    path.write_bytes(WINAMAX.replace("Bob", "Bób").replace("\n", "\r\n").encode(encoding))
    (record,) = read(path).hands
    assert record.names[0] == "Bób"


def test_other_games_are_named_and_counted() -> None:
    omaha = STARS.replace("Hold'em No Limit", "Omaha Pot Limit")
    stud = STARS.replace("Hold'em No Limit", "7 Card Stud Limit")
    result = read("\n\n".join([STARS, omaha, stud, omaha]))
    assert len(result.hands) == 1
    assert result.other_games == {"Omaha": 2, "stud": 1}
    assert result.refused[0].reason == "this is a hand of Omaha; only hold'em is read"


def test_a_broken_last_hand() -> None:
    result = read(STARS + "\n\n" + STARS[: STARS.index("*** RIVER")])
    assert len(result.hands) == 1
    assert "ends before the summary" in result.refused[0].reason


def test_a_cancelled_hand() -> None:
    result = read(STARS.replace("*** FLOP *** [2c 7d Kh]\n", "Hand cancelled\n"))
    assert "cancelled" in result.refused[0].reason


# ---- What happens inside hands -----------------------------------------------

FOUR = """\
PokerStars Hand #5:  Hold'em No Limit (10/20) - 2015/03/04 20:15:10 ET
Table 'Seine' 9-max Seat #4 is the button
Seat 1: Ann (1000 in chips)
Seat 2: Bob (1000 in chips)
Seat 3: Cid (1000 in chips) is sitting out
Seat 4: Dan (1000 in chips)
Ann: posts small blind 10
Bob: posts big blind 20
*** HOLE CARDS ***
Cid: folds
Dan: raises 40 to 60
Ann: folds
Bob: folds
Uncalled bet (40) returned to Dan
Dan collected 50 from pot
*** SUMMARY ***
Total pot 50 | Rake 0
"""


def test_who_acts_is_in_the_hand_though_he_sits_out() -> None:
    record = one(FOUR)
    assert record.names == ("Ann", "Bob", "Cid", "Dan")
    assert record.line == "fb60ff"
    assert record.payoffs() == (-10, -20, 0, 30)


def test_who_sits_out_and_does_nothing_is_not() -> None:
    record = one(FOUR.replace("Cid: folds\n", ""))
    assert record.names == ("Ann", "Bob", "Dan")


def test_a_returning_player_posts_both_blinds() -> None:
    """Cid's 20 are a live blind and the other 10 are dead; he still has the option."""
    text = FOUR.replace("*** HOLE", "Cid: posts small & big blinds 30\n*** HOLE")
    text = text.replace("Cid: folds", "Cid: checks").replace("Bob: folds", "Bob: folds\nCid: folds")
    text = text.replace("collected 50", "collected 80").replace("pot 50", "pot 80")
    record = one(text)
    assert (record.spec.blinds, record.spec.antes) == ((10, 20, 20, 0), (0, 0, 10, 0))
    assert record.line == "kb60fff"
    assert record.payoffs() == (-10, -20, -30, 60)


def test_an_extra_big_blind_is_live() -> None:
    text = FOUR.replace("*** HOLE", "Cid: posts big blind 20\n*** HOLE")
    text = text.replace("Cid: folds", "Cid: checks").replace("Bob: folds", "Bob: folds\nCid: folds")
    text = text.replace("collected 50", "collected 70").replace("pot 50", "pot 70")
    record = one(text)
    assert record.spec.blinds == (10, 20, 20, 0)
    assert record.hand().spec.first_seat(0) == 2
    assert record.payoffs() == (-10, -20, -20, 50)


def test_a_second_small_blind_is_dead() -> None:
    text = FOUR.replace("*** HOLE", "Cid: posts small blind 10\n*** HOLE")
    text = text.replace("collected 50", "collected 60").replace("pot 50", "pot 60")
    record = one(text)
    assert (record.spec.blinds, record.spec.antes) == ((10, 20, 0, 0), (0, 0, 10, 0))
    assert record.payoffs() == (-10, -20, -10, 40)


def test_nobody_posts_the_small_blind() -> None:
    text = FOUR.replace("Ann: posts small blind 10\n", "").replace("Ann: folds\n", "")
    text = text.replace("collected 50", "collected 40").replace("pot 50", "pot 40")
    record = one(text)
    assert record.names == ("Bob", "Cid", "Dan")
    assert record.spec.blinds == (20, 0, 0)
    assert record.payoffs() == (-20, 0, 20)


def test_a_straddle() -> None:
    text = FOUR.replace("*** HOLE", "Cid: posts straddle 40\n*** HOLE").replace("Cid: folds\n", "")
    text = text.replace("raises 40 to 60", "raises 60 to 100").replace(
        "Bob: f", "Bob: folds\nCid: f"
    )
    text = text.replace("bet (40)", "bet (60)").replace("collected 50", "collected 110")
    record = one(text.replace("pot 50", "pot 110"))
    assert record.spec.blinds == (10, 20, 40, 0)
    assert record.line == "b100fff"
    assert record.spec.compiled.min_bet == 20  # the straddle does not change the smallest bet


def test_a_fold_where_a_check_is_free() -> None:
    text = STARS.replace(
        "Cid: checks\nAnn: bets $4\nCid: raises $8 to $12\nAnn: calls $8\n", "Cid: folds\n"
    )
    text = text[: text.index("*** TURN")] + "Ann collected $6.30 from pot\n*** SUMMARY ***\n"
    record = one(text + "Total pot $6.50 | Rake $0.20\n")
    assert record.line == "b300fc/f"
    assert record.spec.open_folds
    assert record.hand().legal().fold is False
    assert record.payoffs() == (-50, -300, 330)
    assert from_text(to_text(record, "pokerstars"), "pokerstars").payoffs() == record.payoffs()


def test_the_big_blind_pays_an_ante_for_all() -> None:
    text = FOUR.replace("Ann: posts small", "Bob: posts the ante 20\nAnn: posts small")
    text = text.replace("collected 50", "collected 70").replace("pot 50", "pot 70")
    record = one(text)
    assert record.spec.antes == (0, 20, 0, 0)
    assert record.payoffs() == (-10, -40, 0, 50)


TWICE = """\
PokerStars Hand #6:  Hold'em No Limit ($1/$2) - 2015/03/04 20:15:10 ET
Table 'Seine' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($100 in chips)
Ann: posts small blind $1
Bob: posts big blind $2
*** HOLE CARDS ***
Ann: raises $98 to $100 and is all-in
Bob: calls $98 and is all-in
*** FIRST FLOP *** [2c 7d Kh]
*** FIRST TURN *** [2c 7d Kh] [9s]
*** FIRST RIVER *** [2c 7d Kh 9s] [3d]
*** SECOND FLOP *** [4c 5d 8h]
*** SECOND TURN *** [4c 5d 8h] [Ts]
*** SECOND RIVER *** [4c 5d 8h Ts] [Jd]
*** FIRST SHOW DOWN ***
Bob: shows [Ac Ad] (a pair of Aces)
Ann: shows [Qc Qh] (a pair of Queens)
Bob collected $99 from pot
*** SECOND SHOW DOWN ***
Bob: shows [Ac Ad] (a pair of Aces)
Ann: shows [Qc Qh] (a pair of Queens)
Bob collected $99 from pot
*** SUMMARY ***
Total pot $200 | Rake $2
Hand was run twice
"""


def test_a_hand_that_is_run_twice() -> None:
    record = one(TWICE)
    assert [[card_text(card) for card in board] for board in record.run_outs] == [
        ["4c", "5d", "8h", "Ts", "Jd"]
    ]
    assert record.payoffs() == (-100, 98)
    with pytest.raises(HistoryError, match="further boards"):
        to_text(record, "pokerstars")


def test_a_hand_that_is_run_twice_with_the_wrong_winner() -> None:
    text = TWICE.replace("Bob collected", "Ann collected")
    assert "by the rules it wins" in read(text).refused[0].reason


def test_a_table_with_a_cap() -> None:
    """Nobody may put in more than 30."""
    text = STARS.replace("Cid: bets $20\nAnn: folds\nUncalled bet ($20) returned to Cid\n",
                         "Cid: bets $15 and has reached the $30 cap\n"
                         "Ann: calls $15 and has reached the $30 cap\n")  # fmt: skip
    text = text.replace("Cid: doesn't show hand\n", "Cid: shows [7c 7h] (three of a kind)\n")
    text = text.replace("collected $29", "collected $59").replace("pot $30.50", "pot $60.50")
    record = one(text)
    assert record.stacks == (3000, 3000, 3000)
    assert record.payoffs() == (-50, 2900, -3000)


def test_fast_folds_out_of_turn() -> None:
    """Bob folds before Ann has acted."""
    text = PARTY.replace("Ann raises [$3 USD]\nBob folds\n", "Bob folds\nAnn raises [$3 USD]\n")
    assert one(text).line == LINE


def test_absent_players_fold() -> None:
    """Some sites write nothing for a player who has left the table."""
    assert one(PARTY.replace("Bob folds\n", "Bob has left the table.\n")).line == LINE


def test_tournament_blinds_that_only_the_header_has() -> None:
    text = PARTY.replace(
        "$0.50/$1 USD NL Texas Hold'em - ", "NL Texas Hold'em  Trny: 7 Level: 1  Blinds(0.50/1) - "
    )
    text = text.replace("Bob posts small blind [$0.50 USD].\nCid posts big blind [$1 USD].\n", "")
    assert one(text.replace("wins $49", "wins $50.50")).payoffs() == (-50, 1550, -1500)
    assert "won 2900, but the pot" in read(text).refused[0].reason  # tournaments have no rake


def test_a_winner_too_many_is_refused() -> None:
    text = STARS.replace(
        "Cid collected $29 from pot", "Cid collected $29 from pot\nAnn collected $9 from pot"
    )
    assert "the pot is 3050" in read(text).refused[0].reason


SIDE_POT = """\
PokerStars Hand #7: Tournament #8, $1+$0.10 USD Hold'em No Limit - Level I (10/20) - \
2015/03/04 20:15:10 ET
Table '8 1' 9-max Seat #3 is the button
Seat 1: Ann (100 in chips)
Seat 2: Bob (120 in chips)
Seat 3: Cid (120 in chips)
Ann: posts small blind 10
Bob: posts big blind 20
*** HOLE CARDS ***
Cid: raises 100 to 120 and is all-in
Ann: calls 90 and is all-in
Bob: calls 100 and is all-in
*** FLOP *** [2c 7d Kh]
*** TURN *** [2c 7d Kh] [9s]
*** RIVER *** [2c 7d Kh 9s] [3d]
*** SHOW DOWN ***
Bob: shows [Qc Qh] (a pair of Queens)
Cid: shows [Jc Jh] (a pair of Jacks)
Bob collected 40 from side pot
Ann: shows [Ac Ad] (a pair of Aces)
Ann collected 300 from main pot
*** SUMMARY ***
Total pot 340 Main pot 300. Side pot 40. | Rake 0
"""


def test_a_pot_that_nobody_wins_is_no_rake() -> None:
    assert one(SIDE_POT).payoffs() == (200, -80, -120)
    lost = SIDE_POT.replace("Bob collected 40 from side pot\n", "")
    for text in (
        SIDE_POT.replace("side pot\n", "side pot #1\n"),
        lost,
        lost.replace("| Rake 0", "| No rake"),
        lost.replace("Tournament #8, $1+$0.10 USD ", " "),
        lost.replace("Total pot 340 Main pot 300. Side pot 40. | Rake 0\n", ""),
    ):
        result = read(text)
        assert result.hands == ()
        assert result.refused[0].reason == "the players won 300, but the pot is 340"


def test_rake_that_a_site_does_not_state_fits_the_stated_pot() -> None:
    """A pot of 29 is net: the jackpot's share is left out. One of 30.50 lacks a winner."""
    text = STARS.replace("Rake $1.50", "Rake $1")
    assert one(text.replace("pot $30.50", "pot $29")).payoffs() == (-50, 1400, -1500)
    assert "won 2900 and the rake is 100, but the pot is 3050" in read(text).refused[0].reason


def test_an_amount_that_is_no_number() -> None:
    """In a sum of rakes, and with a letter for thousands."""
    for text in (
        GG.replace("Jackpot $0.5", "Jackpot $0.0.5"),
        STARS.replace("posts big blind $1\n", "posts big blind $1.1.1k\n"),
    ):
        assert read(text).hands == ()
    assert "'0.0.5' is not an amount of chips" in (
        read(GG.replace("Jackpot $0.5", "Jackpot $0.0.5")).refused[0].reason
    )


def test_a_street_that_does_not_fit_the_betting() -> None:
    text = STARS.replace("*** TURN *** [2c 7d Kh] [9s]\n", "")
    assert "on the flop, but the betting is on the turn" in read(text).refused[0].reason


def test_positions_order_anonymous_tables() -> None:
    """Chairs of anonymous tables may have any numbers; the names say who sits where."""
    text = HANDS["bovada"].replace("Seat 2: Dealer", "Seat 6: Dealer").replace("Seat 4:", "Seat 9:")
    record = one(text)
    assert record.names == ("Small Blind", "Big Blind", "Dealer")
    assert record.payoffs() == (-50, 1400, -1500)


@pytest.mark.parametrize("text", [IPOKER, MERGE])
def test_xml_without_entities(text: str) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "Ann">]>'
    start = text.index("<game")
    result = read(text[:start] + text[start:].replace('"Bob"', '"&a;"'))
    assert "not XML" in result.refused[0].reason
    inside = text.replace("<game", f"<game>{bomb}</game><game", 1)
    assert any("not XML" in bad.reason or "entities" in bad.reason for bad in read(inside).refused)
