"""Plots of results."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from riverboat.arena._result import MatchResult, unit_of
from riverboat.arena._sweep import Point, SweepPoints
from riverboat.arena._tournament import TournamentResult
from riverboat.errors import ArenaError
from riverboat.report import COLOURS, new_figure, save_figure

_FORMATS = (".png", ".svg", ".pdf")
_DPI = 150


def check_plot_path(path: Path) -> None:
    """Refuse a file name with an extension of no known picture format."""
    if path.suffix.lower() not in _FORMATS:
        raise ArenaError(f"cannot write a plot to {path.name!r}: use {', '.join(_FORMATS)}")


def _save(figure: Any, path: Path) -> None:
    check_plot_path(path)
    save_figure(figure, path, _DPI)


def plot_match(result: MatchResult, path: Path) -> None:
    """Plot the cumulative winnings of each bot with its 95 % band, in big blinds (or antes)."""
    blind, name = unit_of(result.settings.spec)
    figure, axes = new_figure(8, 4.5)
    shown = (
        result.settings.names[:1] if result.settings.spec.players == 2 else result.settings.names
    )
    for bot, label in enumerate(shown):  # heads-up, the other bot's curve is the mirror image
        curve = result.curve(bot)
        colour = COLOURS[bot % len(COLOURS)]
        scaled = {key: np.array(curve[key]) / blind for key in ("chips", "low", "high")}
        axes.plot(curve["hands"], scaled["chips"], color=colour, label=label)
        axes.fill_between(
            curve["hands"], scaled["low"], scaled["high"], color=colour, alpha=0.15, lw=0
        )
    axes.axhline(0, color="0.5", lw=0.8)
    axes.set_xlabel("hands")
    axes.set_ylabel(f"cumulative winnings in {name} (95 % band)")
    settings = result.settings
    played = f"{settings.spec.name}, {result.hands:,} hands, seed {settings.seed}"
    axes.set_title(f"{' v '.join(settings.names)}\n{played}", fontsize=10)
    axes.legend()
    _save(figure, path)


def plot_cross_table(result: TournamentResult, path: Path) -> None:
    """Plot the cross table: small blinds per hand of each row against each column."""
    table = result.cross_table(unit="sb")
    means = np.array([[math.nan if cell is None else cell.mean for cell in row] for row in table])
    count = len(result.names)
    figure, axes = new_figure(2.5 + 1.1 * count, 1.5 + 0.9 * count)
    most = float(np.nanmax(np.abs(means))) or 1.0
    axes.grid(visible=False)
    axes.imshow(means, cmap="PuOr_r", vmin=-most, vmax=most)
    for row, cells in enumerate(table):
        for column, cell in enumerate(cells):
            if cell is not None:
                text = f"{cell.mean:+.2f}\n±{cell.margin:.2f}"
                # The colour map is dark at both ends, where black text is unreadable.
                colour = "white" if abs(cell.mean) > 0.6 * most else "black"
                axes.text(column, row, text, ha="center", va="center", fontsize=8, color=colour)
    axes.set_xticks(range(count), result.names, rotation=30, ha="right")
    axes.set_yticks(range(count), result.names)
    title = "small blinds per hand, row against column (95 % intervals)"
    axes.set_title(f"{title}\n{_subtitle(result)}", fontsize=10)
    _save(figure, path)


def _subtitle(result: TournamentResult) -> str:
    """Return the game, the hands of all matches, and the tournament's seed."""
    matches = list(result.results.values())
    settings = matches[0].settings
    hands = sum(match.hands for match in matches)
    seed = "" if settings.tournament is None else f", seed {settings.tournament}"
    return f"{settings.spec.name}, {hands:,} hands{seed}"


def plot_sweeps(sweeps: Mapping[str, SweepPoints], label: str, path: Path, title: str = "") -> None:
    """Plot sweeps over the same parameters: curves, or one heat map.

    Parameters
    ----------
    sweeps
        Points of each sweep by its legend; several sweeps only over one parameter.
    label
        Name of the score.
    path
        The file.
    title
        Title of the plot.
    """
    first = next(iter(sweeps.values()))
    names = list(first[0].parameters)
    check_sweep_plot(len(names))
    figure, axes = new_figure(7, 5)
    axes.set_title(title, fontsize=10)
    if len(names) == 1:
        for number, (legend, points) in enumerate(sweeps.items()):
            _draw_curve(axes, points, names[0], legend, COLOURS[number % len(COLOURS)])
        axes.set_ylabel(f"{label} (95 %)")
        if len(sweeps) > 1:
            axes.legend()
    else:
        _draw_heat_map(figure, axes, first, names, label)
    _save(figure, path)


def check_sweep_plot(parameters: int) -> None:
    """Refuse a sweep over more than two parameters."""
    if parameters not in (1, 2):
        raise ArenaError(f"cannot plot a sweep over {parameters} parameters, only over 1 or 2")


def _draw_curve(axes: Any, points: SweepPoints, name: str, legend: str, colour: str) -> None:
    scored = [(point.parameters[name], point.score) for point in points if point.score is not None]
    x = [value for value, _ in scored]
    means = [score.mean for _, score in scored]
    bounds = np.array([score.interval for _, score in scored]).T
    margins = np.abs(bounds - np.array(means))  # below, above
    margins[~np.isfinite(margins)] = 0.0  # a single unit has no interval
    label = legend or None
    axes.errorbar(x, means, yerr=margins, color=colour, marker="o", ms=4, capsize=3, label=label)
    best = points.best
    if best.score is not None:
        place = (best.parameters[name], best.score.mean)
        axes.plot(*place, marker="*", ms=13, color=colour, mec="black", ls="none")
    axes.set_xlabel(f"{name} (star: best)")


def _draw_heat_map(
    figure: Any, axes: Any, points: SweepPoints, names: list[str], label: str
) -> None:
    rows, columns = (sorted({point.parameters[name] for point in points}) for name in names)

    def place(point: Point) -> tuple[int, int]:
        return rows.index(point.parameters[names[0]]), columns.index(point.parameters[names[1]])

    means = np.full((len(rows), len(columns)), math.nan)
    for point in points:
        if point.score is not None:
            means[place(point)] = point.score.mean
    axes.grid(visible=False)
    image = axes.imshow(means, origin="lower", aspect="auto", cmap="viridis")
    figure.colorbar(image, label=label)
    row, column = place(points.best)
    axes.plot(column, row, marker="*", ms=15, color="white", mec="black", ls="none")
    axes.set_xticks(range(len(columns)), [f"{value:g}" for value in columns])
    axes.set_yticks(range(len(rows)), [f"{value:g}" for value in rows])
    axes.set_xlabel(f"{names[1]} (star: best)")
    axes.set_ylabel(names[0])
