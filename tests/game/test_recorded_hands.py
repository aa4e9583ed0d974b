"""Hands with side pots and split pots; each test says where its hand is from.

"Recorded" hands were played and published elsewhere, the result with them. All
others are constructed: the expected chips are worked out by hand in the comment.
"""

from __future__ import annotations

import pytest

from riverboat.game import GameSpec, Hand, Rake, catalogue

UNKNOWN = "????"


def holdem(stacks: tuple[int, ...], small: int, big: int, ante: int = 0) -> GameSpec:
    n = len(stacks)
    return GameSpec(stacks=stacks, blinds=(small, big) + (0,) * (n - 2), antes=(ante,) * n)


def test_four_pots_at_a_nine_seat_tournament_table() -> None:
    # Recorded: PokerStars hand 119430001460 (2014), printed in several public repositories.
    # Four all-ins, of which the last raise is short.
    stacks = (14850, 1950, 3950, 9825, 26850, 3775, 2000, 2000, 35050)
    hole = [UNKNOWN, "QcJs", "6s7s", UNKNOWN, UNKNOWN, "9cAc", "QdKd", "Td4d", "2h2d"]
    hand = Hand(holdem(stacks, 300, 600, 50), hole=hole, board="6hJc4h7h8s")
    hand.play("cffb3725cfcfcb3900")
    assert hand.legal().raise_to is None  # the short raise of 175 does not reopen the betting
    assert hand.to_call == 175
    hand.call()
    assert [pot.amount for pot in hand.pots()] == [10250, 200, 5325, 350]
    assert [pot.winners for pot in hand.pots()] == [(2,)] * 4
    assert hand.payoffs()[2] == 16125 - 3950


def test_three_pots_two_winners_and_an_uncalled_bet() -> None:
    # Recorded: a PokerStars tournament hand (6 seats, level 10/20, ante 2), found in the
    # test data of several public parsers; pots and the uncalled 72 as the site states them.
    stacks = (568, 496, 496, 954, 20, 466)
    hole = ["5d5h", UNKNOWN, "9dKd", UNKNOWN, "JdQs", "AsAd"]
    hand = Hand(holdem(stacks, 10, 20, 2), hole=hole, board="3s2h7cJhKs")
    hand.play("cb40cb464b566fcf")
    assert hand.refund == (0, 72)
    assert [pot.amount for pot in hand.pots()] == [120, 1362, 60]
    assert [pot.winners for pot in hand.pots()] == [(5,), (5,), (2,)]
    assert hand.payoffs() == (-496, -22, 60 - 496, -42, -20, 1482 - 466)


def test_dwan_against_ivey() -> None:
    # Recorded: Full Tilt, 2009. Stacks before and after as in PokerKit's documentation,
    # where the 2,000,000 of the seat that folded stand for a stack that nobody stated.
    spec = holdem((1125600, 2000000, 553500), 1000, 2000, 500)
    hand = Hand(spec, hole=["Ac2d", UNKNOWN, "7h6h"], board="Jc3d5c4hJh")
    hand.play("b7000b23000fc/b35000c/b90000b232600b1067100c")
    assert hand.stacks == (572100, 1997500, 1109500)


def test_short_deck_with_a_button_blind() -> None:
    # Recorded: Triton, 2019, as in PokerKit's documentation: antes of 3000 and one blind,
    # on the button.
    spec = GameSpec(
        stacks=(495000, 232000, 362000, 403000, 301000, 204000),
        blinds=(0, 0, 0, 0, 0, 3000),
        antes=(3000,) * 6,
        showdown="short-deck",
        ranks="6789TJQKA",
    )
    hole = ["Th8h", "QsJd", "QhQd", "8d7c", "KhKs", "8c7h"]
    hand = Hand(spec, hole=hole, board="9h6cKcJhTs")
    hand.play("ccb35000fb298000fffc")
    assert hand.stacks == (489000, 226000, 684000, 400000, 0, 198000)


def test_all_in_three_ways_with_an_uncalled_rest() -> None:
    # Seat 2 has 30, seat 1 has 60, seat 0 has 100: main pot 3 x 30, side pot 2 x 30, 40 back.
    hand = Hand(holdem((100, 60, 30), 5, 10), hole=["KhKd", "QhQd", "AhAd"], board="2c3c7s8sJd")
    hand.play("b30b100c")
    assert hand.finished
    assert hand.refund == (0, 40)
    assert [(pot.amount, pot.eligible) for pot in hand.pots()] == [(90, (0, 1, 2)), (60, (0, 1))]
    assert hand.payoffs() == (0, -60, 60)


def test_the_odd_chip_goes_left_of_the_button() -> None:
    # Seat 0 folds its 5; seats 1 and 2 (the button) split 25 with the board.
    hand = Hand(holdem((100, 100, 100), 5, 10), hole=[UNKNOWN, "2c3d", "2d3c"], board="AhKhQhJhTh")
    hand.play("cfk/kk/kk/kk")
    assert hand.pots()[0].won == (0, 13, 12)
    assert hand.payoffs() == (-5, 3, 2)


