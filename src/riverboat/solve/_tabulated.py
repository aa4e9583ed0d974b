"""Sampled deals as a table, for what must walk all deals: full-width CFR, exact exploitability.

Hold'em has far too many deals to walk. A table of those that were drawn once stands for them,
as they are or counted: deals that nobody could tell apart become one row with its weight.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.solve._checks import whole_number
from riverboat.solve._deals import Deals
from riverboat.tree import Tree

_CHUNK = 250_000
_MOST_DEALS = 1 << 32
_MOST_KEYS = 1 << 62


class DealRows(NamedTuple):
    """Deals as a dealer gives them."""

    buckets: NDArray[np.uint32]
    """[deals, groups] by group of the tree."""
    strengths: NDArray[np.uint32]
    """[deals, players, lines] at the showdown, by line of the player's own swaps."""


def sample_deals(deals: Deals, count: int, seed: int, first: int = 0) -> DealRows:
    """Draw deals.

    Parameters
    ----------
    deals
        Of any game.
    count, seed
        How many, and the seed of the drawing.
    first
        Number of the first; deal `n` of a seed is always the same.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import enumerate_deals
    >>> rows = sample_deals(enumerate_deals(Tree(catalogue("kuhn"), "min")), 5, seed=1)
    >>> rows.buckets.shape, rows.strengths.shape
    ((5, 2), (5, 2, 1))
    """
    spec = deals.tree.spec
    buckets = np.empty((count, len(deals.num_buckets)), np.uint32)
    strengths = np.empty((count, spec.players, 1 << len(spec.swap_streets)), np.uint32)
    _core.deals_into(deals.compiled, seed, first, buckets, strengths)
    return DealRows(buckets, strengths)


def merge_deals(
    rows: DealRows, weights: NDArray[np.float64]
) -> tuple[DealRows, NDArray[np.float64]]:
    """Make one of deals with the same buckets and the same order of hands; add up their weights.

    Parameters
    ----------
    rows, weights
        At least one deal, and [deals] how often each occurs.

    Returns
    -------
    tuple
        The rows, sorted, with ranks as strengths, and their weights.

    Examples
    --------
    >>> buckets = np.array([[1, 0], [0, 0], [1, 0]], np.uint32)
    >>> strengths = np.array([[[7], [3]], [[3], [3]], [[9], [8]]], np.uint32)
    >>> merged, weights = merge_deals(DealRows(buckets, strengths), np.ones(3))
    >>> merged.buckets.tolist(), merged.strengths[:, :, 0].tolist(), weights.tolist()
    ([[0, 0], [1, 0]], [[0, 0], [1, 0]], [1.0, 2.0])
    """
    flat = rows.strengths.reshape(len(weights), -1).astype(np.int64)
    one, other = np.triu_indices(flat.shape[1], 1)
    orders = np.sign(flat[:, one] - flat[:, other]) + 1
    keys = _keys([*orders.T, *rows.buckets.T.astype(np.int64)])
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    flat = flat[first]
    ranks = (flat[:, :, None] > flat[:, None, :]).sum(axis=2).astype(np.uint32)
    merged = DealRows(rows.buckets[first], ranks.reshape(-1, *rows.strengths.shape[1:]))
    return merged, np.bincount(place, weights).astype(np.float64)


def table_deals(
    tree: Tree,
    rows: DealRows,
    weights: NDArray[np.float64],
    num_buckets: tuple[int, ...] | None = None,
) -> Deals:
    """Deal from a table, and no other deals.

    Parameters
    ----------
    tree
        The game.
    rows, weights
        The table, and [deals] how often each occurs.
    num_buckets
        By group, so that strategies of a game with more deals fit: one more row, of probability
        0, holds the last bucket of every group. By default those that occur.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> rows = DealRows(np.array([[2, 1]], np.uint32), np.array([[[1], [0]]], np.uint32))
    >>> table_deals(Tree(catalogue("kuhn"), "min"), rows, np.ones(1)).num_buckets
    (3, 2)
    """
    buckets, strengths = rows
    if num_buckets is not None:
        last = np.array([num_buckets], np.uint32) - 1
        buckets = np.concatenate([buckets, last])
        strengths = np.concatenate([strengths, strengths[:1]])
        weights = np.append(weights, 0.0)
    compiled = _core.enumerated_dealer(tree.compiled, buckets.ravel(), strengths.ravel(), weights)
    return Deals(tree, compiled, None, len(weights))


def tabulate(deals: Deals, count: int, seed: int, *, merged: bool = False) -> Deals:
    """Draw deals once, and deal from that table.

    Parameters
    ----------
    deals
        Of the whole game.
    count, seed
        How many are drawn, at least 1, and the seed of the drawing.
    merged
        Count equal deals in one row. A row each is quicker to make, but longer to walk.

    Returns
    -------
    Deals
        With the buckets of the whole game: strategies fit both.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import enumerate_deals
    >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
    >>> tabulate(deals, 100, seed=1).num_deals  # and one that never occurs
    101
    >>> tabulate(deals, 100, seed=1, merged=True).num_deals
    7
    """
    count = whole_number("count", count, 1, _MOST_DEALS)
    if merged:
        rows, weights = _counted(deals, count, seed)
    else:
        rows, weights = sample_deals(deals, count, seed), np.ones(count)
    return table_deals(deals.tree, rows, weights, deals.num_buckets)


def _counted(deals: Deals, count: int, seed: int) -> tuple[DealRows, NDArray[np.float64]]:
    """Draw deals in chunks, and merge each with what was counted before."""
    rows, weights = sample_deals(deals, 0, seed), np.zeros(0)
    for first in range(0, count, _CHUNK):
        drawn = sample_deals(deals, min(_CHUNK, count - first), seed, first)
        both = DealRows(*(np.concatenate(each) for each in zip(rows, drawn, strict=True)))
        rows, weights = merge_deals(both, np.append(weights, np.ones(len(drawn.buckets))))
    return rows, weights


def _keys(columns: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Number rows by their order: the last column counts most."""
    keys, size = np.zeros(len(columns[0]), np.int64), 1
    for column in reversed(columns):
        number = int(column.max()) + 1
        if size * number > _MOST_KEYS:
            keys = np.unique(keys, return_inverse=True)[1].astype(np.int64)
            size = int(keys.max()) + 1
        keys, size = keys * number + column, size * number
    return keys
