"""Fill the table of a street with the buckets of a rule, on all cores."""

from collections.abc import Iterator
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets._street_rule import StreetRule
from riverboat.buckets._streets import num_boards
from riverboat.cards import NUM_HOLES, HandStrength, StreetName
from riverboat.work import in_order

__all__ = ["filled", "rows_of", "table_dtype"]

_CHUNK: Final = 512  # boards: some hundredths of a second


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
