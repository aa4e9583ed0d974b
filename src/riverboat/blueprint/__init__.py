"""A trained strategy: its file, and tools on whole files.

>>> from riverboat.blueprint import Header
>>> from riverboat.game import catalogue
>>> from riverboat.tree import Tree
>>> Header.of(Tree(catalogue("leduc"), "min"), (3, 3, 9, 9)).infosets
288
"""

from riverboat.blueprint.blueprint import Blueprint
from riverboat.blueprint.checks import Finding
from riverboat.blueprint.header import FORMAT, LOSSLESS, Header, Training, TreeFacts
from riverboat.blueprint.layout import Layout
from riverboat.blueprint.writer import strategy_rows, table_rows, write_blueprint

__all__ = [
    "FORMAT",
    "LOSSLESS",
    "Blueprint",
    "Finding",
    "Header",
    "Layout",
    "Training",
    "TreeFacts",
    "strategy_rows",
    "table_rows",
    "write_blueprint",
]
