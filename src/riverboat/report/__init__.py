"""What a reader is told, as data: sections, tables, comparisons, pictures; to any medium."""

from riverboat.report._figures import (
    COLOURS,
    Curve,
    draw_bars,
    draw_curves,
    new_figure,
    plain_ticks,
    save_figure,
)
from riverboat.report._html import html_page
from riverboat.report._markdown import HEADINGS, closing_line, markdown
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
from riverboat.report._words import (
    duration,
    holds_text,
    listed,
    number,
    percent,
    plus_minus,
    row_texts,
    short,
)

__all__ = [
    "COLOURS",
    "HEADINGS",
    "Better",
    "Compared",
    "Comparison",
    "Curve",
    "Part",
    "Picture",
    "Report",
    "Section",
    "Table",
    "Text",
    "closing_line",
    "draw_bars",
    "draw_curves",
    "duration",
    "holds_text",
    "html_page",
    "listed",
    "markdown",
    "new_figure",
    "number",
    "percent",
    "plain_ticks",
    "plus_minus",
    "row_texts",
    "save_figure",
    "short",
]
