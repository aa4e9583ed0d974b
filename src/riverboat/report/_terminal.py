"""A report on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverboat.report._report import Part, Picture, Report, Table, Text
from riverboat.report._rows import as_table, closing_line, holds_text

if TYPE_CHECKING:
    from rich.console import Console


def print_report(report: Report, console: Console) -> None:
    """Print a report; of pictures, where they are.

    Examples
    --------
    >>> from rich.console import Console
    >>> report = Report("x", "run x", "A title", "quick", 1, 2.0, "2 cores", "0.1.0", ())
    >>> print_report(report, Console(width=200))
    <BLANKLINE>
    A title
    A quick run of run x: seed 1, 2 s, 2 cores, Riverboat 0.1.0. Intervals are 95 %.
    """
    console.print(f"\n{report.title}", style="bold")
    console.print(closing_line(report).replace("`", ""), style="dim")
    for section in report.sections:
        console.print(f"\n{section.title}", style="bold cyan")
        for part in section.parts:
            _print_part(part, console)


def _print_part(part: Part, console: Console) -> None:
    match part:
        case Text(text):
            console.print(text.replace("`", "") + "\n")
        case Picture(file, caption):
            console.print(f"[{file}] {caption}", style="dim")
        case _:
            print_table(as_table(part), console)


def print_table(table: Table, console: Console) -> None:
    """Print a table; columns of numbers stand to the right.

    Examples
    --------
    >>> import io
    >>> from rich.console import Console
    >>> shown = Console(width=40, record=True, file=io.StringIO())
    >>> print_table(Table("Speed", ("work", "a second"), (("deals", "1,000"),)), shown)
    >>> shown.export_text().split()
    ['Speed', 'work', 'a', 'second', '────────────────', 'deals', '1,000']
    """
    from rich.box import SIMPLE  # noqa: PLC0415 - only terminals need it
    from rich.table import Table as Grid  # noqa: PLC0415 - only terminals need it

    console.print(table.caption, style="italic")
    grid = Grid(box=SIMPLE, pad_edge=False)
    for index, column in enumerate(table.columns):
        left = index == 0 or holds_text([row[index] for row in table.rows])
        grid.add_column(column, justify="left" if left else "right")
    for row in table.rows:
        grid.add_row(*row)
    console.print(grid)
