"""Who won, and with what, in PyPokerEngine's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riverboat.game import Hand
from riverboat.protocols.pypokerengine._rules import card_text

try:
    from pypokerengine.engine.card import Card
    from pypokerengine.engine.hand_evaluator import HandEvaluator
except ImportError:
    HandEvaluator = None

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.game import View


def winners_of(view: View) -> list[int]:
    """Return the seats with the best hand, or the only one that has not folded.

    Where not all cards are known it is the seats that won most.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["AhKd", "QsQc"], board="2c7d9hTsJs")
    >>> hand.play("ck/kk/kk/kk")
    >>> winners_of(hand.view(0))
    [1]
    """
    if len(view.live) > 1 and all(view.shown[seat] for seat in view.live):
        hole = [list(cards) or [-1, -1] for cards in view.shown]
        hand = Hand(view.spec, hole=hole, board=list(view.board), stacks=view.starting_stacks)
        hand.play(view.line)
        return list(hand.pots()[0].winners)
    payoffs = view.payoffs or (0,) * view.spec.players
    most = max(payoffs[seat] for seat in view.live)
    return [seat for seat in view.live if payoffs[seat] == most]


def hand_infos(view: View, uuid: Callable[[int], str]) -> list[dict[str, Any]]:
    """Return how the engine's own evaluator sees the hands that were shown.

    It is empty without a showdown, and where the engine is not installed.
    """
    if len(view.live) < 2 or HandEvaluator is None:
        return []
    board = [Card.from_str(card_text(card)) for card in view.board]
    return [
        {
            "uuid": uuid(seat),
            "hand": HandEvaluator.gen_hand_rank_info(
                [Card.from_str(card_text(card)) for card in view.shown[seat]], board
            ),
        }
        for seat in view.live
        if view.shown[seat]
    ]
