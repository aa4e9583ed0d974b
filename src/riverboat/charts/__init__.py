"""Preflop charts of a strategy: what it opens, limps, raises again and defends, by position.

>>> from riverboat.blueprint import Blueprint, default_blueprint
>>> charts = preflop_charts(Blueprint.open(default_blueprint()))
>>> charts[0].title, charts[0].actions
('SB, open', ('f', 'c', 'b25', 'b60', 'b1000'))
"""

from riverboat.charts._charts import CHART_KINDS, Chart, ChartKind, position_names, preflop_charts
from riverboat.charts._files import (
    CHART_FILES,
    ChartBook,
    charts_csv,
    charts_html,
    charts_text,
    write_charts,
)
from riverboat.charts._picture import Matrix, hedged, plot_matrix

__all__ = [
    "CHART_FILES",
    "CHART_KINDS",
    "Chart",
    "ChartBook",
    "ChartKind",
    "Matrix",
    "charts_csv",
    "charts_html",
    "charts_text",
    "hedged",
    "plot_matrix",
    "position_names",
    "preflop_charts",
    "write_charts",
]
