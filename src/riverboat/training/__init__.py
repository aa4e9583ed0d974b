"""From a recipe to a blueprint: cost, progress, checkpoints.

>>> from riverboat.training import load_recipe, recipe_names
>>> "laptop" in recipe_names()
True
>>> load_recipe("laptop").menu
'laptop'
"""

from riverboat.training.disk import check_disk
from riverboat.training.estimate import Estimate, check_memory, estimate
from riverboat.training.progress import Measured, Progress
from riverboat.training.recipe import (
    Bound,
    Budget,
    Every,
    File,
    Recipe,
    Start,
    load_recipe,
    recipe_names,
)
from riverboat.training.run import check_run, earlier_cards, train
from riverboat.training.run_files import RunFiles
from riverboat.training.run_log import read_log
from riverboat.training.setup import Setup, prepare

__all__ = [
    "Bound",
    "Budget",
    "Estimate",
    "Every",
    "File",
    "Measured",
    "Progress",
    "Recipe",
    "RunFiles",
    "Setup",
    "Start",
    "check_disk",
    "check_memory",
    "check_run",
    "earlier_cards",
    "estimate",
    "load_recipe",
    "prepare",
    "read_log",
    "recipe_names",
    "train",
]
