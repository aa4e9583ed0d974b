"""Opponent cluster hand strength by definition, in exact fractions."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import floor

from riverboat.cards import HOLE_CLASS, hole_index
from twins.equity import count_deals

__all__ = ["river_features"]

Hole = tuple[int, int]


def equity(hole: Hole, others: Sequence[Hole], board: Sequence[int]) -> Fraction | None:
    """Return win + tie / 2 against random ones of the other hands; None if none can be dealt."""
    found = count_deals(hole, others, list(board))
    return Fraction(2 * found.win + found.tie, 2 * sum(found)) if sum(found) else None


def river_features(
    hole: Hole, board: Sequence[int], clusters: Sequence[int], num_clusters: int, unit: int
) -> list[int]:
    """Equity against each cluster of starting classes, in units, rounded.

    A cluster of which no hand can be dealt counts as all hands.

    Examples
    --------
    >>> from riverboat.cards import as_cards
    >>> aces = [0] + [1] * 168  # and all others
    >>> river_features(tuple(as_cards("KhKd")), as_cards("2c7dJs3hQs"), aces, 2, 1000)
    [0, 893]
    """
    pairs = list(combinations(range(52), 2))
    every = equity(hole, pairs, board)
    features = []
    for cluster in range(num_clusters):
        members = [pair for pair in pairs if clusters[HOLE_CLASS[hole_index(*pair)]] == cluster]
        share = equity(hole, members, board)
        known = every if share is None else share
        features.append(floor(unit * (known or 0) + Fraction(1, 2)))
    return features
