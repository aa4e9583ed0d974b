"""CFR in plain Python, written from definitions and papers, to read, change and test against.

`Solver` runs your own regret rules and sampling schemes on the games that the kernels solve.

>>> from riverboat.game import catalogue
>>> from riverboat.plain import Dcfr, External, Solver
>>> from riverboat.solve import enumerate_deals
>>> from riverboat.tree import Tree
>>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Dcfr(), External(), seed=1)
>>> solver.run_all(iterations=100).visited
12
"""

from riverboat.plain._best_response import best_response, profile_value
from riverboat.plain._game import Deal, Game, plain_deals
from riverboat.plain._named_rules import rule_faults, solver_maker
from riverboat.plain._poker_rules import PlainHand
from riverboat.plain._random import Random
from riverboat.plain._regret_rules import (
    Cfr,
    CfrPlus,
    Dcfr,
    Infoset,
    Linear,
    PredictivePlus,
    RegretRule,
)
from riverboat.plain._samplings import (
    AverageStrategy,
    Chance,
    Choice,
    External,
    Full,
    Outcome,
    Sampling,
)
from riverboat.plain._solver import Solver
from riverboat.plain._vector_walk import Role, VectorParts, vector_walk

__all__ = [
    "AverageStrategy",
    "Cfr",
    "CfrPlus",
    "Chance",
    "Choice",
    "Dcfr",
    "Deal",
    "External",
    "Full",
    "Game",
    "Infoset",
    "Linear",
    "Outcome",
    "PlainHand",
    "PredictivePlus",
    "Random",
    "RegretRule",
    "Role",
    "Sampling",
    "Solver",
    "VectorParts",
    "best_response",
    "plain_deals",
    "profile_value",
    "rule_faults",
    "solver_maker",
    "vector_walk",
]
