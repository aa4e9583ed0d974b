"""Lossless buckets: two hands share one only if they are the same up to the names of the suits.

The board counts as a set: on which street a card fell is forgotten, which loses nothing of the
cards and something of the story. There are 1,286,792 buckets on the flop, 13,960,050 on the turn
and 123,156,254 on the river; tables of 32 bits take 9, 87 and 713 MB. A strategy has an entry for
every bucket and every action of its street, so that the flop is for small betting trees and the
river for games that end there with little betting.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets._classes import ClassesRule
from riverboat.buckets._fit_task import FitTask
from riverboat.buckets._kind import BucketKind
from riverboat.buckets._rule import FixedRule, StreetRule
from riverboat.buckets._streets import dead_holes
from riverboat.cards import HOLES, HandIndexer, HandStrength, StreetName, board_cards

__all__ = ["IsomorphismRule", "Lossless"]


@cache
def _indexer(board: int) -> HandIndexer:
    return HandIndexer((2, board))


class IsomorphismRule(FixedRule):
    """Hands of one street after the flop, up to the names of the suits.

    Parameters
    ----------
    street
        `flop`, `turn` or `river`.

    Examples
    --------
    >>> rule = IsomorphismRule("flop")
    >>> rule.num_buckets
    1286792
    """

    name: ClassVar[str] = "isomorphism"

    def __init__(self, street: StreetName) -> None:
        super().__init__(street)
        self._indexer = _indexer(self._board)

    @property
    def num_buckets(self) -> int:
        """Classes of hands."""
        return self._indexer.size(1)

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Bucket of one hand."""
        return self._indexer.index([*hole, *board])

    def fill(self, tables: HandStrength | None, begin: int, out: NDArray[Any]) -> None:  # noqa: ARG002 - the protocol of rules
        """Write the buckets of canonical boards begin, begin + 1, .. into [boards, 1326]."""
        boards = board_cards(self._board)[begin : begin + len(out)]
        live = ~dead_holes(self._street, begin, begin + len(out))
        rows, holes = np.nonzero(live)
        hands = np.empty((len(rows), 2 + self._board), np.uint8)
        hands[:, :2], hands[:, 2:] = HOLES[holes], boards[rows]
        out[~live] = 0
        out[live] = self._indexer.index_batch(hands)


class Lossless(BucketKind):
    """Hands up to the names of the suits."""

    name: ClassVar[str] = "lossless"
    sentence: ClassVar[str] = (
        "hands share a bucket only if they are the same up to the names of the suits"
    )
    rules: ClassVar[tuple[type[StreetRule], ...]] = (ClassesRule, IsomorphismRule)
    counted: ClassVar[bool] = False
    numbers: ClassVar[tuple[int, ...]] = (169, 1_286_792, 13_960_050, 123_156_254)
    fitted: ClassVar[bool] = False

    def fit(self, task: FitTask) -> StreetRule:
        """There is nothing to fit."""
        return ClassesRule.lossless() if task.street == "preflop" else IsomorphismRule(task.street)
