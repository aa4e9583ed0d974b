"""A trained strategy: its file, and tools on whole files.

>>> from riverboat.blueprint import Header
>>> from riverboat.game import catalogue
>>> from riverboat.tree import Tree
>>> Header.of(Tree(catalogue("leduc"), "min"), (3, 3, 9, 9)).infosets
288
"""

from riverboat.blueprint.arrow import export_arrow
from riverboat.blueprint.blueprint import Blueprint
from riverboat.blueprint.cards import group_buckets
from riverboat.blueprint.checks import Finding
from riverboat.blueprint.combine import combine
from riverboat.blueprint.compare import Comparison, compare
from riverboat.blueprint.csv_read import CsvReport, CsvStrategy, read_csv
from riverboat.blueprint.csv_write import write_csv
from riverboat.blueprint.header import FORMAT, LOSSLESS, Header, Training, TreeFacts
from riverboat.blueprint.layout import Layout
from riverboat.blueprint.node_view import NodeView, node_view
from riverboat.blueprint.prune import PruneReport, prune
from riverboat.blueprint.quantise import QuantiseReport, quantise
from riverboat.blueprint.query import Answer, Query
from riverboat.blueprint.shipped import DEFAULT_GAME, default_blueprint, find_blueprint
from riverboat.blueprint.verify import verify
from riverboat.blueprint.writer import strategy_rows, table_rows, write_blueprint

__all__ = [
    "DEFAULT_GAME",
    "FORMAT",
    "LOSSLESS",
    "Answer",
    "Blueprint",
    "Comparison",
    "CsvReport",
    "CsvStrategy",
    "Finding",
    "Header",
    "Layout",
    "NodeView",
    "PruneReport",
    "QuantiseReport",
    "Query",
    "Training",
    "TreeFacts",
    "combine",
    "compare",
    "default_blueprint",
    "export_arrow",
    "find_blueprint",
    "group_buckets",
    "node_view",
    "prune",
    "quantise",
    "read_csv",
    "strategy_rows",
    "table_rows",
    "verify",
    "write_blueprint",
    "write_csv",
]
