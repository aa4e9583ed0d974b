"""What a reader is told, as data: sections, tables, comparisons, pictures; to any medium."""

from riverboat.report._colours import (
    ACTION_COLOURS,
    COLOURS,
    ActionColours,
    Palette,
    Rgb,
    action_colour,
    hex_colour,
)
from riverboat.report._figures import (
    Axes,
    Curve,
    draw_curves,
    draw_estimates,
    heights,
    new_figure,
    new_panels,
    plain_ticks,
    save_figure,
)
from riverboat.report._html import html_page
from riverboat.report._judge import Tally, judge, tally
from riverboat.report._markdown import markdown
from riverboat.report._report import (
    Better,
    Compared,
    Comparison,
    Part,
    Picture,
    Report,
    Section,
    Table,
    Text,
)
from riverboat.report._template import fill_template, split_sections
from riverboat.report._terminal import print_report
from riverboat.report._words import (
    cell,
    duration,
    listed,
    number,
    percent,
    plus_minus,
    proportion,
    share,
    short,
    size,
)
from riverboat.report._write import REPORT_FILES, write_report

__all__ = [
    "ACTION_COLOURS",
    "COLOURS",
    "REPORT_FILES",
    "ActionColours",
    "Axes",
    "Better",
    "Compared",
    "Comparison",
    "Curve",
    "Palette",
    "Part",
    "Picture",
    "Report",
    "Rgb",
    "Section",
    "Table",
    "Tally",
    "Text",
    "action_colour",
    "cell",
    "draw_curves",
    "draw_estimates",
    "duration",
    "fill_template",
    "heights",
    "hex_colour",
    "html_page",
    "judge",
    "listed",
    "markdown",
    "new_figure",
    "new_panels",
    "number",
    "percent",
    "plain_ticks",
    "plus_minus",
    "print_report",
    "proportion",
    "save_figure",
    "share",
    "short",
    "size",
    "split_sections",
    "tally",
    "write_report",
]
