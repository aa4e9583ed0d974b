"""Training: from a recipe to a blueprint, with cost estimates, progress and checkpoints.

>>> from riverboat.training import load_recipe, recipe_names
>>> "laptop" in recipe_names()
True
>>> load_recipe("laptop").menu
'laptop'
"""

from riverboat.training._cost import Cost, cost_of
from riverboat.training._iterate import Stretch, Until, iterate
from riverboat.training._member import Helped, Member, Watch
from riverboat.training._plan import Plan, Setup, prepare
from riverboat.training._progress import Measured, Progress, read_log
from riverboat.training._recipe import Recipe, load_recipe, recipe_names
from riverboat.training._train import RunFiles, prepare_run, train

__all__ = [
    "Cost",
    "Helped",
    "Measured",
    "Member",
    "Plan",
    "Progress",
    "Recipe",
    "RunFiles",
    "Setup",
    "Stretch",
    "Until",
    "Watch",
    "cost_of",
    "iterate",
    "load_recipe",
    "prepare",
    "prepare_run",
    "read_log",
    "recipe_names",
    "train",
]
