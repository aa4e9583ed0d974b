"""Who acts, and with which bounds: the betting rules, situation by situation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.errors import IllegalActionError
from riverboat.game import GameSpec, Hand, Street, catalogue


def holdem(*stacks: int, blinds: tuple[int, int] = (5, 10)) -> GameSpec:
    return GameSpec(stacks=stacks, blinds=blinds + (0,) * (len(stacks) - 2))


def after(spec: GameSpec, line: str) -> Hand:
    hand = Hand(spec, seed=1)
    hand.play(line)
    return hand


def test_heads_up_the_button_is_first_before_the_flop_and_last_after() -> None:
    spec = catalogue("nolimit-100bb")
    assert spec.button == 0
    actors = [after(spec, line).actor for line in ("", "c", "ck", "ck/k", "ck/kk", "ck/kk/kk")]
    assert actors == [0, 1, 1, 0, 1, 1]


def test_order_with_four_seats() -> None:
    spec = catalogue("nolimit", players=4)
    assert spec.button == 3
    actors = [after(spec, line).actor for line in ("", "c", "cc", "ccc", "ccck", "ccck/k")]
    assert actors == [2, 3, 0, 1, 0, 1]
    assert after(spec, "ccfk").actor == 1  # seat 0 is out, seat 1 opens the flop


def test_the_big_blind_may_raise_after_a_limp() -> None:
    hand = after(catalogue("nolimit"), "c")
    assert hand.legal().check
    assert hand.legal().raise_to == (20, 1000)


def test_minimum_raise_is_the_last_full_raise() -> None:
    hand = after(catalogue("nolimit"), "b30")
    assert hand.legal().raise_to == (50, 1000)
    assert after(catalogue("nolimit"), "b30b100").legal().raise_to == (170, 1000)
    assert after(catalogue("nolimit"), "b30c").legal().raise_to == (10, 970)


def test_all_in_for_less_than_the_minimum_raise() -> None:
    hand = after(holdem(1000, 25), "b20")
    assert hand.legal().raise_to == (25, 25)
    assert after(holdem(1000, 15), "b20").legal().raise_to is None


def test_pot_limit_bounds() -> None:
    # Small blind: 5 to call, pot after the call 20, so 10 + 20. Then 20 to call into 40.
    assert after(catalogue("potlimit"), "").legal().raise_to == (20, 30)
    assert after(catalogue("potlimit"), "b30").legal().raise_to == (50, 90)
    assert after(catalogue("potlimit"), "ck").legal().raise_to == (10, 20)


def test_limit_sizes_and_caps() -> None:
    # ACPC limit: 10 10 20 20, three raises before the flop (the blind is the first bet), then four.
    hand = after(catalogue("limit"), "b20b30b40")
    assert hand.legal().raise_to is None
    hand.play("c/b10b20b30b40")
    assert hand.legal().raise_to is None
    hand.play("c/k")
    assert hand.legal().raise_to == (20, 20)


def test_a_bare_b_or_r_is_the_limit_raise() -> None:
    assert after(catalogue("limit"), "rrc/br").line == "b20b30c/b10b20"


def test_cardiff_allows_three_raises_a_player() -> None:
    hand = after(catalogue("cardiff"), "b20b30b40b50b60")
    assert hand.legal().raise_to == (70, 70)
    hand.play("b70")
    assert hand.legal().raise_to is None
    hand.play("c/kk")
    assert hand.finished
    assert len(hand.board) == 3


def test_a_short_all_in_raise_does_not_reopen_the_betting() -> None:
    # Flop: seat 0 bets 100, seat 1 is all-in for 150, seat 2 calls; seat 0 may only call.
    hand = after(holdem(1000, 160, 1000), "cck/b100b150c")
    assert hand.actor == 0
    assert hand.legal().raise_to is None
    assert hand.legal().call == 50
    with pytest.raises(IllegalActionError, match="too small to reopen the betting for seat 0"):
        hand.do("b300")


def test_short_all_ins_that_add_up_to_a_full_raise_reopen_it() -> None:
    # As in the examples to TDA rule 47: 100, all-in 150, all-in 200: seat 0 faces 100 more.
    hand = after(holdem(1000, 160, 210, 1000), "ccck/b100b150b200c")
    assert hand.actor == 0
    assert hand.legal().raise_to == (300, 990)


def test_a_seat_that_has_not_acted_may_raise_over_a_short_all_in() -> None:
    hand = after(holdem(1000, 160, 1000), "cck/b100b150")
    assert hand.actor == 2
    assert hand.legal().raise_to == (250, 990)


def test_a_short_opening_bet_does_not_reopen_for_one_who_checked() -> None:
    hand = after(holdem(1000, 14, 1000), "cck/kb4")
    assert hand.actor == 2
    assert hand.legal().raise_to == (14, 990)
    hand.play("c")
    assert hand.actor == 0
    assert hand.legal().raise_to is None


def test_in_fixed_limit_half_a_bet_reopens() -> None:
    limit = catalogue("limit", players=3)
    assert after(limit.replace(stacks=(1000, 25, 1000)), "cck/b10b15c").can_raise
    assert not after(limit.replace(stacks=(1000, 24, 1000)), "cck/b10b14c").can_raise


def test_a_short_big_blind_does_not_lower_the_price() -> None:
    hand = after(holdem(1000, 3, 1000), "")
    assert (hand.to_call, hand.min_raise_to) == (10, 20)
    hand.play("f")
    assert hand.finished  # seat 0 has covered the 3 with its small blind
    assert hand.refund == (0, 2)


def test_heads_up_nobody_is_asked_for_more_than_the_other_has() -> None:
    hand = after(holdem(1000, 7), "")
    assert hand.legal().call == 2
    assert hand.legal().raise_to is None
    assert after(holdem(1000, 5), "").finished
    assert after(holdem(3, 1000), "").finished


def test_no_raise_when_nobody_could_call_it() -> None:
    hand = after(holdem(50, 1000, 40), "b40b50")
    assert hand.actor == 1
    assert hand.legal().raise_to is None
    with pytest.raises(IllegalActionError, match="no other seat has chips to call a raise"):
        hand.do("b100")


def test_run_out_when_nobody_can_act() -> None:
    hand = after(catalogue("nolimit"), "b1000c")
    assert hand.finished
    assert len(hand.board) == 5
    assert hand.line == "b1000c"


def test_the_first_seat_can_be_set() -> None:
    streets = (Street(hole=2, first=1), Street(board=3, first=0))
    spec = GameSpec(stacks=(100, 100), blinds=(5, 10), streets=streets)
    assert after(spec, "").actor == 1
    assert after(spec, "kc").actor == 0


def test_swaps_happen_when_all_in_and_stay_hidden() -> None:
    hand = Hand(catalogue("discard-2017"), cards="AhKd QsQc 2c7d9h Ts Js 5c5d 6c6d")
    hand.play("b200c/dQss/s")
    assert hand.actor == 0
    hand.play("dAh")
    assert hand.line == "b200c/ds/sd"
    assert hand.full_line == "b200c/dQss/sdAh"
    assert hand.hole_cards(1) == Hand(hand.spec, hole=["", "5dQc"]).hole_cards(1)
    # Seat 0 swaps on the turn: its second replacement is 6c.
    assert hand.hole_cards(0) == Hand(hand.spec, hole=["6cKd", ""]).hole_cards(0)
    assert hand.finished


def test_tossed_cards_join_the_board() -> None:
    hand = Hand(catalogue("tossem-2026"), cards="AhKdQs JcTc9c 2c7d 3h 4h")
    hand.play("ck/dJcdQskk/kk/kk")
    assert hand.finished
    assert len(hand.board) == 6
    assert [len(hand.hole_cards(seat)) for seat in (0, 1)] == [2, 2]
    assert hand.line == "ck/dJcdQskk/kk/kk"


def test_a_toss_cannot_be_refused() -> None:
    hand = Hand(catalogue("tossem-2026"), cards="AhKdQs JcTc9c 2c7d 3h 4h")
    hand.play("ck")
    with pytest.raises(IllegalActionError, match="one of dJc, dTc, d9c"):
        hand.do("s")


def test_no_limit_betting_has_no_cap() -> None:
    # Minimum raises of one chip: far more of them than fit into a byte.
    spec = GameSpec(stacks=(10_000, 10_000), min_bet=1, antes=(1, 1))
    hand = Hand(spec, seed=1)
    for amount in range(1, 1001):
        hand.bet_to(amount)
    assert hand.legal().raise_to == (1001, 9999)
    capped = tuple(replace(street, max_raises=250) for street in spec.streets)
    hand = Hand(spec.replace(streets=capped), seed=1)
    for amount in range(1, 251):
        hand.bet_to(amount)
    assert hand.legal().raise_to is None


def test_open_betting_has_side_pots_at_all_in_levels_only() -> None:
    spec = GameSpec(stacks=(100, 100, 30), blinds=(5, 10, 0))
    hand = Hand(spec, seed=1)
    assert [(pot.amount, pot.eligible) for pot in hand.pots()] == [(15, (0, 1, 2))]
    hand.bet_to(30)  # seat 2 is all-in
    hand.bet_to(60)
    # 30 of seats 0 and 2 and the blind of 10 in the main pot; seat 1 may still call the rest.
    assert [(pot.amount, pot.eligible) for pot in hand.pots()] == [(70, (0, 1, 2)), (30, (0, 1))]


def test_open_folds() -> None:
    """Some sites let a player fold where a check is free; other games refuse it."""
    plain = GameSpec(stacks=(100, 100, 100), blinds=(1, 2, 0))
    hand = Hand(plain)
    hand.play("cc")
    with pytest.raises(IllegalActionError, match="there is nothing to call"):
        hand.do("f")
    hand = Hand(plain.with_open_folds())
    hand.play("ccf")
    assert hand.live == (0, 2)
    assert not hand.legal().fold
    hand.play("/f")
    assert hand.payoffs() == (-2, -2, 4)
