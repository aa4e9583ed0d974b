"""Solve a spot: run iterations, check the exploitability, stop at the target or a limit."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec

from riverboat.errors import SpotError
from riverboat.files import JsonLines, json_lines
from riverboat.report import Axes, Curve, FramedRow, draw_curves
from riverboat.runs import Checkpoint, Clock, Due, Slices, Stop, Task, advance
from riverboat.spots._engine import Check
from riverboat.spots._follow import Imported, followed
from riverboat.spots._forecast import Place, SpotForecast, forecast
from riverboat.spots._inputs import schedule_text
from riverboat.spots._layout import Layout
from riverboat.spots._settings import SolveSettings, apply_locks
from riverboat.spots._solution import Facts, Solution

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from riverboat.spots._engine import Engine
    from riverboat.spots._settings import Side
    from riverboat.spots._spot import Spot

Event = Literal["solving", "finished", "stopped"]

_FIRST_CHECK: Final = 10  # iterations
_FIRST_SECONDS: Final = 0.02  # length of the first slice


@dataclass(frozen=True, slots=True)
class SpotReport(FramedRow):
    """Progress of a solve: a check of the average strategies.

    Attributes
    ----------
    event
        `solving`, `finished` (target reached) or `stopped` (by a limit or the user).
    iteration, seconds
        Iterations done, and seconds spent on iterations and checks.
    exploitability
        Exploitability in chips: gain of a best response, mean of both players.
    share
        Exploitability as a fraction of the pot.
    best_responses
        EV of each player's best response in chips, pot share included: oop, ip.
    values
        EV of the average strategies in chips: oop, ip; only at the end.
    device
        `cpu` or `gpu`.
    """

    event: Event
    iteration: int
    seconds: float
    exploitability: float
    share: float
    best_responses: tuple[float, float]
    values: tuple[float, float] | None = None
    device: Literal["cpu", "gpu"] = "cpu"

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return asdict(self)


class _Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Progress of a run, in its checkpoint."""

    iteration: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
    seconds: Annotated[float, msgspec.Meta(ge=0, lt=1e12)]