def test_the_odd_chip_goes_to_the_big_blind_heads_up() -> None:
    # An ante of 1 by the big blind makes the pot 21; seat 0 has the button.
    spec = GameSpec(stacks=(100, 100), blinds=(5, 10), antes=(0, 1))
    hand = Hand(spec, hole=["2c3d", "2d3c"], board="AhKhQhJhTh")
    hand.play("ck/kk/kk/kk")
    assert hand.payoffs() == (0, 0)
    assert hand.pots()[0].won == (10, 11)


def test_two_odd_chips_go_to_two_seats() -> None:
    # 5 dead + 3 x 10 + 3 x 1 dead antes = 38 = 3 x 12 + 2, from the left of the button (seat 3).
    spec = GameSpec(stacks=(100,) * 4, blinds=(5, 10, 0, 0), antes=(1, 1, 1, 0))
    hole = [UNKNOWN, "2c3d", "2d3c", "2h3s"]
    hand = Hand(spec, hole=hole, board="AhKhQhJhTh")
    hand.play("ccfk/kkk/kkk/kkk")
    assert hand.pots()[0].won == (0, 13, 13, 12)


def test_each_side_pot_has_its_own_odd_chip() -> None:
    # Main pot 3 x 11 with a loser, side pot 2 x 10: each is split for itself.
    spec = GameSpec(stacks=(21, 11, 36), blinds=(5, 10, 0), antes=(0, 0, 0))
    hand = Hand(spec, hole=["AcKd", "2c3d", "AdKc"], board="AhKh7s8s9d")
    hand.play("b36cc")
    # Pots 33 and 20; 15 go back to seat 2. 33 = 17 + 16, 20 = 10 + 10.
    assert [pot.won for pot in hand.pots()] == [(17, 0, 16), (10, 0, 10)]
    assert hand.payoffs() == (6, -11, 5)


def test_a_folded_seats_chips_stay_in_the_pots_they_reached() -> None:
    # Seat 1 folds after putting in 40; seat 2 is all-in with 25.
    hand = Hand(holdem((200, 200, 25), 5, 10), hole=["AhAd", "KhKd", "QhQd"], board="2c3c7s8sJd")
    hand.play("cb40cc/kb60f")
    assert [pot.amount for pot in hand.pots()] == [75, 30]
    assert [pot.eligible for pot in hand.pots()] == [(1, 2), (1,)]
    assert hand.payoffs() == (-40, 65, -25)


@pytest.mark.parametrize(
    ("rake", "line", "taken"),
    [
        (Rake(5.0), "ck/kk/kk/kk", 1),  # 5 % of 20
        (Rake(5.0), "b50c/kk/kk/kk", 5),  # 5 % of 100
        (Rake(5.0, 3), "b50c/kk/kk/kk", 3),  # the cap
        (Rake(5.0), "b50f", 0),  # no flop, no drop
        (Rake(5.0, 0, False), "b50f", 1),  # 5 % of 20: the uncalled 40 went back first
        (Rake(5.0), "b100c/", 10),  # all-in before the flop: the flop is dealt
        (Rake(2.5), "b30c/kk/kk/kk", 1),  # 1.5, rounded down
    ],
)
def test_rake(rake: Rake, line: str, taken: int) -> None:
    spec = holdem((100, 100), 5, 10).replace(rake=rake)
    hand = Hand(spec, hole=["AhAd", "KhKd"], board="2c3c7s8sJd")
    hand.play(line)
    assert hand.rake == taken
    assert sum(hand.payoffs()) == -taken
    assert sum(hand.stacks) == 200 - taken


def test_a_big_blind_ante_is_dead_money_for_everybody() -> None:
    spec = GameSpec(stacks=(100, 100, 100), blinds=(5, 10, 0), antes=(0, 10, 0))
    hand = Hand(spec, hole=["2h7d", "KhKd", "AhAd"], board="2c3c7s8sJd")
    assert hand.pot == 25
    hand.play("cfk/kk/kk/kk")
    assert [pot.amount for pot in hand.pots()] == [35]
    assert hand.payoffs() == (-5, -20, 25)


def test_a_short_ante_wins_only_its_own_size_from_each() -> None:
    # Seat 2 has 2 of the ante of 5: it plays for 3 x 2; the rest is a side pot.
    spec = GameSpec(stacks=(100, 100, 2), blinds=(5, 10, 0), antes=(5, 5, 5))
    hand = Hand(spec, hole=["QhQd", "KhKd", "AhAd"], board="2c3c7s8sJd")
    hand.play("ck/kk/kk/kk")
    assert [(pot.amount, pot.eligible) for pot in hand.pots()] == [(6, (0, 1, 2)), (26, (0, 1))]
    assert hand.payoffs() == (-15, 11, 4)


def test_the_side_pots_of_the_catalogue_games_stay_empty() -> None:
    hand = Hand(catalogue("nolimit-100bb"), hole=["AhAd", "KhKd"], board="2c3c7s8sJd")
    hand.play("b1000c")
    assert [pot.amount for pot in hand.pots()] == [2000]
    assert hand.payoffs() == (1000, -1000)
