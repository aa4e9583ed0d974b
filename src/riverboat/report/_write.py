"""Write a report as Markdown, as HTML, to the terminal, or to a folder of files."""

from __future__ import annotations

import base64
import math
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec

from riverboat.files import atomic_path
from riverboat.report._report import Compared, Comparison, Part, Picture, Report, Table, Text
from riverboat.report._template import new_environment
from riverboat.report._words import duration, number, percent
from riverboat.statistics import Estimate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import Console

_HEADINGS = ("", "published", "ours", "ratio", "")
_LONG = 30  # characters; a longer cell cannot be a number
_LOADED = " Other programs used {} of the machine's CPU time, which lowers speeds by elapsed time."
_BY_TIME = "What is trained or measured for a time differs in another run with this seed."
_BUSY = 0.05  # share of CPU time of other programs from which a report mentions them
_NO_BREAK = "\N{NO-BREAK SPACE}"
_WIDE = 24  # mean number of characters from which a column is wide


def as_table(part: Table | Comparison) -> Table:
    """Convert a comparison to a table; return a table unchanged."""
    if isinstance(part, Table):
        return part
    return Table(part.caption, _HEADINGS, tuple(_row_texts(row) for row in part.rows))


def _row_texts(row: Compared) -> tuple[str, ...]:
    """Return the cells of a comparison: what, published, ours with its margin, ratio, note."""
    ours = _figure(row.ours, row.unit)
    if row.margin is not None and row.ours is not None and row.unit != "s":
        margin = row.margin if row.margin >= 0 else math.inf
        ours = f"{Estimate.with_margin(row.ours, margin).text()} {row.unit}".rstrip()
    ratio = "-" if row.ratio is None else f"{number(float(f'{row.ratio:.3g}'))}x"
    return row.what, _figure(row.published, row.unit), ours, ratio, row.note


