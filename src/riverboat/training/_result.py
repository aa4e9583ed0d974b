"""The end of a run: its average strategy as a blueprint."""

from pathlib import Path

from riverboat.blueprint import Header, Training, write_blueprint
from riverboat.solve import Solver
from riverboat.training._plan import Setup
from riverboat.training._recipe import Recipe


def write_result(path: Path, setup: Setup, recipe: Recipe, solver: Solver) -> tuple[str, ...]:
    """Write the average strategy of a solver, with all that is needed to train it again.

    Returns
    -------
    tuple of str
        What is remarkable about the strategy.
    """
    training = Training(
        scheme=solver.scheme.as_whole_dict(),
        seed=solver.seed,
        threads=solver.threads,
        iterations=solver.iterations,
        seconds=solver.seconds,
        recipe=recipe.as_dict(),
    )
    header = Header.of(
        setup.tree,
        setup.deals.num_buckets,
        training,
        fallback=recipe.fallback,
        values=recipe.file.values,
        pruned=recipe.file.pruned,
    )
    found = write_blueprint(path, header, setup.tree, solver.average, setup.cards)
    return tuple(f"{each.level}: {each.text}" for each in found)
