"""What the plain twins of the CFR family share.

The twins read like their papers and walk the tree node by node, deal by deal. The sampled
ones keep the kernels' float32 regrets and the order of additions, and draw from the same
random streams, so that twin and kernel agree to the last bit: regret matching is not
continuous, so with rounding errors two runs would part ways sooner or later, and no tolerance
would be right.

Games without swaps only: every player has one hand at the showdown.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from riverboat.tree import DECISION, Tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reference.deals import Deal
    from reference.random import Random

F = np.float32
Strategy = list[np.float32]


class Game:
    """A tree and the list of its deals."""

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
        total = sum(deal.weight for deal in deals)
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
        return F(self._paid[key][player])

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


@dataclass
class Options:
    """What may differ from one iteration to the next."""

    floor: float = 0.0
    floor_in_average: bool = True
    average_weight: float = 1.0
    epsilon: float = 0.6
    tau: float = 1000.0
    beta: float = 1e6
    average_every: int = 1
    prune_below: float = 0.0
    prune_probability: float = 0.95
    plus: bool = False


def match_regrets(regrets: NDArray[Any], entries: range, floor: float = 0.0) -> Strategy:
    """Positive regrets, normalised; uniform where there are none; each at least `floor`."""
    positive = [max(F(regrets[entry]), F(0)) for entry in entries]
    total = F(0)
    for regret in positive:
        total += regret
    if total == 0:
        return [F(1) / F(len(entries))] * len(entries)
    scale = (F(1) - F(floor) * F(len(entries))) / total
    return [regret * scale + F(floor) for regret in positive]


def draw_action(strategy: Strategy, random: Random) -> int:
    """An action by its probability; never one of probability 0."""
    left = F(random.uniform())
    possible = 0
    for action, probability in enumerate(strategy):
        if probability <= 0:
            continue
        left -= probability
        if left < 0:
            return action
        possible = action
    return possible


class Walk:
    """One traversal of a sampled scheme; the schemes fill in `walk`."""

    def __init__(
        self, game: Game, options: Options, regrets: NDArray[Any], average: NDArray[Any]
    ) -> None:
        self.game = game
        self.options = options
        self.regrets = regrets
        self.average = average

    def traverse(self, player: int, deal: Deal, random: Random) -> None:
        """Walk the tree for one updating player."""
        self.player = player
        self.deal = deal
        self.random = random
        self.begin()

    def begin(self) -> None:
        """Start at the root."""
        raise NotImplementedError

    def strategy(self, entries: range) -> Strategy:
        """The strategy that is played in the walk."""
        return match_regrets(self.regrets, entries, self.options.floor)

    def collect(self, entries: range, weight: float) -> None:
        """Enter the current strategy into the average."""
        floor = self.options.floor if self.options.floor_in_average else 0.0
        for entry, probability in zip(
            entries, match_regrets(self.regrets, entries, floor), strict=True
        ):
            self.average[entry] += weight * float(probability)
