"""What a tree counts: nodes by kind and street, information sets, strategy entries, memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from riverboat import _core
from riverboat.errors import GameError
from riverboat.tree._arrays import CHANCE, DECISION, FOLD, SHOWDOWN, TreeArrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Buckets", "TreeCounts"]

Buckets = int | Sequence[int]

_TOO_MANY = 2**32


class TreeCounts(TreeArrays):
    """What `Tree` counts."""

    @property
    def num_nodes(self) -> int:
        """Nodes in all: decisions, terminals, chance nodes; the root is node 0."""
        return len(self.kind)

    @property
    def num_players(self) -> int:
        """Number of seats."""
        return self.spec.players

    @property
    def num_streets(self) -> int:
        """Number of streets."""
        return len(self.spec.streets)

    @property
    def num_decisions(self) -> tuple[int, ...]:
        """Decision nodes by street."""
        return self._by_street(DECISION)

    @property
    def num_folds(self) -> tuple[int, ...]:
        """Terminals where all but one folded, by street."""
        return self._by_street(FOLD)

    @property
    def num_showdowns(self) -> tuple[int, ...]:
        """Terminals with a showdown, by street: the last, for the board is run out first."""
        return self._by_street(SHOWDOWN)

    @property
    def num_chances(self) -> tuple[int, ...]:
        """Chance nodes by the street that they end; none unless they were asked for."""
        return self._by_street(CHANCE)

    def _by_street(self, kind: int) -> tuple[int, ...]:
        counts = np.bincount(self.street[self.kind == kind], minlength=self.num_streets)
        return tuple(counts.tolist())

    def decisions_of(self, group: int) -> NDArray[np.intp]:
        """Return a group's decisions in the order of their entries; of those that share, one.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> from riverboat.tree import Tree
        >>> Tree(catalogue("kuhn"), "min").decisions_of(0).tolist()  # the first player's
        [0, 4]
        """
        nodes = np.flatnonzero((self.kind == DECISION) & (self.group == group))
        return nodes[np.unique(self.offset[nodes], return_index=True)[1]]

    def num_infosets(self, buckets: Buckets) -> tuple[int, ...]:
        """Information sets by street: decisions, those that share entries once, times buckets.

        Parameters
        ----------
        buckets
            How many buckets the cards of a player fall into, by street, or one number for all.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> from riverboat.tree import Tree
        >>> Tree(catalogue("leduc"), "min").num_infosets((3, 9))
        (18, 270)
        """
        return self._times_buckets(self.group_decisions, buckets)

    def num_entries(self, buckets: Buckets) -> tuple[int, ...]:
        """Strategy entries by street: the actions of all information sets.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> from riverboat.tree import Tree
        >>> Tree(catalogue("leduc"), "min").num_entries((3, 9))
        (42, 630)
        """
        return self._times_buckets(self.group_entries, buckets)

    def memory(self, buckets: Buckets, bytes_per_entry: int = 12) -> int:
        """Bytes that training takes for its tables.

        Parameters
        ----------
        buckets
            By street, or one number for all.
        bytes_per_entry
            12 = a regret of 4 bytes and an average-strategy weight of 8.
        """
        return sum(self.num_entries(buckets)) * bytes_per_entry

    def table_bases(self, num_buckets: Sequence[int]) -> tuple[int, ...]:
        """Return where each group's entries begin in a table, and last how many there are.

        An entry lies at `base + bucket * group_entries[group] + offset[node] + action`.

        Parameters
        ----------
        num_buckets
            By group, not by street: in games with swaps a street has several.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> from riverboat.tree import Tree
        >>> Tree(catalogue("leduc"), "min").table_bases((3, 3, 9, 9))
        (0, 21, 42, 357, 672)
        """
        if not all(0 < count < _TOO_MANY for count in num_buckets):
            raise GameError(
                f"a group has 1 to {_TOO_MANY - 1:,} buckets: {num_buckets!r} cannot be all right"
            )
        return tuple(_core.table_bases(self.compiled, list(num_buckets)))

    def _times_buckets(self, per_group: NDArray[np.uint32], buckets: Buckets) -> tuple[int, ...]:
        counts = [0] * self.num_streets
        by_street = self._checked_buckets(buckets)
        for street, count in zip(self.group_street.tolist(), per_group.tolist(), strict=True):
            counts[street] += count * by_street[street]
        return tuple(counts)

    def _checked_buckets(self, buckets: Buckets) -> list[int]:
        many = list(buckets) if isinstance(buckets, Iterable) else [buckets] * self.num_streets
        good = len(many) == self.num_streets and all(
            isinstance(count, int | np.integer) and count > 0 for count in many
        )
        if not good:
            raise GameError(
                f"buckets must be {self.num_streets} numbers above 0, one for each street, "
                f"or one for all, not {buckets!r}"
            )
        return [int(count) for count in many]
