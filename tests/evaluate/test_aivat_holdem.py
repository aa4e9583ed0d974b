"""AIVAT in hold'em: cards are counted as they are dealt, real bots, and plain means."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from riverboat.arena import play_match
from riverboat.bots import HandStrategies, make_bot
from riverboat.cards import HOLES, NUM_HOLES, parse_cards
from riverboat.errors import GameError
from riverboat.evaluate import AivatScorer, CheckDown, _aivat_values, aivat_value, aivat_value_name
from riverboat.evaluate._aivat import Aivat, Situation
from riverboat.evaluate._aivat_holdem import HoldemCards
from riverboat.game import Hand, catalogue

if TYPE_CHECKING:
    from pathlib import Path

_GAME = catalogue("nolimit-100bb")
_HOLES = [set(hole) for hole in HOLES.tolist()]


def test_weights_that_deals_leave() -> None:
    cards = HoldemCards()
    weights = np.random.default_rng(1).random(NUM_HOLES) * cards.live((3, 50))
    new = cards.deals((3, 50), 3)
    assert len(new) == 19_600  # C(50, 3)
    room = cards.room(weights, new)
    for deal in (0, 777, 19_599):
        left = [not hole & set(new[deal].tolist()) for hole in _HOLES]
        assert room[deal] == pytest.approx(weights[left].sum())


def test_shares_are_of_the_other_side() -> None:
    hole, board = tuple(parse_cards("AhAd")), tuple(parse_cards("2c7dJs3h"))
    shares = HoldemCards().shares(hole, board)
    kings = _HOLES.index(set(parse_cards("KsKc")))
    assert shares[kings] == pytest.approx(2 / 44)
    assert not shares[[bool(each & {*hole, *board}) for each in _HOLES]].any()


def _hand(line: str = "b25c/kb30c/kk/kb60f") -> Hand:
    hand = Hand(_GAME, hole=["AhKd", "9s9c"], board="2c7dJs3hQd")
    hand.play(line)
    return hand


def _sure(hand: Hand) -> list[HandStrategies | None]:
    """Players who would have done the same with every hand."""
    row = np.ones((NUM_HOLES, 1))
    return [HandStrategies((str(event.action),), row) for event in hand.events]


def test_players_who_never_choose_leave_only_cards() -> None:
    hand = _hand()
    terms = Aivat(HoldemCards(), CheckDown()).terms(hand, 0, _sure(hand))
    assert terms.base == hand.payoffs()[0] == 55
    assert terms.own == terms.other == 0
    assert terms.boards != 0 != terms.holes


def test_the_range_is_paid_at_a_showdown() -> None:
    hand = _hand("b25c/kb30c/kk/kk")
    told = _sure(hand)
    terms = Aivat(HoldemCards(), CheckDown()).terms(hand, 0, told)
    used = {*hand.hole_cards(1), *hand.board}
    pairs = [each for each in combinations(range(52), 2) if not used & set(each)]
    assert len(pairs) == 990
    won = []
    for pair in pairs:
        shown = Hand(_GAME, hole=[list(pair), list(hand.hole_cards(1))], board=list(hand.board))
        shown.play(hand.line)
        won.append(shown.payoffs()[0])
    assert terms.base == pytest.approx(np.mean(won))


def test_who_bets_any_number_of_chips_has_no_term_for_it() -> None:
    """Thousands of values for each decision would take minutes; a term less stays unbiased."""
    hand = _hand("b25c/kk/kk/kk")

    def draws(most: int) -> float:
        told = _sure(hand)
        actions = ("c", *(f"b{chips}" for chips in range(20, most)))
        rows = np.full((NUM_HOLES, len(actions)), 1 / len(actions))
        told[0] = HandStrategies(actions, rows)
        return Aivat(HoldemCards(), CheckDown()).terms(hand, 0, told).own

    assert draws(30) != 0
    assert draws(1001) == 0


def test_a_move_that_is_never_made_is_told() -> None:
    hand = _hand("cb30f")
    with pytest.raises(GameError, match="seat 1 played b30 after 'c'"):
        AivatScorer(CheckDown()).score(hand, (None, make_bot("fish", 0)))


@pytest.fixture
def few_boards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A table from some boards only, in a folder of its own: values may be as bad as they like."""
    monkeypatch.setattr(_aivat_values, "NUM_BOARDS", 12)
    monkeypatch.setattr(_aivat_values, "cache_folder", lambda: tmp_path)


def test_values_are_named_by_file_and_version() -> None:
    assert aivat_value_name(catalogue("limit")) == "checking down, version 1"
    name = aivat_value_name(_GAME)
    assert name.startswith("default.blueprint (")
    assert name.endswith("against itself, version 1")
    with pytest.raises(GameError, match="hold'em for two players"):
        aivat_value_name(catalogue("nolimit-100bb", players=3))


@pytest.mark.slow
@pytest.mark.usefixtures("few_boards")
def test_a_table_is_kept_and_about_zero_sum(tmp_path: Path) -> None:
    value = aivat_value(_GAME, progress=lambda *_: None)
    start = Hand(_GAME)
    own, other = (value.holes(start, seat).mean() for seat in range(2))
    assert own == pytest.approx(-other, abs=1.5)  # chips; few boards, hands not equally often
    assert [file.name[:6] for file in tmp_path.iterdir()] == ["worth-"]
    aces, deuce = (_HOLES.index(set(parse_cards(text))) for text in ("AhAd", "7h2d"))
    assert value.holes(start, 0)[aces] < value.holes(start, 0)[deuce]
    at = Situation(start, (), 0, tuple(parse_cards("AhAd")), np.ones(NUM_HOLES))
    assert value.action(at._replace(hand=Hand.from_line(_GAME, "b25"))) < 0
    off_menu = Hand.from_line(_GAME, "b33b111")
    assert np.isfinite(value.action(at._replace(hand=off_menu)))


@pytest.mark.slow
@pytest.mark.usefixtures("few_boards")
@pytest.mark.parametrize("other", ["blueprint", "fish", "montecarlo", "shark"])
def test_plain_mean_and_aivat_agree(other: str) -> None:
    """The difference of both means within 4 standard errors: wrong once in 16,000 tries."""
    result = play_match(["blueprint:threshold=0", other], hands=3000, seed=11, aivat=True)
    assert result.unit_aivat is not None
    apart = (result.unit_aivat - result.unit_chips)[:, 0]
    assert abs(apart.mean()) < 4 * apart.std() / len(apart) ** 0.5
    assert result.aivat_left_out == 0
    reduction = result.aivat_reduction()
    assert reduction is not None
    assert reduction > 1


@pytest.mark.slow
@pytest.mark.usefixtures("few_boards")
def test_self_play_has_mean_zero() -> None:
    bots = ["blueprint:threshold=0"] * 2
    result = play_match(bots, hands=3000, seed=12, aivat=True, duplicate=False)
    won = result.aivat_per_hand()
    assert won is not None
    assert won.error is not None
    assert abs(won.mean) < 4 * won.error
