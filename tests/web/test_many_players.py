"""The sentence after a hand: what is graded with many players, and why the rest is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bots.strategy_files import random_strategy
from riverboat.game import Hand, catalogue
from riverboat.learn import bot_grader
from riverboat.web._in_my_seat import in_my_seat
from web_client import API, move, new_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastapi.testclient import TestClient

    from riverboat.cards import HandStrength

pytestmark = pytest.mark.browser
SIX = catalogue("nolimit-100bb", players=6)
MENU = "2.5x | a ; sb 3x ; cap 2 ; limp sb ; flop 2 / none"


@pytest.fixture
def six_max(
    tables: HandStrength, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """A six-max strategy in the current folder, where training writes it."""
    random_strategy(tmp_path / "six-max.blueprint", SIX, MENU, "equity-bins 3/4/3/4", tables)
    monkeypatch.chdir(tmp_path)
    bot_grader.cache_clear()
    yield
    bot_grader.cache_clear()


def test_without_a_strategy_a_sentence_says_so(client: TestClient) -> None:
    state = move(client, new_table(client, seats=3, opponents="checkcall", seed=1), "deal")
    while state["phase"] == "yours":
        state = move(client, state, "k" if state["legal"]["check"] else "c")
    choices = client.get(f"{API}/tables/{state['id']}/choices").json()
    assert {each["reason"] for each in choices} == {
        "no installed strategy plays this table of 3 players"
    }
    assert {each["loss"] for each in choices} == {None}
    hand = client.get(f"{API}/sessions/{state['session']}/hands/1/choices").json()
    assert hand == choices


def test_pots_of_two_players_are_graded_by_a_six_max_strategy(six_max: None) -> None:
    """By its file before the turn; the turn and the river are solved with its ranges."""
    del six_max
    hand = Hand(SIX, seed=4)
    hand.play("fffb25fc/kk/kk/kk")
    choices = in_my_seat("checkcall", hand, 5)
    assert [(each.street, each.did) for each in choices] == [
        ("preflop", "b25"), ("flop", "k"), ("turn", "k"), ("river", "k"),
    ]  # fmt: skip
    before, _, turn, river = choices
    assert before.actions.keys() == {"f", "b25"}
    assert (turn.reason, river.reason) == ("", "")
    assert turn.values.keys() > {"k"}  # bets, too, which the strategy's tree lacks
    assert river.loss is not None
    assert river.loss >= 0


def test_pots_of_three_players_are_not(six_max: None) -> None:
    del six_max
    hand = Hand(SIX, seed=4)
    hand.play("fffb25cc/kkk/kkk/kkk")
    assert {each.reason for each in in_my_seat("checkcall", hand, 5)} == {
        "multiway pots (three or more players on the flop) are not graded"
    }


def test_a_strategy_of_another_game_grades_nothing() -> None:
    """Frequencies of no-limit hold'em say nothing of fixed-limit."""
    hand = Hand(catalogue("limit"), seed=3)
    hand.play("ck/kk/kk/kk")
    choices = in_my_seat("checkcall", hand, 0)
    assert {each.reason for each in choices} == {
        "the strategy is for no-limit, and this hand is fixed-limit"
    }
    assert [each.actions for each in choices] == [{}] * 4
