"""What a strategy that plays itself is worth by node and bucket, hand by hand.

It is the guess of AIVAT (Burch, Schmid, Moravcik, Morrill & Bowling 2018) at a state's value.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from riverboat.plain import Role, vector_walk
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twins.public_chance import PublicGame

__all__ = ["PublicValuesWalk"]

# Of the own hand: what a player would never do must have a worth too.
_LEAST_REACH: Final = 1e-3

Vector = NDArray[Any]
Count = Literal["entered", "begun"]
Key = tuple[Count, int, int, int]


class PublicValuesWalk:
    """Sums of worth and weight, over the public outcomes that were walked.

    Parameters
    ----------
    game
        Of two players.
    strategy
        [entries] probabilities, in the order of `PublicGame.row`.

    Attributes
    ----------
    sums
        Worth times weight, and weight, by kind, node, seat and bucket. `entered` goes by the
        bucket that the seat has when the action is made that leads to the node, `begun` by the one
        that it has at the node: they differ where a street begins.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from twins.public_chance import PublicGame
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> pairs, order = 1.0 - np.eye(3)[None], np.arange(3, dtype=np.uint32)
    >>> game = PublicGame(tree, [3, 3], pairs, order[None], np.tile(order, (1, 2, 1)))
    >>> walk = PublicValuesWalk(game, np.full(game.num_entries, 0.5))
    >>> walk.run(0)
    >>> worth, weight = walk.sums["begun", 0, 0, 2]  # a king, to act first
    >>> float(worth / weight)
    1.125
    """

    def __init__(self, game: PublicGame, strategy: NDArray[np.floating]) -> None:
        self.game, self.played = game, strategy.astype(np.float64)
        self.sums: defaultdict[Key, NDArray[np.float64]] = defaultdict(lambda: np.zeros(2))

    def run(self, outcome: int) -> None:
        """Add what a public outcome has."""
        weights = self.game.weights[outcome]
        pairs = weights / weights.sum()
        self.pairs = (pairs, pairs.T)
        self.strengths: list[int] = self.game.strengths[outcome].tolist()
        self.buckets: list[list[int]] = self.game.buckets[outcome].tolist()
        ones = np.ones(len(self.strengths))
        vector_walk(self.game.tree, self, [ones, ones])

    def ends(self, node: int, reach: Sequence[Vector]) -> list[Vector] | None:
        """Return what terminals pay both seats."""
        if self.game.tree.kind[node] == DECISION:
            return None
        return [self.pay(node, 0, reach[1]), self.pay(node, 1, reach[0])]

    def role(self, node: int) -> Role:
        """Each seat has its reach and its values."""
        mover = int(self.game.tree.player[node])
        return Role(mover, mover)

    def strategy(self, node: int) -> Vector:
        """Return how often each hand takes each action."""
        actions = range(int(self.game.tree.num_actions[node]))
        return np.array([self.chances(node, action) for action in actions])

    def finish(
        self, node: int, reach: Sequence[Vector], values: list[list[Vector]], out: list[Vector]
    ) -> list[Vector]:
        """Keep the values of the node, and of its actions."""
        tree, strategy = self.game.tree, self.strategy(node)
        mover = int(tree.player[node])
        for child, row, found in zip(tree.children(node), strategy, values, strict=True):
            below = list(reach)
            below[mover] = reach[mover] * row
            for seat in range(2):
                weight = self.pairs[seat] @ below[1 - seat]
                self.keep(("entered", child, seat), node, reach[seat], weight, found[seat])
        for seat in range(2):
            weight = self.pairs[seat] @ reach[1 - seat]
            self.keep(("begun", node, seat), node, reach[seat], weight, out[seat])
        return out

    def chances(self, node: int, action: int) -> NDArray[np.float64]:
        """Return how often each hand takes an action."""
        buckets = self.buckets[int(self.game.tree.group[node])]
        rows = [self.game.row(node, bucket) for bucket in buckets]
        chances: NDArray[np.float64] = self.played[np.array(rows) + action]
        return chances

    def pay(self, node: int, seat: int, other: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum what an end pays over the other's hands."""
        paid = np.zeros_like(self.pairs[seat])
        for mine, theirs in np.ndindex(paid.shape):
            strengths = [self.strengths[mine], self.strengths[theirs]]
            paid[mine, theirs] = self.game.tree.settle(node, strengths[:: -1 if seat else 1])[seat]
        return np.asarray((self.pairs[seat] * paid) @ other)

    def keep(
        self,
        key: tuple[Count, int, int],
        node: int,
        own: NDArray[np.float64],
        weight: NDArray[np.float64],
        worth: NDArray[np.float64],
    ) -> None:
        """Add up by the bucket that the seat has on the node's street."""
        tree = self.game.tree
        places = list(zip(tree.group_street, tree.group_player, strict=True))
        buckets = self.buckets[places.index((tree.street[node], key[2]))]
        share = np.maximum(own, _LEAST_REACH)
        for bucket, *parts in zip(buckets, share * worth, share * weight, strict=True):
            self.sums[(*key, bucket)] += parts
