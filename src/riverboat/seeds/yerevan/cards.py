"""The limit game with buckets, ready for a solver."""

from typing import Any

import numpy as np

from riverboat.evaluate import response_bound
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.yerevan.data import MBB, amounts, recipe
from riverboat.seeds.yerevan.trial import Measure, workers_of
from riverboat.solve import Deals, Solver
from riverboat.training import Recipe, Setup, load_recipe, prepare

__all__ = ["bound_by_response", "limit_recipe", "limit_setup"]

# Responses are trained and scored on other deals than strategies are.
_OTHER_SEED = 0x5EED_0F_0123


def limit_recipe(run: Reproduction, **changes: Any) -> Recipe:
    """Return the training recipe of this run."""
    own = {"cards": amounts(run).cards, "seed": run.seed, "threads": run.workers}
    return load_recipe(recipe().training).changed({**own, **changes})


def limit_setup(run: Reproduction, **changes: Any) -> Setup:
    """Prepare tree, cards and deals."""
    return prepare(limit_recipe(run, **changes))


def bound_by_response(run: Reproduction, deals: Deals) -> Measure:
    """Make a measure: a lower bound of exploitability in the abstraction, by trained responses."""
    given = amounts(run)

    def measure(solver: Solver) -> tuple[float, float]:
        found = response_bound(
            deals,
            solver.strategy(np.float32),
            iterations=given.response_iterations,
            score_deals=given.response_deals,
            seed=run.seed ^ _OTHER_SEED,
            threads=workers_of(run),
            prior=recipe().bound.prior,
        ).bound
        low, high = found.interval
        return found.mean * MBB, (high - low) / 2 * MBB

    return measure
