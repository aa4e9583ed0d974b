"""The 13x13 matrix of a decision in a terminal of 40 columns or more.

Letters show everything that colours show. Rarely reached hands are faint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from rich.color import Color
from rich.style import Style
from rich.text import Text

from riverboat.cards import NUM_CLASSES, RANKS
from riverboat.report import hedged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from rich.console import Console

    from riverboat.decision._action_keys import ActionKey
    from riverboat.decision._hand_arrays import ClassCell
    from riverboat.report import Rgb

_CELL: Final = 5
#: Thirteen cells with a blank between two.
_COLUMNS: Final = 13 * (_CELL + 1) - 1
#: Widths with names at the sides instead: cells of three, and of two characters.
_SHORT_COLUMNS: Final = 1 + 13 * 4
_LEAST_COLUMNS: Final = 1 + 13 * 3
_DIM: Final = 0.48  # emphasis: 1 % of the largest reach of a class
_FADE: Final = 150
_ALWAYS: Final = 0.995  # shown as always
_GREY: Final = Style(color=Color.from_rgb(130, 130, 130))
_INK: Final = Color.from_rgb(0, 0, 0)


def matrix_lines(  # noqa: PLR0913, PLR0917 - internal
    cells: Sequence[ClassCell],
    keys: Sequence[ActionKey],
    frequencies: NDArray[np.float64],
    few: int,
    console: Console,
    width: int,
) -> Iterator[Text]:
    """Yield the matrix in the widest form that fits, its signs explained, and the legend."""
    coloured = console.color_system is not None and not console.no_color
    yield from _rows(cells, keys, coloured, width)
    yield from _how_to_read(cells, keys[-1].letter, few, width)
    unknown = "-" if any(cell.known for cell in cells) else "untrained"
    for key, share in zip(keys, frequencies.tolist(), strict=True):
        style = Style(color=_INK, bgcolor=Color.from_rgb(*key.colour)) if coloured else Style()
        shown = f"  {unknown}" if np.isnan(share) else f"{hedged(share):>6} %"
        yield Text.assemble(Text(f" {key.letter} ", style), f" {shown}  {key.words}")


def _rows(
    cells: Sequence[ClassCell], keys: Sequence[ActionKey], coloured: bool, columns: int
) -> Iterator[Text]:
    named = columns >= _COLUMNS
    width = _CELL if named else 3 if columns >= _SHORT_COLUMNS else 2
    if not named:
        yield _cropped([Text(" "), *(Text(rank.ljust(width)) for rank in RANKS[::-1])])
    for first in range(0, NUM_CLASSES, 13):
        row = [_cell(cell, keys, coloured, width) for cell in cells[first : first + 13]]
        yield _cropped(row if named else [Text(RANKS[12 - first // 13]), *row])


def _cropped(cells: Sequence[Text]) -> Text:
    line = Text(" ").join(cells)
    line.no_wrap, line.overflow = True, "crop"
    return line


def _cell(cell: ClassCell, keys: Sequence[ActionKey], coloured: bool, width: int) -> Text:
    name = f"{cell.name:3}" if width == _CELL else ""
    if not cell.alive:
        return Text(("  -" if name else "-").ljust(width), _GREY)
    if not cell.known:
        return Text(f"{name}?".ljust(width), _GREY)
    best = int(cell.shares.argmax())
    text = Text(f"{name}{keys[best].letter}{_mark(cell)}".ljust(width))
    if not coloured:
        if cell.emphasis < _DIM:  # dim works without colours, too
            text.stylize(Style(dim=True))
        return text
    if cell.emphasis < _DIM:  # no background, because faint ones look the same in 256 colours
        text.stylize(Style(color=Color.from_rgb(*keys[best].colour)))
        return text
    for place, action in enumerate(_stripes(cell.shares, width)):
        colour = _faded(keys[action].colour, cell.emphasis)
        text.stylize(Style(color=_INK, bgcolor=Color.from_rgb(*colour)), place, place + 1)
    return text


def _mark(cell: ClassCell) -> str:
    """The sign after the letter: `~` few visits, `.` little reach, or tenths of the frequency."""
    share = float(cell.shares.max())
    if cell.few:
        return "~"
    if cell.emphasis < _DIM:
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


def _how_to_read(cells: Sequence[ClassCell], letter: str, few: int, columns: int) -> Iterator[Text]:
    """Explain the signs of this matrix."""
    if columns < _LEAST_COLUMNS:
        yield Text(
            f"The matrix needs {_LEAST_COLUMNS} columns, but the terminal has {columns}: widen "
            "the window, or use --hole or --plot."
        )
    known = [cell for cell in cells if cell.alive]
    hand = "AKs" if columns >= _COLUMNS else ""
    always = f"{hand} always plays {letter}" if hand else f"always {letter}"
    signs = [f"{hand}{letter}: {always}, {hand}{letter}7: about 70 % of the time"]
    if columns < _COLUMNS:
        signs.insert(0, "suited hands are above the diagonal")
    if not all(cell.known for cell in known):
        signs.append("?: untrained")
    if any(cell.few for cell in known):
        signs.append(f"~: fewer than {few} training visits")
    if any(cell.emphasis < _DIM for cell in known):
        signs.append("faint, with a dot: rarely reached")
    text = "; ".join(signs)
    yield Text(f"{text[0].upper() if columns < _COLUMNS else text[0]}{text[1:]}.")