class Solving(Task[SpotReport]):
    """A solve in progress; iterate over it for reports. `solve` returns one.

    Attributes
    ----------
    report
        The last report.
    device, notice
        Device that solves, and why it is not the requested one.
    """

    kind = "riverboat-spot-checkpoint"
    ordinary = "solving"
    dues = (Due("save", 600.0),)

    def __init__(self, spot: Spot, engine: Engine, settings: SolveSettings, place: Place) -> None:
        super().__init__()
        self.spot, self.engine, self.settings, self.locks = spot, engine, settings, settings.held
        self.target = settings.target * spot.pot  # chips
        budget: dict[Clock, float | None] = {
            "seconds": settings.seconds,
            "iterations": settings.iterations,
        }
        self.until = {clock: limit for clock, limit in budget.items() if limit is not None}
        self.slices = Slices(self._slice, length=max(1.0, _FIRST_SECONDS * place.pace))
        self.slices.iterations = engine.iteration
        self.report: SpotReport | None = None
        self.device, self.notice = place.name, place.notice
        self.against: Solution | Imported | None = None
        self._exploited: Side | None = None
        self._followed = ""
        self._plan_checks()

    # ---- Slices

    def _plan_checks(self) -> None:
        """Reset the plan of checks: a resumed run begins with a check."""
        self._following = self.engine.iteration or _FIRST_CHECK
        self._before: Check | None = None
        self._checks: list[Check] = []
        self._reached = False
        self._begun = (self.slices.iterations, self.slices.seconds)

    def _slice(self, first: int, last: int) -> int:
        """Run iterations with checks of exploitability; stop early at the target."""
        self._begun = (first, self.slices.seconds)
        self._checks, self._following = self.engine.run_checked(
            last - first, self.target, self._following, self._before
        )
        if self._checks:
            self._before = check = self._checks[-1]
            self._reached = check.exact and check.exploitability <= self.target
        return self.engine.iteration

    @property
    def over(self) -> bool:
        """Whether the target or a limit is reached, or nothing is to be solved."""
        ended = self.report is not None and self.report.event != "solving"
        return self._reached or ended or self.against is not None or super().over

    @property
    def finished(self) -> bool:
        """Whether the target is reached."""
        return self.report is None or self.report.event == "finished"

    def reports(self, due: frozenset[str], stop: Stop) -> Iterator[SpotReport]:  # noqa: ARG002 - all checks
        """Report the checks of a slice; `conclude` reports the last check of a run.

        Seconds within a slice are interpolated between its begin and its end.
        """
        begin, seconds = self._begun
        done, over = self.slices.iterations, self.over or stop.asked
        per_iteration = (self.slices.seconds - seconds) / max(1, done - begin)
        for check in self._checks:
            if check.iteration < done or not over:
                now = seconds + per_iteration * (check.iteration - begin)
                self.report = self._at(check, now)
                yield self.report

    def conclude(self, stop: Stop) -> Iterator[SpotReport]:
        """Report an exact check of the averages, or make one player follow a strategy."""
        if self.against is not None:
            self.follow(self.against, "ip" if self.settings.exploit == "oop" else "oop", stop)
            return
        if self.report is None or self.report.event == "solving":
            check = self._exact()
            event: Event = "finished" if check.exploitability <= self.target else "stopped"
            self.report = self._ended(self._at(check, self.slices.seconds), event)
        yield self.report

    def _exact(self) -> Check:
        """Return an exact check of the current averages."""
        last = self._before
        if last is not None and last.exact and last.iteration == self.slices.iterations:
            return last
        return Check(self.slices.iterations, *self.engine.exploitability(), exact=True)

    def _at(self, check: Check, seconds: float) -> SpotReport:
        """Return a check as a report."""
        chips, best = check.exploitability, (check.first, check.second)
        share = chips / self.spot.pot
        return SpotReport(
            "solving", check.iteration, seconds, chips, share, best, device=self.device
        )

    def _ended(self, report: SpotReport, event: Event) -> SpotReport:
        return replace(report, event=event, values=self.engine.both_values())

    # ---- Solve without files

    def __iter__(self) -> Iterator[SpotReport]:
        """Solve to the target or a limit; yield a report at each check."""
        return self.iterate(Stop())

    def iterate(self, stop: Stop) -> Iterator[SpotReport]:
        """Solve to the target, a limit or a stop request; yield a report at each check.

        A small spot has many checks in a slice; their reports come after the slice.
        """
        for reports, _ in advance(self, stop):
            yield from reports
        yield from self.conclude(stop)
        yield from self._exploits()

    def finish(self, stop: Stop | None = None) -> Solution:
        """Solve to the end and return the solution."""
        if self.report is None or self.report.event == "solving":
            for _ in self.iterate(stop or Stop()):
                pass
        return self.solution

    # ---- Task of a run with files

    def identity(self) -> dict[str, Any]:
        """Inputs that determine the tables."""
        engine = self.engine
        return {
            "spot": self.spot.as_dict(),
            "locks": list(self.settings.locks),
            "bits": engine.bits,
            "schedule": schedule_text(engine.schedule),
            "isomorphism": engine.isomorphism,
        }

    def checkpoint(self) -> Checkpoint:
        """Tables and progress of the solve."""
        at = _Position(self.engine.iteration, self.slices.seconds)
        return Checkpoint(msgspec.to_builtins(at), self.engine.state())

    def restore(self, checkpoint: Checkpoint) -> None:
        """Continue from the tables of an earlier run."""
        at = msgspec.convert(dict(checkpoint.progress), _Position)
        self.engine.load_state(checkpoint.arrays, at.iteration)
        self.slices.iterations, self.slices.seconds = at.iteration, at.seconds
        self._plan_checks()

    def keeps(self, line: Mapping[str, Any]) -> bool:
        """Whether a log line stays on resuming: a resumed run begins with a check."""
        return bool(line["iteration"] < self.slices.iterations)

    def read_log(self, path: Path) -> JsonLines:
        """Read an earlier run's log."""
        return read_log(path)

    def write(self, path: Path, stop: Stop) -> Iterator[SpotReport]:  # noqa: ARG002 - of `Task`
        """Write the solution."""
        yield from self._exploits()
        self.solution.write(path, rivers=self.settings.rivers)
        if self.problem:
            raise SpotError(f"{self.problem}: {path} is written, but --resume will not work")

    def draw(self, log: Path, plot: Path) -> None:
        """Draw exploitability over time."""
        lines = [line for line in read_log(log) if line["share"] > 0 and line["seconds"] > 0]
        if not lines or self.against is not None:
            return
        curve = Curve("", [m["seconds"] for m in lines], [100 * m["share"] for m in lines])
        title = f"{self.spot.board}, pot {self.spot.pot}"
        words = Axes(title, "seconds", "exploitability, % of the pot", x_log=True, y_log=True)
        draw_curves(plot, [curve], words)

    # ---- Play against a fixed strategy

    def follow(self, strategy: Solution | Imported, side: Side, stop: Stop | None = None) -> None:
        """Fix one player's strategy; locks still apply.

        A solution needs the same board and tree, and a range with all hands of that player.
        """
        layout = Layout(self.spot, self.engine.tree, self.engine.isomorphism)
        for node, cards, rows in followed(strategy, layout, 0 if side == "oop" else 1):
            if stop is not None and stop.asked:
                raise KeyboardInterrupt
            self.engine.lock(node, cards, rows)
        apply_locks(self.engine, self.locks)
        self._followed = strategy.name

    def _exploits(self) -> Iterator[SpotReport]:
        if self.settings.exploit is not None:
            yield self.exploit(self.settings.exploit)

    def exploit(self, side: Side) -> SpotReport:
        """Replace one player's strategy by the best response to the other's; report the result.

        The player's locked decisions do not change.
        """
        self._exploited = side
        stopped = self.report is not None and self.report.event != "finished"
        self.engine.adopt_best_response(0 if side == "oop" else 1)
        self._before = None
        report = self._at(self._exact(), self.slices.seconds)
        self.report = self._ended(report, "stopped" if stopped else "finished")
        return self.report

    @property
    def solution(self) -> Solution:
        """The solution so far."""
        if self.report is None:
            raise SpotError("nothing is solved yet: iterate over the reports, or call finish()")
        return Solution(self.spot, self._facts(self.report), self.engine)

    def _facts(self, report: SpotReport) -> Facts:
        return Facts.of(
            self.spot,
            self.engine.tree,
            locks=self.settings.locks,
            schedule=schedule_text(self.engine.schedule),
            bits=self.engine.bits,
            isomorphism=self.engine.isomorphism,
            own_reach=self.engine.own_reach,
            iterations=report.iteration,
            seconds=report.seconds,
            target=self.settings.target,
            exploitability=report.exploitability,
            values=report.values or self.engine.both_values(),
            exploited=self._exploited or "",
            against=self._followed,
        )


