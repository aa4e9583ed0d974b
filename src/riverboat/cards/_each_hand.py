"""One hand against each other hand, exactly: what a range of hands is worth against it.

From the flop on all run-outs are looked at; before it, numbers are looked up that
`scripts/preflop_points` has counted over all boards.
"""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.cards._boards import hole_permutations
from riverboat.cards._card import CardsLike, as_cards, cards_text
from riverboat.cards._holes import CLASS_HOLES, HOLE_CLASS, NUM_HOLES, hole_index
from riverboat.errors import CardError

#: Run-outs of a board once four hole cards are known.
_RUN_OUTS: Final = {0: 1_712_304, 3: 990, 4: 44, 5: 1}


def equity_against_each(hole: CardsLike, board: CardsLike = "") -> NDArray[np.float64]:
    """Return how often a hole pair wins against each other one, a tie counting one half.

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
        Exact, over all run-outs; 0 against pairs that share a card with the hole pair or the
        board.

    Examples
    --------
    >>> from riverboat.cards import parse_hole
    >>> round(float(equity_against_each("AhAd")[parse_hole("KsKc")]), 6)
    0.812555
    >>> float(equity_against_each("AhAd", "2c7dJs3h")[parse_hole("KhKd")]) == 42 / 44
    True
    """
    held, table = as_cards(hole), as_cards(board)
    if len(held) != 2 or len(table) not in _RUN_OUTS:
        raise CardError(
            f"a hole pair has 2 cards and a board 0, 3, 4 or 5, not {len(held)} and {len(table)}"
        )
    if len({*held, *table}) < len(held) + len(table):
        raise CardError(f"a card is twice in {cards_text(held)} and {cards_text(table)}")
    if not table:
        return _preflop_points(hole_index(*held)) / (2.0 * _RUN_OUTS[0])
    points = np.empty(NUM_HOLES, np.uint16)
    _core.points_against_each_into((held[0], held[1]), table, points)
    return points / (2.0 * _RUN_OUTS[len(table)])


def _preflop_points(hole: int) -> NDArray[np.uint32]:
    """The class's row of the table, in the suits of the hole pair."""
    move = hole_permutations()[_permutation(hole)]
    points: NDArray[np.uint32] = _preflop_table()[HOLE_CLASS[hole]][move]
    return points


@cache
def _permutation(hole: int) -> int:
    """A permutation of suits that makes the hole pair the first one of its class."""
    first = CLASS_HOLES[HOLE_CLASS[hole]][0]
    return int(np.flatnonzero(hole_permutations()[:, hole] == first)[0])


@cache
def _preflop_table() -> NDArray[np.uint32]:
    """[169, 1326] half-points of the first pair of each class."""
    from pathlib import Path  # noqa: PLC0415 - slow to import

    from riverboat.files import ArrayFile  # noqa: PLC0415 - slow to import

    file = ArrayFile(Path(__file__).parent / "data" / "preflop.safetensors")
    return np.asarray(file.array("points"))
