"""The arrays of a tree: read-only views of the core's memory, fetched when first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat._core import CompiledTree
    from riverboat.game import GameSpec

__all__ = ["BET_ACTION", "CHANCE", "DECISION", "FOLD", "SHOWDOWN", "TreeArrays"]

DECISION, FOLD, SHOWDOWN, CHANCE = 0, 1, 2, 3  # NodeKind of the core
BET_ACTION = 3  # ActionKind of the core: a bet or raise


class TreeArrays:
    """What `Tree` shows of its nodes and groups; all arrays are read-only."""

    spec: GameSpec
    compiled: CompiledTree

    # ---- Arrays of nodes

    @cached_property
    def kind(self) -> NDArray[np.uint8]:
        """`[nodes] uint8`: DECISION, FOLD, SHOWDOWN or CHANCE."""
        return self.compiled.kind

    @cached_property
    def player(self) -> NDArray[np.uint8]:
        """`[nodes] uint8`: the seat that decides; 0 elsewhere."""
        return self.compiled.player

    @cached_property
    def street(self) -> NDArray[np.uint8]:
        """`[nodes] uint8`: the street, from 0; of a chance node the one that it ends."""
        return self.compiled.street

    @cached_property
    def group(self) -> NDArray[np.uint8]:
        """`[nodes] uint8`: the group of a decision; 0 elsewhere."""
        return self.compiled.group

    @cached_property
    def num_actions(self) -> NDArray[np.uint8]:
        """`[nodes] uint8`: actions, which is children; 1 at chance nodes, 0 at terminals."""
        return self.compiled.num_actions

    @cached_property
    def first_child(self) -> NDArray[np.int32]:
        """`[nodes] int32`: the node of the first action, the others follow; -1 at terminals."""
        return self.compiled.first_child

    @cached_property
    def parent(self) -> NDArray[np.int32]:
        """`[nodes] int32`: the node that leads here; -1 at the root."""
        return self.compiled.parent

    @cached_property
    def offset(self) -> NDArray[np.uint32]:
        """`[nodes] uint32`: first strategy entry of a decision within a bucket of its group.

        An entry's place in its group is `bucket * group_entries[group] + offset[node] + action`.
        """
        return self.compiled.offset

    @cached_property
    def contributions(self) -> NDArray[np.int64]:
        """`[nodes, players] int64`: chips in the pot by seat, antes included."""
        return self.compiled.contributions

    @cached_property
    def action_kind(self) -> NDArray[np.uint8]:
        """`[nodes] uint8`: action that led here: 0 fold, 1 check, 2 call, 3 bet, 4 stand, 5 swap.

        The root and children of chance nodes have 1 and mean nothing by it.
        """
        return self.compiled.action_kind

    @cached_property
    def action_amount(self) -> NDArray[np.int64]:
        """`[nodes] int64`: chips in on the street after a bet; 0 after other actions."""
        return self.compiled.action_amount

    @cached_property
    def payoffs(self) -> NDArray[np.float32]:
        """`[rows, players] float32`: chips won or lost, see `payoff_index`."""
        return self.compiled.payoffs

    @cached_property
    def payoff_index(self) -> NDArray[np.int32]:
        """`[nodes] int32`: place of a terminal's first number in the flat `payoffs`, else -1.

        A fold has one row of `payoffs`. A showdown of two players has three: seat 0 wins, they
        tie, seat 1 wins. A showdown of more has none, and its number means something only to
        the core: use `settle`.
        """
        return self.compiled.payoff_index

    @cached_property
    def swap_lines(self) -> NDArray[np.uint8]:
        """`[nodes, players] uint8`: a bit for each swap phase where the seat swapped."""
        if self.spec.has_swaps:
            return self.compiled.swap_lines
        return np.broadcast_to(np.uint8(0), self.contributions.shape)

    # ---- Arrays of groups

    @cached_property
    def group_player(self) -> NDArray[np.uint8]:
        """`[groups] uint8`: the seat."""
        return self.compiled.group_player

    @cached_property
    def group_street(self) -> NDArray[np.uint8]:
        """`[groups] uint8`: the street."""
        return self.compiled.group_street

    @cached_property
    def group_swaps(self) -> NDArray[np.uint16]:
        """`[groups] uint16`: a bit for each swap phase where the player swapped."""
        return self.compiled.group_swaps

    @cached_property
    def group_entries(self) -> NDArray[np.uint32]:
        """`[groups] uint32`: strategy entries of one bucket."""
        return self.compiled.group_entries

    @cached_property
    def group_decisions(self) -> NDArray[np.uint32]:
        """`[groups] uint32`: decision nodes."""
        return self.compiled.group_decisions
