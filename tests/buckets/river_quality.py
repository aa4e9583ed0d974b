"""River buckets against the ranges that a trained strategy meets (some minutes).

    cd tests && uv run python -m buckets.river_quality

For lines of the default strategy, random boards are dealt. Each hand of the player to act has an
equity against the opponent's range there, which no fit has seen. What a bucket does not
distinguish is its spread: the standard deviation of these equities within buckets, weighted by how
often the hands meet, in points of equity (1 = one per cent of the pot).
"""

from collections.abc import Iterator
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint import Blueprint, default_blueprint, line_reach
from riverboat.buckets import KINDS, FitTask, StreetRule, no_progress
from riverboat.buckets._opponent_clusters import fit_river
from riverboat.cards import (
    HOLES,
    NUM_HOLES,
    HandStrength,
    canonical_board,
    evaluate_batch,
    hands_met,
    hole_permutations,
)

LINES = {
    "limped pot, checked to the river": "ck/kk/kk/",
    "raised pot, checked to the river": "b25c/kk/kk/",
    "raised pot, called a flop bet": "b25c/kb25c/kk/",
    "raised pot, called two bets": "b25c/kb25c/kb50c/",
    "the same, facing a river bet": "b25c/kb25c/kb50c/kb100",
    "3-bet pot, checked to the river": "b25b75c/kk/kk/",
    "3-bet pot, called two bets": "b25b75c/b75c/b150c/",
}
RIVERS = ("percentile", "distribution", "ochs", "ochs, ranges of equal mass")
COUNTS = (200, 800, 1_600)
BOARDS = 3_000


class Spot:
    """One line on random boards.

    Attributes
    ----------
    equity, weight
        [boards, 1326] equity of the player to act, and how often the hand is there.
    """

    def __init__(self, blueprint: Blueprint, line: str, boards: NDArray[np.uint8]) -> None:
        node = blueprint.tree.node(line)
        tables = HandStrength()
        reach = np.stack([line_reach(blueprint, node, board, lambda: tables) for board in boards])
        player = int(blueprint.tree.player[node])
        own, other = reach[:, player], reach[:, 1 - player]
        met = hands_met(other)
        with np.errstate(invalid="ignore", divide="ignore"):
            self.equity = np.where(met > 0, hands_beaten(boards, other) / met, 0.0)
        self.weight = own * met

    def spread(self, buckets: NDArray[np.int64]) -> float:
        """Standard deviation of the equity within buckets [boards, 1326], in points."""
        known, labels = np.unique(buckets, return_inverse=True)
        labels, weight, equity = labels.ravel(), self.weight.ravel(), self.equity.ravel()
        mass = np.bincount(labels, weight, len(known))
        sums = np.bincount(labels, weight * equity, len(known))
        squares = np.bincount(labels, weight * equity**2, len(known))
        held = mass > 0
        within = (squares[held] - sums[held] ** 2 / mass[held]).sum() / mass.sum()
        return 100 * sqrt(max(float(within), 0.0))


def hands_beaten(boards: NDArray[np.uint8], reach: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the reach of the hands that each hand beats, ties as half, [boards, 1326]."""
    holes = np.array(HOLES, np.uint8)
    disjoint = (holes[:, None, :, None] != holes[None, :, None, :]).all(axis=(2, 3))
    out = np.empty_like(reach)
    for place, board in enumerate(boards):
        live = np.flatnonzero(~np.isin(holes, board).any(axis=1))
        hands = np.concatenate([holes[live], np.tile(board, (len(live), 1))], axis=1)
        strength = evaluate_batch(hands).astype(np.int32)
        points = (1 + np.sign(strength[:, None] - strength)) / 2 * disjoint[np.ix_(live, live)]
        out[place] = 0
        out[place, live] = points @ reach[place, live]
    return out


def buckets_on(
    rule: StreetRule, tables: HandStrength, boards: NDArray[np.uint8]
) -> NDArray[np.int64]:
    """Return the bucket of every hole pair on each river, [boards, 1326]."""
    out = np.empty((len(boards), NUM_HOLES), np.int64)
    row = np.zeros((1, NUM_HOLES), np.uint16)
    for place, board in enumerate(boards.tolist()):
        found = canonical_board(board)
        rule.fill(tables, found.id, row)
        out[place] = row[0, hole_permutations()[found.permutation]]
    return out


def river_rule(kind: str, count: int, tables: HandStrength) -> StreetRule:
    """Fit a river."""
    task = FitTask("river", count, lambda: tables, 0, no_progress)
    if kind in KINDS:
        return KINDS[kind].fit(task)
    equal = KINDS["percentile"].fit(FitTask("preflop", 8, lambda: tables, 0, no_progress))
    return fit_river(task, clusters=equal.arrays()["buckets"])


def spreads() -> Iterator[tuple[str, str, int, float]]:
    """Yield line, kind, number of buckets and spread."""
    tables, blueprint = HandStrength(), Blueprint.open(default_blueprint())
    rng = np.random.default_rng(7)
    boards = rng.random((BOARDS, 52)).argpartition(5, axis=1)[:, :5].astype(np.uint8)
    found = {
        (kind, count): buckets_on(river_rule(kind, count, tables), tables, boards)
        for kind in RIVERS
        for count in COUNTS
    }
    for name, where in LINES.items():
        spot = Spot(blueprint, where, boards)
        yield name, "all in one bucket", 1, spot.spread(np.zeros_like(found["ochs", COUNTS[0]]))
        for (kind, count), buckets in found.items():
            yield name, kind, count, spot.spread(buckets)


if __name__ == "__main__":
    for line, kind, count, spread in spreads():
        print(f"{spread:8.2f}  {kind} {count:,}: {line}", flush=True)
