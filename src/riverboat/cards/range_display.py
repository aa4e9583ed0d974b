"""Ranges for the eye: the 13x13 grid in a terminal and in a notebook.

A module of its own, loaded when a range is first shown: it needs rich, and an import of
Riverboat should not wait for it.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text

from riverboat.cards.holes import CLASS_COMBOS, NUM_HOLES, class_text

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions

    from riverboat.cards.ranges import Range

__all__ = ["range_html", "range_lines"]

# Teal, which no action has: folds are blue, calls green, bets amber to purple.
_FULL = (22, 128, 122)
_NONE = (38, 43, 50)
_PLAIN_LEGEND = "AKs = all of it, AKs25 = 25 % of its weight, · = none"


def range_lines(shown: "Range", console: "Console", options: "ConsoleOptions") -> Iterator[Text]:
    """Lines of the grid for a terminal, 77 columns wide.

    Parameters
    ----------
    shown
        The range.
    console, options
        Where it is shown. Without colours the text alone tells the weights.

    Yields
    ------
    Text
        One line each: thirteen rows, then a summary.

    Examples
    --------
    >>> from riverboat.cards import Range
    >>> from rich.console import Console
    >>> Console(width=80).print(Range.parse("QQ+, AK:0.5"))  # doctest: +SKIP
    """
    coloured = console.color_system is not None and not console.no_color
    for row in shown.matrix().tolist():
        pass
