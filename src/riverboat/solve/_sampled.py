"""Sampled deals: tables of deals, and starting regrets from win rates.

Hold'em has too many deals to enumerate. A table of sampled deals can replace them, for full-width
CFR and for exact exploitability in the sampled game. Deals that players cannot distinguish can be
merged into one row with a weight.

A solver usually starts from a uniform strategy. With the win rates of buckets it can start from a
more sensible one: strong hands bet and call, weak hands do not. (Caltech set its first
probabilities by intervals of win rates; here they equal the win rate.)
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from riverboat import _core
from riverboat.errors import SolveError
from riverboat.solve._deals import Deals
from riverboat.solve._tables import real_number, whole_number
from riverboat.tree import DECISION, Tree

_CHUNK = 250_000
_MOST_DEALS = 1 << 32
_MOST_KEYS = 1 << 62


class DealRows(NamedTuple):
    """Deals as arrays."""

    buckets: NDArray[np.uint32]
    """[deals, groups] bucket of each group's player."""
    strengths: NDArray[np.uint32]
    """[deals, players, lines] strength at the showdown, by line of the player's swaps."""


def sample_deals(deals: Deals, count: int, seed: int, first: int = 0) -> DealRows:
    """Sample deals.

    Parameters
    ----------
    deals
        The game.
    count, seed
        Number of deals, and the random seed.
    first
        Number of the first deal; deal `n` of a seed is always the same.

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
    """Merge deals with the same buckets and the same order of hands; add up their weights.

    Parameters
    ----------
    rows, weights
        At least one deal, and [deals] weights.

    Returns
    -------
    tuple
        The sorted rows, with ranks in place of strengths, and their weights.

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
    """Deal from a table of deals only.

    Parameters
    ----------
    tree
        Tree of the game.
    rows, weights
        The table, and [deals] weights.
    num_buckets
        Number of buckets by group, so that strategies of the whole game fit; a further row of
        probability 0 then has the last bucket of every group. By default the buckets of the table.

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
    """Sample a table of deals, and deal from that table only.

    Parameters
    ----------
    deals
        The whole game.
    count, seed
        Number of sampled deals, at least 1, and the random seed.
    merged
        Whether to merge equal deals; that takes longer, but speeds up iterations.

    Returns
    -------
    Deals
        Deals with the buckets of the whole game, so that strategies fit both.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import enumerate_deals
    >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
    >>> tabulate(deals, 100, seed=1).num_deals  # with a row of probability 0
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
    """Sample deals in chunks, and merge each chunk with those before."""
    rows, weights = sample_deals(deals, 0, seed), np.zeros(0)
    for first in range(0, count, _CHUNK):
        drawn = sample_deals(deals, min(_CHUNK, count - first), seed, first)
        both = DealRows(*(np.concatenate(pair) for pair in zip(rows, drawn, strict=True)))
        rows, weights = merge_deals(both, np.append(weights, np.ones(len(drawn.buckets))))
    return rows, weights


def _keys(columns: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return a sort key for each row; the last column is the most significant."""
    keys, size = np.zeros(len(columns[0]), np.int64), 1
    for column in reversed(columns):
        number = int(column.max()) + 1
        if size * number > _MOST_KEYS:
            keys = np.unique(keys, return_inverse=True)[1].astype(np.int64)
            size = int(keys.max()) + 1
        keys, size = keys * number + column, size * number
    return keys


_PASSIVE: Final = (0, 1)  # action kinds of a tree: fold, check
_ACTIVE: Final = (2, 3)  # call, bet
_MOST_PSEUDO_ITERATIONS: Final = 1e12
_BATCH: Final = 100_000  # deals that are sampled at a time


def starting_regrets(
    deals: Deals, win_rates: Sequence[ArrayLike], pseudo_iterations: float
) -> NDArray[np.float32]:
    """Compute starting regrets with which a bucket of win rate w continues with probability w.

    At a decision fold or check has the probability 1 - w; call and all bets share w equally. The
    regret of an action is

        pseudo_iterations * chips in the pot at the decision * probability.

    All regrets are positive, so regret matching plays exactly these probabilities. Swaps start from
    a uniform strategy: a win rate does not tell whether another card is better.

    Parameters
    ----------
    deals
        The game.
    win_rates
        By group of the tree, [buckets] win rates from 0 to 1.
    pseudo_iterations
        Weight of the start: in a sampled scheme about as many visits of an infoset outweigh it,
        because a visit changes a regret by up to the pot. In full-width schemes regrets are also
        weighted by the probability of the cards, so use a hundredth of the number there.

    Returns
    -------
    ndarray
        [entries] float32 regrets, in chips, for `Solver(starting_regrets=...)`.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import enumerate_deals
    >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))  # a pot of 2, then 3
    >>> jack_queen_king = [0.0, 0.5, 1.0]
    >>> regrets = starting_regrets(deals, [jack_queen_king] * 2, pseudo_iterations=10)
    >>> regrets.reshape(2, 3, 2, 2)[0, 1].tolist()  # queen: check, bet; fold, call
    [[10.0, 10.0], [15.0, 15.0]]
    """
    weight = real_number("pseudo_iterations", pseudo_iterations, 0.0, _MOST_PSEUDO_ITERATIONS)
    rates = _checked_rates(deals, win_rates)
    regrets = np.zeros(deals.num_entries, np.float32)
    for group, rate in enumerate(rates):
        passive, active = _stakes(deals.tree, group)
        table = deals.rows(regrets, group)
        np.multiply.outer((weight * (1 - rate)).astype(np.float32), passive, out=table)
        table += np.multiply.outer((weight * rate).astype(np.float32), active)
    return regrets


def _checked_rates(deals: Deals, win_rates: Sequence[ArrayLike]) -> list[NDArray[np.float64]]:
    rule = (
        "win rates must be numbers from 0 to 1, one array for each group, "
        f"with {list(deals.num_buckets)} buckets"
    )
    try:
        rates: list[NDArray[Any]] = [np.asarray(rate, np.float64) for rate in win_rates]
    except (TypeError, ValueError) as error:
        raise SolveError(f"{rule}: {error}") from error
    shapes = [rate.shape for rate in rates]
    if shapes != [(count,) for count in deals.num_buckets]:
        raise SolveError(f"{rule}, not arrays of the shapes {shapes}")
    for group, rate in enumerate(rates):
        bad = rate[~((rate >= 0) & (rate <= 1))]
        if bad.size:
            raise SolveError(f"{rule}; group {group} has {bad[0]:g}")
    return rates


def _stakes(tree: Tree, group: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Chips in the pot by entry of a bucket: of passive actions, and of active ones, divided."""
    decisions = np.flatnonzero((tree.kind == DECISION) & (tree.group == group))
    passive, active = np.zeros((2, int(tree.group_entries[group])), np.float32)
    pots = tree.contributions[decisions].sum(axis=1)
    for action in range(int(tree.num_actions[decisions].max(initial=0))):
        has = tree.num_actions[decisions] > action
        kind = tree.action_kind[tree.first_child[decisions[has]] + action]
        entry = tree.offset[decisions[has]] + action
        passive[entry] = np.where(np.isin(kind, _PASSIVE), pots[has], 0)
        sharing = tree.num_actions[decisions[has]] - 1  # all actions except fold or check
        active[entry] = np.where(np.isin(kind, _ACTIVE), pots[has] / np.maximum(sharing, 1), 0)
    return passive, active


