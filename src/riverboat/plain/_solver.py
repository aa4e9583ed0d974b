"""A solver with a regret rule and a sampling scheme in Python: slow, for your own ideas.

It is Monte Carlo CFR in its general form (Lanctot, Waugh, Zinkevich & Bowling 2009), with one
traversal for all sampling schemes. It divides payoffs and contributions to the average strategy by
the probability that the traversal gets there, so that values, regrets and averages are unbiased. If
everything is visited, it is CFR.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riverboat.errors import SolveError
from riverboat.plain._game import Nodes
from riverboat.plain._random import Random
from riverboat.plain._regret_rules import Cfr, Infoset
from riverboat.plain._samplings import Choice, Full
from riverboat.solve import BaseSolver, Scheme, Tables, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from riverboat.plain._regret_rules import RegretRule
    from riverboat.plain._samplings import Sampling
    from riverboat.solve import Crew, Deals

_SEEDS = 2**64
_SAMPLED_STEP = 10_000  # as in `riverboat.solve.Scheme`


class _Deal(NamedTuple):
    """One deal: its probability, the bucket of each group, strengths by player and swap line."""

    chance: float
    buckets: list[int]
    strengths: tuple[tuple[int, ...], ...]


class _Nodes(Nodes):
    """The tree and the payoffs of its terminals."""

    def __init__(self, deals: Deals) -> None:
        super().__init__(deals.tree, deals.compiled.num_buckets)
        self._payoffs: dict[tuple[int, tuple[tuple[int, ...], ...]], list[float]] = {}

    def row(self, node: int, deal: _Deal) -> slice:
        """Return the table entries of a decision's infoset."""
        begin = self.place(node, deal.buckets)
        return slice(begin, begin + len(self.children[node]))

    def payoff(self, node: int, deal: _Deal, player: int) -> float:
        """Return the payoff of a terminal, chips."""
        key = node, deal.strengths
        if key not in self._payoffs:
            lines = self.tree.swap_lines[node]
            shown = [by_line[line] for by_line, line in zip(deal.strengths, lines, strict=True)]
            self._payoffs[key] = self.tree.settle(node, shown).tolist()
        return self._payoffs[key][player]


class Solver(BaseSolver):
    """A solver for any regret rule and sampling scheme: `riverboat.solve.Solver` in plain Python.

    It uses the same trees, deals and table layout, and returns the same reports, strategies and
    states.

    Parameters
    ----------
    deals
        The game: a tree with a dealer.
    rule
        The regret rule; `Cfr` by default.
    sampling
        The sampling scheme; `Full` by default.
    seed
        Random seed, 0 to 2^64 - 1. The core's samplers draw the same deals and actions with it.
    step
        Number of iterations with the same discount and averaging weight. None = 1 if every
        iteration visits all deals, else 10,000.

    Examples
    --------
    >>> from riverboat.evaluate import exploitability
    >>> from riverboat.game import catalogue
    >>> from riverboat.plain import CfrPlus
    >>> from riverboat.solve import enumerate_deals
    >>> from riverboat.tree import Tree
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), CfrPlus())
    >>> solver.run_all(iterations=100).iterations
    100
    >>> exploitability(solver.deals, solver.strategy()).exploitability < 0.01
    True
    """

    def __init__(
        self,
        deals: Deals,
        rule: RegretRule | None = None,
        sampling: Sampling | None = None,
        *,
        seed: int = 0,
        step: int | None = None,
    ) -> None:
        self.seed = whole_number("seed", seed, 0, 2**64 - 1)
        self.rule: RegretRule = Cfr() if rule is None else rule
        self.sampling: Sampling = Full() if sampling is None else sampling
        if step is None:
            step = 1 if self.sampling.every_deal else _SAMPLED_STEP
        size = whole_number("step", step, 1, 2**62)
        # Float64, with a table of the latest changes, which any rule may use.
        tables = Tables.empty(Scheme("full", "predictive+"), deals.num_entries)
        kernel = _Kernel(deals, self.rule, self.sampling, self.seed, size, tables)
        super().__init__(deals, tables, kernel)


