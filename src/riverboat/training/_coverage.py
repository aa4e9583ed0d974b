"""Coverage: the share of decisions, weighted by reach, that training has often visited.

Hands are sampled in which all seats play the average strategy. The coverage is the share of their
decisions whose information set has many visits (`FEW_VISITS` of `riverboat.blueprint`). A plain
share of information sets would mostly count lines that nobody plays.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint import VisitScale
from riverboat.solve import Deals, sample_deals
from riverboat.tree import DECISION

#: Hands of an estimate.
_HANDS: Final = 4_000

_Indices = NDArray[np.int64]


def coverage(
    deals: Deals, average: NDArray[Any], scale: VisitScale, seed: int, hands: int = _HANDS
) -> float:
    """Return the share of decisions in play whose information set has many visits.

    Parameters
    ----------
    deals
        The game.
    average
        [entries] sums of the average strategy.
    scale
        From these sums to visits.
    seed
        Random seed of deals and actions.
    hands
        Number of sampled hands.

    Examples
    --------
    >>> from riverboat.training import load_recipe, prepare
    >>> recipe = load_recipe("leduc")
    >>> setup, scale = prepare(recipe), VisitScale(1.0, 100)
    >>> solver = setup.solver(recipe.changed({"scheme": "external", "threads": 1}))
    >>> for iterations in (10, 1000, 50_000):
    ...     _ = solver.run_all(iterations=iterations)
    ...     print(f"{coverage(setup.deals, solver.average, scale, seed=1):.0%}")
    0%
    64%
    100%
    """
    tree, random = deals.tree, np.random.default_rng(seed)
    bases = np.array(tree.table_bases(deals.num_buckets)[:-1], np.int64)
    buckets = sample_deals(deals, hands, seed).buckets.astype(np.int64)
    nodes: _Indices = np.zeros(hands, np.int64)
    often = total = 0
    while len(nodes):
        counts = tree.num_actions[nodes].astype(np.int64)
        groups = tree.group[nodes].astype(np.int64)
        own = buckets[np.arange(len(nodes)), groups]
        per_bucket = tree.group_entries[groups].astype(np.int64)
        first = bases[groups] + own * per_bucket + tree.offset[nodes].astype(np.int64)
        weights = _rows(average, first, counts)
        choice, visits = counts > 1, weights.sum(axis=1) / scale.weight
        often += int((choice & (visits >= scale.few)).sum())
        total += int(choice.sum())
        nodes = tree.first_child[nodes] + _draw(weights, counts, random)
        going = tree.kind[nodes] == DECISION
        nodes, buckets = nodes[going], buckets[going]
    return often / total if total else 1.0


def _rows(average: NDArray[Any], first: _Indices, counts: _Indices) -> NDArray[np.float64]:
    """Return the rows of entries that begin at `first`, [rows, actions]; 0 beyond their end."""
    action = np.arange(int(counts.max()))
    inside = action < counts[:, None]
    entries = np.where(inside, first[:, None] + action, first[:, None])
    return np.where(inside, average[entries], 0.0)


def _draw(weights: NDArray[np.float64], counts: _Indices, random: np.random.Generator) -> _Indices:
    """Draw an action of each row; uniformly where the weights are 0."""
    uniform = np.arange(weights.shape[1]) < counts[:, None]
    bounds = np.cumsum(np.where(weights.sum(axis=1, keepdims=True) > 0, weights, uniform), axis=1)
    drawn = random.random(len(weights)) * bounds[:, -1]
    actions: _Indices = np.minimum((bounds <= drawn[:, None]).sum(axis=1), counts - 1)
    return actions
