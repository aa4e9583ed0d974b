"""A whole run of a scheme, iteration by iteration, with its steps, floors and discounts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riverboat.plain import Cfr, CfrPlus, Dcfr, Linear, PredictivePlus, Random
from twins.average_strategy import AverageStrategyWalk
from twins.chance import ChanceWalk
from twins.external import ExternalWalk, collecting_interval
from twins.forked import ForkedWalk
from twins.full import FullWalk
from twins.outcome import OutcomeWalk
from twins.pure import PureWalk
from twins.walk import Options, Walk

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.plain import Game, RegretRule
    from riverboat.solve import Scheme

__all__ = ["train"]

WALKS: dict[str, type[Walk]] = {
    "external": ExternalWalk,
    "outcome": OutcomeWalk,
    "chance": ChanceWalk,
    "average-strategy": AverageStrategyWalk,
    "pure": PureWalk,
}
RULES: dict[str, type[Cfr]] = {
    "cfr": Cfr,
    "cfr+": CfrPlus,
    "linear": Linear,
    "predictive+": PredictivePlus,
}
POWERS = {"uniform": 0, "linear": 1, "quadratic": 2}
Tables = tuple["NDArray[Any]", "NDArray[Any]"]


def train(
    game: Game,
    scheme: Scheme,
    seed: int,
    iterations: int,
    start: Tables | None = None,
) -> Tables:
    """Run a scheme with one thread and return its tables, bit for bit the kernels'.

    Parameters
    ----------
    game
        What to solve.
    scheme
        Any but public-chance sampling, whose walk is `PublicChanceWalk`.
    seed
        Of the random streams: iteration t draws from (seed, t).
    iterations
        How many.
    start
        Both tables to begin with; zero by default.

    Returns
    -------
    tuple
        Cumulative regrets and the cumulative average strategy, [entries] each.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.plain import Game, plain_deals
    >>> from riverboat.solve import Scheme
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> regrets, average = train(Game(tree, plain_deals(tree)), Scheme("pure"), 1, 100)
    >>> regrets.dtype, int(average.sum()) > 200
    (dtype('int32'), True)
    """
    rule = _rule(scheme)
    if scheme.sampling == "full":
        return _train_full(game, rule, iterations, start)
    regrets, average = _tables(game, scheme, start)
    for iteration in range(iterations):
        step = 1 + iteration // scheme.step_iterations
        options = _options(scheme, iteration)
        options.average_weight = rule.average_weight(step)
        options.average_every = scheme.average_every or collecting_interval(game)
        kind = ForkedWalk if scheme.forks else WALKS[scheme.sampling]
        walk = kind(game, options, regrets, average)
        random = Random(seed, iteration)
        deal = game.draw(random)
        for player in range(game.num_players):
            walk.traverse(player, deal, random)
        if (iteration + 1) % scheme.step_iterations == 0:
            rule.discount(regrets, step)
    return regrets, average


def _tables(game: Game, scheme: Scheme, start: Tables | None) -> Tables:
    """Return the tables to begin with; pure CFR counts in integers."""
    pure = scheme.sampling == "pure"
    regrets = np.zeros(game.num_entries, np.int32 if pure else np.float32)
    average = np.zeros(game.num_entries, np.uint32 if pure else np.float64)
    if start is not None:
        regrets[:], average[:] = start
    return regrets, average


def _train_full(game: Game, rule: RegretRule, iterations: int, start: Tables | None) -> Tables:
    full = FullWalk(game, rule)
    if start is not None:
        full.regrets[:], full.average[:] = start
    for step in range(1, iterations + 1):
        full.iterate(step)
    return full.regrets, full.average


def _rule(scheme: Scheme) -> RegretRule:
    """The rule of a scheme with its exponents."""
    power = _power(scheme)
    if scheme.rule == "dcfr":
        return Dcfr(power, scheme.delay, scheme.alpha, scheme.beta)
    return RULES[scheme.rule](power, scheme.delay)


def _power(scheme: Scheme) -> float:
    """DCFR's gamma, which is 2 unless said otherwise, or what the averaging says."""
    if scheme.gamma is not None:
        return scheme.gamma
    if scheme.averaging is not None:
        return POWERS[scheme.averaging]
    return 2 if scheme.rule == "dcfr" else 0


def _options(scheme: Scheme, iteration: int) -> Options:
    """Return the options of one iteration, counted from 0."""
    prune = scheme.prune if scheme.prune and iteration >= scheme.prune.after else None
    return Options(
        floor=next((floor for until, floor in scheme.floor if iteration < until), 0.0),
        floor_in_average=scheme.floor_in_average,
        epsilon=scheme.exploration,
        tau=scheme.tau,
        beta=scheme.beta_offset,
        prune_below=prune.below if prune else 0.0,
        prune_probability=prune.probability if prune else 0.0,
        explore=scheme.explore.probability if scheme.explore else 0.0,
        explore_weight=scheme.explore.weight if scheme.explore else 0.0,
        plus=scheme.rule == "cfr+",
        more_than=scheme.forks.more_than if scheme.forks else 0,
        last_street=scheme.forks.last_street if scheme.forks else 0,
    )
