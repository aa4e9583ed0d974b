"""A decision as a matrix of 13x13 hands in a terminal of 40 columns or more.

Letters tell everything that colours do. What seldom comes here is faint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from rich.color import Color
from rich.style import Style
from rich.text import Text

from riverboat.cards import NUM_CLASSES, RANKS, class_text
from riverboat.learn import Matrix, hedged, plot_matrix

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from rich.console import Console

    from riverboat.blueprint import ActionKey
    from riverboat.report import Rgb

__all__ = [
    "LEAST_COLUMNS",
    "MATRIX_COLUMNS",
    "Matrix",
    "hedged",
    "legend",
    "matrix_lines",
    "plot_matrix",
]

_CELL = 5
#: Thirteen cells with a blank between two.
MATRIX_COLUMNS: Final = 13 * (_CELL + 1) - 1
#: The same without names in the cells, but at the sides: cells of three and of two characters.
_SHORT_COLUMNS: Final = 1 + 13 * 4
LEAST_COLUMNS: Final = 1 + 13 * 3
_DIM: Final = 0.48  # of emphasis: a hundredth of the reach of the class that comes most often
_FADE: Final = 150
_ALWAYS = 0.995  # what rounds to all is shown as all
_GREY = Style(color=Color.from_rgb(130, 130, 130))


def matrix_lines(matrix: Matrix, keys: Sequence[ActionKey], console: Console) -> Iterator[Text]:
    """Draw the matrix in the widest form that fits.

    Parameters
    ----------
    matrix
        What it shows.
    keys
        Of the actions.
    console
        Where it is shown: with colours or without, from 40 columns on.
    """
    named = console.width >= MATRIX_COLUMNS
    width = 5 if named else 3 if console.width >= _SHORT_COLUMNS else 2
    coloured = console.color_system is not None and not console.no_color
    if not named:
        yield _cropped([Text(" "), *(Text(rank.ljust(width)) for rank in RANKS[::-1])])
    for first in range(0, NUM_CLASSES, 13):
        cells = [_cell(matrix, i, keys, coloured, width) for i in range(first, first + 13)]
        yield _cropped(cells if named else [Text(RANKS[12 - first // 13]), *cells])


def _cropped(cells: Sequence[Text]) -> Text:
    line = Text(" ").join(cells)
    line.no_wrap, line.overflow = True, "crop"
    return line


def _cell(
    matrix: Matrix, index: int, keys: Sequence[ActionKey], coloured: bool, width: int
) -> Text:
    row, emphasis = matrix.strategy[index], float(matrix.emphasis[index])
    name = f"{class_text(index):3}" if width == _CELL else ""
    if not matrix.alive[index]:
        return Text(("  -" if name else "-").ljust(width), _GREY)
    if np.isnan(row[0]):
        return Text(f"{name}?".ljust(width), _GREY)
    best = int(row.argmax())
    cell = Text(f"{name}{keys[best].letter}{_mark(matrix, index)}".ljust(width))
    if not coloured:
        if emphasis < _DIM:  # the attribute stays where colours are not wanted
            cell.stylize(Style(dim=True))
        return cell
    if emphasis < _DIM:  # without a ground: in 256 colours a fainter one looks the same
        cell.stylize(Style(color=Color.from_rgb(*keys[best].colour)))
        return cell
    for place, action in enumerate(_stripes(row, width)):
        colour = _faded(keys[action].colour, emphasis)
        style = Style(color=Color.from_rgb(0, 0, 0), bgcolor=Color.from_rgb(*colour))
        cell.stylize(style, place, place + 1)
    return cell


def _mark(matrix: Matrix, index: int) -> str:
    """What stands behind the letter: that it is no knowledge, or matters little, or its tenths."""
    share = float(matrix.strategy[index].max())
    if matrix.few[index]:
        return "~"
    if matrix.emphasis[index] < _DIM:
        return "."
    return "" if share >= _ALWAYS else str(min(int(10 * share + 0.5), 9))


def _faded(colour: Rgb, emphasis: float) -> Rgb:
    """Turn a colour towards grey, which is fainter on dark and on light terminals."""
    red, green, blue = (round(_FADE + emphasis * (part - _FADE)) for part in colour)
    return red, green, blue


def _stripes(row: NDArray[np.float64], width: int) -> list[int]:
    """Which action colours each character of a cell: by their shares, largest remainders first."""
    exact = row / row.sum() * width
    counts = np.floor(exact).astype(int)
    for action in np.argsort(counts - exact, kind="stable")[: width - counts.sum()]:
        counts[action] += 1
    return [action for action, count in enumerate(counts.tolist()) for _ in range(count)]


def legend(
    keys: Sequence[ActionKey],
    frequencies: NDArray[np.float64],
    console: Console,
    unknown: str = "untrained",
) -> Iterator[Text]:
    """Say what letters and colours mean, and how often each action is taken."""
    coloured = console.color_system is not None and not console.no_color
    for key, share in zip(keys, frequencies.tolist(), strict=True):
        style = Style(color=Color.from_rgb(0, 0, 0), bgcolor=Color.from_rgb(*key.colour))
        mark = Text(f" {key.letter} ", style if coloured else Style())
        shown = f"  {unknown}" if np.isnan(share) else f"{hedged(share):>6} %"
        yield Text.assemble(mark, f" {shown}  {key.words}")
