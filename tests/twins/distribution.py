"""Distributions and their clusters by definition, in exact fractions and plain loops."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import floor

from riverboat.cards import run_out_points

__all__ = ["best_line_spread", "features", "line_spread", "lloyd_step"]

BINS = 49
MOST = 1_980  # half-points of a sure win on one river

Row = list[int]


def shares_above(strengths: Sequence[Fraction], unit: int) -> Row:
    """Share of the strengths above each of the first 48 of 49 equal bins, in units, rounded."""
    bins = [min(floor(strength * BINS), BINS - 1) for strength in strengths]
    shares = [Fraction(sum(b > level for b in bins), len(bins)) for level in range(BINS - 1)]
    return [floor(unit * share + Fraction(1, 2)) for share in shares]


def mean_strength(hole: Sequence[int], board: Sequence[int]) -> Fraction:
    """E[HS] of a hand."""
    points = run_out_points(list(hole), list(board))
    return Fraction(int(points.sum(dtype=int)), MOST * len(points))


def features(hole: Sequence[int], board: Sequence[int], units: tuple[int, int]) -> Row:
    """River strength over the run-outs; on the flop also mean strength after each next card.

    Examples
    --------
    >>> from riverboat.cards import as_cards
    >>> len(features(as_cards("AhKh"), as_cards("2c7dJs3h"), (100, 100)))
    48
    """
    rivers = [Fraction(int(points), MOST) for points in run_out_points(list(hole), list(board))]
    row = shares_above(rivers, units[0])
    if len(board) == 3:
        nexts = [card for card in range(52) if card not in (*hole, *board)]
        row += shares_above([mean_strength(hole, [*board, card]) for card in nexts], units[1])
    return row


def distance(a: Sequence[int], b: Sequence[int]) -> int:
    """Squared."""
    return sum((int(x) - int(y)) ** 2 for x, y in zip(a, b, strict=True))


def nearest(point: Sequence[int], centroids: Sequence[Sequence[int]]) -> int:
    """The first of the nearest centroids."""
    return min(range(len(centroids)), key=lambda index: (distance(point, centroids[index]), index))


def lloyd_step(
    points: Sequence[Sequence[int]], weights: Sequence[int], centroids: Sequence[Sequence[int]]
) -> tuple[list[int], int, list[Row | None]]:
    """Labels, cost, and the rounded means of the clusters; None of empty ones.

    Examples
    --------
    >>> labels, cost, means = lloyd_step([[0], [2], [10]], [1, 1, 1], [[0], [8]])
    >>> labels, cost, means
    ([0, 0, 1], 8, [[1], [10]])
    """
    labels = [nearest(point, centroids) for point in points]
    cost = sum(
        weight * distance(point, centroids[label])
        for point, weight, label in zip(points, weights, labels, strict=True)
    )
    means: list[Row | None] = []
    for cluster in range(len(centroids)):
        members = [i for i, label in enumerate(labels) if label == cluster]
        mass = sum(weights[i] for i in members)
        if not mass:
            means.append(None)
            continue
        columns = range(len(points[0]))
        sums = [sum(weights[i] * int(points[i][column]) for i in members) for column in columns]
        means.append([floor(Fraction(total, mass) + Fraction(1, 2)) for total in sums])
    return labels, cost, means


def line_spread(masses: Sequence[int], limits: Sequence[int]) -> Fraction:
    """Weighted squared distance of the numbers 0, 1, .. to the means between limits.

    Examples
    --------
    >>> line_spread([1, 1, 1, 1], [2])
    Fraction(1, 1)
    """
    total = Fraction(0)
    for begin, end in zip([0, *limits], [*limits, len(masses)], strict=True):
        mass = sum(masses[begin:end])
        if mass:
            mean = Fraction(sum(i * masses[i] for i in range(begin, end)), mass)
            total += sum(masses[i] * (i - mean) ** 2 for i in range(begin, end))
    return total


def best_line_spread(masses: Sequence[int], count: int) -> Fraction:
    """Least spread of `count` clusters, over all limits there are.

    Examples
    --------
    >>> best_line_spread([1, 1, 0, 1], 2)
    Fraction(1, 2)
    """
    return min(
        line_spread(masses, limits) for limits in combinations(range(1, len(masses)), count - 1)
    )
