"""Hands as points to cluster: their distributions, weighted by the deals that they stand for."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.abstraction.kmeans import Points
from riverboat.abstraction.streets import (
    MOST_POINTS,
    NUM_DEALS,
    board_size,
    dead_holes,
    num_boards,
    points_of,
)
from riverboat.cards import (
    CLASS_COMBOS,
    HOLE_CLASS,
    NUM_CLASSES,
    NUM_HOLES,
    HandStrength,
    board_multiplicities,
)
from riverboat.cards.parallel import in_order
from riverboat.cards.strength_tables import STREETS, Street

__all__ = ["board_features", "class_counts", "class_points", "sampled_points"]

_BINS: Final = _core.NUM_BINS
_LEVELS: Final = _BINS - 1
_CHUNK: Final[dict[Street, int]] = {"flop": 16, "turn": 64, "river": 512}


def sampled_points(
    tables: HandStrength,
    street: Street,
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
        rows = board_features(tables, street, units, begin, begin + len(weights))[drawn]
        each = np.repeat(weights, drawn.sum(axis=1)) if share is None else np.ones(len(rows))
        return rows, each.astype(np.uint32)

    parts = list(in_order(draw, range(0, num_boards(street), _CHUNK[street])))
    return Points(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def board_features(
    tables: HandStrength, street: Street, units: tuple[int, int], begin: int, end: int
) -> NDArray[np.int16]:
    """Distributions on canonical boards begin to end - 1, [boards, 1326, 96 or 48].

    Entry j of 48 is the share of run-outs on which the hand ends above bin j of 49, times the
    unit, rounded; on the flop 48 more are those of the mean strength after the next card. Zero
    for holes on the board.
    """
    width = 2 * _LEVELS if street == "flop" else _LEVELS
    features = np.empty((end - begin, NUM_HOLES, width), np.int16)
    river, turn = tables.cells("river"), tables.cells("turn")
    _core.board_features_into(board_size(street), begin, river, turn, units, features)
    return features


def class_points(tables: HandStrength, units: tuple[int, int]) -> Points:
    """Distributions of the 169 starting classes: river strength, and mean strength on the flop."""
    river, flop = (
        _survival(_binned(class_counts(tables, street)), unit)
        for street, unit in zip(("river", "flop"), units, strict=True)
    )
    return Points(np.hstack([river, flop]), CLASS_COMBOS.astype(np.uint32))


def class_counts(tables: HandStrength, street: Street) -> NDArray[np.int64]:
    """Deals of each starting class with each strength, [169, points + 1]."""
    cells = tables.cells(street)
    size = MOST_POINTS[street] + 1
    bins = np.arange(size)
    if street != "river":  # as bins, or the table would be large
        bins = np.minimum(bins * _BINS // MOST_POINTS[street], _BINS - 1)
    width = int(bins[-1]) + 1
    weights = board_multiplicities(board_size(street)).astype(np.float64)

    def count(begin: int) -> NDArray[np.float64]:
        points = points_of(cells[begin : begin + _CHUNK["river"]])
        live = points >= 0
        keys = HOLE_CLASS.astype(np.int64) * width + bins[points]
        deals = np.broadcast_to(weights[begin : begin + len(points), None], points.shape)
        counts = np.bincount(keys[live], deals[live], NUM_CLASSES * width)
        return counts.astype(np.float64, copy=False)

    total = np.zeros(NUM_CLASSES * width)  # whole numbers below 2^53: exact
    for counts in in_order(count, range(0, len(cells), _CHUNK["river"])):
        total += counts
    return total.astype(np.int64).reshape(NUM_CLASSES, width)


def _binned(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Deals by bin, [169, 49], from deals by points or by bin."""
    if counts.shape[1] == _BINS:
        return counts
    most = counts.shape[1] - 1
    firsts = [-(-bin_index * most // _BINS) for bin_index in range(_BINS)]
    return np.add.reduceat(counts, firsts, axis=1)


def _survival(counts: NDArray[np.int64], unit: int) -> NDArray[np.int16]:
    """Share of the deals above each bin but the last, in units, rounded, [169, 48]."""
    total = counts.sum(axis=1, keepdims=True)
    above = total - counts.cumsum(axis=1)[:, :-1]
    return ((2 * above * unit + total) // (2 * total)).astype(np.int16)
