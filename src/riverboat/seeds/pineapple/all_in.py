"""How much a strategy goes all-in where it was hardly trained, infoset by infoset."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint import GroupRows, Layout
from riverboat.tree import Tree

__all__ = ["AllIn", "all_in_by_tenths"]

_BET = 3  # kind of action
_NEAR = 0.1


class AllIn(msgspec.Struct, frozen=True):
    """The infosets that were reached in so many tenths of a training and may go all-in."""

    tenths: int
    infosets: int
    probability: float
    """Of all-in, mean over these infosets."""
    uniform: float
    """What uniform play gives there."""
    near_uniform: float
    """Share of infosets where no probability is 0.1 away from uniform play."""


def all_in_by_tenths(
    layout: Layout, average: NDArray[np.float64], tenths: NDArray[np.uint8]
) -> tuple[AllIn, ...]:
    """Sum up the probability of all-in by how well infosets were trained.

    Parameters
    ----------
    layout
        Of the tables.
    average
        [entries] the average strategy, not normalised.
    tenths
        [infosets] tenths of the training that each was reached in, 0 to 10.
    """
    totals = np.zeros((11, 4))  # infosets, all-in, uniform, near
    for chunk in layout.chunks():
        rows = layout.groups[chunk.group]
        block = average[chunk.entries].reshape(chunk.num_buckets, -1)
        known = tenths[chunk.infosets].reshape(chunk.num_buckets, -1)
        flags = _flags(layout.tree, rows)
        offered = np.add.reduceat(flags, rows.starts) > 0
        if offered.any():
            totals += _chunk_totals(rows, block, known, flags, offered)
    return tuple(_row(number, *line) for number, line in enumerate(totals.tolist()))


def _chunk_totals(
    rows: GroupRows,
    block: NDArray[np.float64],
    known: NDArray[np.uint8],
    flags: NDArray[np.float64],
    offered: NDArray[np.bool_],
) -> NDArray[np.float64]:
    sums = rows.spread(rows.sums(block))
    shares = np.where(sums > 0, block / np.maximum(sums, 1e-300), rows.uniform)
    all_in = rows.sums(shares * flags)[:, offered].ravel()
    far = rows.greatest(np.abs(shares - rows.uniform))[:, offered].ravel()
    uniform = np.broadcast_to(1 / rows.counts, known.shape)[:, offered].ravel()
    tenths = known[:, offered].ravel()
    weights = (np.ones(len(tenths)), all_in, uniform, (far < _NEAR).astype(np.float64))
    return np.stack([np.bincount(tenths, each, 11) for each in weights], axis=1)


def _flags(tree: Tree, rows: GroupRows) -> NDArray[np.float64]:
    """1 at entries that are all-in bets, [entries of a bucket]."""
    within = np.arange(len(rows.owners)) - rows.starts[rows.owners]
    nodes = rows.nodes[rows.owners]
    children = tree.first_child[nodes].astype(np.int64) + within
    players = tree.player[nodes].astype(np.int64)
    stacks = np.array(tree.spec.stacks)[players]
    all_in = (tree.action_kind[children] == _BET) & (
        tree.contributions[children, players] == stacks
    )
    flags: NDArray[np.float64] = all_in.astype(np.float64)
    return flags


def _row(tenths: int, infosets: float, all_in: float, uniform: float, near: float) -> AllIn:
    count = max(1.0, infosets)
    return AllIn(tenths, int(infosets), all_in / count, uniform / count, near / count)