def _figure(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    return duration(value) if unit == "s" else f"{number(value)} {unit}".rstrip()


def holds_text(column: Sequence[str]) -> bool:
    """Whether a column is text, aligned left: most of its cells are words, or long.

    Examples
    --------
    >>> holds_text(["the same", "12 of them", "", "`min`"]), holds_text(["-", "+3 ± 1"])
    (True, False)
    """
    words = sum(1 for cell in column if cell.lstrip("`")[:1].isalpha() or len(cell) > _LONG)
    return words * 2 > sum(1 for cell in column if cell)


def closing_line(report: Report) -> str:
    """Return the line that says how a report was computed."""
    parts = [part for section in report.sections for part in section.parts]
    compared = any(isinstance(part, Comparison) for part in parts)
    return (
        f"A {report.effort} run of `{report.command}`: seed {report.seed}, "
        f"{duration(report.seconds)}, {report.machine}, Riverboat {report.version}. Confidence "
        f"intervals are 95 %. {_BY_TIME}"
        + (" A ratio above 1 is better than published." if compared else "")
        + (_LOADED.format(percent(loaded, 0)) if (loaded := report.others or 0) >= _BUSY else "")
    )


def markdown(report: Report) -> str:
    """Write a report as Markdown.

    Examples
    --------
    >>> report = Report("x", "run x", "A title", "quick", 1, 2.0, "2 cores", "0.1.0", ())
    >>> markdown(report).splitlines()[0]
    '# A title'
    """
    lines = [f"# {report.title}", "", closing_line(report), ""]
    for section in report.sections:
        lines += [f"## {section.title}", ""]
        for part in section.parts:
            lines += [*_part_lines(part), ""]
    return "\n".join(lines)


def _part_lines(part: Part) -> list[str]:
    match part:
        case Text(text):
            return [text]
        case Picture(file, caption):
            return [f"![{caption}]({file})", "", f"*{caption}*"]
        case _:
            return _table_lines(as_table(part))


def _table_lines(table: Table) -> list[str]:
    columns, rows = table.columns, table.rows
    shown = [index for index in range(len(columns)) if _is_used(index, table)]
    left = {index for index in shown if index == 0 or holds_text([row[index] for row in rows])}
    head = "| " + " | ".join(columns[index] for index in shown) + " |"
    rule = "|" + "|".join(" --- " if index in left else " ---: " for index in shown) + "|"
    body = ["| " + " | ".join(_cell(row[index]) for index in shown) + " |" for row in rows]
    return [f"**{table.caption}**", "", head, rule, *body]


def _is_used(index: int, table: Table) -> bool:
    """Whether a column has a heading or a cell that is not empty; the first always counts."""
    return bool(table.columns[index]) or index == 0 or any(row[index] for row in table.rows)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def html_page(reports: Sequence[Report], folders: Sequence[Path], title: str = "") -> str:
    """Write reports as one HTML page that contains their pictures.

    Parameters
    ----------
    reports
        One or more reports, in order.
    folders
        The folder of each report's pictures.
    title
        Title of the page; by default that of the first report.

    Examples
    --------
    >>> report = Report("x", "run x", "A <title>", "quick", 1, 2.0, "2 cores", "0.1.0", ())
    >>> from pathlib import Path
    >>> "<h1>A &lt;title&gt;</h1>" in html_page([report], [Path()])
    True
    """
    from markupsafe import Markup  # noqa: PLC0415 - comes with Jinja2, slow to import

    environment = new_environment(autoescape=True)
    environment.filters |= {
        "as_table": as_table,
        "closing_line": closing_line,
        "code": lambda text: Markup(_code(text)),  # noqa: S704 - _code escapes
        "inlined": _inlined,
        "kinds": _kinds,
    }
    environment.tests |= {
        "picture": lambda part: isinstance(part, Picture),
        "text": lambda part: isinstance(part, Text),
    }
    page = (files("riverboat.report") / "page.html.j2").read_text(encoding="utf-8")
    pairs = list(zip(reports, folders, strict=True))
    return environment.from_string(page).render(reports=pairs, title=title or reports[0].title)


def _kinds(table: Table) -> list[str]:
    """Return the CSS class of each column."""
    return [_kind([row[index] for row in table.rows]) for index in range(len(table.columns))]


def _kind(column: Sequence[str]) -> str:
    """Return a column's CSS class: numbers do not wrap, long texts get a minimum width."""
    if not holds_text(column):
        return "number"
    lengths = [len(cell) for cell in column if cell]
    return "text long" if sum(lengths) > _WIDE * len(lengths) else "text"


def _inlined(file: str, folder: Path) -> str:
    """Return a picture as a data URL."""
    return "data:image/png;base64," + base64.b64encode((folder / file).read_bytes()).decode()


def _code(text: str) -> str:
    """Escape a text for HTML; text in backquotes becomes code, intervals do not wrap."""
    joined = text.replace(" ± ", f"{_NO_BREAK}±{_NO_BREAK}").replace(" %", f"{_NO_BREAK}%")
    parts = escape(joined, quote=False).split("`")
    return "".join(
        f"<code>{part}</code>" if index % 2 and index < len(parts) - 1 else part
        for index, part in enumerate(parts)
    )


def print_report(report: Report, console: Console) -> None:
    """Print a report; for a picture, its path.

    Examples
    --------
    >>> from rich.console import Console
    >>> report = Report("x", "run x", "A title", "quick", 1, 2.0, "2 cores", "0.1.0", ())
    >>> print_report(report, Console(width=96))
    <BLANKLINE>
    A title
    A quick run of run x: seed 1, 2 s, 2 cores, Riverboat 0.1.0. Confidence intervals are 95 %. What
    is trained or measured for a time differs in another run with this seed.
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
    """Print a table; columns of numbers are aligned right.

    Examples
    --------
    >>> import io
    >>> from rich.console import Console
    >>> shown = Console(width=40, record=True, file=io.StringIO())
    >>> print_table(Table("Speed", ("work", "per second"), (("deals", "1,000"),)), shown)
    >>> shown.export_text().split()
    ['Speed', 'work', 'per', 'second', '──────────────────', 'deals', '1,000']
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


#: Names of the files that `write_report` writes.
REPORT_FILES = ("report.json", "report.md", "report.html")


def write_report(report: Report, folder: Path) -> None:
    """Write a report as JSON, Markdown and HTML, each file atomically.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> report = Report("x", "run x", "A title", "quick", 1, 2.0, "2 cores", "0.1.0", ())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(report, Path(folder))
    ...     (Path(folder) / "report.md").read_text(encoding="utf-8")[:9]
    '# A title'
    """
    forms = (
        msgspec.json.encode(report),
        markdown(report).encode(),
        html_page([report], [folder]).encode(),
    )
    for name, form in zip(REPORT_FILES, forms, strict=True):
        with atomic_path(folder / name) as temporary:
            temporary.write_bytes(form)
