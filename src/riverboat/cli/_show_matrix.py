"""The 13x13 matrix of a decision in a terminal of 80 columns, with and without colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from rich.color import Color
from rich.style import Style
from rich.text import Text

from riverboat.cards import NUM_CLASSES, class_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from rich.console import Console

    from riverboat.cli._action_keys import ActionKey

__all__ = ["MATRIX_COLUMNS", "legend", "matrix_lines", "percent"]

_CELL = 5
#: Thirteen cells with a blank between two.
MATRIX_COLUMNS: Final = 13 * (_CELL + 1) - 1
_ALWAYS = 0.995  # what rounds to all is shown as all
_GREY = Style(color=Color.from_rgb(130, 130, 130))


def percent(share: float) -> str:
    """Per cent with one digit; what is not all or nothing never looks so.

    Examples
    --------
    >>> percent(0.5), percent(0.9999), percent(1.0)
    ('50.0', '99.9', '100.0')
    """
    if 0 < share < 1:
        return f"{min(max(100 * share, 0.1), 99.9):.1f}"
    return f"{100 * share:.1f}"


def matrix_lines(
    strategy: NDArray[np.float64],
    alive: NDArray[np.bool_],
    keys: Sequence[ActionKey],
    console: Console,
) -> Iterator[Text]:
    """Draw the matrix.

    Parameters
    ----------
    strategy
        [169, actions] by class; NaN where untrained.
    alive
        [169] whether any hand of the class is possible.
    keys
        Of the actions.
    console
        Where it is shown: with colours or without.
    """
    coloured = console.color_system is not None and not console.no_color
    for first in range(0, NUM_CLASSES, 13):
        cells = [
            _cell(index, strategy[index], bool(alive[index]), keys, coloured)
            for index in range(first, first + 13)
        ]
        line = Text(" ").join(cells)
        line.no_wrap, line.overflow = True, "crop"
        yield line


def _cell(
    index: int, row: NDArray[np.float64], alive: bool, keys: Sequence[ActionKey], coloured: bool
) -> Text:
    name = class_text(index)
    if not alive:
        return Text("  -".ljust(_CELL), _GREY)
    if np.isnan(row[0]):
        return Text(f"{name:3}?".ljust(_CELL), _GREY)
    best = int(row.argmax())
    tens = "" if row[best] >= _ALWAYS else str(min(int(10 * row[best] + 0.5), 9))
    cell = Text(f"{name:3}{keys[best].letter}{tens}".ljust(_CELL))
    if coloured:
        for place, action in enumerate(_stripes(row)):
            colour = keys[action].colour
            cell.stylize(
                Style(color=Color.from_rgb(0, 0, 0), bgcolor=Color.from_rgb(*colour)),
                place,
                place + 1,
            )
    return cell


def _stripes(row: NDArray[np.float64]) -> list[int]:
    """Which action colours each character of a cell: by their shares, largest remainders first."""
    exact = row / row.sum() * _CELL
    counts = np.floor(exact).astype(int)
    for action in np.argsort(counts - exact, kind="stable")[: _CELL - counts.sum()]:
        counts[action] += 1
    return [action for action, count in enumerate(counts.tolist()) for _ in range(count)]


def legend(
    keys: Sequence[ActionKey], frequencies: NDArray[np.float64], console: Console
) -> Iterator[Text]:
    """Say what letters and colours mean, and how often each action is taken."""
    coloured = console.color_system is not None and not console.no_color
    for key, share in zip(keys, frequencies.tolist(), strict=True):
        style = Style(color=Color.from_rgb(0, 0, 0), bgcolor=Color.from_rgb(*key.colour))
        mark = Text(f" {key.letter} ", style if coloured else Style())
        shown = "  untrained" if np.isnan(share) else f"{percent(share):>6} %"
        yield Text.assemble(mark, f" {shown}  {key.words}")
