"""Limit hold'em with tabulated cards: what vanilla CFR needs, and exact exploitability.

Vanilla CFR walks all deals in every iteration. Hold'em has 10^13 of them, but a card abstraction
only has as many as there are pairs of bucket sequences. Their probabilities are counted once
on sampled deals from the real deck; the game with that table in the place of the deck is then
solved by every algorithm and measured exactly.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.solve import Deals

__all__ = ["sample_deals", "table_of", "tabulate"]

_CHUNK = 250_000


def tabulate(deals: Deals, count: int, seed: int) -> Deals:
    """Count how often deals occur, and deal from that table.

    Parameters
    ----------
    deals
        Of two-player hold'em with buckets.
    count
        Sampled deals.
    seed
        Of the cards.

    Returns
    -------
    Deals
        Enumerated ones with the same buckets: strategies fit both.
    """
    merged: NDArray[np.int64] = np.zeros((0, len(deals.num_buckets) + 1), np.int64)
    weights: NDArray[np.float64] = np.zeros(0)
    for first in range(0, count, _CHUNK):
        rows = sample_deals(deals, min(_CHUNK, count - first), seed, first)
        rows = np.concatenate([merged, rows])
        weights = np.concatenate([weights, np.ones(len(rows) - len(weights))])
        merged, weights = _merge(rows, weights, deals.num_buckets)
    return table_of(deals, merged, weights)


def sample_deals(deals: Deals, count: int, seed: int, first: int = 0) -> NDArray[np.int64]:
    """Draw deals: [count, groups + 1], the bucket of each group, and who wins (1, 0, -1)."""
    buckets = np.zeros((count, len(deals.num_buckets)), np.uint32)
    strengths = np.zeros((count, 2, 1), np.uint32)
    _core.deals_into(deals.compiled, seed, first, buckets, strengths)
    signed = strengths[:, :, 0].astype(np.int64)
    winner = np.sign(signed[:, 0] - signed[:, 1])
    return np.concatenate([buckets.astype(np.int64), winner[:, None]], axis=1)


def table_of(deals: Deals, rows: NDArray[np.int64], weights: NDArray[np.float64]) -> Deals:
    """Deal from a table: rows as `sample_deals` gives them, and how often each occurs."""
    # A row that never occurs says how many buckets there are, where the last was not drawn.
    last = np.array([[*(number - 1 for number in deals.num_buckets), 0]], np.int64)
    rows, weights = np.concatenate([rows, last]), np.append(weights, 0.0)
    winner = rows[:, -1]
    compiled = _core.enumerated_dealer(
        deals.tree.compiled,
        np.ascontiguousarray(rows[:, :-1], np.uint32).ravel(),
        np.stack([winner > 0, winner < 0], axis=1).astype(np.uint32).ravel(),
        weights,
    )
    return Deals(deals.tree, compiled, None, len(rows))


def _merge(
    rows: NDArray[np.int64], weights: NDArray[np.float64], num_buckets: tuple[int, ...]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Add up the weights of equal rows."""
    key = rows[:, -1] + 1
    factor = 3
    for group, number in enumerate(num_buckets):
        key = key + factor * rows[:, group]
        factor *= number
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    return rows[first], np.bincount(place, weights).astype(np.float64)
