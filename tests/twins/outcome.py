"""Outcome-sampling MCCFR (Lanctot et al. 2009, section 3.1), epsilon-on-policy.

One action at every node; the traverser explores with probability epsilon. W is the utility
times the others' reach of the infoset over the probability q of the sampled line z:
r(I, a) = W * (tail(I a, z) - tail(I, z)) for the sampled action, -W * tail(I, z) for others,
where a tail is the probability of the rest of the line under the current strategies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twins.walk import F, Walk

if TYPE_CHECKING:
    import numpy as np

__all__ = ["OutcomeWalk"]


class OutcomeWalk(Walk):
    """A traversal; the average is that of all others, weighted by own reach over q.

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
    >>> walk = OutcomeWalk(game, Options(), regrets, average)
    >>> walk.traverse(0, game.deals[0], Random(1))
    >>> bool(regrets.any())
    True
    """

    def begin(self) -> None:
        """Walk from the root."""
        self.walk(0, [F(1)] * self.game.num_players, F(1))

    def walk(
        self, node: int, reach: list[np.float32], sampled: np.float32
    ) -> tuple[np.float32, np.float32]:
        """Return utility over q, and the tail."""
        game = self.game
        if game.is_terminal[node]:
            return game.utility(node, self.deal, self.player) / sampled, F(1)
        player = game.player[node]
        own = player == self.player
        entries = game.entries(node, self.deal)
        strategy = self.strategy(entries)
        sampling = self.explored(strategy) if own else strategy
        action = self.random.draw(sampling)
        if not own:
            weight = self.options.average_weight * float(reach[player]) / float(sampled)
            self.collect(entries, weight)
        below = list(reach)
        below[player] *= strategy[action]
        child = game.children[node][action]
        value, tail = self.walk(child, below, sampled * sampling[action])
        if own:
            self.update(entries, strategy[action], action, value * self.others(reach) * tail)
        return value, tail * strategy[action]

    def explored(self, strategy: list[np.float32]) -> list[np.float32]:
        """The strategy mixed with uniform play."""
        epsilon, even = F(self.options.epsilon), F(1) / F(len(strategy))
        return [epsilon * even + (F(1) - epsilon) * probability for probability in strategy]

    def others(self, reach: list[np.float32]) -> np.float32:
        """Reach of all but the traverser."""
        product = F(1)
        for player, probability in enumerate(reach):
            if player != self.player:
                product *= probability
        return product

    def update(
        self, entries: range, probability: np.float32, sampled_action: int, weighted: np.float32
    ) -> None:
        """Add the sampled regrets of an infoset."""
        for action, entry in enumerate(entries):
            share = F(1) - probability if action == sampled_action else -probability
            self.regrets[entry] += weighted * share
