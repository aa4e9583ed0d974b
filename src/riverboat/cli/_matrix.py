"""A decision as a matrix of 13x13 hands: in a terminal of 40 columns or more, and as a picture.

Letters tell everything that colours do. What seldom comes here is faint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from rich.color import Color
from rich.style import Style
from rich.text import Text

from riverboat.cards import NUM_CLASSES, RANKS, class_text
from riverboat.errors import BlueprintError
from riverboat.files import atomic_path
from riverboat.report import hex_colour

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray
    from rich.console import Console

    from riverboat.blueprint import ActionKey, NodeView
    from riverboat.report import Rgb
    from riverboat.spots import SpotNode

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
_FORMATS = ("png", "svg", "pdf")

_UNTRAINED = "#d9d9d9"
_DEAD = "#f4f4f4"


def hedged(share: float) -> str:
    """Per cent with one digit; what is not all or nothing never looks so.

    Examples
    --------
    >>> hedged(0.5), hedged(0.9999), hedged(1.0)
    ('50.0', '99.9', '100.0')
    """
    if 0 < share < 1:
        return f"{min(max(100 * share, 0.1), 99.9):.1f}"
    return f"{100 * share:.1f}"


class Matrix(NamedTuple):
    """What the cells show, by class.

    Attributes
    ----------
    strategy
        [169, actions]; NaN where untrained.
    alive
        [169] whether any hand of the class is possible.
    emphasis
        [169] how strongly it is shown, 0 to 1, by how often it comes here.
    few
        [169] whether training hardly came here with it.
    """

    strategy: NDArray[np.float64]
    alive: NDArray[np.bool_]
    emphasis: NDArray[np.float64]
    few: NDArray[np.bool_]

    @classmethod
    def of(cls, view: NodeView | SpotNode) -> Matrix:
        """Take it from a decision."""
        alive = ~np.isnan(view.class_reach())
        return cls(view.by_class(), alive, view.class_emphasis(), view.class_few())


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


def plot_matrix(
    path: Path,
    title: str,
    matrix: Matrix,
    keys: Sequence[ActionKey],
    frequencies: NDArray[np.float64],
) -> None:
    """Draw the matrix into a file: each cell is a bar of the actions' shares.

    Parameters
    ----------
    path
        Ends in .png, .svg or .pdf.
    title
        Above the picture.
    matrix
        What the cells show.
    keys, frequencies
        Of the actions, and how often each is taken.
    """
    if path.suffix.lower().lstrip(".") not in _FORMATS:
        raise BlueprintError(f"a picture ends in {', '.join(_FORMATS)}, not {path.name!r}")
    # Loaded here: it takes half a second, and only pictures need it.
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to import

    figure = Figure(figsize=(8.2, 8.8), dpi=110)
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for index in range(NUM_CLASSES):
        _draw_cell(axes, index, matrix, keys)
    axes.set(xlim=(0, 13), ylim=(13, 0), aspect="equal")
    axes.axis("off")
    axes.set_title(title, fontsize=11, pad=10)
    untrained = bool(np.isnan(matrix.strategy[matrix.alive]).any())
    _draw_legend(axes, keys, frequencies, few=bool(matrix.few.any()), untrained=untrained)
    with atomic_path(path) as temporary:
        kind = path.suffix.lower().lstrip(".")
        figure.savefig(temporary, format=kind, bbox_inches="tight", pad_inches=0.15)


def _draw_cell(axes: Any, index: int, matrix: Matrix, keys: Sequence[ActionKey]) -> None:
    top, left = divmod(index, 13)
    row, alive = matrix.strategy[index], bool(matrix.alive[index])
    if not alive or np.isnan(row[0]):
        axes.barh(top + 0.5, 0.94, 0.94, left + 0.03, color=_UNTRAINED if alive else _DEAD)
    else:
        widths = 0.94 * row / row.sum()
        starts = left + 0.03 + np.cumsum(widths) - widths
        colours = [hex_colour(key.colour) for key in keys]
        alpha = float(matrix.emphasis[index])
        axes.barh([top + 0.5] * len(keys), widths, 0.94, starts, color=colours, alpha=alpha)
    shade = "black" if alive else "#b0b0b0"
    name = class_text(index) + ("~" if matrix.few[index] else "")
    axes.text(left + 0.5, top + 0.5, name, ha="center", va="center", color=shade)


def _draw_legend(
    axes: Any,
    keys: Sequence[ActionKey],
    frequencies: NDArray[np.float64],
    *,
    few: bool,
    untrained: bool,
) -> None:
    from matplotlib.patches import Patch  # noqa: PLC0415 - slow to import

    handles = [
        Patch(
            color=hex_colour(key.colour),
            label=key.words + ("" if np.isnan(share) else f": {hedged(share)} %"),
        )
        for key, share in zip(keys, frequencies.tolist(), strict=True)
    ]
    if untrained:
        handles.append(Patch(color=_UNTRAINED, label="untrained"))
    if few:
        handles.append(Patch(color="none", label="~ few visits in training"))
    axes.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=min(3, len(handles)),
        frameon=False,
        fontsize=9,
    )
