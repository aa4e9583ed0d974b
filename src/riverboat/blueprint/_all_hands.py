"""A strategy's rows of all hole pairs at one decision.

They equal the answers of `Query.strategy` hand by hand, as one array: responses, ranges and values
need all 1,326 rows of a decision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from riverboat.blueprint._blueprint import Blueprint
from riverboat.blueprint._buckets import HoldemBuckets
from riverboat.blueprint._rare_actions import rows_without_rare
from riverboat.errors import BlueprintError
from riverboat.translation import real_actions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.blueprint._query import Query
    from riverboat.game import View
    from riverboat.translation import Place

# Size of the cache of rows.
_MOST_BYTES: Final = 1 << 27
_TOLERANCE: Final = 1e-3


class PlaceRows(NamedTuple):
    """Rows of all hole pairs at a decision."""

    actions: tuple[str, ...]
    """Real, legal actions, each once."""
    strategy: NDArray[np.float64]
    """[1326, actions] probabilities; 0 where untrained, undefined for dead pairs."""
    trained: NDArray[np.bool_] | None
    """[1326] whether the pair is trained; None if all are."""


class AllHands:
    """Queries a hold'em blueprint for all hole pairs at once.

    Parameters
    ----------
    query
        The blueprint's query.
    threshold
        Rarer bets and folds are left out, as a bot does.

    Examples
    --------
    >>> from riverboat.blueprint import Blueprint, default_blueprint
    >>> from riverboat.game import Hand
    >>> query = Blueprint.open(default_blueprint()).query()
    >>> view = Hand(query.tree.spec).view(0)
    >>> AllHands(query).rows(view, query.tracker.find(view), ()).actions
    ('f', 'c', 'b25', 'b60', 'b1000')
    """

    def __init__(self, query: Query, threshold: float = 0.0) -> None:
        source, buckets = query.source, query.buckets
        if not isinstance(source, Blueprint) or not isinstance(buckets, HoldemBuckets):
            raise BlueprintError("rows of all hole pairs need a blueprint of hold'em")
        if query.tree.spec.has_swaps or query.swap_gain is not None:
            raise BlueprintError(
                "rows of all hole pairs need a game without discards: "
                f"'{query.tree.spec.name}' has them"
            )
        self._blueprint, self._buckets = source, buckets
        self._query, self._threshold = query, threshold
        self._tables: dict[tuple[int, bool, tuple[str, ...]], PlaceRows] = {}
        self._bytes = 0

    def rows(self, view: View, place: Place, board: tuple[int, ...]) -> PlaceRows:
        """Return the rows at a decision of the tree; the view's hole cards do not matter."""
        real, targets = self._real(view, place)
        key = (place.node, place.as_none, real)
        table = self._tables.get(key)
        if table is None:
            table = self._tables[key] = self._read(place.node, tuple(dict.fromkeys(real)), targets)
        buckets = self._buckets.find_all(board)
        rows = table.strategy.T.take(buckets, axis=1).T
        return table._replace(
            strategy=rows, trained=None if table.trained is None else table.trained[buckets]
        )

    def uniform(self, view: View, place: Place) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """Return real actions and their probabilities, [actions], under uniform play."""
        real, targets = self._real(view, place)
        actions = tuple(dict.fromkeys(real))
        shares = [targets.count(action) / len(targets) for action in actions]
        return actions, np.array(shares)

    def _real(self, view: View, place: Place) -> tuple[tuple[str, ...], list[str]]:
        """Return the real action of each menu action, and the action that is played for it."""
        query = self._query
        menu = query.tracker.nodes[place.node]
        real = menu.actions
        if not place.exact:
            real = real_actions(query.tree.spec, menu, view, "", query.tracker.scale)
        if not place.as_none or "f" not in menu.actions:
            return real, list(real)
        # A bet that translates to no bet is called where the strategy folds.
        call = real[menu.actions.index("c")]
        pairs = zip(menu.actions, real, strict=True)
        return real, [call if name == "f" else action for name, action in pairs]

    def _read(self, node: int, actions: tuple[str, ...], targets: list[str]) -> PlaceRows:
        """Read the rows of one decision by bucket, as real actions."""
        menu, trained = self._blueprint.node_rows(node)
        _check(menu[trained], self._query.tree.line(node))
        rows = np.zeros((len(actions), len(menu)))
        for target, column in zip(targets, menu.T, strict=True):
            rows[actions.index(target)] += column
        rows[:, ~trained] = 0
        if self._threshold:
            rows = rows_without_rare(rows.T, actions, self._threshold).T
        self._bytes += rows.nbytes
        if self._bytes > _MOST_BYTES:
            self._tables.clear()
            self._bytes = rows.nbytes
        return PlaceRows(actions, rows.T, None if trained.all() else trained)


def _check(rows: NDArray[np.float32], line: str) -> None:
    """Refuse rows that are not distributions; a sum of nan is refused, too."""
    if not (np.abs(rows.sum(axis=1) - 1) < _TOLERANCE).all() or (rows < 0).any():
        raise BlueprintError(
            f"the strategy after '{line}' has rows that are not distributions: see riverboat "
            "blueprint verify"
        )
