"""Plain twins of the response kernels: training for one player, and the value of a deal."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.solve import Deals
from riverboat.tree import DECISION, Tree

__all__ = ["Dealt", "ResponseTraining", "deal_value"]

Table = NDArray[np.float64] | NDArray[np.float32]


@dataclass
class Dealt:
    """One deal on a tree: the bucket of each group, the showdown strengths by seat.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import enumerate_deals
    >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
    >>> dealt = Dealt(deals, *deals.compiled.draw(1, 0))
    >>> len(dealt.buckets), dealt.row(0).stop - dealt.row(0).start
    (2, 2)
    """

    deals: Deals
    buckets: list[int]
    strengths: list[list[int]]

    @property
    def tree(self) -> Tree:
        """The tree of the deals."""
        return self.deals.tree

    def row(self, node: int) -> slice:
        """Where the infoset of a decision lies in a table."""
        tree, group = self.tree, int(self.tree.group[node])
        base = self.deals.compiled.base(group)
        begin = base + self.buckets[group] * int(tree.group_entries[group]) + int(tree.offset[node])
        return slice(begin, begin + int(tree.num_actions[node]))

    def payoff(self, node: int, player: int) -> float:
        """What a terminal pays."""
        lines = self.tree.swap_lines[node]
        shown = [by_line[line] for by_line, line in zip(self.strengths, lines, strict=True)]
        return float(self.tree.settle(node, shown)[player])


def deal_value(dealt: Dealt, player: int, own: Table, others: Table, node: int = 0) -> float:
    """What `player` wins, over all actions of everybody.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import enumerate_deals
    >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
    >>> even = np.full(deals.num_entries, 0.5)
    >>> dealt = Dealt(deals, *deals.compiled.draw(1, 0))
    >>> deal_value(dealt, 0, even, even) == -deal_value(dealt, 1, even, even)
    True
    """
    tree = dealt.tree
    if tree.kind[node] != DECISION:
        return dealt.payoff(node, player)
    strategy = (own if tree.player[node] == player else others)[dealt.row(node)]
    return sum(
        float(probability) * deal_value(dealt, player, own, others, child)
        for probability, child in zip(strategy, tree.children(node), strict=True)
    )


@dataclass
class ResponseTraining:
    """External sampling for one player against a frozen strategy (Lanctot et al. 2009).

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.plain import Random
    >>> from riverboat.solve import enumerate_deals
    >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
    >>> even = np.full(deals.num_entries, 0.5)
    >>> training = ResponseTraining(0, even, np.zeros(24), np.zeros(24), 1.0)
    >>> _ = training.walk(Dealt(deals, *deals.compiled.draw(1, 0)), Random(2).uniform)
    >>> int(np.count_nonzero(training.average))
    4
    """

    player: int
    frozen: Table
    regrets: Table
    average: Table
    weight: float

    def walk(
        self, dealt: Dealt, uniform: Callable[[], float], node: int = 0, reach: float = 1.0
    ) -> float:
        """Walk all of the player's actions and one of everybody else's."""
        tree = dealt.tree
        if tree.kind[node] != DECISION:
            return dealt.payoff(node, self.player)
        row, children = dealt.row(node), tree.children(node)
        if tree.player[node] != self.player:
            steps = np.cumsum(self.frozen[row])
            action = min(int(np.searchsorted(steps, uniform(), side="right")), len(steps) - 1)
            return self.walk(dealt, uniform, children[action], reach)
        positive = np.maximum(self.regrets[row], 0)
        even = np.full(len(children), 1 / len(children))
        strategy = positive / positive.sum() if positive.sum() > 0 else even
        values = np.array(
            [
                self.walk(dealt, uniform, child, reach * probability)
                for child, probability in zip(children, strategy, strict=True)
            ]
        )
        mean = float(strategy @ values)
        self.regrets[row] += values - mean
        self.average[row] += self.weight * reach * strategy
        return mean
