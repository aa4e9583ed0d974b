"""One walk over a public tree with a number for every hand, like the core's.

A *vector* has a number for each hand of a public outcome, or for each deal of a small game. The
walk carries reaches down and values up. What it computes depends on its parts: regrets and averages
(`tests/twins/public_chance.py`), values of a strategy, or a best response (`best_response`).
"""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riverboat.tree import Tree

    Vector = NDArray[np.floating[Any]]


class Role(NamedTuple):
    """What the probabilities of the player to act do."""

    reach: int | None = None
    """The reach that they multiply."""
    value: int | None = None
    """The values that they weigh; other values are summed."""


class VectorParts(Protocol):
    """The parts of a `vector_walk`."""

    def ends(self, node: int, reach: Sequence[Vector]) -> list[Vector] | None:
        """Return the values of a terminal, or of a subtree without effect; None elsewhere."""

    def role(self, node: int) -> Role:
        """Return what a decision does with reaches and values."""

    def strategy(self, node: int) -> Vector:
        """Return the strategy of a decision, [actions, hands]."""

    def finish(
        self, node: int, reach: Sequence[Vector], values: list[list[Vector]], out: list[Vector]
    ) -> list[Vector]:
        """Return the values of a decision, from those of its actions; learn."""


def vector_walk(
    tree: Tree, parts: VectorParts, reach: Sequence[Vector], node: int = 0
) -> list[Vector]:
    """Return the values at a node, each [hands].

    Parameters
    ----------
    tree
        The public tree.
    parts
        What is computed.
    reach
        The reaches at the node, each [hands].
    node
        Where the walk begins.

    Examples
    --------
    Uniform play of Kuhn poker, deal by deal: the first player wins 1/8 of a chip.

    >>> from riverboat.game import catalogue
    >>> from riverboat.plain import Game, plain_deals, profile_value
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> game = Game(tree, plain_deals(tree))
    >>> round(profile_value(game, np.full(game.num_entries, 0.5), 0), 3)
    0.125
    """
    known = parts.ends(node, reach)
    if known is not None:
        return known
    strategy, role = parts.strategy(node), parts.role(node)
    values = []
    for action, child in enumerate(tree.children(node)):
        below = list(reach)
        if role.reach is not None:
            below[role.reach] = reach[role.reach] * strategy[action]
        values.append(vector_walk(tree, parts, below, child))
    out = []
    for index, by_action in enumerate(zip(*values, strict=True)):
        weights = strategy if index == role.value else np.ones(len(strategy), strategy.dtype)
        out.append(reduce(add, (w * value for w, value in zip(weights, by_action, strict=True))))
    return parts.finish(node, reach, values, out)
