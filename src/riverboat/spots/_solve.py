"""Solving a spot: iterations, checks of how exploitable the averages are, and an end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from riverboat.errors import SpotError
from riverboat.report import FramedRow
from riverboat.spots._follow import Imported, followed
from riverboat.spots._forecast import forecast_tree
from riverboat.spots._layout import Layout
from riverboat.spots._locks import Lock, apply_locks, as_locks, suits_alike
from riverboat.spots._schedule import DEFAULT, Schedule, find_schedule, schedule_text
from riverboat.spots._slices import Budget, Slices
from riverboat.spots._solution import EngineSource, Facts, Solution

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from riverboat.gpu import Bits
    from riverboat.spots._devices import Device
    from riverboat.spots._engine import Check, Engine, EngineSettings
    from riverboat.spots._spot import Spot

__all__ = ["Side", "Solving", "SpotReport", "solve"]

Side = Literal["oop", "ip"]


@dataclass(frozen=True, slots=True)
class SpotReport(FramedRow):
    """How solving stands: a check of the average strategies.

    Attributes
    ----------
    event
        `solving`, `finished` (at the target) or `stopped` (by a budget or by hand).
    iteration, seconds
        Iterations so far, and seconds spent on them and on checks.
    exploitability
        Chips that a best response wins more than the average strategy, mean of both players.
    share
        The same as a part of the pot.
    best_responses
        Chips of each player's best response, his share of the pot included: oop, ip.
    values
        Chips that the averages win: oop, ip; only at the end.
    device
        Where it is solved: `cpu` or `gpu`.
    """

    event: Literal["solving", "finished", "stopped"]
    iteration: int
    seconds: float
    exploitability: float
    share: float
    best_responses: tuple[float, float]
    values: tuple[float, float] | None = None
    device: Literal["cpu", "gpu"] = "cpu"

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        both = self.values
        return {
            "event": self.event,
            "iteration": self.iteration,
            "seconds": self.seconds,
            "exploitability": self.exploitability,
            "share": self.share,
            "best_responses": list(self.best_responses),
            "values": None if both is None else list(both),
            "device": self.device,
        }


class Solving:
    """A spot that is being solved; iterate over it for reports. `solve` makes one."""

    def __init__(
        self,
        spot: Spot,
        engine: Engine,
        budget: Budget,
        locks: Sequence[Lock],
        pace: float,
    ) -> None:
        self.spot, self.engine, self.locks = spot, engine, tuple(locks)
        self.slices = Slices(engine, budget, spot.pot, pace)
        self.report: SpotReport | None = None
        self._target = budget.target
        self._exploited: Side | None = None
        self._against = ""
        #: Asked between slices: whether somebody wants it to end.
        self.stopped: Callable[[], bool] = lambda: False
        #: Where it is solved, or was among many; and why it is not where it was wanted.
        self.device: Literal["cpu", "gpu"] = "cpu"
        self.notice = ""

    def resume(self, state: Any, iteration: int, seconds: float) -> None:
        """Go on from the engine's tables of an earlier run."""
        self.engine.load_state(state, iteration)
        self.slices.seconds = seconds

    def __iter__(self) -> Iterator[SpotReport]:
        """Solve to the target or the budget; yield a report at each check.

        A small spot is checked many times in a slice: its reports come when the slice is over.
        """
        self.slices.start()
        over = False
        while not over:
            reports = [self._at(check, seconds) for check, seconds in self.slices.run()]
            over = self.slices.spent() or self.stopped()
            if over:
                earlier = [each for each in reports if each.iteration < self.slices.iterations]
                reports = [*earlier, self._last(self.slices.measured())]
            self.report = reports[-1] if reports else self.report
            yield from reports

    def _at(self, check: Check, seconds: float) -> SpotReport:
        """Return a check as a report."""
        chips, best = check.exploitability, (check.first, check.second)
        share = chips / self.spot.pot
        return SpotReport(
            "solving", check.iteration, seconds, chips, share, best, device=self.device
        )

    def _last(self, check: Check) -> SpotReport:
        """Return an exact check as the last report."""
        reached = check.exploitability <= self.slices.target
        report = self._at(check, self.slices.seconds)
        return self._ended(report, "finished" if reached else "stopped")

    def _ended(self, report: SpotReport, event: Literal["finished", "stopped"]) -> SpotReport:
        return replace(report, event=event, values=self.engine.both_values())

    def finish(self) -> Solution:
        """Solve to the end, whatever is left of it, and return the solution."""
        if self.report is None or self.report.event == "solving":
            for _ in self:
                pass
        return self.solution

    def follow(self, strategy: Solution | Imported, side: Side) -> None:
        """Have one player play a given strategy instead of learning; locks still hold.

        A solution is of the same board and tree; its range may be another, but has his hands.
        """
        layout = Layout(self.spot, self.engine.tree, self.engine.isomorphism)
        for node, cards, rows in followed(strategy, layout, 0 if side == "oop" else 1):
            if self.stopped():
                raise KeyboardInterrupt
            self.engine.lock(node, cards, rows)
        apply_locks(self.engine, self.locks)
        self._against = strategy.name

    def exploit(self, side: Side) -> SpotReport:
        """Make one player's strategy the best response to the other's; return what comes of it.

        Decisions of his that are locked stay as they are.
        """
        self._exploited = side
        stopped = self.report is not None and self.report.event != "finished"
        self.engine.adopt_best_response(0 if side == "oop" else 1)
        self.slices.start()
        report = self._at(self.slices.measured(), self.slices.seconds)
        self.report = self._ended(report, "stopped" if stopped else "finished")
        return self.report

    @property
    def solution(self) -> Solution:
        """What was found so far."""
        if self.report is None:
            raise SpotError("nothing is solved yet: iterate over the reports first")
        return Solution(self.spot, self._facts(self.report), EngineSource(self.engine))

    def _facts(self, report: SpotReport) -> Facts:
        return Facts.of(
            self.spot,
            self.engine.tree,
            locks=tuple(str(lock) for lock in self.locks),
            schedule=schedule_text(self.engine.schedule),
            bits=self.engine.bits,
            isomorphism=self.engine.isomorphism,
            own_reach=self.engine.own_reach,
            iterations=report.iteration,
            seconds=report.seconds,
            target=self._target,
            exploitability=report.exploitability,
            values=report.values or self.engine.both_values(),
            exploited=self._exploited or "",
            against=self._against,
        )


