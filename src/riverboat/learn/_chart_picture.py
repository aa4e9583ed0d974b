"""A decision as a picture of 13x13 hands, and what such a matrix shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from riverboat.cards import NUM_CLASSES, class_text
from riverboat.errors import BlueprintError
from riverboat.files import atomic_path
from riverboat.report import hex_colour

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

    from riverboat.blueprint import ActionKey, NodeView
    from riverboat.spots import SpotNode

__all__ = ["Matrix", "hedged", "plot_matrix"]

_FORMATS: Final = ("png", "svg", "pdf")
_ROUNDING: Final = 1e-6
_UNTRAINED: Final = "#d9d9d9"
_DEAD: Final = "#f4f4f4"


def hedged(share: float) -> str:
    """Per cent with one digit; what is not all or nothing never looks so, but for rounding.

    Examples
    --------
    >>> hedged(0.5), hedged(0.9999), hedged(1.0), hedged(1e-12)
    ('50.0', '99.9', '100.0', '0.0')
    """
    if _ROUNDING < share < 1 - _ROUNDING:
        return f"{min(max(100 * share, 0.1), 99.9):.1f}"
    return f"{100 * share:.1f}"


@dataclass(frozen=True, slots=True)
class Matrix:
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
    alive: NDArray[np.bool]
    emphasis: NDArray[np.float64]
    few: NDArray[np.bool]

    @classmethod
    def of(cls, view: NodeView | SpotNode) -> Matrix:
        """Take it from a decision."""
        alive = ~np.isnan(view.class_reach())
        return cls(view.by_class(), alive, view.class_emphasis(), view.class_few())


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
