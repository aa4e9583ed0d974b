"""The boards that a walk over all hands comes to, street by street, for some run-outs at once.

A hand and one that it meets leave fewer cards in the deck than the hand alone, so values of a
street count by a factor on the street before: the mean over the run-outs that leave a hand alive is
then its mean over all that can come.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from math import comb
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from riverboat.cards import HOLES, NUM_CARDS, NUM_HOLES, RangeSums, equity_against_each

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

__all__ = ["Boards", "FindBuckets", "boards_after", "equities", "every_run_out", "one_board"]

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
