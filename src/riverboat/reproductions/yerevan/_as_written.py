"""The algorithm of section 3.4.1 beside ours, and four bets per player.

Section 3.4.1 deals nine cards, traverses the whole tree, and keeps a matrix [buckets, actions] of
probabilities at each node. A leaf pays half of the pot. Where a regret is positive, it updates the
probabilities, which are in proportion to positive regrets. The current strategy is played.
"""

from dataclasses import replace
from functools import lru_cache, partial
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.game import GameSpec, catalogue
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions._work import do_jobs, iterate_told
from riverboat.reproductions.yerevan._training import (
    DATA,
    bound_by_response,
    exactly,
    limit_recipe,
    run_trial,
    stops_at,
)
from riverboat.solve import SCHEMES, Deals, Solver, enumerate_deals, tabulate
from riverboat.training import load_recipe, prepare
from riverboat.tree import DECISION, FOLD, Tree

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]


class Way(NamedTuple):
    """A reading of section 3.4.1."""

    only_positive: bool
    """Whether only positive regrets of a deal are added; else all regrets are."""
    half_pot: bool
    """Whether every leaf pays half the pot; else a fold costs the chips that the player put in."""


WAYS = {"written": Way(True, True), "chips": Way(True, False), "chance": Way(False, False)}


class AsWritten:
    """CFR by section 3.4.1: one deal per iteration, the whole tree, both players.

    Parameters
    ----------
    deals
        A game of two players with tabulated deals.
    way
        How it updates and what a leaf pays.
    seed
        Random seed of the deals.

    Attributes
    ----------
    regrets, average
        [entries] sums of regrets, chips, and of strategies weighted by own reach.
    """

    def __init__(self, deals: Deals, way: Way, seed: int) -> None:
        self.deals, self.way, self.seed, self.iterations = deals, way, seed, 0
        self.regrets, self.average = np.zeros((2, deals.num_entries))
        self._matching = Solver(deals, SCHEMES["chance"])  # normalises whole tables
        tree = deals.tree
        depth, order = _by_depth(tree)
        place = np.argsort(order)
        # From here on nodes are numbered by depth, and siblings follow each other.
        self._levels = np.searchsorted(depth[order], np.arange(depth.max() + 2)).tolist()
        self._parent: _Ints = place[tree.parent[order[1:]]]
        self._first: _Ints = np.flatnonzero(np.diff(self._parent, prepend=-1))
        self._actor: _Ints = tree.player[order][self._parent].astype(np.int64)
        self._group: _Ints = tree.group[order][self._parent].astype(np.int64)
        action = np.arange(len(order) - 1) - np.repeat(self._first, self._counts())
        self._offset: _Ints = tree.offset[order][self._parent].astype(np.int64) + action
        self._bases: _Ints = np.array(tree.table_bases(deals.num_buckets)[:-1], np.int64)
        self._entries: _Ints = tree.group_entries.astype(np.int64)
        self._payoffs = [_payoffs(tree, shown, way)[order] for shown in ((0, 1), (0, 0), (1, 0))]

    def _counts(self) -> _Ints:
        return np.diff(self._first, append=len(self._parent))

    def run(self, iterations: int) -> None:
        """Traverse more deals."""
        for iteration in range(self.iterations, self.iterations + iterations):
            buckets, strengths = self.deals.compiled.draw(self.seed, iteration)
            self._traverse(np.array(buckets), np.sign(strengths[0][0] - strengths[1][0]))
        self.iterations += iterations

    def _traverse(self, buckets: _Ints, winner: int) -> None:
        """Traverse the tree for one deal and update both players; winner: 1, 0 or -1."""
        rows = (self._bases + buckets * self._entries)[self._group] + self._offset
        chances = self._matched(self.regrets[rows])
        reach = self._reaches(chances)
        values = self._payoffs[winner + 1].copy()  # of the first player
        for begin, end in zip(self._levels[-2:0:-1], self._levels[:1:-1], strict=True):
            below = slice(begin - 1, end - 1)  # edges are numbered by their lower ends
            np.add.at(values, self._parent[below], chances[below] * values[begin:end])
        gain = np.where(self._actor == 0, 1.0, -1.0) * (values[1:] - values[self._parent])
        regret = reach[1 - self._actor, self._parent] * gain
        self.regrets[rows] += np.maximum(regret, 0.0) if self.way.only_positive else regret
        self.average[rows] += reach[self._actor, self._parent] * chances

    def _matched(self, regrets: _Floats) -> _Floats:
        """Return the probabilities of all edges by regret matching."""
        positive, counts = np.maximum(regrets, 0.0), self._counts()
        sums = np.repeat(np.add.reduceat(positive, self._first), counts)
        return np.where(
            sums > 0, positive / np.where(sums > 0, sums, 1.0), 1 / np.repeat(counts, counts)
        )

    def _reaches(self, chances: _Floats) -> _Floats:
        """Return [players, nodes] the probability that a player's actions lead to a node."""
        reach = np.ones((2, len(self._parent) + 1))
        edges = np.where(self._actor == np.arange(2)[:, None], chances, 1.0)
        for begin, end in zip(self._levels[1:], self._levels[2:], strict=False):
            below = slice(begin - 1, end - 1)
            reach[:, begin:end] = reach[:, self._parent[below]] * edges[:, below]
        return reach

    def exploitable(self, sums: _Floats) -> float:
        """Return the exact exploitability of play in proportion to positive sums, mbb/hand."""
        self._matching.regrets[:] = sums
        return exactly(self.deals, self._matching.current_strategy()).mean


