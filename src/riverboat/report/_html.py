"""A report as one page of HTML that needs no other file; the page itself is page.html.j2."""

import base64
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from riverboat.report._report import Picture, Report, Table, Text
from riverboat.report._rows import as_table, closing_line, holds_text
from riverboat.report._template import new_environment

_LONG = 24  # characters of a cell, in the mean of a column


def html_page(reports: Sequence[Report], folders: Sequence[Path], title: str = "") -> str:
    """Write reports as one page, pictures inside.

    Parameters
    ----------
    reports
        One or more, in order.
    folders
        Where the pictures of each lie.
    title
        Of the page; the first report's if not given.

    Examples
    --------
    >>> report = Report("x", "run x", "A <title>", "quick", 1, 2.0, "2 cores", "0.1.0", ())
    >>> "<h1>A &lt;title&gt;</h1>" in html_page([report], [Path()])
    True
    """
    from markupsafe import Markup  # noqa: PLC0415 - comes with Jinja2, slow to import

    environment = new_environment(autoescape=True)
    environment.filters |= {
        "as_table": as_table,
        "closing_line": closing_line,
        "code": lambda text: Markup(_code(text)),  # noqa: S704 - escaped there
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
    """Say of each column how its cells are set."""
    return [_kind([row[index] for row in table.rows]) for index in range(len(table.columns))]


def _kind(column: Sequence[str]) -> str:
    """Whether a column holds texts, which get room if long, or numbers, which are not broken."""
    if not holds_text(column):
        return "number"
    lengths = [len(cell) for cell in column if cell]
    return "text long" if sum(lengths) > _LONG * len(lengths) else "text"


def _inlined(file: str, folder: Path) -> str:
    """Return a picture as an address that holds it."""
    return "data:image/png;base64," + base64.b64encode((folder / file).read_bytes()).decode()


def _code(text: str) -> str:
    """Escape a text; what stands between backquotes becomes code."""
    parts = escape(text, quote=False).split("`")
    return "".join(
        f"<code>{part}</code>" if index % 2 and index < len(parts) - 1 else part
        for index, part in enumerate(parts)
    )
