"""`riverboat solve --sampled`: a strategy of the flop from sampled turns and rivers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from riverboat.cli._output import Answer, hint
from riverboat.cli._progress import LiveView
from riverboat.errors import SpotError
from riverboat.report import duration, how_many, size
from riverboat.settings import checked
from riverboat.spots import (
    FlopFiles,
    SampledSettings,
    SolveSettings,
    forecast_flop,
    solve_flop_file,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from riverboat.spots import FlopForecast, FlopReport, Spot

_LINE_SECONDS: Final = 10.0
#: Settings of an exact solve that are settings of a sampled one, too.
_SHARED: Final = ("iterations", "seconds", "threads")


def check_sampled(given: Mapping[str, bool]) -> None:
    """Refuse options that only an exact solve has; `given` says which are given."""
    wrong = [name for name, there in given.items() if there]
    if wrong:
        names = ", ".join(f"--{name}" for name in wrong)
        raise SpotError(f"--sampled cannot be combined with {names}")


@dataclass(frozen=True)
class SampledPlan:
    """A sampled solve before it runs: its estimate and its limits."""

    forecast: FlopForecast
    limits: Mapping[str, Any]

    @classmethod
    def of(cls, spot: Spot, fixed: Mapping[str, Any], seed: int) -> SampledPlan:
        """Return the plan of a solve; `fixed` are the given options of a solve."""
        usual = SolveSettings()
        exact = {name: value for name, value in fixed.items() if name not in _SHARED}
        check_sampled({name: value != getattr(usual, name) for name, value in exact.items()})
        values = {"seed": seed, "threads": fixed.get("threads", 0)}
        settings = checked(SampledSettings, values, "solve --sampled")
        limits = {name: fixed.get(name) for name in ("iterations", "seconds")}
        return cls(forecast_flop(spot, settings), limits)

    @property
    def iterations(self) -> int:
        """Estimated iterations."""
        return self.forecast.iterations(**self.limits)

    def answer(self) -> Answer:
        """Return the estimate."""
        plan, settings = self.forecast, self.forecast.settings
        values = {
            "spot": plan.spot.as_dict(),
            "nodes": plan.tree.num_nodes,
            "iterations": self.iterations,
            "boards": self.iterations * settings.turns * settings.rivers,
            "memory_bytes": plan.memory_bytes,
            "available_bytes": plan.available_bytes,
            "threads": plan.threads,
            "estimated_seconds": plan.seconds(self.iterations),
        }
        return Answer(values, *self.lines())

    def lines(self) -> tuple[Text, Text]:
        """Return the estimate in words."""
        plan, spot = self.forecast, self.forecast.spot
        hands = " v ".join(f"{each.support:,}" for each in spot.ranges)
        return (
            Text(
                f"{spot.board}, pot {spot.pot:,}, stack {min(spot.stacks):,}: {hands} hands, "
                f"a tree of {how_many(plan.tree.num_nodes, 'node')}"
            ),
            Text(
                f"memory {size(plan.memory_bytes)} of {size(plan.available_bytes)} free, roughly "
                f"{duration(plan.seconds(self.iterations))} for {self.iterations:,} iterations "
                f"with {how_many(plan.threads, 'thread')}"
            ),
        )


def solve_sampled(plan: SampledPlan, output: Path, *, resume: bool, force: bool) -> Answer:
    """Solve a flop by sampling, with progress."""
    spot, settings = plan.forecast.spot, plan.forecast.settings
    files = FlopFiles.of(output)
    reports = solve_flop_file(
        spot, files.result, settings, **plan.limits, plan=plan.forecast, resume=resume, force=force
    )
    last: FlopReport | None = None
    with LiveView(_LINE_SECONDS, at_once=False) as view:
        for report in reports:
            view.show(lambda: f"{spot.board}: {_progress(report)}")  # noqa: B023 - called at once
            last = report
    if last is None:
        raise SpotError("the run ended before it began")
    answer = {"spot": spot.as_dict(), "seed": settings.seed, **last.as_dict(), **files.written()}
    return Answer(answer, *map(Text, _result_lines(spot, files, last)))


def _progress(report: FlopReport) -> str:
    return f"iteration {report.iterations:,}, {report.boards:,} boards, {duration(report.seconds)}"


def _result_lines(spot: Spot, files: FlopFiles, last: FlopReport) -> list[str]:
    """The result, what it is worth, and the next steps."""
    event = "Solved" if last.event == "finished" else "Stopped"
    lines = [f"{event} for the flop: {_progress(last)}."]
    if last.values is not None and last.gain is not None and last.margin is not None:
        oop, ip = last.values
        gain, margin = (100 * each / spot.pot for each in (last.gain, last.margin))
        lines += [
            f"EV in chips, of the pot of {spot.pot:,}, estimated: oop {oop:.2f}, ip {ip:.2f}.",
            f"The best deviations on the flop gain {gain:.2g} ± {margin:.2g} % of the pot (mean of "
            "both players), with turn and river as the solver plays them. That is a guide, not a "
            "bound: solve turn and river when they are dealt.",
        ]
    lines.append(f"flop strategy: {files.result} ({size(files.result.stat().st_size)})")
    if files.checkpoint.exists():
        lines.append("The same command with --resume continues.")
    return [*lines, f"Look at it: {hint('show', files.result)}"]
