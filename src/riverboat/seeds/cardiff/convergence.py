"""The training, measured on its way: value and exploitability as in figures 17 and 18."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.evaluate import response_bound, sampled_value
from riverboat.files import atomic_path
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won
from riverboat.seeds.cardiff.data import amounts
from riverboat.solve import Solver
from riverboat.statistics import Estimate
from riverboat.training import (
    Recipe,
    RunFiles,
    Setup,
    load_recipe,
    prepare,
    restore_checkpoint,
    save_checkpoint,
    write_result,
)
from riverboat.work import resident_memory

__all__ = ["Convergence", "Point", "train_and_measure", "training_recipe"]

#: Responses and values are taken on other deals than the training's.
_OTHER_SEED = 0x5DEECE66D
_WORTH_SAVING = 5.0  # seconds of training; a checkpoint has half a gigabyte


class Point(msgspec.Struct, frozen=True):
    """How the average strategy stands at some point; chips a hand."""

    iterations: int
    seconds: float
    """Of training so far."""
    value: Won
    """What the small blind wins when both play it."""
    bound: Won
    """Exploitability is at least this: what trained responses win."""
    visited: int
    """Infosets with a regret or an average."""
    trained: int
    """Infosets with an average strategy."""


class Convergence(msgspec.Struct, frozen=True):
    """The training and its measurements."""

    points: tuple[Point, ...]
    infosets: int
    table_bytes: int
    resident_bytes: int
    """Of the process between slices of the training, at most."""
    both_seats: Won
    """The mean over both seats, each on deals of its own: what the author printed."""
    uniform_value: Won
    """What the small blind wins when both play at random with equal probabilities."""
    uniform_both_seats: Won
    """The author's figure for that play."""
    blueprint: str
    blueprint_bytes: int

    @property
    def last(self) -> Point:
        """The end of the training."""
        return self.points[-1]

    @property
    def iterations_per_second(self) -> float:
        """Over the whole training."""
        return self.last.iterations / max(self.last.seconds, 1e-9)


def training_recipe(run: Reproduction) -> Recipe:
    """Return what is trained: the thesis's game, menu, cards and algorithm."""
    wanted = amounts(run)
    return load_recipe("cardiff").changed(
        {
            "menu": wanted.menu,
            "budget.iterations": wanted.iterations[-1],
            "threads": run.workers,
            "seed": run.seed,
        }
    )


def train_and_measure(run: Reproduction) -> Convergence:
    """Train, stop at some numbers of iterations to measure, and write the strategy file.

    It goes on from its last measurement if it was stopped.
    """
    wanted, recipe = amounts(run), training_recipe(run)
    files, kept = RunFiles.of(run.path("cardiff")), run.path("cardiff.points.json")
    setup = prepare(recipe)
    solver = _solver(setup, recipe)
    points = _earlier(files.checkpoint, kept, solver, recipe)
    resident, saved = resident_memory(), solver.seconds
    for end in wanted.iterations[len(points) :]:
        for _ in solver.slices(iterations=end - solver.iterations):
            resident = max(resident, resident_memory())
            run.tell(0.9 * solver.iterations / wanted.iterations[-1], "trains")
        run.tell(0.0, f"measures at {end:,} iterations")
        points.append(_point(run, setup, solver))
        if solver.seconds - saved >= _WORTH_SAVING and end < wanted.iterations[-1]:
            save_checkpoint(files.checkpoint, solver, recipe.identity(), setup.cards)
            _keep(kept, points)
            saved = solver.seconds
    write_result(files.blueprint, setup, recipe, solver)
    infosets, table_bytes = solver.report().infosets, solver.memory_bytes
    strategy = solver.strategy(np.float32)
    del solver
    run.tell(0.95, "the value of a seat, and of both")
    both = _both_seats(run, setup, strategy)
    uniform = _solver(setup, recipe).strategy(np.float32)
    found = Convergence(
        tuple(points),
        infosets,
        table_bytes,
        resident,
        both,
        _value(run, setup, uniform),
        _both_seats(run, setup, uniform),
        files.blueprint.name,
        files.blueprint.stat().st_size,
    )
    files.checkpoint.unlink(missing_ok=True)
    return found


def _solver(setup: Setup, recipe: Recipe) -> Solver:
    return Solver(setup.deals, recipe.solver_scheme(), seed=recipe.seed, threads=setup.threads)


def _earlier(checkpoint: Path, kept: Path, solver: Solver, recipe: Recipe) -> list[Point]:
    """Go on where a run was stopped: the points that were measured up to its checkpoint."""
    if not checkpoint.exists() or not kept.exists():
        return []
    restore_checkpoint(checkpoint, solver, recipe.identity())
    points = msgspec.json.decode(kept.read_bytes(), type=list[Point])
    return [point for point in points if point.iterations <= solver.iterations]


def _keep(path: Path, points: list[Point]) -> None:
    with atomic_path(path) as temporary:
        temporary.write_bytes(msgspec.json.encode(points))


def _point(run: Reproduction, setup: Setup, solver: Solver) -> Point:
    wanted, report = amounts(run), solver.report()
    strategy = solver.strategy(np.float32)
    response = response_bound(
        setup.deals,
        strategy,
        seconds=wanted.bound_seconds,
        score_deals=wanted.bound_deals,
        seed=run.seed ^ _OTHER_SEED,
        threads=setup.threads,
    )
    bound = _won(response.bound)
    value = _value(run, setup, strategy)
    return Point(report.iterations, report.seconds, value, bound, report.visited, report.averaged)


def _value(run: Reproduction, setup: Setup, strategy: NDArray[Any], seat: int = 0) -> Won:
    """What a seat wins; each seat on deals of its own, the same for every strategy."""
    deals = amounts(run).value_deals
    seed = (run.seed ^ _OTHER_SEED) + 1 + seat
    return _won(sampled_value(setup.deals, strategy, seat, score_deals=deals, seed=seed))


def _both_seats(run: Reproduction, setup: Setup, strategy: NDArray[Any]) -> Won:
    small, big = (_value(run, setup, strategy, seat) for seat in (0, 1))
    margin = (small.margin**2 + big.margin**2) ** 0.5 / 2
    return Won((small.mean + big.mean) / 2, margin, small.hands + big.hands)


def _won(estimate: Estimate) -> Won:
    low, high = estimate.interval
    return Won(estimate.mean, (high - low) / 2, estimate.units)
