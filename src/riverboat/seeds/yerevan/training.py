"""The seed's own system: Pure CFR on limit hold'em with isomorphism and buckets."""

import time

import msgspec
import numpy as np

from riverboat.evaluate import sampled_value
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.yerevan.cards import bound_by_response, limit_recipe
from riverboat.seeds.yerevan.data import MBB, Trial, amounts
from riverboat.seeds.yerevan.trial import run_trial, workers_of
from riverboat.solve import Solver
from riverboat.training import prepare, write_result
from riverboat.tree import Tree

__all__ = ["BLUEPRINT", "Training", "train_pure"]

#: The trained strategy, a file of the run's folder.
BLUEPRINT = "yerevan.blueprint"


class Training(msgspec.Struct, frozen=True):
    """The long run of Pure CFR."""

    trial: Trial
    threads: int
    preparing: float
    """Seconds of the clock until the first iteration: cards from the cache, or built."""
    decisions: int
    buckets: tuple[int, ...]
    """By street."""
    recall: bool
    """Whether buckets tell those of earlier streets."""
    value: float
    value_margin: float
    """Of the small blind under the average strategy, mbb a hand."""
    blueprint_bytes: int


def train_pure(run: Reproduction) -> Training:
    """Train Pure CFR, measure it on its way, write the strategy file."""
    given = amounts(run)
    began = time.monotonic()
    plan = limit_recipe(run)
    setup = prepare(plan)
    preparing = time.monotonic() - began
    solver = Solver(setup.deals, plan.solver_scheme(), seed=run.seed, threads=workers_of(run))
    trial = run_trial(
        "pure",
        solver,
        given.train_times,
        bound_by_response(run, setup.deals),
        tell=lambda share: run.tell(0.9 * share, "Pure CFR"),
    )
    write_result(run.path(BLUEPRINT), setup, plan, solver)
    value = sampled_value(
        setup.deals,
        solver.strategy(np.float32),
        score_deals=given.value_deals,
        seed=run.seed + 1,
    )
    low, high = value.interval
    buckets = _by_street(setup.tree, setup.deals.num_buckets)
    return Training(
        trial,
        solver.threads,
        preparing,
        int(sum(setup.tree.num_decisions)),
        buckets,
        setup.cards is not None and setup.cards.recall,
        value.mean * MBB,
        (high - low) / 2 * MBB,
        run.path(BLUEPRINT).stat().st_size,
    )


def _by_street(tree: Tree, by_group: tuple[int, ...]) -> tuple[int, ...]:
    """Return the buckets of each street from those of each group."""
    streets = dict(zip(tree.group_street.tolist(), by_group, strict=True))
    return tuple(streets[street] for street in sorted(streets))
