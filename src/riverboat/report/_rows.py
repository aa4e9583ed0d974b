"""What all writers share: comparisons as tables, the line on how a report came about."""

from collections.abc import Sequence

from riverboat.report._report import Compared, Comparison, Report, Table
from riverboat.report._words import duration, number, plus_minus

_HEADINGS = ("", "published", "ours", "ratio", "")
_LONG = 30  # characters: no number has so many


def as_table(part: Table | Comparison) -> Table:
    """Return a table as it is, and a comparison as one of texts."""
    if isinstance(part, Table):
        return part
    return Table(part.caption, _HEADINGS, tuple(_row_texts(row) for row in part.rows))


def _row_texts(row: Compared) -> tuple[str, ...]:
    """Write a comparison: what, published, ours with its interval, ratio, note."""
    ours = _figure(row.ours, row.unit)
    if row.margin is not None and row.ours is not None and row.unit != "s":
        ours = f"{plus_minus(row.ours, row.margin)} {row.unit}".rstrip()
    ratio = "-" if row.ratio is None else f"{number(float(f'{row.ratio:.3g}'))}x"
    return row.what, _figure(row.published, row.unit), ours, ratio, row.note


def _figure(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    return duration(value) if unit == "s" else f"{number(value)} {unit}".rstrip()


def holds_text(column: Sequence[str]) -> bool:
    """Whether most cells of a column are words or long, and stand to the left; else numbers.

    Examples
    --------
    >>> holds_text(["the same", "12 of them", "", "`min`"]), holds_text(["-", "+3 ± 1"])
    (True, False)
    """
    words = sum(1 for cell in column if cell.lstrip("`")[:1].isalpha() or len(cell) > _LONG)
    return words * 2 > sum(1 for cell in column if cell)


def closing_line(report: Report) -> str:
    """Say how a report came about."""
    parts = [part for section in report.sections for part in section.parts]
    compared = any(isinstance(part, Comparison) for part in parts)
    return (
        f"A {report.effort} run of `{report.command}`: seed {report.seed}, "
        f"{duration(report.seconds)}, {report.machine}, Riverboat {report.version}. Intervals "
        "are 95 %." + (" A ratio above 1 is better than published." if compared else "")
    )
