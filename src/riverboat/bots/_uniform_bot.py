"""Plays every action of a strategy's menu with equal probability: uniform play on its tree."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np

from riverboat.bots._all_hands import HandStrategies
from riverboat.bots._simple_bots import RandomBot
from riverboat.cards import NUM_HOLES

if TYPE_CHECKING:
    from riverboat.blueprint import Query
    from riverboat.game import View


class UniformBot:
    """Draws uniformly from the actions of the tree's decision; the fallback `uniform`.

    It is what CFR plays before its first visit: bets have the sizes of the menu, where the bot
    `random` bets any amount. Where the table is off the tree it plays as `random` does.

    Parameters
    ----------
    query
        Knows the tree and its menu.
    seed
        Of its draws: the same views in the same order get the same answers.

    Examples
    --------
    >>> import numpy as np
    >>> from riverboat.blueprint import EnumeratedBuckets, Query
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.tree import Tree
    >>> class Untrained:
    ...     tree = Tree(catalogue("kuhn"), "min")
    ...     def row(self, node, bucket):
    ...         return None
    >>> bot = UniformBot(Query(Untrained(), EnumeratedBuckets(Untrained.tree)), seed=1)
    >>> bot.strategy(Hand(Untrained.tree.spec, seed=1).view(0))
    {'k': 0.5, 'b1': 0.5}
    """

    def __init__(self, query: Query, seed: int) -> None:
        self.query = query
        self._random = random.Random(seed)  # noqa: S311 - a game, no secret
        self._off_tree = RandomBot(seed)

    def act(self, view: View) -> str:
        """Choose a move."""
        menu = self.query.menu(view)
        if not menu:
            return self._off_tree.act(view)
        actions, chances = zip(*menu, strict=True)
        return str(self._random.choices(actions, chances)[0])

    def strategy(self, view: View) -> dict[str, float]:
        """Return the probability of each move; off the tree its move has probability 1."""
        menu = self.query.menu(view)
        return dict(menu) if menu else {self._off_tree.act(view): 1.0}

    def strategies(self, view: View) -> HandStrategies:
        """Return the same for every hole pair."""
        menu = dict(self.query.menu(view))
        if not menu:
            return self._off_tree.strategies(view)
        row = np.array(list(menu.values()))
        return HandStrategies(tuple(menu), np.broadcast_to(row, (NUM_HOLES, len(row))))
