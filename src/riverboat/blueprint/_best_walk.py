"""What a best response to a strategy is worth to every hand: a walk that takes the best action.

The responder knows the other's range and strategy and plays each hand for itself; only the cards
to come are unknown to him. So before a card all boards that it may make are walked at once.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from riverboat.blueprint._hand_walk import HandWalk
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.blueprint._hand_walk import WalkRange

    _Floats = NDArray[np.float64]

__all__ = ["BestWalk"]


class BestWalk(HandWalk):
    """Values of one player's hands below a node, each played as well as it can be.

    The boards are all that can come. Values are those of the walk over a strategy, but where a card
    comes they are the mean over it: [1, 1326].
    """

    def _value(self, node: int, other: WalkRange, chance: float) -> _Floats:
        tree = self._tree
        if tree.kind[node] != DECISION or tree.player[node] != self._player:
            return super()._value(node, other, chance)
        children = tree.children(node)
        return reduce(np.maximum, [self._below(node, child, other, 1.0) for child in children])

    def _below(self, node: int, child: int, other: WalkRange, chance: float) -> _Floats:
        value = super()._below(node, child, other, chance)
        end = int(self._tree.street[child])
        if end == int(self._tree.street[node]):
            return value
        alive = self._boards[end].alive
        count = np.maximum(alive.sum(axis=0, keepdims=True), 1)
        mean: _Floats = np.where(alive, value, 0.0).sum(axis=0, keepdims=True) / count
        return mean
