"""Pictures that only this report has: two plots side by side, and bars in pairs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from riverboat.report import COLOURS, new_figure, save_figure

__all__ = ["Panel", "draw_pairs", "draw_panels", "log_ticks", "short"]


@dataclass(frozen=True, slots=True)
class Panel:
    """A curve with its 95 % band, and what stands at its axes."""

    title: str
    x_label: str
    y_label: str
    x: Sequence[float]
    y: Sequence[float]
    margins: Sequence[float]
    log_y: bool = False


def draw_panels(path: Path, panels: Sequence[Panel]) -> None:
    """Draw plots side by side, against a logarithmic first axis.

    Examples
    --------
    >>> import tempfile
    >>> panel = Panel("t", "iterations", "chips", [1, 10], [2, 1], [0.1, 0.1])
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
    axes.set_xscale("log")
    axes.set_xticks(ticks := log_ticks(panel.x), [short(tick) for tick in ticks])
    if panel.log_y:
        axes.set_yscale("log", nonpositive="clip")
        axes.set_yticks(ticks := log_ticks(panel.y), [short(tick) for tick in ticks])
    axes.minorticks_off()
    axes.set_title(panel.title, fontsize="medium")
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)


def log_ticks(values: Sequence[float]) -> list[float]:
    """Return round numbers around positive values, for a logarithmic axis.

    Examples
    --------
    >>> log_ticks([0.3, 2.0])
    [0.2, 0.5, 1.0, 2.0]
    >>> log_ticks([100_000, 10_000_000])
    [100000.0, 1000000.0, 10000000.0]
    """
    above = [value for value in values if value > 0] or [1.0]
    low, high = math.log10(min(above)), math.log10(max(above))
    steps = (1, 2, 5) if high - low < 1.5 else (1,)
    powers = range(math.floor(low) - 1, math.ceil(high) + 2)
    ticks = [float(f"{step}e{power}") for power in powers for step in steps]
    least = max((tick for tick in ticks if tick <= min(above)), default=ticks[0])
    return [tick for tick in ticks if least <= tick <= max(above) * 1.001]


def short(value: float) -> str:
    """Write a number for an axis.

    Examples
    --------
    >>> short(50_000), short(2_000_000), short(0.5)
    ('50k', '2M', '0.5')
    """
    if value >= 1e6:
        return f"{value / 1e6:g}M"
    return f"{value / 1e3:g}k" if value >= 1e4 else f"{value:g}"


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
    theirs = axes.barh([place + 0.19 for place in places], published, 0.34, color="#999999")
    found = axes.barh(
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
    axes.legend([theirs, found], ["published", "ours"], fontsize="small", loc="best")
    axes.set_title(title, fontsize="medium")
    axes.set_xlabel(x_label)
    save_figure(figure, path)
