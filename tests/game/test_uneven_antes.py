"""Uneven antes side by side with PokerKit: the row of docs/rules.md."""

from typing import Any

import pytest

from riverboat.game import GameSpec, Hand

pokerkit: Any = pytest.importorskip("pokerkit")
pytestmark = pytest.mark.peer

HOLES = ("AsAd", "KsKd", "QsQd")
BOARD = "5c8h9sTd4c"
BLINDS = (5, 10, 0)
AUTOMATIONS = (
    *("ANTE_POSTING", "BET_COLLECTION", "BLIND_OR_STRADDLE_POSTING"),
    *("HOLE_CARDS_SHOWING_OR_MUCKING", "HAND_KILLING", "CHIPS_PUSHING", "CHIPS_PULLING"),
    "RUNOUT_COUNT_SELECTION",
)


def theirs(antes: tuple[int, ...], stacks: tuple[int, ...], trimmed: bool) -> tuple[int, ...]:
    """What three seats win in PokerKit if everybody calls to the end."""
    automations = tuple(getattr(pokerkit.Automation, name) for name in AUTOMATIONS)
    game = pokerkit.NoLimitTexasHoldem(automations, trimmed, antes, BLINDS, 10)
    state, dealt = game(stacks, 3), 0
    while state.status:
        if state.can_burn_card():
            state.burn_card("??")
        elif state.can_deal_hole():
            state.deal_hole(HOLES[state.hole_dealee_index])
        elif state.can_deal_board():
            count = 1 if dealt else 3
            state.deal_board(BOARD[2 * dealt : 2 * (dealt + count)])
            dealt += count
        else:
            state.check_or_call()
    return tuple(state.payoffs)


def ours(antes: tuple[int, ...], stacks: tuple[int, ...]) -> tuple[int, ...]:
    hand = Hand(GameSpec(stacks=stacks, blinds=BLINDS, antes=antes), hole=HOLES, board=BOARD)
    while not hand.finished:
        hand.check_or_call()
    return hand.payoffs()


@pytest.mark.parametrize(
    ("antes", "stacks"),
    [((0, 10, 0), (100, 100, 100)), ((0, 10, 0), (7, 100, 100)), ((1, 10, 2), (100, 100, 100))],
)
def test_an_uneven_ante_stays_in(antes: tuple[int, ...], stacks: tuple[int, ...]) -> None:
    assert ours(antes, stacks) == theirs(antes, stacks, trimmed=False)
    assert ours(antes, stacks) != theirs(antes, stacks, trimmed=True)


@pytest.mark.parametrize("stacks", [(3, 100, 100), (3, 4, 100)])
def test_who_is_short_of_an_equal_ante_wins_as_much_from_each(stacks: tuple[int, ...]) -> None:
    antes = (5, 5, 5)
    assert ours(antes, stacks) == theirs(antes, stacks, trimmed=True)
    assert ours(antes, stacks) != theirs(antes, stacks, trimmed=False)
