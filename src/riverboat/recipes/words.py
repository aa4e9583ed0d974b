"""Numbers as people read them in reports."""

import math
from collections.abc import Sequence

from riverboat.recipes.report import Compared

__all__ = ["duration", "holds_text", "number", "percent", "plus_minus", "row_texts"]


def number(value: float | None) -> str:
    """Write a number with three digits that count, more where it is large.

    Examples
    --------
    >>> number(2_200), number(0.02512), number(-1.75), number(None), number(13_500.4)
    ('2,200', '0.0251', '-1.75', '-', '13,500')
    """
    if value is None or not math.isfinite(value):
        return "-"
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def plus_minus(value: float, margin: float) -> str:
    """Write a value and its margin, both to the second digit of the margin.

    Examples
    --------
    >>> plus_minus(4757.61, 144.8), plus_minus(1.4213, 0.0995), plus_minus(92.13, 12.0)
    ('4,758 ± 145', '1.421 ± 0.100', '92 ± 12')
    """
    if not math.isfinite(margin) or margin <= 0:
        return f"{number(value)} ± {number(margin)}"
    digits = max(0, 1 - math.floor(math.log10(margin)))
    return f"{value:,.{digits}f} ± {margin:,.{digits}f}"


def percent(share: float, digits: int = 1) -> str:
    """Write a share.

    Examples
    --------
    >>> percent(0.6918), percent(0.5, 0)
    ('69.2 %', '50 %')
    """
    return f"{100 * share:.{digits}f} %"


def duration(seconds: float) -> str:
    """Write a time.

    Examples
    --------
    >>> duration(39_600), duration(97_200), duration(38.2), duration(125), duration(0.0021)
    ('11 h', '27 h', '38 s', '2 min 5 s', '2.1 ms')
    """
    if seconds < 1:
        return f"{number(seconds * 1e3)} ms" if seconds >= 1e-3 else f"{number(seconds * 1e6)} µs"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s" if whole >= 10 else f"{number(seconds)} s"
    if whole < 3600:
        minutes, rest = divmod(whole, 60)
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, rest = divmod(round(seconds / 60), 60)
    return f"{hours:,} h {rest} min" if rest else f"{hours:,} h"


def holds_text(column: Sequence[str]) -> bool:
    """Whether most cells of a column are words, which stand to the left, and not numbers.

    Examples
    --------
    >>> holds_text(["the same", "12 of them", "", "`min`"]), holds_text(["-", "+3 ± 1"])
    (True, False)
    """
    words = sum(1 for cell in column if cell.lstrip("`")[:1].isalpha())
    return words * 2 > sum(1 for cell in column if cell)


def row_texts(row: Compared) -> tuple[str, str, str, str, str]:
    """Write a comparison: what, published, ours with its interval, ratio, note."""
    if row.unit == "s":
        published = "-" if row.published is None else duration(row.published)
        ours = "-" if row.ours is None else duration(row.ours)
    else:
        unit = f" {row.unit}" if row.unit else ""
        published = "-" if row.published is None else number(row.published) + unit
        ours = "-" if row.ours is None else number(row.ours) + unit
        if row.margin is not None and row.ours is not None:
            ours = plus_minus(row.ours, row.margin) + unit
    ratio = "-" if row.ratio is None else f"{number(float(f'{row.ratio:.3g}'))}x"
    return row.what, published, ours, ratio, row.note
