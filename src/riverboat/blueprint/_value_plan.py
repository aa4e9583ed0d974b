"""Boards for computing values: all runouts or sampled ones, street by street, and means over them.

Two opposing hands leave fewer cards in the deck than one hand alone. So a street's values are
multiplied by a factor before they count on the previous street: the mean over the runouts that do
not block a hand is then the hand's mean over all possible runouts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from math import comb
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from riverboat.cards import HOLE_CLASS, HOLES, NUM_CARDS, NUM_HOLES, equity_against_each
from riverboat.errors import BlueprintError
from riverboat.settings import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    _Floats = NDArray[np.float64]
    from collections.abc import Callable

FindBuckets: TypeAlias = "Callable[[tuple[int, ...]], NDArray[np.intp]]"
_HELD = 2  # cards of one hand


@dataclass(frozen=True)
class Boards:
    """The boards of one street.

    Attributes
    ----------
    cards
        [boards, cards].
    buckets
        [boards, 1326] bucket of every hole pair.
    factor
        Factor of a value on the previous street.
    """

    cards: NDArray[np.int64]
    buckets: NDArray[np.intp]
    factor: float = 1.0

    @cached_property
    def alive(self) -> NDArray[np.bool_]:
        """[boards, 1326] whether the board does not block the pair."""
        shared = HOLES[None, :, :, None] == self.cards[:, None, None, :]
        alive: NDArray[np.bool_] = ~shared.any(axis=(2, 3))
        return alive


def one_board(cards: Sequence[int], find: FindBuckets) -> Boards:
    """Return the board at the start of a walk."""
    return Boards(np.array([cards], np.int64), find(tuple(cards))[None])


def every_runout(cards: Sequence[int], sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return all runouts of a board, [boards, cards]; `sizes` as in `boards_after`."""
    boards = [list(cards)]
    for before, size in pairwise(sizes):
        boards = [
            [*board, *more]
            for board in boards
            for more in combinations(sorted(set(range(NUM_CARDS)) - set(board)), size - before)
        ]
    return np.array(boards, np.int64)


