"""Buckets without fitted parameters.

`classes`, preflop: a bucket for each of the 169 starting classes.

`lossless`: hands share a bucket only if they are isomorphic. The board is a set: buckets do not
remember on which street a card was dealt. There are 1,286,792 buckets on the flop, 13,960,050 on
the turn and 123,156,254 on the river; tables of 32 bits take 9, 87 and 713 MB. A strategy has an
entry for every bucket and action of a street, so lossless flops need small betting trees, and
lossless rivers need games with little betting.

`suitless`: the starting class of the hole cards, and the ranks of the board. It ignores flushes.
Suitable for small games in which every rank can be trained (Cardiff's), not for others.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets._rule import BucketKind, FitTask, FixedRule, Parameters, StreetRule
from riverboat.buckets._streets import dead_holes
from riverboat.cards import (
    HOLE_CLASS,
    HOLES,
    NUM_CLASSES,
    HandIndexer,
    HandStrength,
    StreetName,
    board_cards,
    hole_index,
)
from riverboat.errors import AbstractionError


class ClassesRule(StreetRule):
    """Preflop buckets by starting class; the lossless rule has 169.

    Parameters
    ----------
    buckets
        [169] bucket of each starting class; buckets are 0, 1, .. without gaps.

    Examples
    --------
    >>> ClassesRule(range(169)).num_buckets
    169
    """

    name: ClassVar[str] = "classes"
    needs_tables: ClassVar[bool] = False

    def __init__(self, buckets: Sequence[int] | NDArray[Any]) -> None:
        given = np.asarray(buckets)
        if given.shape != (NUM_CLASSES,) or given.dtype.kind not in "iu":
            raise AbstractionError(
                f"starting classes need {NUM_CLASSES} whole numbers, one for each class, "
                f"not {given.dtype} numbers of shape {given.shape}"
            )
        self._num_buckets = int(given.max()) + 1
        if not np.array_equal(np.unique(given), np.arange(self._num_buckets)):
            raise AbstractionError("the buckets of starting classes must be 0, 1, .. without gaps")
        self._buckets = given.astype(np.uint16)

    @classmethod
    def lossless(cls) -> Self:
        """Return the rule with a bucket for each class."""
        return cls(range(NUM_CLASSES))

    @property
    def num_buckets(self) -> int:
        """At most 169."""
        return self._num_buckets

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:  # noqa: ARG002 - there is no board yet
        """Return the bucket of one hand."""
        return int(self._buckets[HOLE_CLASS[hole_index(hole[0], hole[1])]])

    def fill(self, tables: HandStrength | None, begin: int, out: NDArray[Any]) -> None:  # noqa: ARG002 - the interface of rules
        """Write the only row."""
        out[:] = self._buckets[HOLE_CLASS]

    def parameters(self) -> Parameters:
        """Return no parameters."""
        return {}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return the buckets by starting class."""
        return {"buckets": self._buckets}

    @classmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:  # noqa: ARG003 - the interface of rules
        """Restore the rule."""
        return cls(arrays["buckets"])


@cache
def _indexer(board: int) -> HandIndexer:
    return HandIndexer((2, board))


class IsomorphismRule(FixedRule):
    """Buckets of one postflop street by suit isomorphism.

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
        """Number of classes of isomorphic hands."""
        return self._indexer.size(1)

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Return the bucket of one hand."""
        return self._indexer.index([*hole, *board])

    def fill(self, tables: HandStrength | None, begin: int, out: NDArray[Any]) -> None:  # noqa: ARG002 - the interface of rules
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
        """Return the rule of a street."""
        return ClassesRule.lossless() if task.street == "preflop" else IsomorphismRule(task.street)


class RanksRule(FixedRule):
    """Buckets of (starting class, ranks on the board) on one postflop street.

    A bucket is `169 * ranks + class`, where `ranks` is the number of the board's multiset of
    ranks in lexicographic order.

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
        """Return the bucket of one hand."""
        return int(self._ranks(np.array([board]))[0]) * NUM_CLASSES + int(
            HOLE_CLASS[hole_index(hole[0], hole[1])]
        )

    def fill(self, tables: HandStrength | None, begin: int, out: NDArray[Any]) -> None:  # noqa: ARG002 - the interface of rules
        """Write the buckets of canonical boards begin, begin + 1, .. into [boards, 1326]."""
        rows = self._ranks(board_cards(self._board)[begin : begin + len(out)])
        out[:] = rows[:, None] * NUM_CLASSES + HOLE_CLASS
        out[dead_holes(self._street, begin, begin + len(out))] = 0

    def _ranks(self, boards: NDArray[Any]) -> NDArray[np.int64]:
        """Return the number of each board's multiset of ranks."""
        ranks = np.sort(boards >> 2, axis=1).astype(np.int64) @ self._places
        numbers: NDArray[np.int64] = self._numbers[ranks]
        return numbers


class Suitless(BucketKind):
    """Starting class and ranks on the board."""

    name: ClassVar[str] = "suitless"
    sentence: ClassVar[str] = "starting class and the ranks on the board; ignores flushes"
    rules: ClassVar[tuple[type[StreetRule], ...]] = (ClassesRule, RanksRule)
    counted: ClassVar[bool] = False
    numbers: ClassVar[tuple[int, ...]] = (169, 76_895, 307_580, 1_043_575)
    fitted: ClassVar[bool] = False

    def fit(self, task: FitTask) -> StreetRule:
        """Return the rule of a street."""
        return ClassesRule.lossless() if task.street == "preflop" else RanksRule(task.street)


@cache
def _number_multisets(size: int) -> NDArray[np.int64]:
    """Return the number of each ascending row of ranks, indexed by its value in base 13."""
    numbers = np.full(13**size, -1)
    rows = [
        row for row in combinations_with_replacement(range(13), size) if len(set(row)) > (size > 4)
    ]
    places = np.array(rows) @ 13 ** np.arange(size)[::-1]
    numbers[places] = np.arange(len(rows))
    numbers.flags.writeable = False
    return numbers
