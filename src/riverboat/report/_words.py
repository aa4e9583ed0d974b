"""Numbers as people read them in reports."""

import math
from collections.abc import Sequence

from riverboat.report._report import Compared

__all__ = [
    "duration",
    "holds_text",
    "listed",
    "number",
    "percent",
    "plus_minus",
    "row_texts",
    "short",
]

_LONG = 30  # characters: no number has so many


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


def short(value: float) -> str:
    """Write a number with three digits that count, from a million on in millions.

    Examples
    --------
    >>> short(13_999_398), short(274_974_670), short(999_999), short(49_573), short(15.66)
    ('14.0 M', '275 M', '1.00 M', '49,600', '15.7')
    """
    value = float(f"{value:.3g}")
    shown, unit = (value / 1e6, " M") if abs(value) >= 1e6 else (value, "")
    places = 2 - math.floor(math.log10(abs(shown))) if shown else 0
    return f"{shown:,.{max(0, places)}f}{unit}"


def plus_minus(value: float, margin: float, sign: str = "") -> str:
    """Write a value and its margin, both to the second digit of the margin.

    Parameters
    ----------
    value, margin
        The margin is half the 95 % interval, below 0 where it is not known.
    sign
        `+` to write that of a gain, too.

    Examples
    --------
    >>> plus_minus(4757.61, 144.8), plus_minus(0.4213, 0.0125), plus_minus(92.13, 12.0)
    ('4,758 ± 145', '0.421 ± 0.013', '92 ± 12')
    >>> plus_minus(1.434, 1.44, "+"), plus_minus(7.0, -1), plus_minus(7.04, 0.996)
    ('+1.4 ± 1.4', '7.0 ± ?', '7.0 ± 1.0')
    """
    if margin < 0 or not math.isfinite(margin):
        return f"{value:{sign},.1f} ± ?"
    rounded = float(f"{margin:.2g}")  # 0.996 has the digits of 1.0
    places = max(0, 1 - math.floor(math.log10(rounded))) if rounded else 2
    return f"{value:{sign},.{places}f} ± {margin:,.{places}f}"


def listed(words: Sequence[object], none: str = "none") -> str:
    """Write a list.

    Examples
    --------
    >>> listed(["tight", "random", "aggressive"]), listed([3, 6]), listed([])
    ('tight, random and aggressive', '3 and 6', 'none')
    """
    texts = [str(word) for word in words]
    if len(texts) < 2:
        return texts[0] if texts else none
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


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
    """Whether most cells of a column are words or long, and stand to the left; else numbers.

    Examples
    --------
    >>> holds_text(["the same", "12 of them", "", "`min`"]), holds_text(["-", "+3 ± 1"])
    (True, False)
    """
    words = sum(1 for cell in column if cell.lstrip("`")[:1].isalpha() or len(cell) > _LONG)
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