@dataclass(eq=False)
class _Kernel:
    """A kernel in Python for any regret rule and sampling scheme."""

    deals: Deals
    rule: RegretRule
    sampling: Sampling
    seed: int
    step_iterations: int
    tables: Tables
    threads: int = 1

    def __post_init__(self) -> None:
        self._nodes = _Nodes(self.deals)
        self._every = list(_every_deal(self.deals)) if self.sampling.every_deal else []

    def run(self, first: int, last: int, crew: Crew) -> int:  # noqa: ARG002 - one thread
        """Run iterations `first` to `last - 1`; return the number of visited decision nodes."""
        self.entered = 0
        for iteration in range(first, last):
            self.step = 1 + iteration // self.step_iterations
            self.average_weight = self.rule.average_weight(self.step)
            deals, self.random = self._dealt(iteration)
            for player in range(self.deals.tree.num_players):
                self._traverse(player, deals)
                if (iteration + 1) % self.step_iterations == 0:
                    self._discount(player)
        return self.entered

    def _dealt(self, iteration: int) -> tuple[list[_Deal], Random]:
        """Return the deals of an iteration, and the random stream for its actions."""
        random = Random(self.seed, iteration)
        if self.sampling.every_deal:
            return self._every, random
        buckets, strengths = self.deals.compiled.draw(self.seed, iteration)
        if self.deals.num_deals is None:  # the deal used an unknown number of random numbers
            random = Random((self.seed + 1) % _SEEDS, iteration)
        else:
            random.uniform()  # the deal
        return [_Deal(1.0, buckets, tuple(map(tuple, strengths)))], random

    def _traverse(self, player: int, deals: list[_Deal]) -> None:
        """Traverse the tree for one player, then update that player's regrets."""
        self.player = player
        self.strategies: dict[int, NDArray[np.float64]] = {}
        self.changes: dict[int, NDArray[np.float64]] = {}
        for deal in deals:
            self.deal = deal
            self.walk(0, [1.0] * self.deals.tree.num_players, deal.chance, 1.0)
        for start, change in self.changes.items():
            row = slice(start, start + len(change))
            self.tables.regrets[row] = self.rule.update(self._infoset(row), change)
            self.tables.predictions[row] = change

    def walk(self, node: int, reach: list[float], others: float, sampled: float) -> float:
        """Return the sampled counterfactual value.

        reach: of each player. others: reach of chance and all players but the traverser. sampled:
        the probability that the traversal visits this node.
        """
        if self._nodes.is_terminal[node]:
            return self._nodes.payoff(node, self.deal, self.player) * (others / sampled)
        self.entered += 1
        actor = self._nodes.player[node]
        own = actor == self.player
        row = self._nodes.row(node, self.deal)
        strategy = self._strategy(row)
        if own == (self.sampling.collects == "own"):
            weight = self.average_weight * self.deal.chance * reach[actor] / sampled
            self.tables.average[row] += weight * strategy
        values = np.zeros(len(strategy))
        choice = Choice(own, strategy, self.tables.average[row])
        for action, chance in self.sampling.walked(choice, self.random):
            played = float(strategy[action])
            below = [*reach[:actor], reach[actor] * played, *reach[actor + 1 :]]
            beyond = others if own else others * played
            child = self._nodes.children[node][action]
            values[action] = self.walk(child, below, beyond, sampled * chance)
        if not own:
            return float(values.sum())
        mean = float(strategy @ values)
        self.changes[row.start] = self.changes.get(row.start, 0.0) + (values - mean)
        return mean

    def _strategy(self, row: slice) -> NDArray[np.float64]:
        """Return the rule's strategy in an infoset, which is fixed during a traversal."""
        if row.start not in self.strategies:
            given = np.asarray(self.rule.strategy(self._infoset(row)), np.float64)
            if given.shape != (row.stop - row.start,) or not _is_distribution(given):
                raise SolveError(
                    f"the strategy of a rule must be {row.stop - row.start} probabilities with sum "
                    f"1, not {given.tolist()} of {type(self.rule).__name__}"
                )
            self.strategies[row.start] = given
        return self.strategies[row.start]

    def _infoset(self, row: slice) -> Infoset:
        return Infoset(self.tables.regrets[row], self.tables.predictions[row], self.step)

    def _discount(self, player: int) -> None:
        """Discount all regrets of a player at the end of a step, also of infosets not visited."""
        for group in np.flatnonzero(self.deals.tree.group_player == player).tolist():
            self.rule.discount(self.deals.rows(self.tables.regrets, group), self.step)


def _is_distribution(given: NDArray[np.float64]) -> bool:
    return bool(given.min() >= 0 and abs(given.sum() - 1) < 1e-9)


def _every_deal(deals: Deals) -> Iterator[_Deal]:
    """Yield all deals with their probabilities."""
    buckets, strengths, weights = deals.arrays()
    for seen, shown, weight in zip(buckets.tolist(), strengths.tolist(), weights, strict=True):
        yield _Deal(float(weight), seen, tuple((strength,) for strength in shown))
