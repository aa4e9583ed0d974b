"""The 13x13 matrix of a decision as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riverboat.cards import NUM_CLASSES, class_text
from riverboat.cli._show_matrix import percent
from riverboat.errors import BlueprintError
from riverboat.files import atomic_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

    from riverboat.cli._action_keys import ActionKey

__all__ = ["FORMATS", "plot_matrix"]

FORMATS = ("png", "svg", "pdf")

_UNTRAINED = "#d9d9d9"
_DEAD = "#f4f4f4"


def plot_matrix(
    path: Path,
    title: str,
    strategy: NDArray[np.float64],
    alive: NDArray[np.bool_],
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
    strategy, alive
        [169, actions] and [169], by class; NaN where untrained.
    keys, frequencies
        Of the actions, and how often each is taken.
    """
    if path.suffix.lower().lstrip(".") not in FORMATS:
        raise BlueprintError(f"a picture ends in {', '.join(FORMATS)}, not {path.name!r}")
    # Loaded here: it takes half a second, and only pictures need it.
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to import

    figure = Figure(figsize=(8.2, 8.8), dpi=110)
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for index in range(NUM_CLASSES):
        _draw_cell(axes, index, strategy[index], bool(alive[index]), keys)
    axes.set(xlim=(0, 13), ylim=(13, 0), aspect="equal")
    axes.axis("off")
    axes.set_title(title, fontsize=11, pad=10)
    _draw_legend(axes, keys, frequencies)
    with atomic_path(path) as temporary:
        kind = path.suffix.lower().lstrip(".")
        figure.savefig(temporary, format=kind, bbox_inches="tight", pad_inches=0.15)


def _draw_cell(
    axes: Any, index: int, row: NDArray[np.float64], alive: bool, keys: Sequence[ActionKey]
) -> None:
    top, left = divmod(index, 13)
    if not alive or np.isnan(row[0]):
        axes.barh(top + 0.5, 0.94, 0.94, left + 0.03, color=_UNTRAINED if alive else _DEAD)
    else:
        widths = 0.94 * row / row.sum()
        starts = left + 0.03 + np.cumsum(widths) - widths
        colours = [tuple(part / 255 for part in key.colour) for key in keys]
        axes.barh([top + 0.5] * len(keys), widths, 0.94, starts, color=colours)
    shade = "black" if alive else "#b0b0b0"
    axes.text(left + 0.5, top + 0.5, class_text(index), ha="center", va="center", color=shade)


def _draw_legend(axes: Any, keys: Sequence[ActionKey], frequencies: NDArray[np.float64]) -> None:
    from matplotlib.patches import Patch  # noqa: PLC0415 - slow to import

    handles = [
        Patch(
            color=tuple(part / 255 for part in key.colour),
            label=key.words + ("" if np.isnan(share) else f": {percent(share)} %"),
        )
        for key, share in zip(keys, frequencies.tolist(), strict=True)
    ]
    handles.append(Patch(color=_UNTRAINED, label="untrained"))
    axes.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=min(3, len(handles)),
        frameon=False,
        fontsize=9,
    )
