"""Blueprints: read, write, query, compare and convert strategy files.

>>> from riverboat.blueprint import Header
>>> from riverboat.game import catalogue
>>> from riverboat.tree import Tree
>>> Header.of(Tree(catalogue("leduc"), "min"), (3, 3, 9, 9)).infosets
288
"""

from riverboat.blueprint._all_hands import AllHands
from riverboat.blueprint._arrow import ArrowFormat, export_arrow
from riverboat.blueprint._blueprint import Blueprint
from riverboat.blueprint._buckets import (
    EnumeratedBuckets,
    HoldemBuckets,
    hand_buckets,
)
from riverboat.blueprint._compare import StrategyComparison, compare
from riverboat.blueprint._csv_read import read_csv
from riverboat.blueprint._csv_write import write_csv
from riverboat.blueprint._deal_values import BucketValues
from riverboat.blueprint._decision_at import decision_at, decisions_to, line_reach
from riverboat.blueprint._default import (
    DEFAULT_DEPTHS,
    DEFAULT_GAME,
    SHIPPED,
    SIX_MAX_DEPTHS,
    default_blueprint,
    default_blueprints,
    default_depth,
    default_name,
    find_blueprint,
    no_such_strategy,
    shipped_blueprints,
    six_max_blueprints,
    six_max_depth,
    six_max_name,
)
from riverboat.blueprint._header import (
    Header,
    Precision,
    Training,
    TreeFacts,
)
from riverboat.blueprint._layout import GroupRows, Layout
from riverboat.blueprint._query import Answer, Query, SwapRule
from riverboat.blueprint._rare_actions import shown_as, without_rare
from riverboat.blueprint._rewrite import (
    CombineMethod,
    PruneReport,
    QuantiseReport,
    combine,
    prune,
    quantise,
)
from riverboat.blueprint._sanity import Finding, verify
from riverboat.blueprint._values import StrategyValues
from riverboat.blueprint._visits import VisitScale, visit_scale
from riverboat.blueprint._writer import write_blueprint

__all__ = [
    "DEFAULT_DEPTHS",
    "DEFAULT_GAME",
    "SHIPPED",
    "SIX_MAX_DEPTHS",
    "AllHands",
    "Answer",
    "ArrowFormat",
    "Blueprint",
    "BucketValues",
    "CombineMethod",
    "EnumeratedBuckets",
    "Finding",
    "GroupRows",
    "Header",
    "HoldemBuckets",
    "Layout",
    "Precision",
    "PruneReport",
    "QuantiseReport",
    "Query",
    "StrategyComparison",
    "StrategyValues",
    "SwapRule",
    "Training",
    "TreeFacts",
    "VisitScale",
    "combine",
    "compare",
    "decision_at",
    "decisions_to",
    "default_blueprint",
    "default_blueprints",
    "default_depth",
    "default_name",
    "export_arrow",
    "find_blueprint",
    "hand_buckets",
    "line_reach",
    "no_such_strategy",
    "prune",
    "quantise",
    "read_csv",
    "shipped_blueprints",
    "shown_as",
    "six_max_blueprints",
    "six_max_depth",
    "six_max_name",
    "verify",
    "visit_scale",
    "without_rare",
    "write_blueprint",
    "write_csv",
]
