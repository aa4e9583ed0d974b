"""The plot of a run: exploitability against time, both logarithmic."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from riverboat.report import new_figure, plain_ticks, save_figure
from riverboat.training._progress import read_log


def plot_logs(logs: Mapping[str, Path], path: Path, title: str, big_blind: int = 0) -> None:
    """Draw exploitability, or a bound on it with its interval, against the time of training.

    Parameters
    ----------
    logs
        By name: of a run, which may have none, or of an ensemble's members and of their
        combination, at the sum of their times. Where nothing is measured yet, the average
        positive regret is drawn.
    path
        Where the PNG file goes.
    title
        Above the plot.
    big_blind
        Chips; then the unit is a thousandth of it. 0 = chips.
    """
    curves = {name: read_log(log) for name, log in logs.items()}
    scale, unit = (1000 / big_blind, "mbb/hand") if big_blind else (1.0, "chips/hand")
    figure, axes = new_figure()
    axes.set_title(title, fontsize="medium")
    axes.set_xlabel("seconds of training")
    axes.set_xscale("log")
    axes.set_yscale("log", nonpositive="clip")
    if sum(_draw_measured(axes, lines, scale, name) for name, lines in curves.items()):
        axes.set_ylabel(f"exploitability, {unit}")
        axes.legend()
    elif sum(_draw_regret(axes, lines, scale, name) for name, lines in curves.items()):
        axes.set_ylabel(f"average positive regret, {unit}")
        if len(curves) > 1:
            axes.legend()
    _widen(axes)
    plain_ticks(axes.xaxis)
    plain_ticks(axes.yaxis)
    axes.grid(visible=True, which="both", alpha=0.3)
    save_figure(figure, path)


def _widen(axes: Any) -> None:
    """Show a decade at least on each axis: a single point has no room to be read by."""
    for limits, set_limits in ((axes.get_xlim(), axes.set_xlim), (axes.get_ylim(), axes.set_ylim)):
        low, high = limits
        if high < 10 * low:
            middle = (low * high) ** 0.5
            set_limits(middle / 10**0.5, middle * 10**0.5)


def _draw_measured(axes: Any, lines: list[dict[str, Any]], scale: float, name: str) -> bool:
    found = {
        (line["measured"]["iterations"], line["measured"]["seconds"]): line["measured"]
        for line in lines
        if line.get("measured")
    }
    points = [m for m in found.values() if m["exploitability"] > 0 and m["seconds"] > 0]
    if not points:
        return False
    seconds = [m["seconds"] for m in points]
    means = [m["exploitability"] * scale for m in points]
    before = f"{name}, " if name else ""
    if points[-1]["exact"]:
        axes.plot(seconds, means, marker="o", markersize=3, label=f"{before}exact")
    else:
        lows = [max(0.0, (m["exploitability"] - m["low"]) * scale) for m in points]
        highs = [max(0.0, (m["high"] - m["exploitability"]) * scale) for m in points]
        label = f"{before}lower bound by trained responses, 95 %"
        axes.errorbar(seconds, means, (lows, highs), marker="o", capsize=3, label=label)
    return True


def _draw_regret(axes: Any, lines: list[dict[str, Any]], scale: float, name: str) -> bool:
    points = [m for m in lines if m.get("average_regret", 0) > 0 and m.get("seconds", 0) > 0]
    if not points:
        return False
    regrets = [m["average_regret"] * scale for m in points]
    axes.plot([m["seconds"] for m in points], regrets, label=name or None)
    return True
