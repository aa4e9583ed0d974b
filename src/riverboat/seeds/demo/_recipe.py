"""What stands in recipe.toml, and the training that it makes."""

from functools import lru_cache

from riverboat.seeds._recipe import SeedRecipe, TomlTable, load_data
from riverboat.seeds._reproduction import Reproduction
from riverboat.training import Recipe, load_recipe

__all__ = ["Amounts", "Demo", "data", "training_recipe"]


class Amounts(TomlTable, frozen=True):
    """How much is computed."""

    seconds: float
    """Of training."""
    bound_seconds: float
    """Of each response that bounds exploitability."""
    hands: int
    """Of each pair."""


class Demo(SeedRecipe[Amounts], frozen=True, kw_only=True):
    """The whole file."""

    training: str
    opponents: tuple[str, ...]


@lru_cache(maxsize=1)
def data() -> Demo:
    """Read the file, once.

    Examples
    --------
    >>> data().effort["full"].seconds
    90.0
    """
    return load_data("demo", Demo)


def training_recipe(run: Reproduction) -> Recipe:
    """Return the default recipe with the demo's budget."""
    amounts = data().effort[run.effort]
    changes = {
        "seed": run.seed,
        "threads": run.workers,
        "budget": {"seconds": amounts.seconds},
        "bound": {"every": amounts.seconds / 2, "seconds": amounts.bound_seconds},
    }
    return load_recipe(data().training).changed(changes)
