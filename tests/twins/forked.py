"""External sampling with a thread for each large subtree (Lin, section 6.1), in turn.

A large subtree, one whose decision has many actions on an early street, draws from a random stream
of its own. So the order in which threads walk such subtrees does not matter, and one after the
other gives the same tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverboat.plain import Random
from twins.external import ExternalWalk

if TYPE_CHECKING:
    import numpy as np

__all__ = ["ForkedWalk"]


class ForkedWalk(ExternalWalk):
    """A traversal in which each large subtree of the traverser's actions has its own stream.

    Examples
    --------
    >>> import numpy as np
    >>> from riverboat.game import catalogue
    >>> from riverboat.plain import Game, plain_deals
    >>> from twins.walk import Options
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> game = Game(tree, plain_deals(tree))
    >>> regrets, average = np.zeros(24, np.float32), np.zeros(24, np.float64)
    >>> walk = ForkedWalk(game, Options(more_than=1), regrets, average)
    >>> walk.traverse(0, game.deals[0], Random(1))
    >>> bool(regrets.any())
    True
    """

    def walk_action(self, child: int, scale: np.float32) -> np.float32:
        """Walk an action of the traverser; a large subtree has a stream of its own."""
        if not self.is_large(child):
            return self.walk(child, scale)
        shared, self.random = self.random, Random(self.random.next())
        value = self.walk(child, scale)
        self.random = shared
        return value

    def is_large(self, child: int) -> bool:
        """Whether the subtree gets a thread."""
        game, options = self.game, self.options
        return (
            not game.is_terminal[child]
            and len(game.children[child]) > options.more_than
            and game.street[child] <= options.last_street
        )
