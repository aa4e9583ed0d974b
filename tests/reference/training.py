"""A whole run of a scheme, iteration by iteration, with its steps, floors and discounts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from reference.average_strategy import AverageStrategy
from reference.cfr import F, Game, Options, Walk
from reference.chance import Chance
from reference.external import External, collecting_interval
from reference.full import Full, Rule
from reference.outcome import Outcome
from reference.pure import Pure
from reference.random import Random

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.solve import Scheme

WALKS: dict[str, type[Walk]] = {
    "external": External,
    "outcome": Outcome,
    "chance": Chance,
    "average-strategy": AverageStrategy,
    "pure": Pure,
}
POWERS = {"uniform": 0, "linear": 1, "quadratic": 2}
Tables = tuple["NDArray[Any]", "NDArray[Any]"]


def train(
    game: Game,
    scheme: Scheme,
    seed: int,
    iterations: int,
    start: NDArray[Any] | None = None,
    *,
    average: NDArray[Any] | None = None,
) -> Tables:
    """Return regrets and cumulative average after a run with one thread, from given ones."""
    rule = Rule(scheme.rule, scheme.alpha, scheme.beta)
    if scheme.sampling == "full":
        return _train_full(game, scheme, rule, iterations, start)
    pure = scheme.sampling == "pure"
    regrets = np.zeros(game.num_entries, np.int32 if pure else np.float32)
    if average is None:
        average = np.zeros(game.num_entries, np.uint32 if pure else np.float64)
    average = average.copy()
    if start is not None:
        regrets[:] = start
    for iteration in range(iterations):
        options = _options(scheme, iteration)
        options.average_every = scheme.average_every or collecting_interval(game)
        walk = WALKS[scheme.sampling](game, options, regrets, average)
        random = Random(seed, iteration)
        deal = game.draw(random)
        for player in range(game.num_players):
            walk.traverse(player, deal, random)
        if (iteration + 1) % scheme.step_iterations == 0 and scheme.rule in {"linear", "dcfr"}:
            positive, negative = rule.factors((iteration + 1) // scheme.step_iterations)
            regrets *= np.where(regrets > 0, F(positive), F(negative))
    return regrets, average


def _train_full(
    game: Game, scheme: Scheme, rule: Rule, iterations: int, start: NDArray[Any] | None
) -> Tables:
    full = Full(game, rule)
    if start is not None:
        full.regrets[:] = start
    for t in range(1, iterations + 1):
        full.iterate(t, _average_weight(scheme, t))
    return full.regrets, full.average


def _average_weight(scheme: Scheme, t: int) -> float:
    """Weight of step t: a power of the steps after the delay."""
    after = t - scheme.delay
    return float(after ** _power(scheme)) if after > 0 else 0.0


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
        average_weight=_average_weight(scheme, 1 + iteration // scheme.step_iterations),
        epsilon=scheme.exploration,
        tau=scheme.tau,
        beta=scheme.beta_offset,
        prune_below=prune.below if prune else 0.0,
        prune_probability=prune.probability if prune else 0.0,
        plus=scheme.rule == "cfr+",
    )
