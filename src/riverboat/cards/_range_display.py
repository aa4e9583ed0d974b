"""The 13x13 grid of a range in a terminal and in a notebook.

Imported when a range is first shown, because it needs rich, which is slow to import.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from rich.color import Color
from rich.style import Style
from rich.text import Text

from riverboat.cards._holes import CLASS_COMBOS, NUM_HOLES, class_text

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions

# Teal, the colour of no action: folds are blue, calls green, bets amber to purple.
_FULL = (13, 128, 122)
_NONE = (38, 43, 50)
_WHITE = (255, 255, 255)
_GREY = (112, 122, 134)
_WIDE_COLUMNS = 77  # thirteen cells of five characters, separated by spaces


def range_lines(
    weights: NDArray[np.float64], combos: float, console: "Console", options: "ConsoleOptions"
) -> Iterator[Text]:
    """Draw the grid for a terminal.

    Parameters
    ----------
    weights, combos
        The weights [169] of the starting classes, and their sum over all hole pairs.
    console, options
        The terminal. Without colours the text shows the weights; in less than 77 columns a cell
        shows either its name or its percentage.

    Yields
    ------
    Text
        One line each: thirteen rows, then a summary.

    Examples
    --------
    >>> from rich.console import Console
    >>> from riverboat.cards import Range
    >>> console = Console(width=80, color_system=None)
    >>> with console.capture() as output:
    ...     console.print(Range.parse("KK+, AKs, AKo:0.25"))
    >>> for line in output.get().splitlines()[:3]:
    ...     print(line[:14])
    AA    AKs    ·
    AKo25 KK     ·
     ·     ·     ·
    """
    coloured = console.color_system is not None and not console.no_color
    wide = options.max_width >= _WIDE_COLUMNS
    absent = " . " if options.ascii_only else " · "
    shown = weights.tolist()
    for row in range(13):
        cells = [
            _coloured_cell(index, shown[index], wide=wide)
            if coloured
            else Text(_cell_text(index, shown[index], wide=wide) if shown[index] else absent)
            for index in range(13 * row, 13 * row + 13)
        ]
        for cell in cells:
            cell.pad_right((5 if wide else 3) - len(cell))
        line = Text(" ").join(cells)
        line.no_wrap, line.overflow = True, "crop"
        yield line
    yield Text(_summary(combos) + (_legend(shown) if wide else ""))


def range_html(weights: NDArray[np.float64], combos: float) -> str:
    """Draw the grid for a notebook.

    Parameters
    ----------
    weights, combos
        The weights [169] of the starting classes, and their sum over all hole pairs.

    Returns
    -------
    str
        An HTML table with its own style. Colours are translucent and the text has the page's
        colour, so it fits dark and light pages; without the style, bold cells show the range.

    Examples
    --------
    >>> from riverboat.cards import Range
    >>> "<b>AKs</b>" in Range.parse("AKs")._repr_html_()
    True
    """
    shown = weights.tolist()
    rows = (
        "<tr>" + "".join(_cell_html(13 * row + column, shown) for column in range(13)) + "</tr>"
        for row in range(13)
    )
    caption = f"<caption>{_summary(combos)}</caption>"
    return f"{_STYLE}<table class='riverboat-range'>{caption}{''.join(rows)}</table>"


def _percent(weight: float) -> int:
    """Return a weight between 0 and 1 in whole per cent, from 1 to 99."""
    return min(max(round(100 * weight), 1), 99)


def _cell_text(index: int, weight: float, *, wide: bool) -> str:
    """Return the name of a class, with its percentage unless that is 0 or 100."""
    name = class_text(index)
    if weight in {0.0, 1.0}:
        return name
    return f"{name}{_percent(weight):02d}" if wide else f"{_percent(weight)}%"


def _coloured_cell(index: int, weight: float, *, wide: bool) -> Text:
    """Return a cell shaded by its weight, with text and background colour."""
    shade = (none + weight * (full - none) for none, full in zip(_NONE, _FULL, strict=True))
    background = Color.from_rgb(*(round(part) for part in shade))
    letters = Color.from_rgb(*(_WHITE if weight > 0 else _GREY))
    cell = Text(_cell_text(index, weight, wide=wide), Style(color=letters, bgcolor=background))
    if weight > 0:
        cell.stylize(Style(bold=True), 0, 3 if index % 14 else 2)  # the name, not the number
    return cell


def _summary(combos: float) -> str:
    return f"{combos:,.6g} of {NUM_HOLES:,} combos ({combos / NUM_HOLES:.1%})"


def _legend(weights: list[float]) -> str:
    """Explain the first cell that has a percentage."""
    for index, weight in enumerate(weights):
        if 0 < weight < 1:
            cell = _cell_text(index, weight, wide=True)
            return f"; {cell} is {_percent(weight)}% of {class_text(index)}"
    return ""


def _cell_html(index: int, weights: list[float]) -> str:
    """Return one cell, filled from below by its weight."""
    name, weight = class_text(index), weights[index]
    combos = f"{weight * int(CLASS_COMBOS[index]):.4g} of {CLASS_COMBOS[index]} combos"
    if weight == 0:
        return f"<td class='no' title='{name}: not in the range'>{name}</td>"
    percent = f"<br><small>{_percent(weight)}%</small>" if weight < 1 else ""
    fill = f" style='--fill:{100 * weight:.4g}%'" if weight < 1 else ""
    return f"<td{fill} title='{name}: {combos}'><b>{name}</b>{percent}</td>"


_STYLE = """<style>
.riverboat-range {border-collapse: separate; border-spacing: 2px; border: 0; color: inherit;
  font: 12px/1.15 ui-sans-serif, system-ui, sans-serif}
.riverboat-range caption {caption-side: bottom; padding: 4px 0; text-align: left; color: inherit}
.riverboat-range tr {background: none !important}
.riverboat-range td {width: 36px; height: 32px; min-width: 36px; padding: 0; border: 0;
  border-radius: 3px; text-align: center; vertical-align: middle;
  background: linear-gradient(to top, rgba(20,170,160,.62) var(--fill, 100%),
    rgba(128,128,128,.18) var(--fill, 100%))}
.riverboat-range td.no {background: rgba(128,128,128,.12); color: rgb(128,128,128)}
.riverboat-range small {font-size: 10px}
</style>"""
