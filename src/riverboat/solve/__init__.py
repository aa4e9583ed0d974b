"""The CFR family: three small choices, one algorithm.

>>> from riverboat.game import catalogue
>>> from riverboat.solve import Scheme, Solver, enumerate_deals
>>> from riverboat.tree import Tree
>>> solver = Solver(enumerate_deals(Tree(catalogue("leduc"), "min")), Scheme("external"), seed=1)
>>> solver.run_all(iterations=100).iterations
100
"""

from riverboat.solve._checks import real_number, whole_number
from riverboat.solve._deals import Deals, bucket_key, enumerate_deals
from riverboat.solve._holdem import holdem_deals
from riverboat.solve._prune import Prune
from riverboat.solve._public import enumerate_public
from riverboat.solve._report import Checkpoint, Report
from riverboat.solve._scheme import Averaging, RegretRule, Sampling, Scheme
from riverboat.solve._schemes import SCHEMES
from riverboat.solve._solver import Solver, check_scheme
from riverboat.solve._starting import starting_regrets
from riverboat.solve._state import SolverState

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
    "bucket_key",
    "check_scheme",
    "enumerate_deals",
    "enumerate_public",
    "holdem_deals",
    "real_number",
    "starting_regrets",
    "whole_number",
]
