"""Figures of this report: three digits that count, and percents with a blank."""

import math
from collections.abc import Sequence

from riverboat.recipes.work import Won

__all__ = ["grid_text", "listed", "percent", "rounded", "short", "spread", "won_text"]


def rounded(value: float, digits: int = 3) -> float:
    """Keep some digits that count.

    Examples
    --------
    >>> rounded(49_573), rounded(0.30649, 2), rounded(0)
    (49600.0, 0.31, 0.0)
    """
    return float(f"{value:.{digits}g}")


def short(value: float) -> str:
    """Write a number with three digits that count, from a million on in millions.

    Examples
    --------
    >>> short(13_999_398), short(274_974_670), short(999_999), short(49_573), short(15.66)
    ('14.0 M', '275 M', '1.00 M', '49,600', '15.7')
    """
    value = rounded(value)
    if abs(value) >= 1e6:
        return f"{_three(value / 1e6)} M"
    return _three(value)


def _three(value: float) -> str:
    places = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:,.{max(0, places)}f}"


def percent(share: float, places: int = 1) -> str:
    """Write a share.

    Examples
    --------
    >>> percent(0.3472), percent(0.9, 0)
    ('34.7 %', '90 %')
    """
    return f"{100 * share:.{places}f} %"


def spread(mean: float, margin: float, sign: str = "") -> str:
    """Write a mean with half its 95 % interval, which gets two digits that count.

    Parameters
    ----------
    mean, margin
        The margin is below 0 where it is not known.
    sign
        `+` to write that of a gain too.

    Examples
    --------
    >>> spread(-61.904, 11.39), spread(1.434, 1.44, "+"), spread(5.449, 0.301), spread(7.0, -1)
    ('-62 ± 11', '+1.4 ± 1.4', '5.45 ± 0.30', '7.0 ± ?')
    """
    if margin < 0:
        return f"{mean:{sign},.1f} ± ?"
    places = 0 if margin >= 9.95 else 1 if margin >= 0.995 else 2
    return f"{mean:{sign},.{places}f} ± {margin:,.{places}f}"


def won_text(won: Won) -> str:
    """Write what a bot won, with its interval.

    Examples
    --------
    >>> won_text(Won(15.83, 6.61, 600))
    '+15.8 ± 6.6'
    """
    return spread(won.mean, won.margin, "+")


def listed(words: Sequence[object]) -> str:
    """Join words by commas, the last one by "and".

    Examples
    --------
    >>> listed([3, 6, 9]), listed(["one"])
    ('3, 6 and 9', 'one')
    """
    texts = [str(word) for word in words]
    return " and ".join([*([", ".join(texts[:-1])] if texts[1:] else []), *texts[-1:]])


def grid_text(grid: str) -> str:
    """Write a grid, `first:last:step` or `a,b,c`, in words.

    Examples
    --------
    >>> grid_text("0:1:0.05"), grid_text("0.1,0.7")
    ('0 to 1 by 0.05', '0.1 and 0.7')
    """
    if ":" in grid:
        first, last, step = grid.split(":")
        return f"{first} to {last} by {step}"
    return listed(grid.split(","))
