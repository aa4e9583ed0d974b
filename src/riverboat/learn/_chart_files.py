"""Charts as files: one page to print, rows for a table, and ranges that other programs read."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat.blueprint import shown_as
from riverboat.cards import CLASS_COMBOS, NUM_CLASSES, class_text
from riverboat.decision import cell_style
from riverboat.errors import RiverboatError
from riverboat.files import atomic_path
from riverboat.learn._charts import preflop_charts
from riverboat.report import hex_colour, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from riverboat.blueprint import Blueprint
    from riverboat.decision import ClassCell
    from riverboat.learn._charts import Chart
    from riverboat.report import Palette

#: How the files that charts are written to end.
CHART_FILES: Final = (".html", ".csv", ".txt")
_HOW: Final = (
    "Each cell is a hand: pairs on the diagonal, suited hands above it. The colours share it as "
    "the actions do; a hand that seldom comes here is faint."
)


@dataclass(frozen=True)
class ChartBook:
    """The charts of one strategy."""

    name: str
    depth: float
    """Big blinds."""
    threshold: float
    charts: tuple[Chart, ...]

    @classmethod
    def of(
        cls,
        blueprint: Blueprint,
        name: str,
        *,
        least: float = 0.002,
        threshold: float = 0.0,
        palette: Palette = "usual",
    ) -> ChartBook:
        """Take the charts of a strategy: see `preflop_charts`."""
        charts = preflop_charts(blueprint, least=least, threshold=threshold, palette=palette)
        return cls(name, charts[0].depth, threshold, charts)

    @property
    def shown(self) -> str:
        """Which strategy it is, in words: as trained or as played."""
        return shown_as(self.threshold)

    def as_dict(self) -> dict[str, Any]:
        """Return all charts as plain values."""
        charts = [chart.as_dict() for chart in self.charts]
        return {
            "name": self.name,
            "depth_bb": self.depth,
            "threshold": self.threshold,
            "charts": charts,
        }


def write_charts(path: Path, books: Sequence[ChartBook], title: str = "Preflop charts") -> None:
    """Write charts into a .html, .csv or .txt file, whole or not at all."""
    forms = {
        ".html": lambda: charts_html(books, title),
        ".csv": lambda: charts_csv(books),
        ".txt": lambda: charts_text(books),
    }
    form = forms.get(path.suffix.lower())
    if form is None:
        raise RiverboatError(f"charts are written as {', '.join(CHART_FILES)}, not {path.name!r}")
    with atomic_path(path) as temporary:
        temporary.write_text(form(), encoding="utf-8", newline="")


def charts_csv(books: Sequence[ChartBook]) -> str:
    """Return a row for each chart, hand and action.

    Examples
    --------
    >>> from riverboat.blueprint import Blueprint, default_blueprint
    >>> book = ChartBook.of(Blueprint.open(default_blueprint()), "default")
    >>> charts_csv([book]).splitlines()[0]
    'strategy,depth_bb,position,chart,line,hand,combos,reach,action,words,probability'
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    head = "strategy depth_bb position chart line hand combos reach action words probability"
    writer.writerow(head.split())
    writer.writerows(row for book in books for chart in book.charts for row in _rows(book, chart))
    return text.getvalue()


def _rows(book: ChartBook, chart: Chart) -> Iterator[list[object]]:
    reach = chart.view.class_reach()
    facts = [book.name, f"{book.depth:g}", chart.position, chart.title, chart.line]
    for index in range(NUM_CLASSES):
        if np.isnan(chart.classes[index, 0]):
            continue
        hand = [class_text(index), CLASS_COMBOS[index], f"{reach[index]:.4f}"]
        for action, share in zip(chart.actions, chart.classes[index], strict=True):
            yield [*facts, *hand, action, chart.words(action), f"{share:.4f}"]


def charts_text(books: Sequence[ChartBook]) -> str:
    """Return the range of each action of each chart as text, as solvers and calculators read it.

    Examples
    --------
    >>> from riverboat.blueprint import Blueprint, default_blueprint
    >>> book = ChartBook.of(Blueprint.open(default_blueprint()), "default")
    >>> charts_text([book]).splitlines()[0]
    '# default, 100 bb: SB, open'
    """
    lines = []
    for book in books:
        for chart in book.charts:
            after = f" after {chart.line}" if chart.line else ""
            lines.append(f"# {book.name}, {book.depth:g} bb: {chart.title}{after}")
            for action in chart.actions:
                lines += [f"# {chart.words(action)}", str(chart.range(action)) or "# no hand"]
            lines.append("")
    return "\n".join(lines)


def charts_html(books: Sequence[ChartBook], title: str = "Preflop charts") -> str:
    """Return all charts as one page that needs no other file, made to be printed.

    Examples
    --------
    >>> from riverboat.blueprint import Blueprint, default_blueprint
    >>> book = ChartBook.of(Blueprint.open(default_blueprint()), "default")
    >>> charts_html([book]).count("<table") == len(book.charts)
    True
    """
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - slow to import

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"rows": _cells, "keys": _keys}
    page = (files("riverboat.learn") / "charts.html.j2").read_text(encoding="utf-8")
    return environment.from_string(page).render(books=books, title=title, how=_HOW)


def _cells(chart: Chart) -> list[list[dict[str, str]]]:
    cells = [_cell(chart, cell) for cell in chart.view.cells()]
    return [cells[first : first + 13] for first in range(0, NUM_CLASSES, 13)]


def _cell(chart: Chart, cell: ClassCell) -> dict[str, str]:
    told = ", ".join(
        f"{chart.words(action)} {percent(float(share))}"
        for action, share in zip(chart.actions, cell.shares, strict=True)
    )
    title = f"{cell.name}: {told if cell.known else 'untrained'}"
    return {"name": cell.name, "style": cell_style(cell, chart.view.keys), "title": title}


def _keys(chart: Chart) -> list[dict[str, str]]:
    return [
        {
            "colour": hex_colour(key.colour),
            "words": chart.words(key.action),
            "share": "" if np.isnan(share) else percent(float(share)),
        }
        for key, share in zip(chart.view.keys, chart.frequencies, strict=True)
    ]
