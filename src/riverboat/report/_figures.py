"""Pictures for reports: curves with bands and bars, all in one look."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from riverboat.files import atomic_path
from riverboat.report._colours import COLOURS
from riverboat.statistics import Estimate

__all__ = [
    "Curve",
    "draw_bars",
    "draw_curves",
    "draw_points",
    "new_figure",
    "new_panels",
    "plain_ticks",
    "plot_curves",
    "save_figure",
]


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
    """Make a figure with one set of axes, without any window.

    Examples
    --------
    >>> figure, axes = new_figure()
    >>> _ = axes.plot([1, 2], [3, 4])
    """
    figure, (axes,) = new_panels(1, 1, (width, height))
    return figure, axes


def new_panels(
    rows: int, columns: int, size: tuple[float, float], *, shared: bool = True
) -> tuple[Any, list[Any]]:
    """Make a figure of panels, row by row, that share their scales or have their own; inches.

    Examples
    --------
    >>> figure, panels = new_panels(2, 3, (7.5, 4.2))
    >>> len(panels)
    6
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to import

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.subplots(rows, columns, sharex=shared, sharey=shared, squeeze=False)
    for axes in grid.flat:
        axes.grid(visible=True, alpha=0.3)
        axes.set_axisbelow(True)
    return figure, list(grid.flat)


def save_figure(figure: Any, path: Path) -> None:
    """Write a PNG file, whole or not at all."""
    with atomic_path(path) as temporary:
        figure.savefig(temporary, format="png", dpi=110)


def plain_ticks(axis: Any) -> None:
    """Write 20, 50, 100k and not 2 x 10^1 on a logarithmic axis of less than three decades."""
    from matplotlib.ticker import (  # noqa: PLC0415 - slow to import
        FuncFormatter,
        LogLocator,
        NullFormatter,
    )

    low, high = axis.get_view_interval()
    if high < 1_000 * low:
        few = (1.0, 2.0, 5.0) if high >= 10 * low else (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)
        axis.set_major_locator(LogLocator(subs=few))
        axis.set_major_formatter(FuncFormatter(_tick))
        axis.set_minor_formatter(NullFormatter())


def _tick(value: float, place: int | None = None) -> str:  # noqa: ARG001 - what a tick gets
    """Write a number, from 10,000 on in thousands, from a million on in millions."""
    if value >= 1e6:
        return f"{value / 1e6:,.10g}M"
    return f"{value / 1e3:.10g}k" if value >= 1e4 else f"{value:,.10g}"


def plot_curves(axes: Any, curves: Sequence[Curve], most_points: int = 40) -> None:
    """Put lines on axes, in the colours of the house; with points unless there are too many."""
    for index, curve in enumerate(curves):
        colour = COLOURS[index % len(COLOURS)]
        axes.plot(
            curve.x,
            curve.y,
            "--" if curve.dashed else "-",
            marker="o" if len(curve.x) <= most_points else None,
            markersize=3,
            color=colour,
            label=curve.label,
        )
        if curve.lows:
            axes.fill_between(curve.x, curve.lows, curve.highs, color=colour, alpha=0.2, lw=0)


def draw_curves(  # noqa: PLR0913 - the words and scales of two axes
    path: Path,
    curves: Sequence[Curve],
    *,
    title: str,
    x_label: str,
    y_label: str,
    x_log: bool = False,
    y_log: bool = False,
    legend: str | tuple[float, float] = "best",
) -> None:
    """Draw lines with points, and bands where they have them; whole x have whole ticks.

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
    plot_curves(axes, curves)
    if x_log:
        axes.set_xscale("log")
        plain_ticks(axes.xaxis)
    elif all(isinstance(x, int) for curve in curves for x in curve.x):
        axes.xaxis.get_major_locator().set_params(integer=True)
    if y_log:
        axes.set_yscale("log", nonpositive="clip")
        plain_ticks(axes.yaxis)
    axes.set_title(title, fontsize="medium")
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    if len(curves) > 1 or (curves and curves[0].label):
        axes.legend(fontsize="small", loc=legend)
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


def draw_points(path: Path, measured: Mapping[str, Estimate], *, title: str, x_label: str) -> None:
    """Draw estimates by their labels as points with 95 % intervals, the first on top."""
    figure, axes = new_figure(height=1.2 + 0.36 * max(3, len(measured)))
    places = list(range(len(measured)))[::-1]
    means = [each.mean for each in measured.values()]
    margins = [each.margin if each.known else 0.0 for each in measured.values()]
    axes.errorbar(means, places, xerr=margins, fmt="o", color=COLOURS[0], capsize=3)
    axes.axvline(0, color="black", lw=0.8)
    axes.set_yticks(places, list(measured))
    axes.set_ylim(-0.6, len(measured) - 0.4)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_title(title, fontsize="medium")
    axes.set_xlabel(x_label)
    save_figure(figure, path)
