"""Exact strength of one hand on the fly: what the tables say, where nobody has built them."""

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.cards._card import CardsLike, as_cards, cards_text
from riverboat.errors import CardError


def run_out_points(hole: CardsLike, board: CardsLike) -> NDArray[np.uint16]:
    """River strength of a hole pair on every run-out of a board, against one unknown hand.

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
    [run-outs] uint16
        Half-points 2 * win + tie of 1,980; 1,081 run-outs on the flop, 46 on the turn, 1 on the
        river. On the turn the missing card ascends; on the flop the pair (low, high) of missing
        cards comes in the order of `high`, then `low`.

    Examples
    --------
    >>> round(float(run_out_points("AhKh", "Qh7c2d").mean()) / 1980, 6)
    0.580426
    """
    held, table = as_cards(hole), as_cards(board)
    if len(held) != 2:
        raise CardError(f"{hole!r} is not a hole pair: it has {len(held)} cards instead of 2")
    if len(table) not in (3, 4, 5):
        raise CardError(f"a board has 3, 4 or 5 cards here, not {len(table)}: {cards_text(table)}")
    if set(held) & set(table):
        raise CardError(
            f"the hole pair {cards_text(held)} and the board {cards_text(table)} share a card"
        )
    return _core.run_out_points((held[0], held[1]), table)
