"""Statistics of buckets: number of deals, mean strength, and examples of hands."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets._streets import MOST_POINTS, NUM_DEALS, dead_holes, num_boards, points_of
from riverboat.buckets._tables import BucketTables
from riverboat.cards import (
    HOLES,
    STREETS,
    HandStrength,
    StreetName,
    board_cards,
    board_multiplicities,
    board_size,
)
from riverboat.errors import AbstractionError
from riverboat.report import Columns, Framed
from riverboat.runs import in_order

_CHUNK: Final = 512


@dataclass(frozen=True, slots=True)
class BucketSizes(Framed):
    """The buckets of one street.

    Attributes
    ----------
    street
        The street.
    deals
        [buckets] int64: number of (hole pair, board) combinations.
    strength
        [buckets] float64: mean E[HS] of the deals; NaN for empty buckets.
    """

    street: StreetName
    deals: NDArray[np.int64]
    strength: NDArray[np.float64]

    @property
    def shares(self) -> NDArray[np.float64]:
        """Share of all deals, [buckets]; the sum is 1."""
        shares: NDArray[np.float64] = self.deals / NUM_DEALS[self.street]
        return shares

    def frame_columns(self) -> Columns:
        """Return a row for each bucket: deals, share of all deals, mean strength."""
        return {
            "bucket": np.arange(len(self.deals)),
            "deals": self.deals,
            "share": self.shares,
            "strength": self.strength,
        }


def bucket_sizes(buckets: BucketTables, tables: HandStrength, street: StreetName) -> BucketSizes:
    """Count the deals of every bucket of a street, and compute their mean strength.

    Parameters
    ----------
    buckets
        Compiled tables.
    tables
        The hand-strength tables.
    street
        A street of the buckets.

    Examples
    --------
    >>> from riverboat.buckets import bucket_tables, make_abstraction
    >>> classes = bucket_tables(make_abstraction("lossless 1"))
    >>> sizes = bucket_sizes(classes, HandStrength(), "preflop")
    >>> int(sizes.deals.sum()), int(sizes.deals.max())
    (1326, 12)
    """
    index = _index(buckets, street)
    table, count = buckets.tables[index], buckets.num_buckets[index]
    cells, weights = tables.cells(street), _weights(street)

    def part_of(begin: int) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.int64]]:
        points = points_of(cells[begin : begin + _CHUNK])
        live = points >= 0
        repeated = np.broadcast_to(weights[begin : begin + _CHUNK, None], live.shape)
        return table[begin : begin + _CHUNK][live], repeated[live], points[live]

    deals, points_sum = np.zeros(count), np.zeros(count)
    for own, weight, points in in_order(part_of, range(0, num_boards(street), _CHUNK)):
        _add_up(deals, own, weight)
        _add_up(points_sum, own, weight * points)
    with np.errstate(invalid="ignore"):  # empty buckets
        strength = points_sum / deals / MOST_POINTS[street]
    return BucketSizes(street, deals.astype(np.int64), strength)


def _add_up(sums: NDArray[np.float64], places: NDArray[Any], values: NDArray[np.float64]) -> None:
    """Add values to sums; `bincount` is faster, but allocates an array of all sums."""
    if len(sums) <= len(places):
        sums += np.bincount(places, values, len(sums))
    else:
        np.add.at(sums, places, values)


@dataclass(frozen=True, slots=True)
class Example:
    """A hand of a bucket."""

    hole: tuple[int, int]
    board: tuple[int, ...]


def bucket_examples(
    buckets: BucketTables, street: StreetName, bucket: int, count: int = 8, seed: int = 0
) -> list[Example]:
    """Draw random hands of a bucket; each deal is equally likely.

    Parameters
    ----------
    buckets
        Compiled tables.
    street
        A street of the buckets.
    bucket
        The bucket of the street alone, also with perfect recall.
    count
        Number of hands; fewer if the bucket is smaller.
    seed
        Random seed.

    Examples
    --------
    >>> from riverboat.buckets import bucket_tables, make_abstraction
    >>> classes = bucket_tables(make_abstraction("lossless 1"))
    >>> [example.hole for example in bucket_examples(classes, "preflop", 168)]  # 22
    [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]
    """
    index = _index(buckets, street)
    if not 0 <= bucket < buckets.num_buckets[index]:
        raise AbstractionError(
            f"the {street} has no bucket {bucket}: they are 0 to {buckets.num_buckets[index] - 1}"
        )
    boards, holes = _members(buckets.tables[index], street, bucket)
    if not len(boards):
        return []
    weights = _weights(street)[boards]
    rng = np.random.default_rng(seed)
    chosen = rng.choice(
        len(boards), min(count, len(boards)), replace=False, p=weights / weights.sum()
    )
    return [_example(street, int(boards[i]), int(holes[i])) for i in sorted(chosen)]


def _members(
    table: NDArray[Any], street: StreetName, bucket: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the boards and hole pairs of a bucket's cells."""

    def part_of(begin: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        rows = table[begin : begin + _CHUNK] == bucket
        if street != "preflop":
            rows &= ~dead_holes(street, begin, begin + _CHUNK)
        boards, holes = np.nonzero(rows)
        return boards + begin, holes

    parts = list(in_order(part_of, range(0, num_boards(street), _CHUNK)))
    return np.concatenate([b for b, _ in parts]), np.concatenate([h for _, h in parts])


def _example(street: StreetName, board: int, hole: int) -> Example:
    low, high = HOLES[hole].tolist()
    cards = () if street == "preflop" else tuple(board_cards(board_size(street))[board].tolist())
    return Example((low, high), cards)


def _weights(street: StreetName) -> NDArray[np.float64]:
    """Return how many boards each canonical board represents."""
    if street == "preflop":
        return np.ones(1)
    return board_multiplicities(board_size(street)).astype(np.float64)


def _index(buckets: BucketTables, street: StreetName) -> int:
    names = STREETS[: len(buckets.tables)]
    if street not in names:
        raise AbstractionError(f"{buckets.name} has no {street}: it has {', '.join(names)}")
    return STREETS.index(street)
