"""Pure CFR (Gibson 2014, PhD thesis, chapter 5).

All players follow a pure strategy that is drawn anew in proportion to positive regrets;
all numbers are integers. A row of counts is halved where one of them is full. With more than two
players a walk of its own counts, as in external sampling.
"""

from __future__ import annotations

from twins.walk import Walk

__all__ = ["PureWalk"]


class PureWalk(Walk):
    """A traversal; regrets are against the value of the drawn action.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.plain import Game, Random, plain_deals
    >>> from twins.walk import Options
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> game = Game(tree, plain_deals(tree))
    >>> import numpy as np
    >>> regrets, average = np.zeros(24, np.int32), np.zeros(24, np.uint32)
    >>> walk = PureWalk(game, Options(), regrets, average)
    >>> walk.traverse(0, game.deals[0], Random(1))
    >>> bool(regrets.any())
    True
    """

    def begin(self) -> None:
        """Walk from the root."""
        self.walk(0)
        self.collect_own()

    def count(self, entries: range, choice: int) -> None:
        """Count a drawn action."""
        if self.average[entries[choice]] == 2**32 - 1:
            self.average[entries.start : entries.stop] //= 2
        self.average[entries[choice]] += 1

    def enter(self, entries: range) -> int:
        """Draw an action and count it."""
        choice = self.drawn(entries)
        self.count(entries, choice)
        return choice

    def walk(self, node: int) -> int:
        """Return what the traverser wins, chips."""
        game = self.game
        if game.is_terminal[node]:
            return int(game.utility(node, self.deal, self.player))
        entries = game.entries(node, self.deal)
        choice = self.drawn(entries)
        children = game.children[node]
        if game.player[node] != self.player:
            if game.num_players == 2:
                self.count(entries, choice)
            return self.walk(children[choice])
        values = [self.walk(child) for child in children]
        for entry, value in zip(entries, values, strict=True):
            self.regrets[entry] += value - values[choice]
        return values[choice]

    def drawn(self, entries: range) -> int:
        """An action in proportion to its positive regret."""
        positive = [max(int(self.regrets[entry]), 0) for entry in entries]
        if sum(positive) == 0:
            return self.random.below(len(entries))
        left = self.random.below(sum(positive))
        for action, regret in enumerate(positive):
            left -= regret
            if left < 0:
                return action
        raise AssertionError("the drawn number lies below the sum")
