"""How often each bucket wins: the numbers behind starting weights."""

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.solve import Deals

__all__ = ["bucket_win_rates"]

_CHUNK = 100_000


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
    tree = deals.tree
    groups = list(zip(tree.group_player.tolist(), tree.group_swaps.tolist(), strict=True))
    won = [np.zeros(count) for count in deals.num_buckets]
    dealt = [np.zeros(count) for count in deals.num_buckets]
    lines = 1 << len(tree.spec.swap_streets)
    for first in range(0, num_deals, _CHUNK):
        count = min(_CHUNK, num_deals - first)
        buckets = np.empty((count, len(groups)), np.uint32)
        strengths = np.empty((count, tree.num_players, lines), np.uint32)
        _core.deals_into(deals.compiled, seed, first, buckets, strengths)
        shares = _shares(strengths)
        for group, (player, line) in enumerate(groups):
            size = len(won[group])
            won[group] += np.bincount(buckets[:, group], shares[:, player, line], size)
            dealt[group] += np.bincount(buckets[:, group], minlength=size)
    even = 1 / tree.num_players
    return [
        np.where(count > 0, wins / np.maximum(count, 1), even)
        for wins, count in zip(won, dealt, strict=True)
    ]


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
