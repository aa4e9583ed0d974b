"""Random hands, and their buckets in tables."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets import BucketTables
from riverboat.cards import BOARD_CARDS, canonical_boards, hole_permutations


def random_hands(rng: np.random.Generator, count: int, board: int) -> NDArray[np.uint8]:
    """Deal two hole cards and a board `count` times, [count, 2 + board]."""
    return rng.random((count, 52)).argpartition(2 + board, axis=1)[:, : 2 + board].astype(np.uint8)


def table_buckets(tables: BucketTables, hands: NDArray[np.uint8]) -> NDArray[Any]:
    """Look up buckets of hands in tables, as the solver does, [count]."""
    holes = hands[:, :2].astype(int)
    low, high = holes.min(axis=1), holes.max(axis=1)
    index = high * (high - 1) // 2 + low
    street = BOARD_CARDS.index(hands.shape[1] - 2)
    if street == 0:
        row: NDArray[Any] = tables.tables[0][0, index]
        return row
    boards, moves = canonical_boards(np.ascontiguousarray(hands[:, 2:]))
    found: NDArray[Any] = tables.tables[street][boards, hole_permutations()[moves, index]]
    return found
