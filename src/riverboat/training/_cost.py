"""Estimate the memory, disk space and time of a training run before it starts."""

import time
from dataclasses import asdict, dataclass
from typing import Any, Final

from riverboat.buckets import ProgressCall, no_progress
from riverboat.cards import STREETS, TABLE_BYTES, table_path
from riverboat.errors import RunError
from riverboat.runs import available_memory, peak_memory
from riverboat.solve import Solver
from riverboat.training._plan import PROCESS_BYTES, Plan, Setup, Sizes, prepare
from riverboat.training._progress import measure
from riverboat.training._recipe import Recipe

_SCORED: Final = (200, 2_000)  # numbers of deals of the two small measurements
_BRIEFLY: Final = 0.001  # seconds; the minimum of `bound.seconds`


@dataclass(frozen=True, slots=True)
class Cost:
    """Estimated memory, disk space and time of a run."""

    sizes: Sizes
    members: int
    memory_bytes: int
    """Tables, tree, bucket tables, measurements and the process itself."""
    preparing_bytes: int
    """Peak memory of this process while cards were prepared, with the cached tables that it
    read; 0 if the system does not report it."""
    available_bytes: int
    blueprint_bytes: int
    """Blueprints of all members and of their combination."""
    checkpoint_bytes: int
    """Checkpoints of all members; one needs twice the space while it is replaced."""
    cache_bytes: int
    """Hand-strength and bucket tables in the cache folder, whether built already or not."""
    cache_built: bool
    """Whether the hand-strength tables are built."""
    iterations_per_second: float
    calibration_seconds: float
    """Time over which the speed was measured; iterations become slower as strategies mix."""
    iterations: int
    """Iterations of one member: the budget, or as many as its seconds allow."""
    training_seconds: float
    """Time for all members, at the measured speed."""
    measuring_seconds: float
    """Time of all measurements of the members and their combination."""

    @property
    def seconds(self) -> float:
        """Time of training and measuring together."""
        return self.training_seconds + self.measuring_seconds

    def as_dict(self) -> dict[str, Any]:
        """Return the estimate as plain values."""
        return asdict(self)


def cost_of(
    recipe: Recipe | Plan, calibration_seconds: float = 3.0, progress: ProgressCall = no_progress
) -> Cost:
    """Estimate what a run will cost; a short trial run measures the speed.

    Parameters
    ----------
    recipe
        The recipe, or its plan.
    calibration_seconds
        Duration of the trial run, whose result is discarded.
    progress
        Called while cards are prepared.

    Examples
    --------
    >>> from riverboat.training import load_recipe
    >>> cost = cost_of(load_recipe("kuhn"), calibration_seconds=0.1)
    >>> cost.iterations, cost.memory_bytes < 1e9
    (10000, True)
    """
    plan = Plan.of(recipe)
    sizes, recipe = plan.check_memory(), plan.recipe
    setup = prepare(plan, progress)
    prepared = peak_memory()
    speed, seconds = _calibrate(recipe, setup, calibration_seconds)
    iterations, training = _budget(recipe, speed)
    files = recipe.ensemble + (recipe.ensemble > 1)
    return Cost(
        sizes=sizes,
        members=recipe.ensemble,
        memory_bytes=sizes.memory_bytes + PROCESS_BYTES,
        preparing_bytes=prepared,
        available_bytes=available_memory(),
        blueprint_bytes=files * sizes.blueprint_bytes,
        checkpoint_bytes=recipe.ensemble * sizes.table_bytes,
        cache_bytes=sizes.bucket_bytes + TABLE_BYTES if plan.cards else 0,
        cache_built=all(table_path(street).exists() for street in STREETS),
        iterations_per_second=speed,
        calibration_seconds=seconds,
        iterations=iterations,
        training_seconds=training * recipe.ensemble,
        measuring_seconds=_measuring(recipe, setup, training),
    )


def _calibrate(recipe: Recipe, setup: Setup, seconds: float) -> tuple[float, float]:
    """Measure iterations per second in a short run, after a warm-up of a tenth of its time."""
    solver = Solver(setup.deals, recipe.solver_scheme, seed=recipe.seed, threads=setup.threads)
    for _ in solver.slices(seconds=seconds / 10):
        pass
    before, began = solver.iterations, time.perf_counter()
    for _ in solver.slices(seconds=seconds):
        pass
    elapsed = time.perf_counter() - began
    return (solver.iterations - before) / elapsed, elapsed


def _budget(recipe: Recipe, speed: float) -> tuple[int, float]:
    """Iterations and seconds of one member."""
    iterations, seconds = recipe.budget.iterations, recipe.budget.seconds
    if iterations is None and seconds is None:
        raise RunError("the recipe has no budget: set budget.iterations, budget.seconds or both")
    by_time = float("inf") if seconds is None else seconds * speed
    count = int(min(by_time, float("inf") if iterations is None else iterations))
    return count, count / speed


def _measuring(recipe: Recipe, setup: Setup, training: float) -> float:
    """Seconds of all measurements, extrapolated from a small one of a uniform strategy."""
    bound = recipe.bound
    if bound.every == 0:
        return 0.0
    combination = recipe.ensemble > 1
    times = 1 + (int(training / bound.every) if bound.every else 0)
    return (recipe.ensemble * times + combination) * _measurement(recipe, setup)


def _measurement(recipe: Recipe, setup: Setup) -> float:
    """Seconds of one measurement.

    Here the responses are trained only briefly, and scored on two different numbers of deals. The
    difference gives the time per deal; the rest does not depend on the number of deals.
    """
    bound = recipe.bound
    strategy = setup.average(Solver(setup.deals, recipe.solver_scheme, threads=setup.threads))
    if setup.exact:
        return measure(setup, strategy, recipe).cost
    small, large = (min(bound.deals, count) for count in _SCORED)
    brief = [
        recipe.changed({"bound.seconds": _BRIEFLY, "bound.deals": count})
        for count in (small, large)
    ]
    costs = [measure(setup, strategy, variant).cost for variant in brief]
    per_deal = max(0.0, costs[1] - costs[0]) / max(1, large - small)
    training = setup.tree.spec.players * (bound.seconds - _BRIEFLY)
    return max(0.0, training) + costs[1] + per_deal * (bound.deals - large)