def solve(
    spot: Spot,
    settings: SolveSettings = SolveSettings(),  # noqa: B008 - frozen
    *,
    against: Solution | Imported | None = None,
    plan: SpotForecast | None = None,
) -> Solving:
    """Solve a spot; iterate over the result for reports, then read its `solution`.

    Parameters
    ----------
    spot
        The spot.
    settings
        Target, limits, device and other settings.
    against
        With `settings.exploit`: a fixed strategy of the other player. Then nothing is solved.
    plan
        The result of `forecast(spot, settings)`, if you have it.

    Examples
    --------
    >>> from riverboat.spots import SolveSettings, Spot, solve
    >>> spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh", menu="a")
    >>> solving = solve(spot, SolveSettings(target=0.0005))
    >>> for report in solving:
    ...     pass
    >>> report.event, [round(value, 1) for value in report.values]
    ('finished', [13.3, 6.7])
    >>> node = solving.solution.node("b10")
    >>> node.actions, node.hand("KsKh").strategy.round(2).tolist()
    (('f', 'c'), [0.33, 0.67])
    """
    if against is not None and settings.exploit is None:
        raise SpotError("a strategy to play against needs settings.exploit: oop or ip")
    plan = plan or forecast(spot, settings)
    plan.check()
    place, engine = plan.begun()
    apply_locks(engine, settings.held)
    solving = Solving(spot, engine, settings, place)
    solving.against = against
    return solving


def read_log(path: Path) -> JsonLines:
    """Read the log of a solve; invalid lines are skipped."""
    return json_lines(path, _is_line)


def _is_line(line: Any) -> bool:
    numbers = ("iteration", "seconds", "share")
    return isinstance(line, dict) and all(isinstance(line.get(n), int | float) for n in numbers)
