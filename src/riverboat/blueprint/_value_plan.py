"""Which boards are walked for values, all that can come or drawn ones, and means over them.

The boards that a walk over all hands comes to, street by street, for some run-outs at once.

A hand and one that it meets leave fewer cards in the deck than the hand alone, so values of a
street count by a factor on the street before: the mean over the run-outs that leave a hand alive is
then its mean over all that can come.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from math import comb
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from riverboat.cards import HOLE_CLASS, HOLES, NUM_CARDS, NUM_HOLES, RangeSums, equity_against_each
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
        [boards, 1326] of every hole pair.
    each
        How many of them follow each board of the street before, in a row.
    factor
        What a value counts on the street before.
    """

    cards: NDArray[np.int64]
    buckets: NDArray[np.intp]
    each: int = 1
    factor: float = 1.0

    @cached_property
    def alive(self) -> NDArray[np.bool_]:
        """[boards, 1326] whether a pair shares no card with the board."""
        shared = HOLES[None, :, :, None] == self.cards[:, None, None, :]
        alive: NDArray[np.bool_] = ~shared.any(axis=(2, 3))
        return alive

    @cached_property
    def sums(self) -> RangeSums:
        """Showdowns on these boards, which are complete."""
        return RangeSums(self.cards)

    def enter(self, reach: NDArray[np.float64]) -> NDArray[np.float64]:
        """Carry reaches, [boards before, 1326], to this street."""
        entered: NDArray[np.float64] = np.repeat(reach, self.each, axis=0)
        entered *= self.alive
        return entered

    def leave(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Carry values, [boards, 1326], to the street before, where they stay apart."""
        return values * self.factor


def one_board(cards: Sequence[int], find: FindBuckets) -> Boards:
    """Return the board where a walk begins."""
    return Boards(np.array([cards], np.int64), find(tuple(cards))[None])


def every_run_out(cards: Sequence[int], sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return all that can follow a board, [boards, cards]; sizes as of `boards_after`."""
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
    """Return how often each hand beats each other one over all run-outs: [1326, 1326]."""
    shares = np.zeros((NUM_HOLES, NUM_HOLES))
    for hole, pair in enumerate(HOLES.tolist()):
        if not set(pair) & set(cards):
            shares[hole] = equity_against_each(pair, cards)
    return shares


def boards_after(
    run_outs: NDArray[np.int64], sizes: Sequence[int], find: FindBuckets
) -> list[Boards]:
    """Return the boards of some run-outs, street by street.

    The mean over run-outs of what they give to a hand, of those that it leaves possible, is then
    what it would win over all of them.

    Parameters
    ----------
    run_outs
        [boards, cards] up to the last street.
    sizes
        Cards on the board where the walk begins, and on each street that follows.
    find
        Gives the buckets of a board.
    """
    streets: list[Boards] = []
    for before, size in pairwise(sizes):
        left = NUM_CARDS - before - _HELD
        factor = comb(left, size - before) / comb(left - _HELD, size - before)
        cards, each = run_outs[:, :size], 1 if streets else len(run_outs)
        buckets = np.array([find(tuple(board)) for board in cards.tolist()])
        streets.append(Boards(cards, buckets, each, factor))
    return streets


#: Run-outs that are drawn if nobody says how many.
_SAMPLES: Final = 200
#: So many are walked at once, which is faster: numbers of more would not stay near the processor.
#: But they come in so many parts, whose spread is the error.
_AT_ONCE: Final = 8
_PARTS: Final = 16


class BoardPlan:
    """The boards that are walked below a node.

    Parameters
    ----------
    sizes
        Cards on the board on each street, from that of the node on.
    cards
        The board at the node.
    find
        Gives the buckets of a board.
    samples
        Run-outs to draw where more than one card is to come; None = 200, 0 = all of them.
    seed
        Of the draws.
    at_once
        So many boards are walked together.

    Attributes
    ----------
    cards
        The board at the node.
    samples
        Run-outs that are drawn; 0 where none are.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - where, and how
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
        self.samples = _checked_samples(samples, sizes[1] - sizes[0]) if many else 0

    def streets(self) -> Iterator[list[Boards]]:
        """Yield boards street by street, from the node's on, some run-outs at a time."""
        first = one_board(self.cards, self._find)
        for run_outs in self._run_outs():
            yield [first, *boards_after(run_outs, self._sizes, self._find)]

    def _run_outs(self) -> Iterator[NDArray[np.int64]]:
        """Yield complete boards, [boards, cards]: all, or drawn ones."""
        if not self.samples:
            boards = every_run_out(self.cards, self._sizes)
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
    """Sums over boards, of which each hand counts those that leave it alive.

    Parameters
    ----------
    columns
        Values of each hand.
    by_class
        Whether hands of a class are worth the same, as before the flop: then they are taken
        together.
    """

    def __init__(self, columns: int, by_class: bool) -> None:
        self._groups = HOLE_CLASS if by_class else np.arange(NUM_HOLES)
        self._size = int(self._groups.max()) + 1
        #: Moments over parts: of sums over a group's hands and boards, and of how many those are.
        self._sum, self._square, self._cross = (np.zeros((columns, self._size)) for _ in range(3))
        self._alive, self._alive_square = np.zeros(self._size), np.zeros(self._size)
        self._parts = 0

    def add(self, columns: Sequence[_Floats], alive: NDArray[np.bool_]) -> None:
        """Add a part: [boards, 1326] of each column, and which hands are alive."""
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
        """Return means and standard errors, [columns, 1326]; NaN of hands that no board leaves."""
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


def _checked_samples(samples: int | None, new: int) -> int:
    """How many run-outs are drawn where so many cards come next."""
    if samples is None:
        return _SAMPLES
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 0 or samples == 1:
        raise BlueprintError(
            f"run-outs to draw are a whole number from 2, or 0, not {shown(samples)}"
        )
    if samples == 0 and new > 1:
        raise BlueprintError("before the flop run-outs are drawn: give a number of them from 2")
    return samples
