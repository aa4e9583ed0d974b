"""Hands as points to cluster: their distributions, weighted by the deals that they stand for."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.buckets._kmeans import Points
from riverboat.buckets._streets import MOST_POINTS, NUM_DEALS, dead_holes, num_boards, points_of
from riverboat.cards import (
    CLASS_COMBOS,
    HOLE_CLASS,
    NUM_CLASSES,
    STREETS,
    HandStrength,
    StreetName,
    board_multiplicities,
    board_size,
)
from riverboat.runs import in_order

__all__ = ["cell_features", "class_points", "river_counts", "sampled_points"]

_BINS: Final = _core.NUM_BINS
_LEVELS: Final = _BINS - 1
_CHUNK: Final[dict[StreetName, int]] = {"flop": 16, "turn": 64}  # some hundredths of a second
_RIVER_CHUNK: Final = 16_384


def sampled_points(
    tables: HandStrength,
    street: StreetName,
    units: tuple[int, int],
    *,
    sample: int | None,
    seed: int,
) -> Points:
    """Distributions of hands on the flop or the turn.

    Parameters
    ----------
    tables
        The hand-strength tables.
    street
        `flop` or `turn`.
    units
        See `DistributionRule`.
    sample
        About how many deals to draw; each hand is drawn in proportion to the deals that it
        stands for, and weighs 1. None for all hands, weighed by their deals.
    seed
        Of the draw.
    """
    multiplicities = board_multiplicities(board_size(street)).astype(np.uint32)
    share = None if sample is None else sample / NUM_DEALS[street]

    def draw(begin: int) -> tuple[NDArray[np.int16], NDArray[np.uint32]]:
        weights = multiplicities[begin : begin + _CHUNK[street]]
        drawn = ~dead_holes(street, begin, begin + len(weights))
        if share is not None:
            random = np.random.default_rng([seed, STREETS.index(street), begin])
            drawn &= random.random(drawn.shape) < share * weights[:, None]
        rows, holes = np.nonzero(drawn)
        each = weights[rows] if share is None else np.ones(len(rows), np.uint32)
        return cell_features(tables, street, units, begin + rows, holes), each

    parts = list(in_order(draw, range(0, num_boards(street), _CHUNK[street])))
    return Points(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def cell_features(
    tables: HandStrength,
    street: StreetName,
    units: tuple[int, int],
    boards: NDArray[np.integer[Any]],
    holes: NDArray[np.integer[Any]],
) -> NDArray[np.int16]:
    """Distributions of holes on canonical boards, [cells, 96 or 48].

    Entry j of 48 is the share of run-outs on which the hand ends above bin j of 49, times the
    unit, rounded; on the flop 48 more are those of the mean strength after the next card. Cells
    of the same board should follow each other.
    """
    width = 2 * _LEVELS if street == "flop" else _LEVELS
    features = np.empty((len(boards), width), np.int16)
    cells = boards.astype(np.uint32), holes.astype(np.uint16)
    river, turn = tables.cells("river"), tables.cells("turn")
    _core.cell_features_into(board_size(street), *cells, river, turn, units, features)
    return features


def class_points(tables: HandStrength, units: tuple[int, int]) -> Points:
    """Distributions of the 169 starting classes: river strength, and mean strength on the flop."""
    rivers = river_counts(tables)
    most = rivers.shape[1] - 1
    firsts = [-(-index * most // _BINS) for index in range(_BINS)]
    by_bin = np.add.reduceat(rivers, firsts, axis=1)
    rows = [_shares(by_bin, units[0]), _shares(_flop_counts(tables), units[1])]
    return Points(np.hstack(rows), CLASS_COMBOS.astype(np.uint32))


def river_counts(tables: HandStrength) -> NDArray[np.int64]:
    """Deals of each starting class with each strength on the river, [169, 1981]."""
    cells = tables.cells("river")
    weights = board_multiplicities(5).astype(np.uint32)
    groups = HOLE_CLASS.astype(np.uint16)

    def count(begin: int) -> NDArray[np.int64]:
        part = slice(begin, begin + _RIVER_CHUNK)
        counts = np.zeros((NUM_CLASSES, MOST_POINTS["river"] + 1), np.int64)
        _core.count_river_points_into(cells[part], weights[part], groups, counts)
        return counts

    total = np.zeros((NUM_CLASSES, MOST_POINTS["river"] + 1), np.int64)
    for counts in in_order(count, range(0, len(cells), _RIVER_CHUNK)):
        total += counts
    return total


def _flop_counts(tables: HandStrength) -> NDArray[np.int64]:
    """Deals of each starting class by bin of the mean strength on the flop, [169, 49]."""
    points = points_of(tables.cells("flop"))
    bins = np.minimum(points * _BINS // MOST_POINTS["flop"], _BINS - 1)
    keys = HOLE_CLASS.astype(np.int64) * _BINS + bins
    deals = np.broadcast_to(board_multiplicities(3)[:, None], keys.shape)
    live = points >= 0
    counts = np.bincount(keys[live], deals[live], NUM_CLASSES * _BINS)  # below 2^53: exact
    return counts.astype(np.int64).reshape(NUM_CLASSES, _BINS)


def _shares(counts: NDArray[np.int64], unit: int) -> NDArray[np.int16]:
    """Share of the deals above each bin but the last, in units, rounded, [169, 48]."""
    total = counts.sum(axis=1, keepdims=True)
    above = total - counts.cumsum(axis=1)[:, :-1]
    shares: NDArray[np.int64] = (2 * above * unit + total) // (2 * total)
    return shares.astype(np.int16)
