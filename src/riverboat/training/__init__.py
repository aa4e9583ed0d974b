"""From a recipe to a blueprint: cost, progress, checkpoints.

>>> from riverboat.training import load_recipe, recipe_names
>>> "laptop" in recipe_names()
True
>>> load_recipe("laptop").menu
'laptop'
"""

from riverboat.training._cost import Cost, cost_of
from riverboat.training._iterate import Stretch, Until, iterate
from riverboat.training._member import Helped, Member, Watch, no_help, write_result
from riverboat.training._plan import Plan, Setup, prepare
from riverboat.training._progress import Measured, Progress, read_log
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
from riverboat.training._train import SUFFIX, RunFiles, check_disk, check_run, earlier_cards, train

__all__ = [
    "SUFFIX",
    "Bound",
    "Budget",
    "Cost",
    "Every",
    "File",
    "Helped",
    "Measured",
    "Member",
    "Plan",
    "Progress",
    "Recipe",
    "RunFiles",
    "Setup",
    "Start",
    "Stretch",
    "Until",
    "Watch",
    "check_disk",
    "check_run",
    "cost_of",
    "earlier_cards",
    "iterate",
    "load_recipe",
    "no_help",
    "prepare",
    "read_log",
    "recipe_names",
    "train",
    "write_result",
]
