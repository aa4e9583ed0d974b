"""Monte Carlo CFR in its general form (Lanctot, Waugh, Zinkevich & Bowling 2009).

One walk for any sampling: what is found below an action is divided by the probability with which
it was walked, and what enters the tables by the probability with which the walk came there. So
values, regrets and averages are right in expectation; where all is walked, it is CFR itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riverboat.errors import SolveError
from riverboat.plain._random import Random
from riverboat.plain._regret_rules import Infoset
from riverboat.plain._response import Dealt
from riverboat.plain._samplings import Choice
from riverboat.solve import deal_arrays
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from riverboat.plain._regret_rules import RegretRule
    from riverboat.plain._samplings import Sampling
    from riverboat.solve import Deals, Tables

__all__ = ["PlainKernel"]

_SEEDS = 2**64


@dataclass(eq=False)
class PlainKernel:
    """A kernel in Python, for any rule and sampling."""

    deals: Deals
    rule: RegretRule
    sampling: Sampling
    seed: int
    step_iterations: int
    tables: Tables
    threads: int = 1

    def __post_init__(self) -> None:
        self._every = list(_every_deal(self.deals)) if self.sampling.every_deal else []

    def run(self, first: int, last: int, pool: Executor) -> int:  # noqa: ARG002 - one thread
        """Run iterations `first` to `last - 1`; return how many decision nodes were entered."""
        self.nodes = 0
        for iteration in range(first, last):
            self.step = 1 + iteration // self.step_iterations
            self.average_weight = self.rule.average_weight(self.step)
            self._iterate(iteration)
        return self.nodes

    def _iterate(self, iteration: int) -> None:
        """Traverse for each player in turn."""
        deals, self.random = self._dealt(iteration)
        num_players = self.deals.tree.num_players
        for player in range(num_players):
            self.player = player
            self.strategies: dict[int, NDArray[np.float64]] = {}
            self.changes: dict[int, NDArray[np.float64]] = {}
            for self.deal, self.chance in deals:
                self.walk(0, [1.0] * num_players, 1.0)
            for start, change in self.changes.items():
                self._update(slice(start, start + len(change)), change)
            if (iteration + 1) % self.step_iterations == 0:
                self._discount(player)

    def _dealt(self, iteration: int) -> tuple[list[tuple[Dealt, float]], Random]:
        """Deals of an iteration with their weights, and the random stream for the rest."""
        if self.sampling.every_deal:
            return self._every, Random(self.seed, iteration)
        dealt = Dealt(self.deals, *self.deals.compiled.draw(self.seed, iteration))
        if self.deals.num_deals is None:  # the cards took more numbers than we know
            return [(dealt, 1.0)], Random((self.seed + 1) % _SEEDS, iteration)
        random = Random(self.seed, iteration)
        random.uniform()  # the deal
        return [(dealt, 1.0)], random

    def walk(self, node: int, reach: list[float], sampled: float) -> float:
        """Return an estimate of what the traverser wins from here on.

        reach: of each player; sampled: the probability that the walk comes here.
        """
        tree = self.deals.tree
        if tree.kind[node] != DECISION:
            return self.deal.payoff(node, self.player)
        self.nodes += 1
        row, actor, children = self.deal.row(node), int(tree.player[node]), tree.children(node)
        own = actor == self.player
        strategy = self._strategy(row)
        if own == (self.sampling.collects == "own"):
            weight = self.average_weight * self.chance * reach[actor] / sampled
            self.tables.average[row] += weight * strategy
        values = np.zeros(len(strategy))
        choice = Choice(own, strategy, self.tables.average[row])
        for action, probability in self.sampling.walked(choice, self.random):
            below = list(reach)
            below[actor] *= float(strategy[action])
            value = self.walk(children[action], below, sampled * probability)
            values[action] = value / probability
        mean = float(strategy @ values)
        if own:
            others = math.prod(reach[:actor] + reach[actor + 1 :])
            change = self.chance * others / sampled * (values - mean)
            self.changes[row.start] = self.changes.get(row.start, 0.0) + change
        return mean

    def _strategy(self, row: slice) -> NDArray[np.float64]:
        """What the rule plays in an infoset, throughout a traversal."""
        if row.start not in self.strategies:
            given = np.asarray(self.rule.strategy(self._infoset(row)), np.float64)
            if given.shape != (row.stop - row.start,) or not _is_distribution(given):
                raise SolveError(
                    f"the strategy of a rule is {row.stop - row.start} probabilities that sum to "
                    f"1, not {given.tolist()} of {type(self.rule).__name__}"
                )
            self.strategies[row.start] = given
        return self.strategies[row.start]

    def _infoset(self, row: slice) -> Infoset:
        return Infoset(self.tables.regrets[row], self.tables.predictions[row], self.step)

    def _update(self, row: slice, change: NDArray[np.float64]) -> None:
        self.tables.regrets[row] = self.rule.update(self._infoset(row), change)
        self.tables.predictions[row] = change

    def _discount(self, player: int) -> None:
        """End a step for a player: all his infosets, also those that were not walked."""
        for group in np.flatnonzero(self.deals.tree.group_player == player).tolist():
            self.rule.discount(self.deals.rows(self.tables.regrets, group), self.step)


def _is_distribution(given: NDArray[np.float64]) -> bool:
    return bool(given.min() >= 0 and abs(given.sum() - 1) < 1e-9)


def _every_deal(deals: Deals) -> Iterator[tuple[Dealt, float]]:
    """All deals with their probabilities."""
    buckets, strengths, weights = deal_arrays(deals)
    for seen, shown, weight in zip(buckets.tolist(), strengths.tolist(), weights, strict=True):
        yield Dealt(deals, seen, [[strength] for strength in shown]), float(weight)
