"""Formatting of numbers, durations and sizes for reports, the terminal and benchmark tables."""

import math
from collections.abc import Sequence

from riverboat.statistics import Estimate

_ROUNDING = 1e-6


def number(value: float | None) -> str:
    """Write a number with three significant digits; a large one to the nearest whole number.

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
    """Write a number with three significant digits; in millions if it is at least a million.

    Examples
    --------
    >>> short(13_999_398), short(274_974_670), short(999_999), short(49_573), short(15.66)
    ('14.0 M', '275 M', '1.00 M', '49,600', '15.7')
    """
    value = float(f"{value:.3g}")
    shown, unit = (value / 1e6, " M") if abs(value) >= 1e6 else (value, "")
    places = 2 - math.floor(math.log10(abs(shown))) if shown else 0
    return f"{shown:,.{max(0, places)}f}{unit}"


def listed(words: Sequence[object], none: str = "none") -> str:
    """Write a list of words.

    Examples
    --------
    >>> listed(["tight", "random", "aggressive"]), listed([3, 6]), listed([])
    ('tight, random and aggressive', '3 and 6', 'none')
    """
    texts = [str(word) for word in words]
    if len(texts) < 2:
        return texts[0] if texts else none
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


def how_many(count: int, what: str, several: str = "") -> str:
    """Write a count with its noun; the plural is the noun and `s` unless given.

    Examples
    --------
    >>> how_many(1, "hand"), how_many(2_000, "hand"), how_many(3, "match", "matches")
    ('1 hand', '2,000 hands', '3 matches')
    """
    return f"{count:,} {what if count == 1 else several or what + 's'}"


def percent(share: float, digits: int = 1) -> str:
    """Write a share in per cent.

    Examples
    --------
    >>> percent(0.6918), percent(0.5, 0)
    ('69.2 %', '50 %')
    """
    return f"{100 * share:.{digits}f} %"


def hedged(share: float) -> str:
    """Write a share in per cent with one decimal; only exact shares become 0.0 and 100.0.

    Examples
    --------
    >>> hedged(0.5), hedged(0.9999), hedged(1.0), hedged(1e-12)
    ('50.0', '99.9', '100.0', '0.0')
    """
    if _ROUNDING < share < 1 - _ROUNDING:
        return f"{min(max(100 * share, 0.1), 99.9):.1f}"
    return f"{100 * share:.1f}"


def proportion(share: float, least: int = 0) -> str:
    """Write a share in per cent, a small one with more decimals, and at least `least` decimals.

    Examples
    --------
    >>> proportion(0.0212), proportion(0.5), proportion(0.00042), proportion(0.254, 1)
    ('2.1 %', '50 %', '0.042 %', '25.4 %')
    """
    value = 100 * share
    digits = next((n for n, bound in enumerate((10, 1, 0.1)) if value >= bound), 3)
    return percent(share, max(digits, least)) if value else "0 %"


def duration(seconds: float) -> str:
    """Write a duration.

    Examples
    --------
    >>> duration(39_600), duration(97_200), duration(125), duration(38.2), duration(0)
    ('11 h', '27 h', '2 min 5 s', '38 s', '0 s')
    >>> duration(0.0021)
    '2.1 ms'
    """
    if math.isinf(seconds):
        return "unknown"
    if 0 < seconds < 1:
        return f"{number(seconds * 1e3)} ms" if seconds >= 1e-3 else f"{number(seconds * 1e6)} µs"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s" if whole >= 10 else f"{number(seconds)} s"
    if whole < 3600:
        minutes, rest = divmod(whole, 60)
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, rest = divmod(round(seconds / 60), 60)
    return f"{hours:,} h {rest} min" if rest else f"{hours:,} h"


def share(estimate: Estimate) -> str:
    """Write an estimated share with its 95 % confidence interval.

    Examples
    --------
    >>> share(Estimate(1.0, 0.0, 250, "share"))
    '100.0 % (98.5 to 100.0)'
    """
    low, high = estimate.interval
    return f"{percent(estimate.mean)} ({100 * low:.1f} to {100 * high:.1f})"


def size(count: float) -> str:
    """Write a number of bytes.

    Examples
    --------
    >>> size(117_964), size(12_345_678), size(11_400_000_000), size(999_999), size(40)
    ('118 kB', '12.3 MB', '11.4 GB', '1.0 MB', '40 bytes')
    """
    count = float(f"{count:.3g}") if abs(count) < 1e6 else count
    if abs(count) < 1e3:
        return f"{count:.0f} bytes"
    if abs(count) < 1e6:
        return f"{number(count / 1e3)} kB"
    return f"{count / 1e6:,.1f} MB" if count < 1e9 else f"{count / 1e9:,.1f} GB"


def cell(value: object) -> str:
    """Write a value of a table or a sentence: text, number, estimate, list or None.

    Examples
    --------
    >>> cell(100_000), cell(0.02512), cell(Estimate.with_margin(412.0, 59.0)), cell(None)
    ('100,000', '0.0251', '412 ± 59', '')
    """
    match value:
        case None:
            return ""
        case Estimate():
            return value.text()
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return number(value)
        case list() | tuple():
            return listed(value)
        case _:
            return str(value)
