"""Pictures for reports: curves with bands and bars, all in one look."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from riverboat.files import atomic_path

__all__ = [
    "COLOURS",
    "Curve",
    "draw_bars",
    "draw_curves",
    "new_figure",
    "plain_ticks",
    "save_figure",
]

#: Okabe & Ito (2008): told apart by colour-blind people too.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000")


@dataclass(frozen=True, slots=True)
class Curve:
    """A line, with a band where `lows` and `highs` are given."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    lows: Sequence[float] = ()
    highs: Sequence[float] = ()
    dashed: bool = False


def new_figure(width: float = 7.5, height: float = 4.2) -> tuple[Any, Any]:
    """Make a figure with one set of axes, without any window."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to import

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.grid(visible=True, alpha=0.3)
    axes.set_axisbelow(True)
    return figure, axes


def save_figure(figure: Any, path: Path) -> None:
    """Write a PNG file, whole or not at all."""
    with atomic_path(path) as temporary:
        figure.savefig(temporary, format="png", dpi=110)


def plain_ticks(axis: Any) -> None:
    """Write 20, 50, 100 and not 2 x 10^1 on a logarithmic axis of less than three decades."""
    from matplotlib.ticker import (  # noqa: PLC0415 - slow to import
        FuncFormatter,
        LogLocator,
        NullFormatter,
    )

    low, high = axis.get_view_interval()
    if high < 1_000 * low:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
        axis.set_minor_formatter(NullFormatter())


def draw_curves(  # noqa: PLR0913 - the words and scales of two axes
    path: Path,
    curves: Sequence[Curve],
    *,
    title: str,
    x_label: str,
    y_label: str,
    x_log: bool = False,
    y_log: bool = False,
) -> None:
    """Draw lines with points, and bands where they have them.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "line.png"
    ...     draw_curves(path, [Curve("a", [1, 2], [3, 4])], title="t", x_label="x", y_label="y")
    ...     path.read_bytes()[1:4]
    b'PNG'
    """
    figure, axes = new_figure()
    for index, curve in enumerate(curves):
        colour = COLOURS[index % len(COLOURS)]
        axes.plot(
            curve.x,
            curve.y,
            "--" if curve.dashed else "-",
            marker="o" if len(curve.x) <= 40 else None,
            markersize=3,
            color=colour,
            label=curve.label,
        )
        if curve.lows:
            axes.fill_between(curve.x, curve.lows, curve.highs, color=colour, alpha=0.2, lw=0)
    if x_log:
        axes.set_xscale("log")
        plain_ticks(axes.xaxis)
    if y_log:
        axes.set_yscale("log", nonpositive="clip")
        plain_ticks(axes.yaxis)
    axes.set_title(title, fontsize="medium")
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    if len(curves) > 1 or (curves and curves[0].label):
        axes.legend(fontsize="small")
    save_figure(figure, path)


def draw_bars(  # noqa: PLR0913 - what is drawn, and its words
    path: Path,
    labels: Sequence[str],
    means: Sequence[float],
    margins: Sequence[float] | None = None,
    *,
    title: str,
    x_label: str,
) -> None:
    """Draw horizontal bars with 95 % intervals, the first on top."""
    figure, axes = new_figure(height=1.2 + 0.32 * max(3, len(labels)))
    places = list(range(len(labels)))[::-1]
    colours = [COLOURS[0] if mean >= 0 else COLOURS[5] for mean in means]
    axes.barh(places, means, xerr=margins, color=colours, capsize=3, height=0.65)
    axes.axvline(0, color="black", lw=0.8)
    axes.set_yticks(places, labels)
    axes.set_title(title, fontsize="medium")
    axes.set_xlabel(x_label)
    save_figure(figure, path)
