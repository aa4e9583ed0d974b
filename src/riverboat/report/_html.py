"""A report as one page of HTML that needs no other file."""

import base64
from collections.abc import Sequence
from html import escape
from pathlib import Path

from riverboat.report._markdown import HEADINGS, closing_line
from riverboat.report._report import Comparison, Part, Picture, Report, Table, Text
from riverboat.report._words import holds_text, row_texts

__all__ = ["html_page"]

_LONG = 24  # characters of a cell, in the mean of a column
_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.2; } h2 { margin-top: 2.2em; border-bottom: 1px solid var(--line); }
p.how { color: #777; } p { max-width: 46rem; }
div.wide { overflow-x: auto; margin: 1.2em 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
p.caption { font-weight: 600; margin: 0 0 .3em; }
th, td { padding: .25em .7em; border-bottom: 1px solid var(--line); text-align: right; }
th { background: var(--soft); } td:first-child, th:first-child, .text { text-align: left; }
td.number { white-space: nowrap; } td:first-child { min-width: 10rem; }
td.long:not(:first-child) { min-width: 18rem; }
table.many { font-size: .85em; } .many th, .many td { padding: .25em .45em; }
figure { margin: 1.4em 0; } img { max-width: 100%; background: white; border-radius: 4px; }
figcaption { color: #777; max-width: 46rem; }
"""


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
    pairs = zip(reports, folders, strict=True)
    bodies = "\n".join(_report(report, folder) for report, folder in pairs)
    head = escape(title or reports[0].title)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{head}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{_STYLE}</style></head>\n<body>\n{bodies}\n</body></html>\n"
    )


def _report(report: Report, folder: Path) -> str:
    lines = [
        f"<h1>{escape(report.title)}</h1>",
        f'<p class="how">{_text(closing_line(report))}</p>',
    ]
    for section in report.sections:
        lines.append(f"<h2>{escape(section.title)}</h2>")
        lines += [_part(part, folder) for part in section.parts]
    return "\n".join(lines)


def _part(part: Part, folder: Path) -> str:
    match part:
        case Text(text):
            return f"<p>{_text(text)}</p>"
        case Picture(file, caption):
            data = base64.b64encode((folder / file).read_bytes()).decode()
            shown = _text(caption)
            image = f'<img alt="{escape(caption)}" src="data:image/png;base64,{data}">'
            return f"<figure>{image}<figcaption>{shown}</figcaption></figure>"
        case Table(caption, columns, rows):
            return _table(caption, columns, rows)
        case Comparison(caption, rows):
            return _table(caption, HEADINGS, [row_texts(row) for row in rows])


def _table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    kinds = [_kind([row[index] for row in rows]) for index in range(len(columns))]
    head = _cells("th", columns, kinds)
    body = "".join(f"<tr>{_cells('td', row, kinds)}</tr>" for row in rows)
    size = ' class="many"' if len(columns) > 6 else ""
    return (
        f'<div class="wide"><p class="caption">{_text(caption)}</p><table{size}>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _kind(column: Sequence[str]) -> str:
    """Whether a column holds texts, which get room if long, or numbers, which are not broken."""
    if not holds_text(column):
        return "number"
    lengths = [len(cell) for cell in column if cell]
    return "text long" if sum(lengths) > _LONG * len(lengths) else "text"


def _cells(tag: str, cells: Sequence[str], kinds: Sequence[str]) -> str:
    pairs = zip(cells, kinds, strict=True)
    return "".join(f'<{tag} class="{kind}">{_text(cell)}</{tag}>' for cell, kind in pairs)


def _text(text: str) -> str:
    """Escape a text; what stands between backquotes becomes code."""
    parts = escape(text, quote=False).split("`")
    return "".join(
        f"<code>{part}</code>" if index % 2 and index < len(parts) - 1 else part
        for index, part in enumerate(parts)
    )
