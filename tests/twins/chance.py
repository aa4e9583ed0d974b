"""Chance-sampled CFR (Zinkevich, Johanson, Bowling & Piccione 2007, section 3.4).

The deal is sampled; all actions of both players are walked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twins.walk import F, Walk

if TYPE_CHECKING:
    import numpy as np

__all__ = ["ChanceWalk"]


class ChanceWalk(Walk):
    """A traversal; own and other are the reach probabilities of the two players.

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
    >>> walk = ChanceWalk(game, Options(), regrets, average)
    >>> walk.traverse(0, game.deals[0], Random(1))
    >>> bool(regrets.any())
    True
    """

    def begin(self) -> None:
        """Walk from the root."""
        self.walk(0, F(1), F(1))

    def walk(self, node: int, own: np.float32, other: np.float32) -> np.float32:
        """Return the expected utility of the traverser."""
        game = self.game
        if game.is_terminal[node]:
            return game.utility(node, self.deal, self.player)
        entries = game.entries(node, self.deal)
        strategy = self.strategy(entries)
        mine = game.player[node] == self.player
        values = [
            self.walk(child, own * probability, other)
            if mine
            else self.walk(child, own, other * probability)
            for child, probability in zip(game.children[node], strategy, strict=True)
        ]
        mean = F(0)
        for probability, value in zip(strategy, values, strict=True):
            mean += probability * value
        if mine:
            self.collect(entries, self.options.average_weight * float(own))
            for entry, value in zip(entries, values, strict=True):
                self.regrets[entry] += other * (value - mean)
        return mean
