"""A chance distribution as a table of sampled deals, so that full-width CFR can walk it.

Vanilla CFR visits every deal in every iteration. Hold'em with swaps has far too many; a table of
deals that were drawn once stands for them (definition: "vanilla at equal time").
"""

import numpy as np

from riverboat import _core
from riverboat.solve import Deals

__all__ = ["tabulated"]


def tabulated(deals: Deals, count: int, seed: int) -> Deals:
    """Draw deals once, and make a dealer that knows no others.

    Parameters
    ----------
    deals
        Of the whole game.
    count
        How many are drawn; each is equally likely from then on.
    seed
        Of the drawing.

    Returns
    -------
    Deals
        With the buckets of the whole game, so that strategies fit both: one more deal, of
        probability 0, holds the last bucket of every group.
    """
    tree = deals.tree
    last = np.array(deals.num_buckets, np.uint32) - 1
    lines = 1 << len(tree.spec.swap_streets)
    buckets = np.empty((count, len(last)), np.uint32)
    strengths = np.empty((count, tree.spec.players, lines), np.uint32)
    _core.deals_into(deals.compiled, seed, 0, buckets, strengths)
    weights = np.append(np.ones(count), 0.0)
    compiled = _core.enumerated_dealer(
        tree.compiled,
        np.concatenate([buckets, last[None]]).ravel(),
        np.concatenate([strengths, strengths[:1]]).ravel(),
        weights,
    )
    return Deals(tree, compiled, None, count + 1)