def solve(  # noqa: PLR0913 - options by keyword
    spot: Spot,
    *,
    target: float = 0.003,
    seconds: float | None = None,
    iterations: int | None = None,
    threads: int = 0,
    bits: Bits = 32,
    schedule: str | Schedule = DEFAULT,
    isomorphism: bool = True,
    locks: Sequence[Lock | str] = (),
    device: Device = "cpu",
) -> Solving:
    """Solve a spot; iterate over the result for reports, then ask it for its solution.

    Parameters
    ----------
    spot
        What to solve.
    target
        Part of the pot: solving ends when the averages are exploitable by no more.
    seconds, iterations
        Budgets; whichever ends first counts.
    threads
        0 = one for each core, of small spots fewer. Results do not depend on it.
    bits
        Of the numbers in the tables, and in the file: 16 take half the memory.
    schedule
        How old regrets are discounted: a name of `SCHEDULES`, or one of your own.
    isomorphism
        Whether run-outs that renamed suits make equal are solved once, if no lock tells them apart.
    locks
        Decisions that are played as given: `Lock` or its text.
    device
        `cpu`, `gpu`, or `auto`: a graphics card where it is sooner. Where none can be used the CPU
        solves, and the result's `notice` says why.

    Examples
    --------
    >>> from riverboat.spots import Spot, solve
    >>> spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh", menu="a")
    >>> solving = solve(spot, target=0.0005)
    >>> for report in solving:
    ...     pass
    >>> report.event, [round(value, 1) for value in report.values]
    ('finished', [13.3, 6.7])
    >>> node = solving.solution.node("b10")
    >>> node.actions, node.hand("KsKh").strategy.round(2).tolist()
    (('f', 'c'), [0.33, 0.67])
    """
    budget = Budget(target, seconds, iterations)
    held, tree = as_locks(locks), spot.tree()
    settings: EngineSettings = {
        "bits": bits,
        "threads": threads,
        "isomorphism": isomorphism and suits_alike(spot, tree, held),
        "schedule": find_schedule(schedule),
    }
    weights = [each.weights for each in spot.ranges]
    ranges = weights[0], weights[1]
    plan = forecast_tree(tree, spot.cards, ranges, settings, device)
    plan.check()
    settings["threads"] = plan.threads
    place, engine = plan.place.begun(device, tree, spot.cards, ranges, **settings)
    apply_locks(engine, held)
    solving = Solving(spot, engine, budget, held, place.pace)
    solving.device, solving.notice = place.name, place.notice
    return solving
