"""Arrays and counts of `Tree`: read-only views of the core's arrays, fetched on first use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.errors import GameError

if TYPE_CHECKING:
    from riverboat._core import CompiledTree
    from riverboat.game import GameSpec

DECISION, FOLD, SHOWDOWN, CHANCE = 0, 1, 2, 3  # NodeKind of the core
BET_ACTION = 3  # ActionKind of the core: a bet or raise

Buckets = int | Sequence[int]

_TOO_MANY = 2**32
_Number = TypeVar("_Number", bound=np.number[Any])


class _CoreArray(cached_property[NDArray[_Number]]):
    """An array of the core's tree, fetched on first use."""

    def __init__(self) -> None:
        super().__init__(lambda tree: getattr(tree.compiled, str(self.attrname)))


class TreeArrays:
    """Read-only arrays of nodes and groups, and counts, of `Tree`."""

    spec: GameSpec
    compiled: CompiledTree

    # ---- Arrays of nodes

    #: `[nodes] uint8`: DECISION, FOLD, SHOWDOWN or CHANCE.
    kind = _CoreArray[np.uint8]()
    #: `[nodes] uint8`: the seat to act at a decision; else 0.
    player = _CoreArray[np.uint8]()
    #: `[nodes] uint8`: the street, from 0; for a chance node the street that it ends.
    street = _CoreArray[np.uint8]()
    #: `[nodes] uint8`: the group of a decision; else 0.
    group = _CoreArray[np.uint8]()
    #: `[nodes] uint8`: number of children, one per action; 1 at chance nodes, 0 at terminals.
    num_actions = _CoreArray[np.uint8]()
    #: `[nodes] int32`: the first child, the others follow it; -1 at terminals.
    first_child = _CoreArray[np.int32]()
    #: `[nodes] int32`: the parent; -1 at the root.
    parent = _CoreArray[np.int32]()
    #: `[nodes] uint32`: first strategy entry of a decision within a bucket of its group.
    #:
    #: An entry's index in its group is `bucket * group_entries[group] + offset[node] + action`.
    offset = _CoreArray[np.uint32]()
    #: `[nodes, players] int64`: chips in the pot by seat, antes included.
    contributions = _CoreArray[np.int64]()
    #: `[nodes] uint8`: action that led here: 0 fold, 1 check, 2 call, 3 bet, 4 stand, 5 swap.
    #:
    #: Undefined (1) at the root and at children of chance nodes.
    action_kind = _CoreArray[np.uint8]()
    #: `[nodes] int64`: chips in on the street after a bet or raise; 0 after other actions.
    action_amount = _CoreArray[np.int64]()
    #: `[rows, players] float32`: chips won or lost, see `payoff_index`.
    payoffs = _CoreArray[np.float32]()
    #: `[nodes] int32`: index of a terminal's first number in the flat `payoffs`, else -1.
    #:
    #: A fold has one row of `payoffs`. A showdown of two players has three: seat 0 wins, they
    #: tie, seat 1 wins. A showdown of more players has none, and its number is internal to
    #: the core: use `settle`.
    payoff_index = _CoreArray[np.int32]()

    @cached_property
    def swap_lines(self) -> NDArray[np.uint8]:
        """`[nodes, players] uint8`: bit mask of the swap phases where the seat swapped."""
        if self.spec.has_swaps:
            return self.compiled.swap_lines
        return np.broadcast_to(np.uint8(0), self.contributions.shape)

    # ---- Arrays of groups

    #: `[groups] uint8`: the seat.
    group_player = _CoreArray[np.uint8]()
    #: `[groups] uint8`: the street.
    group_street = _CoreArray[np.uint8]()
    #: `[groups] uint16`: bit mask of the swap phases where the player swapped.
    group_swaps = _CoreArray[np.uint16]()
    #: `[groups] uint32`: strategy entries of one bucket.
    group_entries = _CoreArray[np.uint32]()
    #: `[groups] uint32`: number of decision nodes.
    group_decisions = _CoreArray[np.uint32]()

    # ---- Counts

    @property
    def num_nodes(self) -> int:
        """Number of nodes: decisions, terminals and chance nodes; the root is node 0."""
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
        """Terminals where all seats but one folded, by street."""
        return self._by_street(FOLD)

    @property
    def num_showdowns(self) -> tuple[int, ...]:
        """Terminals with a showdown, by street: all on the last one, after the whole board."""
        return self._by_street(SHOWDOWN)

    @property
    def num_chances(self) -> tuple[int, ...]:
        """Chance nodes by the street that they end; 0 in trees without chance nodes."""
        return self._by_street(CHANCE)

    def _by_street(self, kind: int) -> tuple[int, ...]:
        counts = np.bincount(self.street[self.kind == kind], minlength=self.num_streets)
        return tuple(counts.tolist())

    def decisions_of(self, group: int) -> NDArray[np.intp]:
        """Return a group's decisions by entries; of decisions that share entries, one.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> from riverboat.tree import Tree
        >>> Tree(catalogue("kuhn"), "min").decisions_of(0).tolist()  # of the first player
        [0, 4]
        """
        nodes = np.flatnonzero((self.kind == DECISION) & (self.group == group))
        return nodes[np.unique(self.offset[nodes], return_index=True)[1]]

    def num_infosets(self, buckets: Buckets) -> tuple[int, ...]:
        """Return the number of information sets by street: decisions times buckets.

        Decisions that share entries count once.

        Parameters
        ----------
        buckets
            Number of card buckets by street, or one number for all streets.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> from riverboat.tree import Tree
        >>> Tree(catalogue("leduc"), "min").num_infosets((3, 9))
        (18, 270)
        """
        return self._times_buckets(self.group_decisions, buckets)

    def num_entries(self, buckets: Buckets) -> tuple[int, ...]:
        """Return the number of strategy entries by street: the actions of all information sets.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> from riverboat.tree import Tree
        >>> Tree(catalogue("leduc"), "min").num_entries((3, 9))
        (42, 630)
        """
        return self._times_buckets(self.group_entries, buckets)

    def memory(self, buckets: Buckets, bytes_per_entry: int = 12) -> int:
        """Return the bytes of training tables.

        Parameters
        ----------
        buckets
            Number of buckets by street, or one number for all streets.
        bytes_per_entry
            12 = a regret of 4 bytes and an average-strategy weight of 8.
        """
        return sum(self.num_entries(buckets)) * bytes_per_entry

    def table_bases(self, num_buckets: Sequence[int]) -> tuple[int, ...]:
        """Return where each group's entries begin in a table; the last number is their total.

        An entry lies at `base + bucket * group_entries[group] + offset[node] + action`.

        Parameters
        ----------
        num_buckets
            Number of buckets by group, not by street: with swaps a street has several groups.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> from riverboat.tree import Tree
        >>> Tree(catalogue("leduc"), "min").table_bases((3, 3, 9, 9))
        (0, 21, 42, 357, 672)
        """
        if not all(0 < count < _TOO_MANY for count in num_buckets):
            raise GameError(f"each group needs 1 to {_TOO_MANY - 1:,} buckets, not {num_buckets!r}")
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
                f"buckets must be {self.num_streets} numbers above 0, one per street, "
                f"or one for all, not {buckets!r}"
            )
        return [int(count) for count in many]
