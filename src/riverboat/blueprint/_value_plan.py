"""Which boards are walked for values, all that can come or drawn ones, and means over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat.blueprint._run_outs import Boards, boards_after, every_run_out, one_board
from riverboat.cards import HOLE_CLASS, NUM_CARDS, NUM_HOLES
from riverboat.errors import BlueprintError
from riverboat.settings import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from riverboat.blueprint._run_outs import FindBuckets

    _Floats = NDArray[np.float64]

__all__ = ["BoardPlan", "BoardSums"]

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
