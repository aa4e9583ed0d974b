"""A game as the plain algorithms see it: a tree and the list of its deals.

Games without swaps only: every player has one hand at the showdown.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from riverboat.tree import DECISION, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from riverboat.plain._deals import Deal
    from riverboat.plain._random import Random


class Game:
    """A tree and the list of its deals.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.plain import plain_deals
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> game = Game(tree, plain_deals(tree))
    >>> game.num_entries, game.children[0]
    (24, range(1, 3))
    """

    def __init__(self, tree: Tree, deals: list[Deal]) -> None:
        self.tree = tree
        self.deals = deals
        self.num_players = tree.num_players
        self.player: list[int] = tree.player.tolist()
        self.street: list[int] = tree.street.tolist()
        self.is_terminal: list[bool] = (tree.kind != DECISION).tolist()
        self.children = [tree.children(node) for node in range(tree.num_nodes)]
        self._group: list[int] = tree.group.tolist()
        self._offset: list[int] = tree.offset.tolist()
        self._entries: list[int] = tree.group_entries.tolist()
        num_groups = len(self._entries)
        buckets: list[int] = [
            1 + max(deal.buckets[group] for deal in deals) for group in range(num_groups)
        ]
        sizes = [b * e for b, e in zip(buckets, self._entries, strict=True)]
        self._base: list[int] = [sum(sizes[:group]) for group in range(num_groups)]
        self.num_entries = sum(sizes)
        total = _added(deal.weight for deal in deals)
        self.weights = [deal.weight / total for deal in deals]
        self._cumulative = list(accumulate(self.weights))
        self._paid: dict[tuple[int, tuple[int, ...]], NDArray[np.float32]] = {}

    def row(self, node: int, deal: Deal) -> int:
        """The first table entry of the deciding player's infoset."""
        group = self._group[node]
        bucket = deal.buckets[group]
        return self._base[group] + bucket * self._entries[group] + self._offset[node]

    def bucket(self, node: int, deal: Deal) -> int:
        """What the deciding player has seen."""
        return deal.buckets[self._group[node]]

    def entries(self, node: int, deal: Deal) -> range:
        """Table entries of the infoset, one for each action."""
        row = self.row(node, deal)
        return range(row, row + len(self.children[node]))

    def utility(self, node: int, deal: Deal, player: int) -> np.float32:
        """What a terminal pays, chips."""
        key = (node, deal.strengths)
        if key not in self._paid:
            self._paid[key] = self.tree.settle(node, deal.strengths)
        return np.float32(self._paid[key][player])

    def uniform_reach(self, node: int, player: int) -> tuple[float, float]:
        """Probabilities that the player and the others come here when all play uniformly."""
        own, others = 1.0, 1.0
        while node:
            node = int(self.tree.parent[node])
            share = 1 / len(self.children[node])
            if self.player[node] == player:
                own *= share
            else:
                others *= share
        return own, others

    def draw(self, random: Random) -> Deal:
        """A deal by its probability."""
        index = bisect_right(self._cumulative, random.uniform())
        return self.deals[min(index, len(self.deals) - 1)]


def _added(values: Iterable[float]) -> float:
    """Add numbers one after the other, as kernels do; `sum` rounds otherwise from Python 3.12 on.

    Where a regret is nothing, rounding decides whether it counts as positive.
    """
    total = 0.0
    for value in values:
        total += value
    return total
