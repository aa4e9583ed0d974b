"""Average-strategy sampling (Gibson, Burch, Lanctot & Szafron 2012, algorithm 1).

Each action a of the traverser is walked with the probability
max(epsilon, (beta + tau * s(I, a)) / (beta + sum of s(I, .))), at most 1, where s is the
cumulative average strategy; one action of the other player is sampled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twins.walk import F, Walk

if TYPE_CHECKING:
    import numpy as np

__all__ = ["AverageStrategyWalk"]


class AverageStrategyWalk(Walk):
    """A traversal; `sampled` is the paper's q.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.plain import Game, Random, plain_deals
    >>> from twins.walk import Options
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> game = Game(tree, plain_deals(tree))
    >>> import numpy as np
    >>> regrets, average = np.zeros(24, np.float32), np.zeros(24, np.float64)
    >>> walk = AverageStrategyWalk(game, Options(), regrets, average)
    >>> walk.traverse(0, game.deals[0], Random(1))
    >>> bool(regrets.any())
    True
    """

    def begin(self) -> None:
        """Walk from the root."""
        self.walk(0, F(1))

    def walk(self, node: int, sampled: np.float32) -> np.float32:
        """Return the sampled counterfactual value."""
        game = self.game
        if game.is_terminal[node]:
            return game.utility(node, self.deal, self.player) / sampled
        entries = game.entries(node, self.deal)
        strategy = self.strategy(entries)
        if game.player[node] != self.player:
            self.collect(entries, self.options.average_weight / float(sampled))
            return self.walk(game.children[node][self.random.draw(strategy)], sampled)
        chances = self.chances(entries)
        values, mean = [], F(0)
        for child, chance, probability in zip(game.children[node], chances, strategy, strict=True):
            walked = F(self.random.uniform()) < chance
            values.append(self.walk(child, sampled * chance) if walked else F(0))
            mean += probability * values[-1]
        for entry, value in zip(entries, values, strict=True):
            self.regrets[entry] += value - mean
        return mean

    def chances(self, entries: range) -> list[np.float32]:
        """How likely each action is to be walked."""
        epsilon, tau, beta = F(self.options.epsilon), self.options.tau, self.options.beta
        total = beta
        for entry in entries:
            total += self.average[entry]
        return [
            min(F(1), max(epsilon, F((beta + tau * self.average[entry]) / total)))
            for entry in entries
        ]
