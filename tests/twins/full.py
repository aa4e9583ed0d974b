"""Full-width CFR with alternating updates, deal by deal (Zinkevich et al. 2007).

All deals and all actions of everybody are walked in every iteration; what becomes of the regrets
is the rule's.
"""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from riverboat.plain import Infoset

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.plain import Deal, Game, RegretRule

__all__ = ["FullWalk"]


class FullWalk:
    """Tables of a run, in float64.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.plain import CfrPlus, Game, plain_deals
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> full = FullWalk(Game(tree, plain_deals(tree)), CfrPlus())
    >>> for step in range(1, 4):
    ...     full.iterate(step)
    >>> full.regrets.min() >= 0
    np.True_
    """

    def __init__(self, game: Game, rule: RegretRule) -> None:
        self.game = game
        self.rule = rule
        self.regrets: NDArray[np.float64] = np.zeros(game.num_entries)
        self.average: NDArray[np.float64] = np.zeros(game.num_entries)
        self.latest: NDArray[np.float64] = np.zeros(game.num_entries)

    def iterate(self, step: int) -> None:
        """Iteration 1, 2, ..: a traversal for each player in turn."""
        self.step = step
        self.average_weight = self.rule.average_weight(step)
        for player in range(self.game.num_players):
            self.player = player
            self.now: dict[int, list[float]] = {}
            self.change: dict[int, list[float]] = {}
            for deal, weight in zip(self.game.deals, self.game.weights, strict=True):
                self.walk(0, deal, 1.0, weight, weight)
            for row, change in self.change.items():
                entries = slice(row, row + len(change))
                regrets = self.rule.update(self.infoset(entries), np.array(change))
                self.rule.discount(regrets, step)
                self.regrets[entries], self.latest[entries] = regrets, change

    def infoset(self, entries: slice) -> Infoset:
        """What the rule is told."""
        return Infoset(self.regrets[entries], self.latest[entries], self.step)

    def strategy(self, entries: range) -> list[float]:
        """What the rule plays, throughout a traversal."""
        row = entries.start
        if row not in self.now:
            infoset = self.infoset(slice(row, entries.stop))
            self.now[row] = self.rule.strategy(infoset).tolist()
        return self.now[row]

    def walk(self, node: int, deal: Deal, own: float, other: float, chance: float) -> float:
        """Return the counterfactual value: utility times the reach of chance and the others."""
        game = self.game
        if game.is_terminal[node]:
            return other * float(game.utility(node, deal, self.player))
        entries, children = game.entries(node, deal), game.children[node]
        strategy = self.strategy(entries)
        if game.player[node] != self.player:
            walked = (
                self.walk(child, deal, own, other * probability, chance)
                for child, probability in zip(children, strategy, strict=True)
            )
            return reduce(add, walked, 0.0)  # `sum` rounds otherwise from Python 3.12 on
        values = [
            self.walk(child, deal, own * probability, other, chance)
            for child, probability in zip(children, strategy, strict=True)
        ]
        mean = reduce(add, (p * value for p, value in zip(strategy, values, strict=True)), 0.0)
        change = self.change.setdefault(entries.start, [0.0] * len(entries))
        for action, (entry, probability) in enumerate(zip(entries, strategy, strict=True)):
            change[action] += values[action] - mean
            self.average[entry] += self.average_weight * chance * own * probability
        return mean
