"""A decision as a picture of 13x13 hands in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat.errors import RiverboatError
from riverboat.report import hedged, hex_colour, new_figure, save_figure

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from riverboat.decision._action_keys import ActionKey
    from riverboat.decision._cells import ClassCell

_FORMATS: Final = (".png", ".svg", ".pdf")
_UNTRAINED: Final = "#d9d9d9"
_DEAD: Final = "#f4f4f4"


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
        raise RiverboatError(f"a picture ends in {', '.join(_FORMATS)}, not {path.name!r}")
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
        keys.append(("none", "~ few visits in training"))
    handles = [Patch(color=colour, label=label) for colour, label in keys]
    axes.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=min(3, len(handles)),
        frameon=False,
        fontsize=9,
    )
