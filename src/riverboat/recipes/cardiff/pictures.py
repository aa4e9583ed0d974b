"""Pictures that only this report has: two plots side by side, and bars in pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from riverboat.recipes.figures import COLOURS, new_figure, save_figure

__all__ = ["Panel", "draw_pairs", "draw_panels"]


@dataclass(frozen=True, slots=True)
class Panel:
    """A curve with its 95 % band, and what stands at its axes."""

    title: str
    x_label: str
    y_label: str
    x: Sequence[float]
    y: Sequence[float]
    margins: Sequence[float]
    line: float | None = None
    """A dashed line at this height."""
    line_label: str = ""
    log_y: bool = False


def draw_panels(path: Path, panels: Sequence[Panel]) -> None:
    """Draw plots side by side, against a logarithmic first axis.

    Examples
    --------
    >>> import tempfile
    >>> panel = Panel("t", "iterations", "chips", [1, 10], [2, 1], [0.1, 0.1], line=0.5)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     draw_panels(Path(folder) / "a.png", [panel, panel])
    ...     (Path(folder) / "a.png").read_bytes()[1:4]
    b'PNG'
    """
    figure, axes = new_figure(width=9.0, height=3.6)
    axes.remove()
    for index, panel in enumerate(panels):
        _draw_panel(figure.add_subplot(1, len(panels), index + 1), panel, COLOURS[index])
    save_figure(figure, path)


def _draw_panel(axes: Any, panel: Panel, colour: str) -> None:
    axes.grid(visible=True, alpha=0.3)
    axes.plot(panel.x, panel.y, marker="o", markersize=3, color=colour)
    lows = [mean - margin for mean, margin in zip(panel.y, panel.margins, strict=True)]
    highs = [mean + margin for mean, margin in zip(panel.y, panel.margins, strict=True)]
    axes.fill_between(panel.x, lows, highs, color=colour, alpha=0.2, lw=0)
    if panel.line is not None:
        axes.axhline(panel.line, ls="--", color="black", lw=1, label=panel.line_label)
        axes.legend(fontsize="small")
    axes.set_xscale("log")
    if panel.log_y:
        axes.set_yscale("log", nonpositive="clip")
    axes.set_title(panel.title, fontsize="medium")
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)


def draw_pairs(  # noqa: PLR0913 - two rows of bars and their words
    path: Path,
    labels: Sequence[str],
    published: Sequence[float],
    ours: Sequence[float],
    margins: Sequence[float],
    *,
    title: str,
    x_label: str,
) -> None:
    """Draw the author's bars above ours, on an axis that is linear near 0 and then logarithmic."""
    figure, axes = new_figure(height=1.4 + 0.5 * len(labels))
    places = [float(place) for place in range(len(labels))][::-1]
    axes.barh([place + 0.19 for place in places], published, 0.34, color="#999999")
    axes.barh(
        [place - 0.19 for place in places], ours, 0.34, xerr=margins, color=COLOURS[0], capsize=3
    )
    axes.axvline(0, color="black", lw=0.8)
    axes.set_xscale("symlog", linthresh=2)
    ticks = [size * sign for sign in (-1, 1) for size in (1, 2, 5, 10, 20, 50)]
    most = max((abs(value) for value in (*published, *ours)), default=1.0)
    shown = sorted({0, *(tick for tick in ticks if abs(tick) <= 2 * most)})
    axes.set_xticks(shown, [f"{tick:+d}" if tick else "0" for tick in shown])
    axes.minorticks_off()
    axes.set_yticks(places, labels)
    axes.legend(["published", "ours"], fontsize="small")
    axes.set_title(title, fontsize="medium")
    axes.set_xlabel(x_label)
    save_figure(figure, path)