@lru_cache(maxsize=2)
def equities(cards: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the equity of each hand against each other over all runouts: [1326, 1326]."""
    shares = np.zeros((NUM_HOLES, NUM_HOLES))
    for hole, pair in enumerate(HOLES.tolist()):
        if not set(pair) & set(cards):
            shares[hole] = equity_against_each(pair, cards)
    return shares


def boards_after(
    runouts: NDArray[np.int64], sizes: Sequence[int], find: FindBuckets
) -> list[Boards]:
    """Return the boards of some runouts, street by street.

    A hand's mean over the runouts that do not block it estimates its mean over all runouts.

    Parameters
    ----------
    runouts
        [boards, cards] up to the last street.
    sizes
        Cards on the board at the start of the walk, and on each later street.
    find
        Returns the buckets of a board.
    """
    streets: list[Boards] = []
    for before, size in pairwise(sizes):
        left = NUM_CARDS - before - _HELD
        factor = comb(left, size - before) / comb(left - _HELD, size - before)
        cards = runouts[:, :size]
        buckets = np.array([find(tuple(board)) for board in cards.tolist()])
        streets.append(Boards(cards, buckets, factor))
    return streets


#: Default number of sampled runouts.
_SAMPLES: Final = 200
#: Runouts per walk: several at once are faster, but more would not fit the processor's cache. The
#: standard error is computed from the spread of at least this many parts.
_AT_ONCE: Final = 8
_PARTS: Final = 16


class BoardPlan:
    """Plan of the boards below a node.

    Parameters
    ----------
    sizes
        Cards on the board on each street, from the node's street on.
    cards
        The board at the node.
    find
        Returns the buckets of a board.
    samples
        Runouts to sample if more than one card is to come; None = 200, 0 = all runouts.
    seed
        Random seed of the sampling.
    at_once
        Number of runouts per walk.

    Attributes
    ----------
    cards
        The board at the node.
    samples
        Number of sampled runouts; 0 = all runouts.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - internal
        self,
        sizes: Sequence[int],
        cards: tuple[int, ...],
        find: FindBuckets,
        samples: int | None = None,
        seed: int = 0,
        at_once: int = _AT_ONCE,
    ) -> None:
        self._sizes, self.cards, self._find, self._seed = sizes, cards, find, seed
        self._at_once = at_once
        many = sizes[-1] - len(cards) > 1
        self.samples = _num_samples(samples, sizes[1] - sizes[0]) if many else 0

    def streets(self) -> Iterator[list[Boards]]:
        """Yield boards street by street from the node's street on, some runouts at a time."""
        first = one_board(self.cards, self._find)
        for runouts in self._runouts():
            yield [first, *boards_after(runouts, self._sizes, self._find)]

    def _runouts(self) -> Iterator[NDArray[np.int64]]:
        """Yield complete boards, [boards, cards]: all, or a sample."""
        if not self.samples:
            boards = every_runout(self.cards, self._sizes)
            starts = range(0, len(boards), self._at_once)
            yield from (boards[start : start + self._at_once] for start in starts)
            return
        rest = np.array(sorted(set(range(NUM_CARDS)) - set(self.cards)))
        new = self._sizes[-1] - len(self.cards)
        rng = np.random.default_rng(self._seed)
        at_once = min(max(self.samples // _PARTS, 1), self._at_once)
        for begin in range(0, self.samples, at_once):
            count = min(at_once, self.samples - begin)
            drawn = rng.permuted(np.tile(rest, (count, 1)), axis=1)[:, :new]
            yield np.concatenate([np.tile(self.cards, (count, 1)), drawn], axis=1).astype(np.int64)


class BoardSums:
    """Sums over the boards that do not block a hand, for each hand.

    Parameters
    ----------
    columns
        Number of values per hand.
    by_class
        Whether hands of a starting class have equal values, as before the flop, and are pooled.
    """

    def __init__(self, columns: int, by_class: bool) -> None:
        self._groups = HOLE_CLASS if by_class else np.arange(NUM_HOLES)
        self._size = int(self._groups.max()) + 1
        #: Moments over parts: of sums over a group's hands and boards, and of the counts of these.
        self._sum, self._square, self._cross = (np.zeros((columns, self._size)) for _ in range(3))
        self._alive, self._alive_square = np.zeros(self._size), np.zeros(self._size)
        self._parts = 0

    def add(self, columns: Sequence[_Floats], alive: NDArray[np.bool_]) -> None:
        """Add a part: [boards, 1326] of each column, and whether hands are alive."""
        counts = self._grouped(alive)
        self._parts += 1
        self._alive += counts
        self._alive_square += counts**2
        for index, column in enumerate(columns):
            grouped = self._grouped(np.where(alive, column, 0.0))
            self._sum[index] += grouped
            self._square[index] += grouped**2
            self._cross[index] += grouped * counts

    def means(self) -> tuple[_Floats, _Floats]:
        """Return means and standard errors, [columns, 1326]; NaN for hands dead on all boards."""
        with np.errstate(invalid="ignore", divide="ignore"):
            means = self._sum / self._alive
            left = self._square - 2 * means * self._cross + means**2 * self._alive_square
            spread = np.sqrt(np.maximum(left, 0) * self._parts / max(1, self._parts - 1))
            errors = spread / self._alive
        return means[:, self._groups], errors[:, self._groups]

    def _grouped(self, numbers: NDArray[Any]) -> _Floats:
        """Sums over boards and over the hands of each group."""
        sums = numbers.sum(axis=0, dtype=np.float64)
        return np.bincount(self._groups, sums, self._size).astype(np.float64)


def _num_samples(samples: int | None, new: int) -> int:
    """Number of sampled runouts, checked; `new` cards are dealt on the next street."""
    if samples is None:
        return _SAMPLES
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 0 or samples == 1:
        raise BlueprintError(
            f"the number of runouts must be 0 or a whole number from 2 on, not {shown(samples)}"
        )
    if samples == 0 and new > 1:
        raise BlueprintError("there are too many runouts before the flop: sample 2 or more")
    return samples
