"""Buckets of equal mass by mean hand strength, the plainest abstraction that knows cards.

Strengths are the exact counts of the hand-strength tables, so the limits between buckets are
found by counting, with nothing rounded: every (board, hole) weighs as many deals as it stands
for. Hands of equal strength are never parted.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from riverboat.abstraction.bucket_tables import BOARD_CARDS, BucketTables
from riverboat.cards import (
    HOLE_CLASS,
    NUM_CLASSES,
    NUM_HOLES,
    HandStrength,
    board_multiplicities,
)
from riverboat.cards.strength_tables import Street
from riverboat.errors import CardError

__all__ = ["strength_percentiles"]

_STREETS: Final[tuple[Street, ...]] = ("preflop", "flop", "turn", "river")
_MOST_POINTS: Final = (0, 1_081 * 1_980, 46 * 1_980, 1_980)
_CHUNK = 1024
_T = TypeVar("_T")


def strength_percentiles(
    tables: HandStrength, buckets: Sequence[int] = (169, 200, 200, 200)
) -> BucketTables:
    """Make buckets of equal mass by E[HS], the mean hand strength; 169 classes before the flop.

    Parameters
    ----------
    tables
        The hand-strength tables.
    buckets
        By street; the first is 169. At most 65,536. Where many hands have the same strength,
        there are fewer.

    Returns
    -------
    BucketTables
        uint16; weaker hands have lower buckets. The river's takes 357 MB.
    """
    wanted = tuple(buckets)
    if not 1 <= len(wanted) <= 4 or wanted[0] != NUM_CLASSES:
        raise CardError(f"buckets={wanted}: 1 to 4 streets, the first with {NUM_CLASSES} buckets")
    if any(not 1 <= count <= 65_536 for count in wanted):
        raise CardError(f"buckets={wanted}: take 1 to 65,536 a street")
    made = [HOLE_CLASS.astype(np.uint16)[None]]
    counts = [NUM_CLASSES]
    for street, count in enumerate(wanted[1:], start=1):
        bucket_of = _equal_masses(_masses(tables, street), count)
        made.append(_looked_up(tables, street, bucket_of))
        counts.append(int(bucket_of.max()) + 1)
    name = f"strength percentiles {'/'.join(map(str, counts))}"
    return BucketTables(name, tuple(made), tuple(counts))


def _equal_masses(masses: NDArray[np.int64], count: int) -> NDArray[np.uint16]:
    """Bucket of each strength, [strengths + 1], the last for dead holes.

    A strength falls where the middle of its mass lies; buckets that nothing falls into are
    left out.
    """
    below = np.cumsum(masses) - masses
    total = int(masses.sum())
    middles = (2 * below + masses) * count // (2 * total)
    held = masses > 0
    numbers = np.zeros(len(masses) + 1, np.uint16)
    numbers[:-1][held] = np.unique(middles[held], return_inverse=True)[1]
    return numbers


def _masses(tables: HandStrength, street: int) -> NDArray[np.int64]:
    """Deals with each strength in points, [strengths] int64."""
    weights = board_multiplicities(BOARD_CARDS[street]).astype(np.float64)
    size = _MOST_POINTS[street] + 2

    def count(begin: int, points: NDArray[np.int64]) -> NDArray[np.float64]:
        repeated = np.repeat(weights[begin : begin + len(points)], NUM_HOLES)
        return np.bincount(points.ravel(), repeated, size).astype(np.float64, copy=False)

    total = np.zeros(size)  # whole numbers below 2^53: exact
    for counts in _by_chunks(tables, street, count):
        total += counts
    return total[:-1].astype(np.int64)


def _looked_up(
    tables: HandStrength, street: int, bucket_of: NDArray[np.uint16]
) -> NDArray[np.uint16]:
    cells = tables.cells(_STREETS[street])
    table = np.empty(cells.shape[:2], np.uint16)

    def fill(begin: int, points: NDArray[np.int64]) -> None:
        np.take(bucket_of, points, out=table[begin : begin + len(points)])

    for _ in _by_chunks(tables, street, fill):
        pass
    return table


def _by_chunks(
    tables: HandStrength, street: int, work: Callable[[int, NDArray[np.int64]], _T]
) -> Iterator[_T]:
    """Call work(first board, points [boards, 1326]) on chunks of a table, on all cores."""
    cells = tables.cells(_STREETS[street])

    def run(begin: int) -> _T:
        return work(begin, _points(cells[begin : begin + _CHUNK], _MOST_POINTS[street]))

    with ThreadPoolExecutor() as pool:
        yield from pool.map(run, range(0, len(cells), _CHUNK))


def _points(cells: NDArray[Any], most: int) -> NDArray[np.int64]:
    """Half-points 2 * win + tie of each hole; dead holes have one more than the most."""
    points: NDArray[np.int64] = 2 * cells[..., 0].astype(np.int64) + cells[..., 1]
    np.minimum(points, most + 1, out=points)
    return points