def _by_depth(tree: Tree) -> tuple[_Ints, _Ints]:
    """Return the depth of each node, and the nodes ordered by depth and parent."""
    depth = np.zeros(tree.num_nodes, np.int64)
    for node in range(1, tree.num_nodes):
        depth[node] = depth[tree.parent[node]] + 1
    order: _Ints = np.array([0], np.int64)
    levels = [order]
    while len(order):
        inner = order[tree.kind[order] == DECISION]
        children = [np.array(tree.children(int(node)), np.int64) for node in inner]
        order = np.concatenate(children) if children else np.array([], np.int64)
        levels.append(order)
    return depth, np.concatenate(levels)


def _payoffs(tree: Tree, shown: tuple[int, int], way: Way) -> _Floats:
    """Return [nodes] the first player's payoff, chips; 0 at decisions."""
    found = np.zeros(tree.num_nodes)
    for node in np.flatnonzero(tree.kind != DECISION).tolist():
        found[node] = tree.settle(node, shown)[0]
        if way.half_pot and tree.kind[node] == FOLD:  # the pot has the bet that was not called
            pot = tree.contributions[tree.parent[node]].sum()
            found[node] = np.sign(found[node]) * pot / 2
    return found


def compare_as_written(run: ReproductionRun) -> Found:
    """Train by section 3.4.1, with one change at a time, and Pure CFR, for equal work."""
    amounts, found = DATA.amounts(run), Found()
    limit = Cards(amounts.exact_cards, amounts.exact_deals, run.seed)
    games: dict[str, Cards | None] = {"limit": limit, "leduc": None}
    for part, (name, cards) in run.part(0.0, 0.8).parts(list(games.items())):
        seeds = range(run.seed, run.seed + amounts.written_seeds)
        jobs = [(way, seed) for way in (*WAYS, "pure") for seed in seeds]
        work = partial(_trial, cards, amounts.written_iterations)
        done = dict(zip(jobs, do_jobs(part, work, jobs, f"section 3.4.1, {name}"), strict=True))
        found[name] = Found(
            iterations=amounts.written_iterations,
            decisions=int(sum(_game(cards).tree.num_decisions)),
            ways={way: [done[way, seed] for seed in seeds] for way in (*WAYS, "pure")},
        )
    return Found(games=found, each=_four_each(run.part(0.8, 1.0)))


class Cards(NamedTuple):
    """A tabulated distribution of limit hold'em's cards: buckets, sampled deals, random seed."""

    buckets: str
    deals: int
    seed: int


@lru_cache(maxsize=2)
def _game(cards: Cards | None) -> Deals:
    """Return limit hold'em with these cards, or Leduc hold'em; once per process."""
    if cards is None:
        return enumerate_deals(Tree(catalogue("leduc"), "min"))
    recipe = load_recipe(DATA.training).changed({"cards": cards.buckets, "threads": 1})
    return tabulate(prepare(recipe).deals, cards.deals, cards.seed, merged=True)


def _trial(cards: Cards | None, stops: tuple[int, ...], job: tuple[str, int]) -> Found:
    """Return the exploitability of the current and average strategy at numbers of deals.

    Pure CFR gets as many visited decision nodes instead, because its iterations are shorter.
    """
    (way, seed), deals = job, _game(cards)
    current, average = list[float](), list[float]()
    if way == "pure":
        solver = Solver(deals, SCHEMES["pure"], seed=seed)
        for stop in stops:
            _visit(solver, stop * sum(deals.tree.num_decisions))
            current.append(exactly(deals, solver.current_strategy()).mean)
            average.append(exactly(deals, solver.strategy()).mean)
        return Found(current=current, average=average)
    trained = AsWritten(deals, WAYS[way], seed)
    for stop in stops:
        trained.run(stop - trained.iterations)
        current.append(trained.exploitable(trained.regrets))
        average.append(trained.exploitable(trained.average))
    return Found(current=current, average=average)


def _visit(solver: Solver, nodes: int) -> None:
    """Run a solver until it has visited a number of decision nodes."""
    while solver.nodes < nodes:
        rate = solver.nodes / solver.iterations if solver.iterations else nodes
        solver.run_all(iterations=max(1, int((nodes - solver.nodes) / rate)))


def four_bets_each() -> GameSpec:
    """Return limit hold'em in which each player bets or raises at most four times per street.

    Examples
    --------
    >>> Tree(four_bets_each(), "min").num_decisions
    (18, 306, 5202, 88434)
    """
    limit = catalogue("limit")
    own = [replace(street, max_raises=None, max_raises_per_seat=4) for street in limit.streets]
    return limit.replace(name="limit, four bets each", streets=tuple(own))


def _four_each(run: ReproductionRun) -> Found:
    """Train Pure CFR with four bets per player for the CPU time of the bot's training."""
    amounts = DATA.amounts(run)
    plan = limit_recipe(run, game=msgspec.to_builtins(four_bets_each()), cards=amounts.each_cards)
    setup = prepare(plan)
    solver = Solver(setup.deals, plan.solver_scheme, seed=run.seed, threads=setup.threads)
    course = iterate_told(run, solver, stops_at([amounts.each_time]), "four bets per player")
    trial = run_trial(solver, course, bound_by_response(run, setup.deals))
    return Found(trial=trial, decisions=int(sum(setup.tree.num_decisions)))
