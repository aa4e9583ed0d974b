"""What stands in recipe.toml, and the training that it makes."""

from riverboat.reproductions._recipe import ReproductionRecipe, TomlTable, load_data
from riverboat.reproductions._run import ReproductionRun
from riverboat.training import Recipe, load_recipe


class Amounts(TomlTable, frozen=True):
    """How much is computed."""

    seconds: float
    """Of training."""
    points: int
    """Of the curve of exploitability."""
    bound_seconds: float
    """Of each response that bounds exploitability."""
    hands: int
    """Of each pair."""


class Demo(ReproductionRecipe[Amounts], frozen=True, kw_only=True):
    """The whole file."""

    training: str
    opponents: tuple[str, ...]


DATA = load_data("demo", Demo)


def training_recipe(run: ReproductionRun) -> Recipe:
    """Return the recipe with the budget of this run."""
    amounts = DATA.amounts(run)
    changes = {
        "seed": run.seed,
        "threads": run.workers,
        "budget": {"seconds": amounts.seconds},
        "bound": {"every": amounts.seconds / amounts.points, "seconds": amounts.bound_seconds},
    }
    return load_recipe(DATA.training).changed(changes)
