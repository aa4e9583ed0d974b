"""The algorithms in plain Python, each from its definition or paper: to read, to change, to check.

They are the slow twins of the kernels, which the tests compare with them. `Solver` runs regret
rules and samplings of your own on the same games.

>>> from riverboat.game import catalogue
>>> from riverboat.plain import Dcfr, External, Solver
>>> from riverboat.solve import enumerate_deals
>>> from riverboat.tree import Tree
>>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Dcfr(), External(), seed=1)
>>> solver.run_all(iterations=100).visited
12
"""

from riverboat.plain._abstraction import (
    board_ranks,
    equity_bin,
    hand_strength,
    percentile,
    run_outs,
)
from riverboat.plain._average_strategy import AverageStrategyWalk
from riverboat.plain._best_response import best_response, profile_value
from riverboat.plain._chance import ChanceWalk
from riverboat.plain._confidence_sequence import betting_interval
from riverboat.plain._deals import Deal, keyed_deals, plain_deals
from riverboat.plain._distribution import best_line_spread, features, line_spread, lloyd_step
from riverboat.plain._equity import Outcomes, count_deals
from riverboat.plain._evaluator import best_value, hand_class
from riverboat.plain._external import ExternalWalk, collecting_interval
from riverboat.plain._full import FullWalk
from riverboat.plain._gadget import PlainGadget
from riverboat.plain._game import Game
from riverboat.plain._isomorphism import canonical_form, num_classes
from riverboat.plain._named_rules import find_rule, rule_faults, rule_names, solver_maker
from riverboat.plain._outcome import OutcomeWalk
from riverboat.plain._poker_rules import PlainHand, showdown_strength
from riverboat.plain._public_chance import PublicChanceWalk, PublicGame
from riverboat.plain._public_values import PublicValuesWalk
from riverboat.plain._pure import PureWalk
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
from riverboat.plain._response import Dealt, ResponseTraining, deal_value
from riverboat.plain._run_out import expected_payoffs
from riverboat.plain._samplings import (
    AverageStrategy,
    Chance,
    Choice,
    Collects,
    External,
    Full,
    Outcome,
    Sampling,
    Walked,
)
from riverboat.plain._semantic import semantic
from riverboat.plain._solver import Solver
from riverboat.plain._spot import PlainSpot
from riverboat.plain._training import train
from riverboat.plain._tree import PlainNode, plain_tree
from riverboat.plain._walk import Options, Walk, draw_action, match_regrets

__all__ = [
    "AverageStrategy",
    "AverageStrategyWalk",
    "Cfr",
    "CfrPlus",
    "Chance",
    "ChanceWalk",
    "Choice",
    "Collects",
    "Dcfr",
    "Deal",
    "Dealt",
    "External",
    "ExternalWalk",
    "Full",
    "FullWalk",
    "Game",
    "Infoset",
    "Linear",
    "Options",
    "Outcome",
    "OutcomeWalk",
    "Outcomes",
    "PlainGadget",
    "PlainHand",
    "PlainNode",
    "PlainSpot",
    "PredictivePlus",
    "PublicChanceWalk",
    "PublicGame",
    "PublicValuesWalk",
    "PureWalk",
    "Random",
    "RegretRule",
    "ResponseTraining",
    "Sampling",
    "Solver",
    "Walk",
    "Walked",
    "best_line_spread",
    "best_response",
    "best_value",
    "betting_interval",
    "board_ranks",
    "canonical_form",
    "collecting_interval",
    "count_deals",
    "deal_value",
    "draw_action",
    "equity_bin",
    "expected_payoffs",
    "features",
    "find_rule",
    "hand_class",
    "hand_strength",
    "keyed_deals",
    "line_spread",
    "lloyd_step",
    "match_regrets",
    "num_classes",
    "percentile",
    "plain_deals",
    "plain_tree",
    "profile_value",
    "rule_faults",
    "rule_names",
    "run_outs",
    "semantic",
    "showdown_strength",
    "solver_maker",
    "train",
]
