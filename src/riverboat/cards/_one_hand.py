"""Strength of one hand against unknown hands, computed without the hand-strength tables.

From the flop on all runouts are enumerated. Preflop values are read from a file that
`scripts/preflop_points` computed over all boards. With several opponents deals are sampled.
"""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.cards._boards import hole_permutations
from riverboat.cards._card import CardsLike
from riverboat.cards._checks import hole_and_board
from riverboat.cards._holes import CLASS_HOLES, HOLE_CLASS, NUM_HOLES, hole_index

#: Number of runouts of a board when four hole cards are known.
_RUNOUTS: Final = {0: 1_712_304, 3: 990, 4: 44, 5: 1}


def run_out_points(hole: CardsLike, board: CardsLike) -> NDArray[np.uint16]:
    """Return the river strength of a hole pair on every runout, against one unknown hand.

    Takes some microseconds on the river, a fifth of a millisecond on the turn and some
    milliseconds on the flop.

    Parameters
    ----------
    hole
        Two cards.
    board
        3, 4 or 5 cards.

    Returns
    -------
    [runouts] uint16
        Half-points 2 * win + tie, at most 1,980; 1,081 runouts on the flop, 46 on the turn, 1 on
        the river. On the turn runouts are ordered by the river card; on the flop, pairs
        (low, high) of cards are ordered by `high`, then `low`.

    Examples
    --------
    >>> round(float(run_out_points("AhKh", "Qh7c2d").mean()) / 1980, 6)
    0.580426
    """
    held, table = hole_and_board(hole, board, (3, 4, 5))
    return _core.run_out_points(held, table)


def equity_against_each(hole: CardsLike, board: CardsLike = "") -> NDArray[np.float64]:
    """Return the equity of a hole pair against each other hole pair.

    Takes some microseconds before the flop and on the river, and some tenths of a millisecond
    on the flop.

    Parameters
    ----------
    hole
        Two cards.
    board
        0, 3, 4 or 5 cards.

    Returns
    -------
    [1326] float64
        Exact, over all runouts; 0 against pairs that share a card with the hole pair or the
        board.

    Examples
    --------
    >>> from riverboat.cards import parse_hole
    >>> round(float(equity_against_each("AhAd")[parse_hole("KsKc")]), 6)
    0.812555
    >>> float(equity_against_each("AhAd", "2c7dJs3h")[parse_hole("KhKd")]) == 42 / 44
    True
    """
    held, table = hole_and_board(hole, board, tuple(_RUNOUTS))
    if not table:
        return _preflop_points(hole_index(*held)) / (2.0 * _RUNOUTS[0])
    points = np.empty(NUM_HOLES, np.uint16)
    _core.points_against_each_into(held, table, points)
    return points / (2.0 * _RUNOUTS[len(table)])


def _preflop_points(hole: int) -> NDArray[np.uint32]:
    """Return the row of the pair's class, with the suits of the hole pair."""
    move = hole_permutations()[_permutation(hole)]
    points: NDArray[np.uint32] = _preflop_table()[HOLE_CLASS[hole]][move]
    return points


@cache
def _permutation(hole: int) -> int:
    """Return a suit permutation that maps the hole pair to the first one of its class."""
    first = CLASS_HOLES[HOLE_CLASS[hole]][0]
    return int(np.flatnonzero(hole_permutations()[:, hole] == first)[0])


@cache
def _preflop_table() -> NDArray[np.uint32]:
    """Return the half-points [169, 1326] of the first pair of each class."""
    from pathlib import Path  # noqa: PLC0415 - slow to import

    from riverboat.files import ArrayFile  # noqa: PLC0415 - slow to import

    file = ArrayFile(Path(__file__).parent / "data" / "preflop.safetensors")
    return np.asarray(file.array("points"))


class SampledShowdowns:
    """Showdowns of a hand against unknown hands, in sampled deals.

    Parameters
    ----------
    hole
        Two cards.
    board
        Public cards, 0 to 5.
    opponents
        Number of unknown hands, 1 to 9.

    Examples
    --------
    >>> win, tie, share, total = SampledShowdowns((50, 51), (), 2)(1000, seed=1, stream=0)
    >>> 0.7 < share / total < 0.77  # two aces against two hands
    True
    """

    def __init__(self, hole: tuple[int, ...], board: tuple[int, ...], opponents: int) -> None:
        weights = np.ones((opponents + 1, NUM_HOLES))
        weights[0] = 0
        weights[0, hole_index(*hole)] = 1
        self._num_players = opponents + 1
        self._table = _core.EquityTable(weights, np.array(board, np.uint8), np.zeros(0, np.uint8))

    def __call__(self, samples: int, seed: int, stream: int) -> tuple[float, float, float, float]:
        """Return sums over the deals: wins, ties, shares of the pot; and the number of deals."""
        sums = np.empty((4, self._num_players))
        total = self._table.sample_into(samples, seed, stream, sums)
        win, tie, share = sums[:3, 0].tolist()
        return win, tie, share, total
