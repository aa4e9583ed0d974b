"""From a recipe to a blueprint: cost, progress, checkpoints.

>>> from riverboat.training import load_recipe, recipe_names
>>> "laptop" in recipe_names()
True
>>> load_recipe("laptop").menu
'laptop'
"""

from riverboat.training._checkpoint import restore_checkpoint, save_checkpoint
from riverboat.training._checks import solver_threads
from riverboat.training._disk import check_disk
from riverboat.training._estimate import Estimate, check_memory, estimate
from riverboat.training._iterate import Stretch, Until, iterate
from riverboat.training._progress import Measured, Progress
from riverboat.training._recipe import (
    Bound,
    Budget,
    Every,
    File,
    Recipe,
    Start,
    load_recipe,
    recipe_names,
)
from riverboat.training._run import check_run, earlier_cards, train
from riverboat.training._run_files import SUFFIX, RunFiles
from riverboat.training._run_log import read_log
from riverboat.training._setup import Setup, prepare
from riverboat.training._sizes import sizes_of
from riverboat.training._write import write_result

__all__ = [
    "SUFFIX",
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
    "Stretch",
    "Until",
    "check_disk",
    "check_memory",
    "check_run",
    "earlier_cards",
    "estimate",
    "iterate",
    "load_recipe",
    "prepare",
    "read_log",
    "recipe_names",
    "restore_checkpoint",
    "save_checkpoint",
    "sizes_of",
    "solver_threads",
    "train",
    "write_result",
]
