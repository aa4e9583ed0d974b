"""EV of a strategy's actions in small games, by a walk over the tree with all deals at once.

`RowTables` reads a strategy's rows, one decision at a time, for walks over the tree.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, runtime_checkable

import numpy as np

from riverboat import _core
from riverboat.blueprint._rare_actions import rows_without_rare
from riverboat.errors import BlueprintError
from riverboat.solve import enumerate_deals
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from riverboat.solve import Deals
    from riverboat.tree import Tree

    _Floats = NDArray[np.float64]

#: Size of the cache of rows.
_MOST_BYTES: Final = 1 << 27


@runtime_checkable
class RowSource(Protocol):
    """A strategy with rows of all buckets at once, such as a blueprint."""

    @property
    def tree(self) -> Tree:
        """The betting tree."""
        ...

    def node_rows(self, node: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return [buckets, actions] probabilities of a decision, and [buckets] trained."""
        ...


class RowTables:
    """The rows of a strategy, with a cache.

    Parameters
    ----------
    source
        The strategy.
    threshold
        Rarer bets and folds are left out, as a bot does; 0 = as trained.
    """

    def __init__(self, source: RowSource, threshold: float = 0.0) -> None:
        self._source, self._threshold = source, threshold
        self._tables: dict[int, NDArray[np.float64]] = {}
        self._bytes = 0

    def __call__(self, node: int) -> NDArray[np.float64]:
        """Return the probabilities of a decision, [actions, buckets]; uniform where untrained."""
        table = self._tables.get(node)
        if table is None:
            table = self._read(node)
            self._bytes += table.nbytes
            if self._bytes > _MOST_BYTES:
                self._tables.clear()
                self._bytes = table.nbytes
            self._tables[node] = table
        return table

    def _read(self, node: int) -> NDArray[np.float64]:
        rows, trained = self._source.node_rows(node)
        actions = self._source.tree.actions(node)
        played = rows_without_rare(rows, actions, self._threshold)
        table: NDArray[np.float64] = np.where(trained, played.T, 1 / len(actions))
        return table


class BucketValues(NamedTuple):
    """Exact EV of each action of a decision, for every bucket of the player to act."""

    strategy: NDArray[np.float64]
    """[buckets, actions] probabilities; uniform where untrained."""
    action_values: NDArray[np.float64]
    """[buckets, actions] chips; NaN if the opponent never reaches the decision."""

    @property
    def values(self) -> NDArray[np.float64]:
        """[buckets] EV of the strategy, chips."""
        mixed: NDArray[np.float64] = (self.strategy * self.action_values).sum(axis=1)
        return mixed


class DealValues:
    """Values of a two-player strategy with enumerated deals.

    Parameters
    ----------
    tree
        The betting tree.
    tables
        Returns [actions, buckets] probabilities of a decision.
    """

    def __init__(self, tree: Tree, tables: Callable[[int], NDArray[np.float64]]) -> None:
        if tree.num_players != 2:
            raise BlueprintError(
                f"values need a game of two players: '{tree.spec.name}' has {tree.num_players}"
            )
        self.tree, self._tables = tree, tables

    def actions(self, node: int) -> BucketValues:
        """Return the EV of each action of a decision, by bucket."""
        tree, buckets = self.tree, self._own(node)
        table, player = self._tables(node), int(tree.player[node])
        weights = self._chances * self._reach(node, 1 - player)
        count = table.shape[1]
        with np.errstate(invalid="ignore"):
            met = np.bincount(buckets, weights, count)
            values = [
                np.bincount(buckets, weights * self._value(child, player), count) / met
                for child in tree.children(node)
            ]
        chips = int(tree.contributions[node, player])
        return BucketValues(table.T, np.array(values).T + chips)

    @cached_property
    def _enumerated(self) -> Deals:
        return enumerate_deals(self.tree)

    @cached_property
    def _deals(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32], _Floats]:
        return self._enumerated.arrays()

    @property
    def _chances(self) -> _Floats:
        return self._deals[2]

    def _own(self, node: int) -> NDArray[np.uint32]:
        """[deals] the bucket of the player to act."""
        own: NDArray[np.uint32] = self._deals[0][:, int(self.tree.group[node])]
        return own

    def _reach(self, node: int, player: int) -> _Floats:
        """[deals] a player's own reach of a node."""
        tree, reach = self.tree, np.ones(len(self._chances))
        for decision, taken in tree.way(node):
            if tree.player[decision] == player:
                reach *= self._tables(decision)[taken][self._own(decision)]
        return reach

    @cached_property
    def _strategy(self) -> _Floats:
        """The strategy as one table, in the order of the solvers'."""
        tree, deals = self.tree, self._enumerated
        table = np.zeros(deals.num_entries)
        for node in np.flatnonzero(tree.kind == DECISION).tolist():
            rows, offset = self._tables(node).T, int(tree.offset[node])
            deals.rows(table, int(tree.group[node]))[:, offset : offset + rows.shape[1]] = rows
        return table

    @cached_property
    def _exact(self) -> _core.ExactValues:
        return _core.ExactValues(self._enumerated.compiled)

    def _value(self, node: int, player: int) -> _Floats:
        """[deals] EV of a player if both play the strategy, chips."""
        values = np.empty(len(self._chances))
        self._exact.deal_values_into(player, node, self._strategy, values)
        return values
