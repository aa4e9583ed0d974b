"""Exact values of a strategy profile and of a best response to it, for all deals together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riverboat.plain._vector_walk import Role, vector_walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riverboat.plain._game import Game

    _Vector = NDArray[np.floating[Any]]


def profile_value(game: Game, strategy: NDArray[np.float64], player: int) -> float:
    """Return a player's EV when all follow the strategy, chips per hand.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.plain import Game, plain_deals
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> game = Game(tree, plain_deals(tree))
    >>> import numpy as np
    >>> round(profile_value(game, np.full(game.num_entries, 0.5), 0), 3)
    0.125
    """
    return _Exact(game, strategy, player, respond=False).value()


def best_response(game: Game, strategy: NDArray[np.float64], player: int) -> float:
    """Return a player's EV with a best response to the other players' strategies, chips per hand.

    The player cannot distinguish the deals of a bucket, and plays the action with the highest mean
    value, weighted by the reach of chance and of the other players.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.plain import Game, plain_deals
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> game = Game(tree, plain_deals(tree))
    >>> import numpy as np
    >>> round(best_response(game, np.full(game.num_entries, 0.5), 0), 3)
    0.5
    """
    return _Exact(game, strategy, player, respond=True).value()


class _Exact:
    """A walk with the reach of all actions that are played; values are times reach."""

    def __init__(
        self, game: Game, strategy: NDArray[np.float64], player: int, *, respond: bool
    ) -> None:
        self._game, self._strategy = game, strategy
        self._player, self._respond = player, respond

    def value(self) -> float:
        [values] = vector_walk(self._game.tree, self, [np.array(self._game.weights)])
        return float(values.sum())

    def _responds(self, node: int) -> bool:
        return self._respond and self._game.player[node] == self._player

    def ends(self, node: int, reach: Sequence[_Vector]) -> list[_Vector] | None:
        game = self._game
        if not game.is_terminal[node]:
            return None
        return [reach[0] * [float(game.utility(node, deal, self._player)) for deal in game.deals]]

    def role(self, node: int) -> Role:
        return Role() if self._responds(node) else Role(reach=0)

    def strategy(self, node: int) -> _Vector:
        entries = np.array([self._game.entries(node, deal) for deal in self._game.deals])
        rows: _Vector = self._strategy[entries].T
        return rows

    def finish(
        self,
        node: int,
        reach: Sequence[_Vector],  # noqa: ARG002 - of the protocol
        values: list[list[_Vector]],
        out: list[_Vector],
    ) -> list[_Vector]:
        """Return the sums over actions, or those of each bucket's best action."""
        if not self._responds(node):
            return out
        by_action = np.array([value[0] for value in values])
        buckets = np.array([self._game.bucket(node, deal) for deal in self._game.deals])
        sums = np.array([np.bincount(buckets, row) for row in by_action])
        return [by_action[sums.argmax(axis=0)[buckets], np.arange(len(buckets))]]
