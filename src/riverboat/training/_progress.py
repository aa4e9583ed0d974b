"""Progress of a training run: measurements, reports, the log and the plot."""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from pathlib import Path
from typing import Any, Final, Literal

from numpy.typing import NDArray

from riverboat.evaluate import exploitability, response_bound
from riverboat.files import JsonLines, json_lines
from riverboat.report import (
    Columns,
    Framed,
    FramedRow,
    columns_of,
    new_figure,
    plain_ticks,
    save_figure,
)
from riverboat.training._plan import Setup
from riverboat.training._recipe import Recipe

Event = Literal[
    "started", "training", "measured", "saved", "unsaved", "written", "finished", "stopped"
]


@dataclass(frozen=True, slots=True)
class Measured(FramedRow):
    """Exploitability after some iterations, in chips per hand."""

    iterations: int
    seconds: float
    """Training time so far."""
    exploitability: float
    """Exact, or a lower bound by trained responses."""
    low: float
    high: float
    """95 % confidence interval of the lower bound; both equal an exact value."""
    exact: bool
    value: float | None
    """EV of the first seat; None if exploitability is not exact."""
    cost: float
    """Seconds that the measurement took."""


@dataclass(frozen=True, slots=True)
class Progress(Framed):
    """A progress report of a training run."""

    event: Event
    member: int
    """Number of the member of the ensemble, from 1."""
    members: int
    iterations: int
    seconds: float
    """Time spent on iterations."""
    iterations_per_second: float
    """Speed since the report before."""
    seconds_left: float
    """Estimated time of the remaining training and measurements; infinite if unknown."""
    infosets: int
    visited: int
    """Infosets with a regret or an average at the last count."""
    coverage: float | None
    """Share of decisions in play whose infoset has many visits, at the last count; None with
    enumerated deals."""
    average_regret: float
    """Mean over infosets of the largest positive regret per iteration, in chips, at the last
    count."""
    table_bytes: int
    resident_bytes: int
    """Resident memory of the process."""
    overhead_seconds: float
    """Time spent on counting, measuring and saving."""
    measured: Measured | None
    """The last measurement."""
    problem: str = ""
    """Why the last attempt to write a file failed; the run continues."""
    findings: tuple[str, ...] = ()
    """Findings of the checks of the written strategy."""

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for the log; unknown ones, such as the time left, are None."""
        return {name: _finite(value) for name, value in asdict(self).items()}

    def frame_columns(self) -> Columns:
        """Return one row; the columns `measured_...` are of the last measurement."""
        values = self.as_dict()
        measured = values.pop("measured") or dict.fromkeys(Measured.__slots__)
        values["findings"] = "; ".join(self.findings)
        values |= {f"measured_{name}": value for name, value in measured.items()}
        return columns_of([values])


def _finite(value: Any) -> Any:
    """Replace infinities by None, also inside tables, because JSON has no infinity."""
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    return None if isinstance(value, float) and not isfinite(value) else value


_MEASURED = tuple(field.name for field in fields(Measured))
_NO_NUMBERS = {"exact", "value"}


def read_log(path: Path) -> JsonLines:
    """Read a log; count lines that are not of a training run, or were cut off by a crash."""
    return json_lines(path, _is_line)


def _is_line(line: Any) -> bool:
    """Whether a JSON value is a line of a training log, with all values that readers use."""
    if not isinstance(line, dict) or "iterations" not in line:
        return False
    numbers = {"iterations": 0, "seconds": 0.0, "average_regret": 0.0}
    measured = line.get("measured")
    return all(_is_number(line.get(name, default)) for name, default in numbers.items()) and (
        measured is None
        or (
            isinstance(measured, dict)
            and measured.keys() == set(_MEASURED)
            and all(_is_number(measured[name]) for name in _MEASURED if name not in _NO_NUMBERS)
        )
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


# Makes the deals of responses independent of those of the training.
_OTHER_SEED: Final = 0x9E3779B97F4A7C15


def measure(
    setup: Setup, strategy: NDArray[Any], recipe: Recipe, at: tuple[int, float] = (0, 0.0)
) -> Measured:
    """Measure the exploitability of a strategy.

    Parameters
    ----------
    setup, strategy
        The setup of the game, and [entries] probabilities.
    recipe
        `bound` limits the training of responses; the seed of their deals is derived from `seed`.
    at
        Iterations and seconds of the training so far.
    """
    began = time.perf_counter()
    if setup.exact:
        exact = exploitability(setup.deals, strategy)
        mean, low, high = exact.exploitability, exact.exploitability, exact.exploitability
        value: float | None = exact.values[0]
    else:
        response = response_bound(
            setup.deals,
            strategy,
            seconds=recipe.bound.seconds,
            score_deals=recipe.bound.deals,
            seed=recipe.seed ^ _OTHER_SEED,
            threads=setup.threads,
        )
        mean, (low, high), value = response.bound.mean, response.interval, None
    return Measured(
        iterations=at[0],
        seconds=at[1],
        exploitability=mean,
        low=low,
        high=high,
        exact=setup.exact,
        value=value,
        cost=time.perf_counter() - began,
    )


def plot_logs(logs: Mapping[str, Path], path: Path, title: str, big_blind: int = 0) -> None:
    """Plot exploitability, or its lower bound with confidence intervals, against training time.

    Parameters
    ----------
    logs
        Logs by label: one run, whose label may be empty, or the members of an ensemble and their
        combination. Without any measurement the average positive regret is plotted.
    path
        Path of the PNG file.
    title
        Title of the plot.
    big_blind
        Chips of the big blind, for the unit mbb/hand; 0 = the unit is chips/hand.
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
    """Extend each axis to at least a decade; a single point would have an empty range."""
    for limits, set_limits in ((axes.get_xlim(), axes.set_xlim), (axes.get_ylim(), axes.set_ylim)):
        low, high = limits
        if high < 10 * low:
            middle = (low * high) ** 0.5
            set_limits(middle / 10**0.5, middle * 10**0.5)


def _draw_measured(axes: Any, lines: list[dict[str, Any]], scale: float, name: str) -> bool:
    measurements = {
        (line["measured"]["iterations"], line["measured"]["seconds"]): line["measured"]
        for line in lines
        if line.get("measured")
    }
    points = [m for m in measurements.values() if m["exploitability"] > 0 and m["seconds"] > 0]
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
