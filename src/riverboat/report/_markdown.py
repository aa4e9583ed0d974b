"""A report as Markdown, with its pictures beside it."""

from riverboat.report._report import Part, Picture, Report, Table, Text
from riverboat.report._rows import as_table, closing_line, holds_text


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
    """Whether a column has anything to show."""
    return bool(table.columns[index]) or index == 0 or any(row[index] for row in table.rows)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
