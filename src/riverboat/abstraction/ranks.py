"""Suit-blind buckets: the starting class of the hole cards, and which ranks lie on the board.

It forgets flushes altogether, and remembers the board exactly otherwise: good for games that are
small enough to learn every rank (Cardiff's), a poor choice for others.
"""

from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from riverboat.abstraction.bucket_tables import BOARD_CARDS, BucketTables
from riverboat.cards import HOLE_CLASS, NUM_CLASSES, board_cards
from riverboat.errors import CardError

__all__ = ["rank_buckets"]


def rank_buckets(num_streets: int = 2) -> BucketTables:
    """Make buckets of (starting class, ranks on the board).

    A bucket is `169 * ranks + class`: ranks number the multisets of board ranks in
    lexicographic order. The table of the river takes 713 MB.

    Parameters
    ----------
    num_streets
        1 to 4: up to preflop, flop, turn or river.

    Examples
    --------
    >>> rank_buckets(2).num_buckets
    (169, 76895)
    """
    if not 1 <= num_streets <= 4:
        raise CardError(f"hold'em has 1 to 4 streets, not {num_streets}")
    tables, counts = [HOLE_CLASS.astype(np.uint16)[None]], [NUM_CLASSES]
    for size in BOARD_CARDS[1:num_streets]:
        numbers = _number_multisets(size)
        ranks = (
            np.sort(board_cards(size) >> 2, axis=1).astype(np.int64) @ 13 ** np.arange(size)[::-1]
        )
        rows = numbers[ranks].astype(np.uint32) * np.uint32(NUM_CLASSES)
        tables.append(rows[:, None] + HOLE_CLASS.astype(np.uint32))
        counts.append(int(numbers.max() + 1) * NUM_CLASSES)
    return BucketTables(f"ranks, {num_streets} streets", tuple(tables), tuple(counts))


def _number_multisets(size: int) -> NDArray[np.int64]:
    """Number of each rising row of ranks, by its value in base 13; at most four of a rank."""
    numbers = np.full(13**size, -1)
    rows = [
        row for row in combinations_with_replacement(range(13), size) if len(set(row)) > (size > 4)
    ]
    places = np.array(rows) @ 13 ** np.arange(size)[::-1]
    numbers[places] = np.arange(len(rows))
    return numbers
