"""Exact values of a strategy profile and of a best response to it, from the definitions."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from riverboat.plain._game import Deal, Game

Weighted = list[tuple["Deal", float]]


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

    def walk(node: int, deal: Deal) -> float:
        if game.is_terminal[node]:
            return float(game.utility(node, deal, player))
        return sum(
            float(strategy[entry]) * walk(child, deal)
            for child, entry in zip(game.children[node], game.entries(node, deal), strict=True)
        )

    return sum(w * walk(0, deal) for deal, w in zip(game.deals, game.weights, strict=True))


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

    def walk(node: int, deals: Weighted) -> float:
        """Return the weighted sum of the values of the possible deals."""
        children = game.children[node]
        if game.is_terminal[node]:
            return sum(w * float(game.utility(node, deal, player)) for deal, w in deals)
        if game.player[node] == player:
            by_bucket: dict[int, Weighted] = defaultdict(list)
            for deal, weight in deals:
                by_bucket[game.bucket(node, deal)].append((deal, weight))
            return sum(
                max(walk(child, group) for child in children) for group in by_bucket.values()
            )
        return sum(
            walk(child, [(d, w * float(strategy[game.row(node, d) + a])) for d, w in deals])
            for a, child in enumerate(children)
        )

    return walk(0, list(zip(game.deals, game.weights, strict=True)))
