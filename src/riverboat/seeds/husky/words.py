"""Figures and grids of this report."""

from riverboat.report import listed, plus_minus
from riverboat.seeds._work import Won

__all__ = ["grid_text", "rounded", "won_text"]


def rounded(value: float, digits: int = 3) -> float:
    """Keep some digits that count.

    Examples
    --------
    >>> rounded(49_573), rounded(0.30649, 2), rounded(0)
    (49600.0, 0.31, 0.0)
    """
    return float(f"{value:.{digits}g}")


def won_text(won: Won) -> str:
    """Write what a bot won, with its interval.

    Examples
    --------
    >>> won_text(Won(15.83, 6.61, 600))
    '+15.8 ± 6.6'
    """
    return plus_minus(won.mean, won.margin, "+")


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
