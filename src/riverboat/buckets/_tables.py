"""A card abstraction as tables: the bucket of every hole pair on every canonical board.

The table of a street is filled with the buckets of its rule, on all cores.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets._rule import StreetRule
from riverboat.buckets._streets import num_boards
from riverboat.cards import (
    BOARD_CARDS,
    NUM_BOARDS,
    NUM_HOLES,
    CardsLike,
    HandStrength,
    StreetName,
    as_cards,
    canonical_board,
    cards_text,
    hole_index,
    hole_permutations,
)
from riverboat.errors import CardError
from riverboat.runs import in_order

_DTYPES: Final = (np.uint8, np.uint16, np.uint32)
_CHUNK: Final = 512  # boards: some hundredths of a second


@dataclass(frozen=True)
class BucketTables:
    """Buckets of hold'em by street: preflop, flop, turn, river, or the first few of them.

    Attributes
    ----------
    name
        For reports.
    tables
        By street, [boards, 1326] uint8, uint16 or uint32, boards and holes in canonical suits; one
        board, the empty one, before the flop. Cells of holes on the board mean nothing.
    num_buckets
        By street; every cell is below.
    recall
        Whether a player remembers his buckets of earlier streets: see `CardAbstraction`. The
        cells are those of the street alone all the same.
    """

    name: str
    tables: tuple[NDArray[Any], ...]
    num_buckets: tuple[int, ...]
    recall: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(self.tables) <= 4 or len(self.tables) != len(self.num_buckets):
            raise CardError("bucket tables are for 1 to 4 streets, each with a number of buckets")
        for board, table in zip(BOARD_CARDS, self.tables, strict=False):
            wanted = (NUM_BOARDS.get(board, 1), NUM_HOLES)
            if table.shape != wanted or table.dtype not in _DTYPES:
                raise CardError(
                    f"the buckets of boards of {board} cards are {wanted} uint8, uint16 or uint32, "
                    f"not {table.shape} {table.dtype}"
                )

    def bucket(self, hole: CardsLike, board: CardsLike = "") -> int:
        """Look up the bucket of a hole pair on a board, that of the street alone.

        Examples
        --------
        >>> from riverboat.buckets import rank_buckets
        >>> buckets = rank_buckets(num_streets=2)
        >>> buckets.bucket("AhKh", "Qh7c2d") == buckets.bucket("AsKs", "2c7dQc")
        True
        """
        held, table = as_cards(hole), as_cards(board)
        if len(held) != 2 or len(table) not in BOARD_CARDS[: len(self.tables)]:
            raise CardError(
                f"{cards_text(held)} on {cards_text(table) or 'no board'}: buckets are for two "
                f"hole cards on boards of {', '.join(map(str, BOARD_CARDS[: len(self.tables)]))}"
            )
        if len({*held, *table}) < len(held) + len(table):
            raise CardError(f"{cards_text(held)} and {cards_text(table)} share a card")
        street, pair = BOARD_CARDS.index(len(table)), hole_index(*held)
        if not table:
            return int(self.tables[0][0, pair])
        found = canonical_board(table)
        return int(self.tables[street][found.id, hole_permutations()[found.permutation][pair]])


def table_dtype(rule: StreetRule) -> np.dtype[Any]:
    """Smallest dtype that holds every bucket: uint8, uint16 or uint32."""
    return np.min_scalar_type(rule.num_buckets - 1)


def rows_of(
    rule: StreetRule, street: StreetName, tables: HandStrength | None
) -> Iterator[NDArray[Any]]:
    """Yield the rows of a table, [boards, 1326] each, in order.

    Parameters
    ----------
    rule
        Of the street.
    street
        Which one.
    tables
        The hand-strength tables; None for rules that look at none.
    """
    boards, dtype = num_boards(street), table_dtype(rule)

    def compute(begin: int) -> NDArray[Any]:
        rows = np.zeros((min(_CHUNK, boards - begin), NUM_HOLES), dtype)
        rule.fill(cast("HandStrength", tables), begin, rows)
        return rows

    yield from in_order(compute, range(0, boards, _CHUNK))


def filled(rule: StreetRule, street: StreetName, tables: HandStrength | None) -> NDArray[Any]:
    """Make the table of a street in memory, [boards, 1326] uint8, uint16 or uint32."""
    table = np.empty((num_boards(street), NUM_HOLES), table_dtype(rule))
    begin = 0
    for rows in rows_of(rule, street, tables):
        table[begin : begin + len(rows)] = rows
        begin += len(rows)
    return table
