"""A report as Markdown, with its pictures beside it."""

from collections.abc import Sequence

from riverboat.report._report import Comparison, Part, Picture, Report, Table, Text
from riverboat.report._words import duration, holds_text, row_texts

__all__ = ["HEADINGS", "markdown"]

#: Of a comparison's columns.
HEADINGS = ("", "published", "ours", "ratio", "")


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


def closing_line(report: Report) -> str:
    """Say how a report came about."""
    parts = [part for section in report.sections for part in section.parts]
    compared = any(isinstance(part, Comparison) for part in parts)
    return (
        f"A {report.effort} run of `{report.command}`: seed {report.seed}, "
        f"{duration(report.seconds)}, {report.machine}, Riverboat {report.version}. Intervals "
        "are 95 %." + (" A ratio above 1 is better than published." if compared else "")
    )


def _part_lines(part: Part) -> list[str]:
    match part:
        case Text(text):
            return [text]
        case Picture(file, caption):
            return [f"![{caption}]({file})", "", f"*{caption}*"]
        case Table(caption, columns, rows):
            return _table_lines(caption, columns, rows)
        case Comparison(caption, rows):
            return _table_lines(caption, HEADINGS, [row_texts(row) for row in rows])


def _table_lines(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    shown = [index for index in range(len(columns)) if _is_used(index, columns, rows)]
    head = "| " + " | ".join(columns[index] for index in shown) + " |"
    left = {index for index in shown if index == 0 or holds_text([row[index] for row in rows])}
    rule = "|" + "|".join(" --- " if index in left else " ---: " for index in shown) + "|"
    body = ["| " + " | ".join(_cell(row[index]) for index in shown) + " |" for row in rows]
    return [f"**{caption}**", "", head, rule, *body]


def _is_used(index: int, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether a column has anything to show."""
    return bool(columns[index]) or index == 0 or any(row[index] for row in rows)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
