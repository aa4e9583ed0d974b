"""Suit-blind buckets: the starting class of the hole cards, and which ranks lie on the board.

It forgets flushes altogether, and remembers the board exactly otherwise: good for games that are
small enough to learn every rank (Cardiff's), a poor choice for others.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets._classes import ClassesRule
from riverboat.buckets._fit_task import FitTask
from riverboat.buckets._kind import BucketKind
from riverboat.buckets._rule import FixedRule, StreetRule
from riverboat.buckets._streets import dead_holes
from riverboat.buckets._tables import BucketTables, filled
from riverboat.cards import (
    HOLE_CLASS,
    NUM_CLASSES,
    STREETS,
    HandStrength,
    StreetName,
    board_cards,
    hole_index,
)
from riverboat.errors import CardError

__all__ = ["RanksRule", "Suitless", "rank_buckets"]


class RanksRule(FixedRule):
    """Buckets of (starting class, ranks on the board) on one street after the flop.

    A bucket is `169 * ranks + class`: ranks number the multisets of board ranks in
    lexicographic order.

    Parameters
    ----------
    street
        `flop`, `turn` or `river`.

    Examples
    --------
    >>> RanksRule("turn").num_buckets
    307580
    """

    name: ClassVar[str] = "ranks"

    def __init__(self, street: StreetName) -> None:
        super().__init__(street)
        self._places = 13 ** np.arange(self._board)[::-1]
        self._numbers = _number_multisets(self._board)

    @property
    def num_buckets(self) -> int:
        """Starting classes times multisets of ranks."""
        return int(self._numbers.max() + 1) * NUM_CLASSES

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Bucket of one hand."""
        return int(self._ranks(np.array([board]))[0]) * NUM_CLASSES + int(
            HOLE_CLASS[hole_index(hole[0], hole[1])]
        )

    def fill(self, tables: HandStrength | None, begin: int, out: NDArray[Any]) -> None:  # noqa: ARG002 - the protocol of rules
        """Write the buckets of canonical boards begin, begin + 1, .. into [boards, 1326]."""
        rows = self._ranks(board_cards(self._board)[begin : begin + len(out)])
        out[:] = rows[:, None] * NUM_CLASSES + HOLE_CLASS
        out[dead_holes(self._street, begin, begin + len(out))] = 0

    def _ranks(self, boards: NDArray[Any]) -> NDArray[np.int64]:
        """Number of the ranks of each board."""
        ranks = np.sort(boards >> 2, axis=1).astype(np.int64) @ self._places
        numbers: NDArray[np.int64] = self._numbers[ranks]
        return numbers


class Suitless(BucketKind):
    """Starting class and ranks on the board."""

    name: ClassVar[str] = "suitless"
    sentence: ClassVar[str] = "starting class and the ranks on the board; flushes are not seen"
    rules: ClassVar[tuple[type[StreetRule], ...]] = (ClassesRule, RanksRule)
    counted: ClassVar[bool] = False
    numbers: ClassVar[tuple[int, ...]] = (169, 76_895, 307_580, 1_043_575)
    fitted: ClassVar[bool] = False

    def fit(self, task: FitTask) -> StreetRule:
        """There is nothing to fit."""
        return ClassesRule.lossless() if task.street == "preflop" else RanksRule(task.street)


def rank_buckets(num_streets: int = 2) -> BucketTables:
    """Make the tables of `suitless` in memory, without any cache.

    The table of the river takes 713 MB.

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
    rules: list[StreetRule] = [
        ClassesRule.lossless(),
        *map(RanksRule, STREETS[1:num_streets]),
    ]
    tables = [filled(rule, street, None) for rule, street in zip(rules, STREETS, strict=False)]
    counts = tuple(rule.num_buckets for rule in rules)
    return BucketTables(f"suitless {num_streets}", tuple(tables), counts)


@cache
def _number_multisets(size: int) -> NDArray[np.int64]:
    """Number of each rising row of ranks, by its value in base 13; at most four of a rank."""
    numbers = np.full(13**size, -1)
    rows = [
        row for row in combinations_with_replacement(range(13), size) if len(set(row)) > (size > 4)
    ]
    places = np.array(rows) @ 13 ** np.arange(size)[::-1]
    numbers[places] = np.arange(len(rows))
    numbers.flags.writeable = False
    return numbers
