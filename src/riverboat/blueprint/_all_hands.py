"""What a strategy does at one place of its tree with every hole pair at once.

The same as `Query.strategy` asked hand by hand, as one array: responses, ranges and values need
all 1,326 rows of a decision.
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

# So much of the rows of decisions is remembered.
_MOST_BYTES: Final = 1 << 27
_TOLERANCE: Final = 1e-3


class PlaceRows(NamedTuple):
    """Rows of all hole pairs; remembered are those of all buckets."""

    actions: tuple[str, ...]
    """Real, legal actions, each once."""
    strategy: NDArray[np.float64]
    """[1326, actions] probabilities; 0 where untrained, and meaningless of pairs on the board."""
    trained: NDArray[np.bool_] | None
    """[1326] whether there is a strategy for the pair; None if there is for all."""


class AllHands:
    """Asks a blueprint of hold'em about all hole pairs.

    Parameters
    ----------
    query
        The blueprint, as it is asked at real tables.
    threshold
        Bets and folds that are rarer are left out, as a bot does.

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
            raise BlueprintError("all hole pairs are asked about at once in hold'em files only")
        if query.tree.spec.has_swaps:
            raise BlueprintError(
                "all hole pairs are asked about at once in games without discards only: "
                f"'{query.tree.spec.name}' has them"
            )
        self._blueprint, self._buckets = source, buckets
        self._query, self._threshold = query, threshold
        self._tables: dict[tuple[int, bool, tuple[str, ...]], PlaceRows] = {}
        self._bytes = 0

    def rows(self, view: View, place: Place, board: tuple[int, ...]) -> PlaceRows:
        """Return the rows at a decision of the tree; of the view only what is public matters."""
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
        """Return real actions, and how often uniform play on the tree takes each: [actions]."""
        real, targets = self._real(view, place)
        actions = tuple(dict.fromkeys(real))
        shares = [targets.count(action) / len(targets) for action in actions]
        return actions, np.array(shares)

    def _real(self, view: View, place: Place) -> tuple[tuple[str, ...], list[str]]:
        """The real action of each menu action, and which of them is taken for it."""
        query = self._query
        menu = query.tracker.nodes[place.node]
        real = menu.actions
        if not place.exact:
            real = real_actions(query.tree.spec, menu, view, "", query.tracker.scale)
        if not place.as_none or "f" not in menu.actions:
            return real, list(real)
        # A bet that counts as none is called where the menu's smallest would be folded to.
        call = real[menu.actions.index("c")]
        pairs = zip(menu.actions, real, strict=True)
        return real, [call if menus == "f" else action for menus, action in pairs]

    def _read(self, node: int, actions: tuple[str, ...], targets: list[str]) -> PlaceRows:
        """The rows of one decision by bucket, as real actions."""
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
    """Refuse rows that are no distributions; a sum that is no number is not near 1 either."""
    if not (np.abs(rows.sum(axis=1) - 1) < _TOLERANCE).all() or (rows < 0).any():
        raise BlueprintError(
            f"the strategy after '{line}' has rows that are no distribution: see riverboat "
            "blueprint verify"
        )
