"""The 13x13 matrix of a decision with bars of the actions: as an HTML table, or a picture file."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat.errors import RiverboatError
from riverboat.report import hedged, hex_colour, new_figure, save_figure

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from riverboat.decision._action_keys import ActionKey
    from riverboat.decision._hand_arrays import ClassCell

_STYLE: Final = """<style>
.riverboat-node {border-collapse: separate; border-spacing: 2px; border: 0; color: inherit;
  font: 12px/1.15 ui-sans-serif, system-ui, sans-serif}
.riverboat-node caption {caption-side: bottom; padding: 4px 0; text-align: left; color: inherit}
.riverboat-node tr {background: none !important}
.riverboat-node td {width: 36px; height: 32px; min-width: 36px; padding: 0; border-radius: 3px;
  text-align: center; vertical-align: middle; border: 1px solid transparent; color: black}
.riverboat-node td.few {border: 1px dashed rgb(128,128,128)}
.riverboat-node td.no {background: rgba(128,128,128,.2); color: rgb(128,128,128)}
</style>"""

_FORMATS: Final = (".png", ".svg", ".pdf")
_UNTRAINED: Final = "#d9d9d9"
_DEAD: Final = "#f4f4f4"


def html_table(
    cells: Sequence[ClassCell],
    keys: Sequence[ActionKey],
    frequencies: NDArray[np.float64],
    title: str,
    words: str,
) -> str:
    """Draw the matrix: faint cells have little reach, dashed cells with `~` few visits."""
    drawn = [_cell(cell, keys) for cell in cells]
    rows = ("".join(drawn[first : first + 13]) for first in range(0, len(drawn), 13))
    table = "".join(f"<tr>{row}</tr>" for row in rows)
    legend = " ".join(
        f"<span style='background: rgb{key.colour}; color: black'> {escape(key.words)} </span>"
        + ("" if np.isnan(share) else f" {hedged(share)} %")
        for key, share in zip(keys, frequencies.tolist(), strict=True)
    )
    caption = f"<caption>{escape(title)}<br>{legend}<br>{escape(words)}</caption>"
    return f"{_STYLE}<table class='riverboat-node'>{caption}{table}</table>"


def _cell(cell: ClassCell, keys: Sequence[ActionKey]) -> str:
    if not cell.known:
        why = "untrained" if cell.alive else "impossible here"
        return f"<td class='no' title='{cell.name}: {why}'>{cell.name}</td>"
    shares = ", ".join(
        f"{key.action} {100 * share:.1f} %" for key, share in zip(keys, cell.shares, strict=True)
    )
    mark, kind = ("~", " class='few'") if cell.few else ("", "")
    return (
        f"<td{kind} style='{cell_style(cell, keys)}' "
        f"title='{cell.name}: {shares}; reach {100 * cell.reach:.1f} %'>{cell.name}{mark}</td>"
    )


def cell_style(cell: ClassCell, keys: Sequence[ActionKey]) -> str:
    """Return the CSS of a cell: a bar per action; empty without a strategy."""
    if not cell.known:
        return ""
    ends = 100 * np.cumsum(cell.shares) / cell.shares.sum()
    stops = ", ".join(
        f"rgb({' '.join(map(str, key.colour))} / {cell.emphasis:.2f}) {start:.1f}% {end:.1f}%"
        for key, start, end in zip(keys, [0.0, *ends[:-1]], ends, strict=True)
        if end > start
    )
    return f"background: linear-gradient(to right, {stops})"


def draw_picture(
    path: Path,
    title: str,
    cells: Sequence[ClassCell],
    keys: Sequence[ActionKey],
    frequencies: NDArray[np.float64],
) -> None:
    """Draw the matrix into a file: each cell is a bar of the actions' shares.

    Raises
    ------
    RiverboatError
        If the name does not end in .png, .svg or .pdf.
    """
    if path.suffix.lower() not in _FORMATS:
        raise RiverboatError(f"a picture must end in {', '.join(_FORMATS)}, not {path.name!r}")
    figure, axes = new_figure(8.2, 9.2)
    colours = [hex_colour(key.colour) for key in keys]
    for index, cell in enumerate(cells):
        _draw_cell(axes, *divmod(index, 13), cell, colours)
    axes.set(xlim=(0, 13), ylim=(13, 0), aspect="equal")
    axes.axis("off")
    axes.set_title(title, fontsize=11, pad=10)
    labels = [
        key.words + ("" if np.isnan(share) else f": {hedged(share)} %")
        for key, share in zip(keys, frequencies.tolist(), strict=True)
    ]
    _draw_legend(axes, list(zip(colours, labels, strict=True)), cells)
    save_figure(figure, path)


def _draw_cell(axes: Any, top: int, left: int, cell: ClassCell, colours: list[str]) -> None:
    if cell.known:
        widths = 0.94 * cell.shares / cell.shares.sum()
        starts = left + 0.03 + np.cumsum(widths) - widths
        places = [top + 0.5] * len(colours)
        axes.barh(places, widths, 0.94, starts, color=colours, alpha=cell.emphasis)
    else:
        colour = _UNTRAINED if cell.alive else _DEAD
        axes.barh(top + 0.5, 0.94, 0.94, left + 0.03, color=colour)
    shade = "black" if cell.alive else "#b0b0b0"
    name = cell.name + ("~" if cell.few else "")
    axes.text(left + 0.5, top + 0.5, name, ha="center", va="center", color=shade)


def _draw_legend(axes: Any, keys: list[tuple[str, str]], cells: Sequence[ClassCell]) -> None:
    from matplotlib.patches import Patch  # noqa: PLC0415 - slow to import

    if any(cell.alive and not cell.known for cell in cells):
        keys.append((_UNTRAINED, "untrained"))
    if any(cell.few for cell in cells):
        keys.append(("none", "~ few training visits"))
    handles = [Patch(color=colour, label=label) for colour, label in keys]
    axes.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=min(3, len(handles)),
        frameon=False,
        fontsize=9,
    )
