"""The CFR family: three small choices, one algorithm.

>>> from riverboat.game import catalogue
>>> from riverboat.solve import Scheme, Solver, enumerate_deals
>>> from riverboat.tree import Tree
>>> solver = Solver(enumerate_deals(Tree(catalogue("leduc"), "min")), Scheme("external"), seed=1)
>>> solver.run_all(iterations=100).iterations
100
"""

from riverboat.solve.deals import Deals, enumerate_deals
from riverboat.solve.holdem import holdem_deals
from riverboat.solve.prune import Prune
from riverboat.solve.public import enumerate_public
from riverboat.solve.report import Checkpoint, Report
from riverboat.solve.scheme import Averaging, RegretRule, Sampling, Scheme
from riverboat.solve.schemes import SCHEMES
from riverboat.solve.solver import Solver
from riverboat.solve.starting import starting_regrets
from riverboat.solve.state import SolverState

__all__ = [
    "SCHEMES",
    "Averaging",
    "Checkpoint",
    "Deals",
    "Prune",
    "RegretRule",
    "Report",
    "Sampling",
    "Scheme",
    "Solver",
    "SolverState",
    "enumerate_deals",
    "enumerate_public",
    "holdem_deals",
    "starting_regrets",
]
