"""Positions of the infosets of a strategy, and arithmetic on whole rows.

Entries and infosets have the same order: by group of the tree, then by bucket, then by decision in
the order of the tree's offsets. So the entries of a group are a block `[buckets, entries of a
bucket]`, its infosets a block `[buckets, decisions]`, and the row of an infoset is a short run of
entries. Large tables are processed in chunks: some buckets of one group.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import BlueprintError
from riverboat.tree import DECISION, Tree

#: Called with the work done and all work.
OnProgress: TypeAlias = Callable[[int, int], None]

_CHUNK_ENTRIES: Final = 1 << 20
_PASSIVE: Final = (1, 2)  # kinds of action: check and call


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some buckets of one group."""

    group: int
    first_bucket: int
    num_buckets: int
    entries: slice
    """Slice of the strategy entries."""
    infosets: slice
    """Slice of the infosets."""


@dataclass(frozen=True, slots=True)
class NodeSpan:
    """Positions of a decision's infosets; bucket b starts `bucket_entries * b` after bucket 0."""

    entry: int
    """First entry of bucket 0."""
    bucket_entries: int
    num_actions: int
    infoset: int
    """Infoset of bucket 0."""
    bucket_infosets: int
    num_buckets: int


@dataclass(frozen=True)
class GroupRows:
    """The rows of one bucket of a group.

    Attributes
    ----------
    nodes, starts, counts
        [decisions] the decision nodes by offset, the first entry of each, its number of actions.
    owners
        [entries of a bucket] the decision of each entry.
    passive
        [entries of a bucket] whether the entry is a check or call.
    """

    nodes: NDArray[np.int64]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    owners: NDArray[np.int64]
    passive: NDArray[np.bool_]

    @cached_property
    def uniform(self) -> NDArray[np.float32]:
        """[entries of a bucket] the uniform strategy."""
        return (1.0 / self.counts[self.owners]).astype(np.float32)

    def sums(self, block: NDArray[Any]) -> NDArray[np.float64]:
        """Sum of each row: [buckets, entries] to [buckets, decisions], in float64."""
        return np.add.reduceat(block, self.starts, axis=1, dtype=np.float64)

    def greatest(self, block: NDArray[Any]) -> NDArray[Any]:
        """Largest number of each row: [buckets, entries] to [buckets, decisions]."""
        return np.maximum.reduceat(block, self.starts, axis=1)

    def least(self, block: NDArray[Any]) -> NDArray[Any]:
        """Smallest number of each row: [buckets, entries] to [buckets, decisions]."""
        return np.minimum.reduceat(block, self.starts, axis=1)

    def spread(self, by_row: NDArray[Any]) -> NDArray[Any]:
        """Repeat a row's number for all its entries: [buckets, decisions] to [buckets, entries]."""
        spread: NDArray[Any] = np.take(by_row, self.owners, axis=1)
        return spread

    def by_count(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield, for each number of actions, (decisions [m], their entries [m, actions])."""
        for count in np.unique(self.counts):
            decisions = np.flatnonzero(self.counts == count)
            yield decisions, self.starts[decisions, None] + np.arange(count)


class Layout:
    """The layout of strategy tables of a tree.

    Parameters
    ----------
    tree
        The betting tree.
    num_buckets
        Number of buckets by group.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> layout = Layout(Tree(catalogue("leduc"), "min"), (3, 3, 9, 9))
    >>> layout.num_entries, layout.num_infosets
    (672, 288)
    >>> layout.span(0).num_actions
    2
    """

    def __init__(self, tree: Tree, num_buckets: Sequence[int]) -> None:
        if len(num_buckets) != len(tree.group_entries):
            raise BlueprintError(
                f"the tree has {len(tree.group_entries)} groups, not {len(num_buckets)}"
            )
        self.tree = tree
        self.num_buckets = tuple(num_buckets)
        self._entries = tree.group_entries.tolist()
        self._decisions = tree.group_decisions.tolist()
        self._entry_base = list(tree.table_bases(self.num_buckets))
        sizes = map(int.__mul__, self._decisions, self.num_buckets)
        self._infoset_base = list(accumulate(sizes, initial=0))

    @property
    def num_entries(self) -> int:
        """Number of entries."""
        return self._entry_base[-1]

    @property
    def num_infosets(self) -> int:
        """Number of infosets."""
        return self._infoset_base[-1]

    @cached_property
    def groups(self) -> tuple[GroupRows, ...]:
        """The rows of each group."""
        groups = range(len(self.num_buckets))
        return tuple(self._rows_of(self.tree.decisions_of(group)) for group in groups)

    def _rows_of(self, nodes: NDArray[np.int64]) -> GroupRows:
        counts = self.tree.num_actions[nodes].astype(np.int64)
        owners = np.repeat(np.arange(len(nodes)), counts)
        starts = self.tree.offset[nodes].astype(np.int64)
        children = (self.tree.first_child[nodes] - starts)[owners] + np.arange(len(owners))
        passive = np.isin(self.tree.action_kind[children], _PASSIVE)
        return GroupRows(nodes, starts, counts, owners, passive)

    def span(self, node: int) -> NodeSpan:
        """Return the positions of a decision's infosets."""
        if not 0 <= node < self.tree.num_nodes or self.tree.kind[node] != DECISION:
            raise BlueprintError(f"node {node} is not a decision of this tree")
        group = int(self.tree.group[node])
        offset = int(self.tree.offset[node])
        decision = int(np.searchsorted(self.groups[group].starts, offset))
        return NodeSpan(
            self._entry_base[group] + offset,
            self._entries[group],
            int(self.tree.num_actions[node]),
            self._infoset_base[group] + decision,
            self._decisions[group],
            self.num_buckets[group],
        )

    def chunks(self, most_entries: int = _CHUNK_ENTRIES) -> Iterator[Chunk]:
        """Split the tables into chunks, in order; each has at least one bucket."""
        for group, buckets in enumerate(self.num_buckets):
            step = max(1, most_entries // self._entries[group])
            for first in range(0, buckets, step):
                yield self._chunk(group, first, min(step, buckets - first))

    def _chunk(self, group: int, first: int, count: int) -> Chunk:
        def part(bases: list[int], per_bucket: int) -> slice:
            begin = bases[group] + first * per_bucket
            return slice(begin, begin + count * per_bucket)

        return Chunk(
            group,
            first,
            count,
            part(self._entry_base, self._entries[group]),
            part(self._infoset_base, self._decisions[group]),
        )
