"""Public-chance-sampled CFR (Johanson, Bard, Lanctot, Gibson & Bowling 2012), hand by hand.

The public outcome is sampled; the walk carries a number for each private hand of both players.
Vectors and regrets are float32, averages and sums over hands float64, as in the kernel: regret
matching is not continuous, and other roundings would part ways with it sooner or later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from riverboat.plain import Role, vector_walk
from riverboat.tree import DECISION, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.solve import Scheme

__all__ = ["PublicChanceWalk", "PublicGame"]

F = np.float32
Vector = NDArray[Any]


@dataclass(frozen=True)
class PublicGame:
    """A tree with public outcomes and the pairs of hands that go with each."""

    tree: Tree
    num_buckets: list[int]
    """By group."""
    weights: NDArray[np.float64]
    """[outcomes, hands of seat 0, hands of seat 1]"""
    strengths: NDArray[np.uint32]
    """[outcomes, hands] bigger is better."""
    buckets: NDArray[np.uint32]
    """[outcomes, groups, hands]"""

    def row(self, node: int, bucket: int) -> int:
        """First table entry of an infoset: groups one after the other, bucket by bucket."""
        group = int(self.tree.group[node])
        entries: list[int] = self.tree.group_entries.tolist()
        base = sum(n * e for n, e in zip(self.num_buckets[:group], entries, strict=False))
        return base + bucket * entries[group] + int(self.tree.offset[node])

    @property
    def num_entries(self) -> int:
        """Length of a table."""
        entries: list[int] = self.tree.group_entries.tolist()
        return sum(n * e for n, e in zip(self.num_buckets, entries, strict=True))


class PublicChanceWalk:
    """Tables of a run.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import Scheme
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> pairs, order = 1.0 - np.eye(3)[None], np.arange(3, dtype=np.uint32)
    >>> game = PublicGame(tree, [3, 3], pairs, order[None], np.tile(order, (1, 2, 1)))
    >>> walk = PublicChanceWalk(game, Scheme("public-chance", "cfr+"))
    >>> walk.run([0, 0, 0])
    >>> bool(walk.regrets.min() >= 0)
    True
    """

    def __init__(self, game: PublicGame, scheme: Scheme) -> None:
        self.game = game
        self.scheme = scheme
        self.regrets = np.zeros(game.num_entries, F)
        self.average = np.zeros(game.num_entries)
        self.predictions = np.zeros(game.num_entries, F)

    def run(self, outcomes: list[int]) -> None:
        """Run an iteration for each of the public outcomes; discount after each step."""
        size = self.scheme.step_iterations
        for iteration, outcome in enumerate(outcomes):
            step = iteration // size + 1
            late = step - self.scheme.delay
            self.average_weight = late**self.scheme.average_power if late > 0 else 0.0
            self.draw(outcome)
            for self.player in (0, 1):
                ones = np.ones(len(self.strengths), F)
                own = self.pairs[self.player].sum(axis=1, dtype=np.float64).astype(F)
                vector_walk(self.game.tree, self, [own, ones])
            if (iteration + 1) % size == 0:
                self.discount(step)

    def draw(self, outcome: int) -> None:
        """Set what depends on the public outcome only."""
        weights = self.game.weights[outcome]
        pairs = weights / weights.sum()
        self.pairs = (pairs.astype(F), pairs.T.astype(F))
        self.strengths = self.game.strengths[outcome].tolist()
        self.buckets = self.game.buckets[outcome].tolist()

    def ends(self, node: int, reach: Sequence[Vector]) -> list[Vector] | None:
        """Return what terminals pay, and 0 where neither player comes."""
        own, other = reach
        if self.game.tree.kind[node] != DECISION:
            return [self.pay(node, other)]
        if self.scheme.rule != "predictive+" and not own.any() and not other.any():
            return [np.zeros(len(own), F)]
        return None

    def role(self, node: int) -> Role:
        """The traverser's own reach is for the average only."""
        return Role(0, 0) if self.game.tree.player[node] == self.player else Role(1)

    def strategy(self, node: int) -> Vector:
        """Match regrets, bucket by bucket."""
        buckets = self.buckets[int(self.game.tree.group[node])]
        matched = {bucket: self.match(node, bucket) for bucket in set(buckets)}
        return np.array([matched[bucket] for bucket in buckets], F).T

    def finish(
        self, node: int, reach: Sequence[Vector], values: list[list[Vector]], out: list[Vector]
    ) -> list[Vector]:
        """Update the traverser's buckets by the sums over their hands."""
        if self.game.tree.player[node] != self.player:
            return out
        buckets = self.buckets[int(self.game.tree.group[node])]
        for bucket in set(buckets):
            hands = [hand for hand, its in enumerate(buckets) if its == bucket]
            sums = [sum(float(value[hand]) for hand in hands) for [value] in values]
            own = sum(float(reach[0][hand]) for hand in hands)
            self.update(self.game.row(node, bucket), self.match(node, bucket), sums, own)
        return out

    def pay(self, node: int, other: NDArray[F]) -> NDArray[F]:
        """Sum what a terminal pays over the other player's hands."""
        tree = self.game.tree
        out = []
        for mine, pairs in enumerate(self.pairs[self.player]):
            total = 0.0
            for theirs, pair in enumerate(pairs):
                strengths = [self.strengths[mine], self.strengths[theirs]]
                paid = tree.settle(node, strengths[:: -1 if self.player else 1])[self.player]
                total += float(pair) * float(other[theirs]) * float(paid)
            out.append(total)
        return np.array(out, F)

    def match(self, node: int, bucket: int) -> list[F]:
        """Regret matching; with the last regret added once more, if the rule predicts."""
        row = self.game.row(node, bucket)
        regrets = self.regrets[row : row + int(self.game.tree.num_actions[node])]
        if self.scheme.rule == "predictive+":
            regrets = regrets + self.predictions[row : row + len(regrets)]
        positive = np.maximum(regrets, F(0))
        total = F(0)
        for regret in positive:
            total += regret
        if total == 0:
            return [F(1) / F(len(regrets))] * len(regrets)
        return [regret * (F(1) / total) for regret in positive]

    def update(self, row: int, strategy: list[F], sums: list[float], reach: float) -> None:
        """Add the regrets and average contributions of a bucket, summed over its hands."""
        mean = sum(float(p) * value for p, value in zip(strategy, sums, strict=True))
        for action, probability in enumerate(strategy):
            regret = F(sums[action] - mean)
            total = self.regrets[row + action] + regret
            plus = self.scheme.rule in {"cfr+", "predictive+"}
            self.regrets[row + action] = max(total, F(0)) if plus else total
            self.predictions[row + action] = regret
            self.average[row + action] += self.average_weight * reach * float(probability)

    def discount(self, step: int) -> None:
        """Shrink all regrets at the end of a step (linear CFR, DCFR)."""
        if self.scheme.rule not in {"linear", "dcfr"}:
            return
        linear = self.scheme.rule == "linear"
        up = step ** (1.0 if linear else self.scheme.alpha)
        down = step ** (1.0 if linear else self.scheme.beta)
        factors = np.where(self.regrets > 0, F(up / (up + 1)), F(down / (down + 1)))
        self.regrets *= factors.astype(F)
