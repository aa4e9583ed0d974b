"""Pictures like the author's: winnings over hands, and what was measured beside them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from riverboat.report import COLOURS, save_figure
from riverboat.seeds.caltech.matches import Played

__all__ = ["draw_measured", "draw_panels"]

Lines = Mapping[str, Sequence[Played]]
"""By style: one match, or several whose mean is drawn."""


def draw_panels(path: Path, panels: Mapping[str, Lines], columns: int) -> None:
    """Draw big blinds won over hands: a panel for each bot, a line for each variant.

    Parameters
    ----------
    path
        Of the PNG file.
    panels
        By title.
    columns
        Panels side by side.
    """
    rows = -(-len(panels) // columns)
    figure, grid = _panels(rows, columns)
    for axes, (title, lines) in zip(grid, panels.items(), strict=False):
        for index, (style, matches) in enumerate(lines.items()):
            _draw_line(axes, style, matches, COLOURS[index])
        axes.axhline(0, color="black", lw=0.8)
        axes.set_title(title, fontsize="medium")
        axes.set_xlabel("hands")
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.xaxis.set_major_formatter("{x:,.0f}")
    for axes in grid[::columns]:
        axes.set_ylabel("big blinds won")
    handles, labels = grid[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize="small")
    save_figure(figure, path)


def _panels(rows: int, columns: int) -> tuple[Any, list[Any]]:
    """Make a figure of panels that share their scales."""
    # Slow to import, and only pictures need it.
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(9.0, 0.8 + 3.1 * rows), layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for axes in grid.flat:
        axes.grid(visible=True, alpha=0.3)
        axes.tick_params(labelsize="small")
    return figure, list(grid.flat)


def _draw_line(axes: Any, style: str, matches: Sequence[Played], colour: str) -> None:
    def mean(values: Sequence[Sequence[float]]) -> list[float]:
        return [0.0, *(sum(each) / len(each) for each in zip(*values, strict=True))]

    hands = [0, *matches[0].hands]
    axes.plot(hands, mean([match.blinds for match in matches]), color=colour, label=style)
    low, high = mean([match.low for match in matches]), mean([match.high for match in matches])
    axes.fill_between(hands, low, high, color=colour, alpha=0.12, lw=0)


def draw_measured(  # noqa: PLR0913 - what is drawn, and its words
    path: Path,
    labels: Sequence[str],
    means: Sequence[float],
    margins: Sequence[float],
    *,
    title: str,
    x_label: str,
) -> None:
    """Draw measurements as points with 95 % intervals, the first on top."""
    figure, grid = _panels(1, 1)
    figure.set_size_inches(7.5, 1.2 + 0.36 * max(3, len(labels)))
    axes, places = grid[0], list(range(len(labels)))[::-1]
    axes.errorbar(means, places, xerr=margins, fmt="o", color=COLOURS[0], capsize=3)
    axes.axvline(0, color="black", lw=0.8)
    axes.set_yticks(places, labels)
    axes.set_ylim(-0.6, len(labels) - 0.4)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_title(title, fontsize="medium")
    axes.set_xlabel(x_label)
    save_figure(figure, path)
