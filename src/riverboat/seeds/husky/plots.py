"""Pictures like those of the document."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from riverboat.report import COLOURS, new_figure, save_figure
from riverboat.seeds.husky.opponents import Law, Many
from riverboat.seeds.husky.points import Scored, best
from riverboat.seeds.husky.table import Ranking

__all__ = ["draw_cross_table", "draw_opponents", "draw_sweep", "two_axes"]

_GAMES, _CHIPS = "share of games won", "chips a hand"


def two_axes(width: float = 10.0, height: float = 4.2) -> tuple[Any, tuple[Any, Any]]:
    """Make a figure with two sets of axes side by side."""
    figure, axes = new_figure(width, height)
    axes.remove()
    left, right = figure.subplots(1, 2)
    for each in (left, right):
        each.grid(visible=True, alpha=0.3)
    return figure, (left, right)


def draw_sweep(
    path: Path,
    games: Sequence[Scored],
    chips: Sequence[Scored],
    optimum: dict[str, float],
    title: str,
) -> None:
    """Draw a sweep scored by games (left) and by chips (right): curves, or maps of two thresholds.

    Parameters
    ----------
    path
        The PNG file.
    games, chips
        The points.
    optimum
        The authors'.
    title
        Above both.
    """
    names = list(optimum)
    figure, axes = two_axes(height=4.2 if len(names) == 1 else 4.6)
    for each, points, label in ((axes[0], games, _GAMES), (axes[1], chips, _CHIPS)):
        if len(names) == 1:
            _curve(each, points, names[0], optimum[names[0]])
            each.set_ylabel(label)
        else:
            _map(figure, each, points, optimum, label)
    axes[0].axhline(0.5, color="0.4", lw=0.8) if len(names) == 1 else None
    axes[1].axhline(0.0, color="0.4", lw=0.8) if len(names) == 1 else None
    figure.suptitle(title, fontsize="medium")
    save_figure(figure, path)


def _curve(axes: Any, points: Sequence[Scored], name: str, optimum: float) -> None:
    """Draw the score over one threshold with 95 % intervals."""
    places = [point.parameters[name] for point in points]
    means = [point.mean for point in points]
    margins = [max(0.0, point.margin) for point in points]
    axes.errorbar(places, means, margins, fmt="o-", color=COLOURS[0], ms=3, lw=1, capsize=2)
    ours = best(points).parameters[name]
    axes.axvline(optimum, color=COLOURS[5], ls="--", label=f"authors' best {optimum:g}")
    axes.axvline(ours, color=COLOURS[2], ls=":", lw=2, label=f"our best {ours:g}")
    axes.set_xlabel(_words(name))
    axes.legend(fontsize="small")


def _map(
    figure: Any, axes: Any, points: Sequence[Scored], optimum: dict[str, float], label: str
) -> None:
    """Draw the score over two thresholds."""
    first, second = optimum
    rows = sorted({point.parameters[first] for point in points})
    columns = sorted({point.parameters[second] for point in points})
    values = np.full((len(rows), len(columns)), np.nan)
    for point in points:
        row, column = point.parameters[first], point.parameters[second]
        values[rows.index(row), columns.index(column)] = point.mean
    axes.grid(visible=False)
    mesh = axes.pcolormesh(columns, rows, values, shading="nearest", cmap="viridis")
    figure.colorbar(mesh, ax=axes, label=label)
    ours = best(points).parameters
    axes.plot(
        optimum[second], optimum[first], "x", color=COLOURS[5], ms=9, mew=2.5, label="authors' best"
    )
    axes.plot(
        ours[second], ours[first], "o", mfc="none", color="black", ms=10, mew=2, label="our best"
    )
    axes.set_xlabel(_words(second))
    axes.set_ylabel(_words(first))
    axes.legend(fontsize="small", loc="upper left")


def _words(name: str) -> str:
    return {"low": "fold up to this win rate", "high": "raise above this win rate"}.get(name, name)


def draw_opponents(
    path: Path, many: Sequence[Many], laws: Sequence[tuple[str, Law | None, str]]
) -> None:
    """Draw the sweeps against several opponents, and the best thresholds over their number.

    Parameters
    ----------
    path
        The PNG file.
    many
        The sweeps.
    laws
        Words, the law, and whose optima it goes with: `games`, `chips` or nothing.
    """
    figure, (left, right) = two_axes()
    for index, each in enumerate(many):
        places = [point.parameters["high"] for point in each.games]
        means = [point.mean for point in each.games]
        colour = COLOURS[index % len(COLOURS)]
        left.plot(places, means, "o-", ms=3, lw=1, color=colour, label=f"{each.opponents}")
    left.set_xlabel(_words("high"))
    left.set_ylabel(_GAMES)
    left.legend(title="opponents", fontsize="small", ncols=2)
    counts = [each.opponents for each in many]
    fine = np.linspace(min(counts), max(counts), 50)
    for index, (words, law, source) in enumerate(laws):
        colour = COLOURS[index]
        label: str | None = words
        if source:
            optima = [best(getattr(each, source)).parameters["high"] for each in many]
            right.plot(counts, optima, "o" if source == "games" else "s", color=colour, label=words)
            label = None
        if law is not None:
            style = "-" if source else "--"
            right.plot(fine, law.factor * fine**law.exponent, style, color=colour, label=label)
    right.set_xlabel("opponents")
    right.set_ylabel("best threshold")
    right.set_ylim(0, 1)
    right.legend(fontsize="small")
    save_figure(figure, path)


def draw_cross_table(path: Path, ranking: Ranking) -> None:
    """Draw what each bot wins from each other one, chips a hand."""
    names = [line.name for line in ranking.bots]
    count = len(names)
    figure, axes = new_figure(2.6 + 0.72 * count, 1.6 + 0.5 * count)
    axes.grid(visible=False)
    values = np.full((count, count), np.nan)
    for row, line in enumerate(ranking.bots):
        for name, won in line.against.items():
            values[row, names.index(name)] = won.mean
    # A few huge results must not wash out the others: the colour goes by the root.
    shades = np.sign(values) * np.sqrt(np.abs(values))
    most = float(np.nanmax(np.abs(shades))) or 1.0
    axes.imshow(shades, cmap="PuOr_r", vmin=-most, vmax=most, aspect="auto")
    for row, line in enumerate(ranking.bots):
        for name, won in line.against.items():
            column = names.index(name)
            dark = abs(shades[row, column]) > 0.6 * most
            axes.text(
                column,
                row,
                f"{won.mean:+.1f}" + ("" if won.sign else "?"),
                ha="center",
                va="center",
                fontsize=8,
                color="white" if dark else "black",
            )
    axes.set_xticks(range(count), names, rotation=35, ha="right")
    axes.set_yticks(range(count), names)
    save_figure(figure, path)
