"""A report on the terminal."""

from collections.abc import Sequence

from rich import box
from rich.padding import Padding
from rich.table import Table as Grid

from riverboat.cli._output import console
from riverboat.report import HEADINGS, closing_line, holds_text, row_texts
from riverboat.seeds import Comparison, Part, Picture, Report, Table, Text

__all__ = ["show_report"]


def show_report(report: Report) -> None:
    """Print a report; of pictures, where they are."""
    console.print(f"\n{report.title}", style="bold")
    console.print(closing_line(report).replace("`", ""), style="dim")
    for section in report.sections:
        console.print(f"\n{section.title}", style="bold cyan")
        for part in section.parts:
            _show(part)


def _show(part: Part) -> None:
    match part:
        case Text(text):
            console.print(Padding(text.replace("`", ""), (0, 0, 1, 0)))
        case Picture(file, caption):
            console.print(f"[{file}] {caption}", style="dim")
        case Table(caption, columns, rows):
            _show_table(caption, columns, rows)
        case Comparison(caption, rows):
            _show_table(caption, HEADINGS, [row_texts(row) for row in rows])


def _show_table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    console.print(caption, style="italic")
    grid = Grid(box=box.SIMPLE, pad_edge=False)
    for index, column in enumerate(columns):
        left = index == 0 or holds_text([row[index] for row in rows])
        grid.add_column(column, justify="left" if left else "right")
    for row in rows:
        grid.add_row(*row)
    console.print(grid)
