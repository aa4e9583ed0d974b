"""The end of a run: its average strategy as a blueprint."""

from pathlib import Path

from riverboat.blueprint import Header, Training, write_blueprint
from riverboat.solve import Solver
from riverboat.training.recipe import Recipe
from riverboat.training.setup import Setup

__all__ = ["write_result"]


def write_result(path: Path, setup: Setup, recipe: Recipe, solver: Solver) -> None:
    """Write the average strategy of a solver, with all that is needed to train it again."""
    training = Training(
        scheme=solver.scheme.as_dict(),
        seed=solver.seed,
        threads=solver.threads,
        iterations=solver.iterations,
        seconds=solver.seconds,
        recipe=recipe.as_dict(),
    )
    header = Header.of(
        setup.tree, setup.deals.num_buckets, training, fallback=recipe.fallback
    )
    write_blueprint(path, header, setup.tree, solver.average, setup.cards)
