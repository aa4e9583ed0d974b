"""Solvers of the CFR family: sampling, regret rule and averaging are chosen separately.

>>> from riverboat.game import catalogue
>>> from riverboat.solve import Scheme, Solver, enumerate_deals
>>> from riverboat.tree import Tree
>>> solver = Solver(enumerate_deals(Tree(catalogue("leduc"), "min")), Scheme("external"), seed=1)
>>> solver.run_all(iterations=100).iterations
100
"""

from riverboat.solve._deals import (
    Deals,
    FixedSwaps,
    bucket_key,
    check_enumerable,
    enumerate_deals,
    holdem_deals,
)
from riverboat.solve._kernels import Crew, Driver, count_forks, discount_steps
from riverboat.solve._public import enumerate_public
from riverboat.solve._sampled import (
    DealRows,
    bucket_outcomes,
    bucket_win_rates,
    merge_deals,
    sample_deals,
    starting_regrets,
    table_deals,
    tabulate,
)
from riverboat.solve._scheme import (
    SCHEMES,
    Explore,
    Forks,
    Prune,
    RegretRule,
    Sampling,
    Scheme,
    find_scheme,
)
from riverboat.solve._solver import BaseSolver, Marks, Solver, check_scheme
from riverboat.solve._tables import (
    SolverReport,
    SolverState,
    Tables,
    bytes_per_entry,
    real_number,
    table_sizes,
    whole_number,
)

__all__ = [
    "SCHEMES",
    "BaseSolver",
    "Crew",
    "DealRows",
    "Deals",
    "Driver",
    "Explore",
    "FixedSwaps",
    "Forks",
    "Marks",
    "Prune",
    "RegretRule",
    "Sampling",
    "Scheme",
    "Solver",
    "SolverReport",
    "SolverState",
    "Tables",
    "bucket_key",
    "bucket_outcomes",
    "bucket_win_rates",
    "bytes_per_entry",
    "check_enumerable",
    "check_scheme",
    "count_forks",
    "discount_steps",
    "enumerate_deals",
    "enumerate_public",
    "find_scheme",
    "holdem_deals",
    "merge_deals",
    "real_number",
    "sample_deals",
    "starting_regrets",
    "table_deals",
    "table_sizes",
    "tabulate",
    "whole_number",
]
