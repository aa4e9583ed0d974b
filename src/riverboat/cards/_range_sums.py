"""Sums of a range over the hands that share no card with a given hand.

Sums by card make a loop over pairs of hands unnecessary. Showdowns use running sums in the order of
strength, over all hands and over the hands with each card (Johanson and others, "Accelerating Best
Response Calculation in Large Extensive Games", IJCAI 2011).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from riverboat.cards._card import NUM_CARDS
from riverboat.cards._holes import HOLES, NUM_HOLES
from riverboat.cards._strength import evaluate_batch

_Floats = NDArray[np.float64]
_Places = NDArray[np.intp]
#: [52, 51] the hole pairs with each card.
_WITH_CARD: Final = np.array(
    [np.flatnonzero(np.equal(HOLES, c).any(axis=1)) for c in range(NUM_CARDS)]
)
_NEGLIGIBLE: Final = 1e-12


def hands_met(reach: _Floats) -> _Floats:
    """Return, for each hand, the reach of all opponent hands that share no card with it.

    Parameters
    ----------
    reach
        [..., 1326], not negative.

    Returns
    -------
    [..., 1326] float64
        0 where only a rounding error remains.

    Examples
    --------
    >>> float(hands_met(np.ones(1326))[0])
    1225.0
    """
    by_card = reach.take(_WITH_CARD, axis=-1).sum(axis=-1)
    total = reach.sum(axis=-1, keepdims=True)
    met: _Floats = total + reach
    met -= by_card.take(HOLES[:, 0], axis=-1)
    met -= by_card.take(HOLES[:, 1], axis=-1)
    met[met <= _NEGLIGIBLE * total] = 0.0
    return met


class RangeSums:
    """Showdowns of ranges on complete boards, one range per board.

    Parameters
    ----------
    boards
        [boards, 3 to 5] cards.

    Attributes
    ----------
    alive
        [boards, 1326] bool: the pair shares no card with the board.

    Examples
    --------
    >>> from riverboat.cards import parse_cards, parse_hole
    >>> sums = RangeSums(np.array([parse_cards("2c2d2h2sAc")]))
    >>> weaker, stronger = sums.showdown(sums.alive.astype(float))
    >>> ace = parse_hole("AdKd")  # everybody plays the board
    >>> float(weaker[0, ace]), float(stronger[0, ace])
    (0.0, 0.0)
    """

    def __init__(self, boards: NDArray[np.integer]) -> None:
        count = len(boards)
        self.alive = ~(HOLES[None, :, :, None] == boards[:, None, None, :]).any(axis=(2, 3))
        strengths = self._strengths(boards)
        board = np.arange(count)[:, None]
        order = np.argsort(strengths, axis=1, kind="stable")
        self._order: _Places = order + board * NUM_HOLES
        below, upto = _tie_places(np.take_along_axis(strengths, order, 1))
        #: By hand: where the hands of its strength begin and end in the running sums.
        self._all = np.empty((2, count, NUM_HOLES), np.intp)
        np.put_along_axis(self._all[0], order, below + board * (NUM_HOLES + 1), 1)
        np.put_along_axis(self._all[1], order, upto + board * (NUM_HOLES + 1), 1)
        self._card_order, self._by_card = _card_places(strengths)
        self._running = np.zeros((count, NUM_HOLES + 1))
        self._card_running = np.zeros((count, NUM_CARDS, NUM_CARDS))

    def _strengths(self, boards: NDArray[np.integer]) -> NDArray[np.int32]:
        """Return strengths [boards, 1326] from 1 on; 0 for dead pairs."""
        board, hole = np.nonzero(self.alive)
        hands = np.concatenate([HOLES[hole], boards[board]], axis=1).astype(np.uint8)
        strengths = np.zeros(self.alive.shape, np.int32)
        strengths[board, hole] = evaluate_batch(hands).astype(np.int32) + 1
        return strengths

    def showdown(self, reach: _Floats) -> tuple[_Floats, _Floats]:
        """Return the reach that each hand beats, and the reach that beats it.

        Parameters
        ----------
        reach
            [boards, 1326] of the opponent's hands; 0 for pairs with a board card.

        Returns
        -------
        weaker, stronger
            [boards, 1326] sums over hands that share no card with it; undefined for dead pairs.
        """
        np.cumsum(reach.take(self._order), axis=1, out=self._running[:, 1:])
        np.cumsum(reach.take(self._card_order), axis=2, out=self._card_running[:, :, 1:])
        weaker, others = (self._upto(side) for side in (0, 1))
        # The hand itself is counted once in all hands and once for each of its cards: net -1.
        by_card = self._card_running[:, :, -1]
        stronger = self._running[:, -1:] - others
        stronger -= by_card.take(HOLES[:, 0], axis=1)
        stronger -= by_card.take(HOLES[:, 1], axis=1)
        return weaker, stronger

    def _upto(self, side: int) -> _Floats:
        """Return the running sums up to each hand, without the hands that share a card with it."""
        sums: _Floats = self._running.take(self._all[side])
        sums -= self._card_running.take(self._by_card[side, 0])
        sums -= self._card_running.take(self._by_card[side, 1])
        return sums


def _card_places(strengths: NDArray[np.int32]) -> tuple[_Places, _Places]:
    """Return the hands with each card by strength, [boards, 52, 51], and each hand's places there.

    The places [2, 2, boards, 1326] are where hands of equal strength begin and end, for both cards.
    """
    count = len(strengths)
    own = strengths[:, _WITH_CARD]
    order = np.argsort(own, axis=2, kind="stable")
    holes = np.take_along_axis(np.broadcast_to(_WITH_CARD, own.shape), order, 2)
    board = np.arange(count)[:, None, None]
    card = np.arange(NUM_CARDS)[None, :, None]
    second = (HOLES[holes, 1] == card).astype(np.intp)
    begin = (board * NUM_CARDS + card) * NUM_CARDS
    places = np.empty((2, 2, count, NUM_HOLES), np.intp)
    for side, tied in enumerate(_tie_places(np.take_along_axis(own, order, 2))):
        places[side, second, np.broadcast_to(board, holes.shape), holes] = tied + begin
    return holes + board * NUM_HOLES, places


def _tie_places(ordered: NDArray[np.int32]) -> tuple[_Places, _Places]:
    """Return where runs of equal values begin and end, along the last axis."""
    length = ordered.shape[-1]
    place = np.arange(length)
    differs = ordered[..., 1:] != ordered[..., :-1]
    edge = np.ones((*ordered.shape[:-1], 1), bool)
    first = np.concatenate([edge, differs], axis=-1)
    last = np.concatenate([differs, edge], axis=-1)
    below = np.maximum.accumulate(np.where(first, place, 0), axis=-1)
    upto = np.minimum.accumulate(np.where(last, place + 1, length)[..., ::-1], axis=-1)
    return below, upto[..., ::-1]
