"""What a run will cost: memory, disk and time, before it begins."""

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

_SCORED: Final = (200, 2_000)  # deals of the small measurements
_BRIEFLY: Final = 0.001  # seconds, the least that a bound has


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run will cost."""

    sizes: Sizes
    members: int
    memory_bytes: int
    """Tables, tree, bucket tables, measuring, the process itself."""
    preparing_bytes: int
    """Most that this process had in memory while cards were prepared, with the tables of the
    cache that it read; 0 where the system does not tell."""
    available_bytes: int
    blueprint_bytes: int
    """Of all members and their combination."""
    checkpoint_bytes: int
    """Of all members; one is there twice while it is replaced."""
    cache_bytes: int
    """Hand-strength and bucket tables in the cache folder, to be built or there already."""
    cache_built: bool
    """Whether the hand-strength tables are there."""
    iterations_per_second: float
    calibration_seconds: float
    """Over which the speed was taken; walks grow longer as strategies mix."""
    iterations: int
    """Of the budget, or what its seconds are good for; of one member."""
    training_seconds: float
    """Of all members, at the speed of the calibration."""
    measuring_seconds: float
    """Of all members and of their combination: training of responses, choosing, scoring."""

    @property
    def seconds(self) -> float:
        """Of training and measuring."""
        return self.training_seconds + self.measuring_seconds

    def as_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def cost_of(
    recipe: Recipe | Plan, calibration_seconds: float = 3.0, progress: ProgressCall = no_progress
) -> Cost:
    """Say what a run will cost. The speed is taken from a short run that is thrown away.

    Parameters
    ----------
    recipe
        What to train, resolved or not.
    calibration_seconds
        How long the short run is.
    progress
        Called while cards are prepared.

    Examples
    --------
    >>> from riverboat.training import load_recipe
    >>> found = cost_of(load_recipe("kuhn"), calibration_seconds=0.1)
    >>> found.iterations, found.memory_bytes < 1e9
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
    """Iterations a second over a short run, without its first tenth, which warms up."""
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
        raise RunError("no budget: give budget.iterations, budget.seconds or both")
    by_time = float("inf") if seconds is None else seconds * speed
    whole = int(min(by_time, float("inf") if iterations is None else iterations))
    return whole, whole / speed


def _measuring(recipe: Recipe, setup: Setup, training: float) -> float:
    """Seconds of all measurements, from a small one of uniform play."""
    bound = recipe.bound
    if bound.every == 0:
        return 0.0
    combination = recipe.ensemble > 1
    times = 1 + (int(training / bound.every) if bound.every else 0)
    return (recipe.ensemble * times + combination) * _measurement(recipe, setup)


def _measurement(recipe: Recipe, setup: Setup) -> float:
    """Seconds of one measurement.

    The responses are hardly trained here, and scored on two numbers of deals: what grows with
    the deals, and what does not, are told apart.
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
    costs = [measure(setup, strategy, each).cost for each in brief]
    a_deal = max(0.0, costs[1] - costs[0]) / max(1, large - small)
    trained = setup.tree.spec.players * (bound.seconds - _BRIEFLY)
    return max(0.0, trained) + costs[1] + a_deal * (bound.deals - large)