def bucket_win_rates(
    deals: Deals, num_deals: int = 1_000_000, seed: int = 0
) -> list[NDArray[np.float64]]:
    """Estimate the win rate of every bucket on sampled deals, if no player folds.

    A tie counts as a share of the pot. In games with swaps the hand is that at the decision, and
    opponents never swap.

    Parameters
    ----------
    deals
        The game.
    num_deals
        Number of sampled deals.
    seed
        Random seed of the deals.

    Returns
    -------
    list
        By group of the tree, [buckets] from 0 to 1; buckets that were not dealt have an equal
        share of the pot.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import enumerate_deals
    >>> from riverboat.tree import Tree
    >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
    >>> bucket_win_rates(deals, 100_000)[0].round(1).tolist()  # jack, queen, king
    [0.0, 0.5, 1.0]
    """
    won = [np.zeros(count) for count in deals.num_buckets]
    dealt = [np.zeros(count) for count in deals.num_buckets]
    for group, buckets, shares in _drawn(deals, num_deals, seed):
        size = len(won[group])
        won[group] += np.bincount(buckets, shares, size)
        dealt[group] += np.bincount(buckets, minlength=size)
    even = 1 / deals.tree.num_players
    return [
        np.where(count > 0, wins / np.maximum(count, 1), even)
        for wins, count in zip(won, dealt, strict=True)
    ]


def bucket_outcomes(
    deals: Deals, num_deals: int = 1_000_000, seed: int = 0
) -> list[NDArray[np.int64]]:
    """Count how often every bucket wins, ties and loses on sampled deals, if no player folds.

    Parameters
    ----------
    deals, num_deals, seed
        As in `bucket_win_rates`.

    Returns
    -------
    list
        By group of the tree, [buckets, 3] numbers of deals won, tied and lost.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import enumerate_deals
    >>> from riverboat.tree import Tree
    >>> deals = enumerate_deals(Tree(catalogue("leduc"), "min"))
    >>> king = bucket_outcomes(deals, 30_000)[0][2]
    >>> (king / king.sum()).round(1).tolist()
    [0.6, 0.2, 0.2]
    """
    counts = [np.zeros(3 * count, np.int64) for count in deals.num_buckets]
    for group, buckets, shares in _drawn(deals, num_deals, seed):
        outcome = np.where(shares == 1, 0, np.where(shares > 0, 1, 2))
        index = 3 * buckets.astype(np.int64) + outcome
        counts[group] += np.bincount(index, None, len(counts[group]))
    return [count.reshape(-1, 3) for count in counts]


def _drawn(
    deals: Deals, num_deals: int, seed: int
) -> Iterator[tuple[int, NDArray[np.uint32], NDArray[np.float64]]]:
    """Sample deals; yield each group with its buckets and its player's pot shares, [deals]."""
    tree = deals.tree
    groups = list(zip(tree.group_player.tolist(), tree.group_swaps.tolist(), strict=True))
    for first in range(0, num_deals, _BATCH):
        count = min(_BATCH, num_deals - first)
        buckets, strengths = sample_deals(deals, count, seed, first)
        shares = _shares(strengths)
        for group, (player, line) in enumerate(groups):
            yield group, buckets[:, group], shares[:, player, line]


def _shares(strengths: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Share of the pot by player and line, if no opponent swaps: [deals, players, lines]."""
    shares = np.empty(strengths.shape)
    for player in range(strengths.shape[1]):
        others = np.delete(strengths[:, :, :1], player, axis=1)
        own = strengths[:, player, :]
        best = np.maximum(own, others.max(axis=1))
        ties = (others == best[:, None, :]).sum(axis=1)
        shares[:, player] = np.where(own == best, 1 / (1 + ties), 0.0)
    return shares
