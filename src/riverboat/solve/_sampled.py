"""Deals that were drawn: a table that stands for all of them, and starting regrets from win rates.

Hold'em has far too many deals to walk. A table of those that were drawn once stands for them, as
they are or counted, for full-width CFR and exact exploitability: deals that nobody could tell apart
become one row with its weight.

A run usually starts from uniform play. Where the win rate of a bucket is known, play can start
nearer to sense: strong hands put chips in, weak ones do not (the way of the caltech seed, which set
its first probabilities by ranges of win rates; here they follow the win rate itself).
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


_PASSIVE: Final = (0, 1)  # action kinds of a tree: fold, check
_ACTIVE: Final = (2, 3)  # call, bet
_MOST_PSEUDO_ITERATIONS: Final = 1e12
_COUNTED: Final = 100_000  # deals at a time


def starting_regrets(
    deals: Deals, win_rates: Sequence[ArrayLike], pseudo_iterations: float
) -> NDArray[np.float32]:
    """Make regrets to start from, so that a bucket of win rate w stays in with probability w.

    At a decision, fold or check (there is one of them) gets the probability 1 - w; call and all
    bets share w equally. The regret of an action is

        pseudo_iterations * chips in the pot at the decision * probability,

    all positive, so that regret matching plays exactly these probabilities. Swaps start from
    uniform play: a win rate does not say whether another card is better.

    Parameters
    ----------
    deals
        The game.
    win_rates
        By group of the tree, [buckets] share of hands that the bucket wins, 0 to 1.
    pseudo_iterations
        What the start is worth: about so many visits of an infoset outweigh it in a sampled
        scheme, where a visit changes a regret by up to the pot. Regrets of full-width schemes
        are also weighted by the chance of the cards, so take a hundredth there.

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
    worth = real_number("pseudo_iterations", pseudo_iterations, 0.0, _MOST_PSEUDO_ITERATIONS)
    rates = _checked_rates(deals, win_rates)
    regrets = np.zeros(deals.num_entries, np.float32)
    for group, rate in enumerate(rates):
        passive, active = _stakes(deals.tree, group)
        table = deals.rows(regrets, group)
        np.multiply.outer((worth * (1 - rate)).astype(np.float32), passive, out=table)
        table += np.multiply.outer((worth * rate).astype(np.float32), active)
    return regrets


def _checked_rates(deals: Deals, win_rates: Sequence[ArrayLike]) -> list[NDArray[np.float64]]:
    wanted = f"win rates are numbers of 0 to 1, by group for {list(deals.num_buckets)} buckets"
    try:
        rates: list[NDArray[Any]] = [np.asarray(rate, np.float64) for rate in win_rates]
    except (TypeError, ValueError) as error:
        raise SolveError(f"{wanted}: {error}") from error
    shapes = [rate.shape for rate in rates]
    if shapes != [(count,) for count in deals.num_buckets]:
        raise SolveError(f"{wanted}, not arrays of the shapes {shapes}")
    for group, rate in enumerate(rates):
        bad = rate[~((rate >= 0) & (rate <= 1))]
        if bad.size:
            raise SolveError(f"{wanted}; group {group} has {bad[0]:g}")
    return rates


def _stakes(tree: Tree, group: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Chips in the pot by entry of a bucket: where it is passive, and where active, shared."""
    decisions = np.flatnonzero((tree.kind == DECISION) & (tree.group == group))
    passive, active = np.zeros((2, int(tree.group_entries[group])), np.float32)
    pots = tree.contributions[decisions].sum(axis=1)
    for action in range(int(tree.num_actions[decisions].max(initial=0))):
        has = tree.num_actions[decisions] > action
        kind = tree.action_kind[tree.first_child[decisions[has]] + action]
        entry = tree.offset[decisions[has]] + action
        passive[entry] = np.where(np.isin(kind, _PASSIVE), pots[has], 0)
        sharing = tree.num_actions[decisions[has]] - 1  # all but fold or check
        active[entry] = np.where(np.isin(kind, _ACTIVE), pots[has] / np.maximum(sharing, 1), 0)
    return passive, active


def bucket_win_rates(
    deals: Deals, num_deals: int = 1_000_000, seed: int = 0
) -> list[NDArray[np.float64]]:
    """Estimate the win rate of every bucket on sampled deals, all players holding on.

    Ties count as a share of the pot. In games with swaps a hand is taken as it stands.

    Parameters
    ----------
    deals
        The game.
    num_deals
        How many are dealt.
    seed
        Of the deals.

    Returns
    -------
    list
        By group of the tree, [buckets] 0 to 1; buckets that were not dealt have an even share.

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
    """Count how often every bucket wins, ties and loses on sampled deals, all players holding on.

    Parameters
    ----------
    deals, num_deals, seed
        As of `bucket_win_rates`.

    Returns
    -------
    list
        By group of the tree, [buckets, 3] deals won, tied for the pot, lost.

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
    found = [np.zeros(3 * count, np.int64) for count in deals.num_buckets]
    for group, buckets, shares in _drawn(deals, num_deals, seed):
        outcome = np.where(shares == 1, 0, np.where(shares > 0, 1, 2))
        found[group] += np.bincount(3 * buckets.astype(np.int64) + outcome, None, len(found[group]))
    return [counts.reshape(-1, 3) for counts in found]


def _drawn(
    deals: Deals, num_deals: int, seed: int
) -> Iterator[tuple[int, NDArray[np.uint32], NDArray[np.float64]]]:
    """Draw deals: group, [deals] its buckets, and its player's shares of the pot."""
    tree = deals.tree
    groups = list(zip(tree.group_player.tolist(), tree.group_swaps.tolist(), strict=True))
    for first in range(0, num_deals, _COUNTED):
        count = min(_COUNTED, num_deals - first)
        buckets, strengths = sample_deals(deals, count, seed, first)
        shares = _shares(strengths)
        for group, (player, line) in enumerate(groups):
            yield group, buckets[:, group], shares[:, player, line]


def _shares(strengths: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Share of the pot by player and line, if the others stood pat: [deals, players, lines]."""
    shares = np.empty(strengths.shape)
    for player in range(strengths.shape[1]):
        others = np.delete(strengths[:, :, :1], player, axis=1)
        own = strengths[:, player, :]
        best = np.maximum(own, others.max(axis=1))
        ties = (others == best[:, None, :]).sum(axis=1)
        shares[:, player] = np.where(own == best, 1 / (1 + ties), 0.0)
    return shares
