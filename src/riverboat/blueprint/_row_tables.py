"""Rows of a strategy, a decision at a time, for walks over its tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

import numpy as np

from riverboat.blueprint._rare_actions import rows_without_rare

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.tree import Tree

__all__ = ["RowSource", "RowTables"]

#: So much is remembered.
_MOST_BYTES: Final = 1 << 27


@runtime_checkable
class RowSource(Protocol):
    """A strategy whose rows can be read for all buckets at once: a blueprint."""

    @property
    def tree(self) -> Tree:
        """The betting tree."""
        ...

    def node_rows(self, node: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return [buckets, actions] probabilities of a decision, and which buckets are trained."""
        ...


class RowTables:
    """The rows of a strategy, those that were asked for last at hand.

    Parameters
    ----------
    source
        The strategy.
    threshold
        Bets and folds that are rarer are left out, as a bot does; 0 = as trained.
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
