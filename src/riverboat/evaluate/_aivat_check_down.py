"""The plainest value of a hold'em state: both check and call to the end.

For games that no strategy file knows. Flops have no value: all of them are too many to count out.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from riverboat.cards import CLASS_HOLES, HOLE_CLASS, HOLES
from riverboat.evaluate._aivat_cards import HoldemCards

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.evaluate._aivat import Situation
    from riverboat.game import Hand

_CARDS: Final = HoldemCards()


class CheckDown:
    """Values states by the equity of the known seat's hands, checked down."""

    name = "checking down, version 1"

    def holes(self, hand: Hand, seat: int) -> NDArray[np.float64]:
        """Return the worth by the other's pair."""
        del seat  # both put in as much
        return _chips(_preflop_shares(), hand)

    def boards(self, at: Situation, new: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the worth after each card; 0 for flops."""
        if new.shape[1] > 1:
            return np.zeros(len(new))
        boards = [(*at.board, card) for card in new[:, 0].tolist()]
        rows = [(at.weights * _CARDS.live(board[-1:]), board) for board in boards]
        return _chips(
            np.array([_share(weights, at.hole, board) for weights, board in rows]), at.hand
        )

    def action(self, at: Situation) -> float:
        """Return the worth if bets are called."""
        return float(_chips(np.array(_share(at.weights, at.hole, at.board)), at.hand))


def _chips(shares: NDArray[np.float64], hand: Hand) -> NDArray[np.float64]:
    """What shares of the pot are worth once it is called."""
    stacks = zip(hand.contributions, hand.stacks, strict=True)
    return (2 * shares - 1) * min(max(hand.contributions), *(paid + left for paid, left in stacks))


def _share(weights: NDArray[np.float64], hole: tuple[int, ...], board: tuple[int, ...]) -> float:
    total = float(weights.sum())
    return float(_CARDS.shares(hole, board) @ weights) / total if total else 0.5


@cache
def _preflop_shares() -> NDArray[np.float64]:
    """[1326] what any hand wins against each pair."""
    firsts = [tuple(HOLES[holes[0]].tolist()) for holes in CLASS_HOLES]
    by_class = [_share(_CARDS.live(hole), hole, ()) for hole in firsts]
    return np.array(by_class)[HOLE_CLASS]
