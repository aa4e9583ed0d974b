"""Solving a spot: iterations, checks of how exploitable the averages are, and an end."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from riverboat.blueprint import TreeFacts
from riverboat.errors import SpotError
from riverboat.frames import FramedRow
from riverboat.solve import Driver, Due
from riverboat.spots._engine import Engine
from riverboat.spots._forecast import find_schedule, forecast, schedule_text
from riverboat.spots._layout import Layout
from riverboat.spots._locks import Lock, apply_locks
from riverboat.spots._schedule import DEFAULT, Schedule
from riverboat.spots._solution import EngineSource, Facts, Solution

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor

    from riverboat.solve import Clock
    from riverboat.spots._spot import Spot

__all__ = ["Budget", "Side", "Solving", "SpotReport", "next_check", "solve"]

Side = Literal["oop", "ip"]

_FIRST_CHECK: Final = 10
_STEPS: Final = (3, 50)
_FIRST_SLICE_SECONDS: Final = 0.02
_FIRST_CHECK_SECONDS: Final = 0.0005


@dataclass(frozen=True, slots=True)
class SpotReport(FramedRow):
    """How solving stands: a check of the average strategies.

    Attributes
    ----------
    event
        `solving`, `finished` (at the target) or `stopped` (by a budget or by hand).
    iteration, seconds
        Iterations so far, and seconds spent on them.
    exploitability
        Chips that a best response wins more than the average strategy, mean of both players.
    share
        The same as a part of the pot.
    best_responses
        Chips of each player's best response, his share of the pot included: oop, ip.
    values
        Chips that the averages win: oop, ip; only at the end.
    """

    event: Literal["solving", "finished", "stopped"]
    iteration: int
    seconds: float
    exploitability: float
    share: float
    best_responses: tuple[float, float]
    values: tuple[float, float] | None = None

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
        }


def next_check(before: tuple[int, float] | None, now: tuple[int, float], target: float) -> int:
    """Return the iteration of the next check: 0.8 of the way to where the last two predict the end.

    Parameters
    ----------
    before, now
        Iteration and exploitability of the last two checks; None at the first.
    target
        Exploitability at which to end.

    Examples
    --------
    >>> next_check((10, 0.04), (20, 0.02), 0.01)
    36
    """
    (low, high), (iteration, value) = _STEPS, now
    if before is None or not 0 < value < before[1] or target <= 0:
        return iteration + (_FIRST_CHECK if before is None else high)
    slope = math.log(before[1] / value) / math.log(iteration / before[0])
    wanted = math.log(value / target) / slope  # in powers of the iteration
    step = high if wanted > 5 else 0.8 * iteration * (math.exp(wanted) - 1)
    return iteration + round(min(high, max(low, step)))


@dataclass(frozen=True, slots=True)
class Budget:
    """When solving ends: at the target, a part of the pot, or when time or iterations are spent."""

    target: float = 0.003
    seconds: float | None = None
    iterations: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.target < 1:
            raise SpotError(f"the target is a part of the pot from 0 to 1, not {self.target!r}")
        if self.target == 0 and self.seconds is None and self.iterations is None:
            raise SpotError("a target of 0 needs a budget of seconds or iterations")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise SpotError(f"a budget has seconds above 0, not {self.seconds!r}")
        if self.iterations is not None and not 0 < self.iterations < 2**31:
            raise SpotError(f"a budget has iterations from 1 on, not {self.iterations!r}")

    @property
    def until(self) -> dict[Clock, float]:
        """Readings of the driver's clocks that end it."""
        found: dict[Clock, float] = {}
        if self.seconds is not None:
            found["seconds"] = self.seconds
        if self.iterations is not None:
            found["iterations"] = self.iterations
        return found


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
        self.report: SpotReport | None = None
        self.driver = Driver(
            _Iterations(engine), slice_iterations=max(1, round(_FIRST_SLICE_SECONDS * pace))
        )
        # Late where ten iterations take less than a check.
        soon = round(_FIRST_CHECK_SECONDS * pace)
        self._first_check = self._following = min(max(_FIRST_CHECK, soon), _STEPS[1])
        self._target, self._until = budget.target, budget.until
        self._exploited: Side | None = None
        #: Asked between slices: whether somebody wants it to end.
        self.stopped: Callable[[], bool] = lambda: False

    def resume(self, state: Any, iteration: int, seconds: float) -> None:
        """Go on from the engine's tables of an earlier run."""
        self.engine.load_state(state, iteration)
        self.driver.iterations, self.driver.seconds = iteration, seconds

    def __iter__(self) -> Iterator[SpotReport]:
        """Solve to the target or the budget; yield a report at each check."""
        before: tuple[int, float] | None = None
        self._following = self._first_check
        check = _Check("check", clock="iterations", when=lambda: self._following)
        for _ in self._slices(check):
            report = self._check()
            yield report
            if report.event != "solving":
                return
            now = (report.iteration, report.share)
            self._following, before = next_check(before, now, self._target), now

    def _slices(self, check: Due) -> Iterator[None]:
        """Run slices; yield when a check is due: a run that goes on begins with one."""
        if self.driver.iterations:
            yield
        for due in self.driver.run(self._until, [check]):
            if due or self.stopped() or self.driver.reached(self._until):
                yield

    def _check(self) -> SpotReport:
        """Measure, and say whether it is over."""
        report = self._measured()
        reached = report.share <= self._target
        over = reached or self.stopped() or self.driver.reached(self._until)
        self.report = self._ended(report, "finished" if reached else "stopped") if over else report
        return self.report

    def _measured(self) -> SpotReport:
        first, second, chips = self.engine.exploitability()
        driver, share = self.driver, chips / self.spot.pot
        spent = driver.iterations, driver.seconds
        return SpotReport("solving", *spent, chips, share, (first, second))

    def _ended(self, report: SpotReport, event: Literal["finished", "stopped"]) -> SpotReport:
        values = (self.engine.value(0), self.engine.value(1))
        return replace(report, event=event, values=values)

    def finish(self) -> Solution:
        """Solve to the end, whatever is left of it, and return the solution."""
        if self.report is None or self.report.event == "solving":
            for _ in self:
                pass
        return self.solution

    def follow(self, solution: Solution, side: Side) -> None:
        """Have one player play a solution's strategy instead of learning; locks still hold.

        The solution is of the same board and tree; its range may be another, but has his hands.
        """
        spot, tree = self.spot, self.engine.tree
        if solution.spot.cards != spot.cards or TreeFacts.of(solution.tree) != TreeFacts.of(tree):
            raise SpotError("a strategy can be followed on the same board and tree only")
        player = 0 if side == "oop" else 1
        layout = Layout(spot, tree, self.engine.isomorphism)
        for cards in layout.boards:
            holes = layout.holes(player, cards)
            for node in layout.decisions(len(cards), player):
                rows = solution.strategy(node, cards)
                if np.isnan(rows[0, holes]).any():
                    raise SpotError(f"the strategy to follow lacks hands of the range {side}")
                self.engine.lock(node, cards, rows)
        apply_locks(self.engine, self.locks)

    def exploit(self, side: Side) -> SpotReport:
        """Make one player's strategy the best response to the other's; return what comes of it.

        Decisions of his that are locked stay as they are.
        """
        self._exploited = side
        self.engine.adopt_best_response(0 if side == "oop" else 1)
        self.report = self._ended(self._measured(), "finished")
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
            values=report.values or (self.engine.value(0), self.engine.value(1)),
            exploited=self._exploited or "",
        )


@dataclass(frozen=True)
class _Check(Due):
    """A check of the averages, at an iteration that the last one found."""

    when: Callable[[], float] = lambda: 0.0

    def following(self, now: float) -> float:  # noqa: ARG002 - as every due
        """Return that iteration."""
        return self.when()


class _Iterations:
    """The engine as the driver runs it: its threads are its own."""

    threads = 1

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def run(self, first: int, last: int, pool: Executor) -> int:  # noqa: ARG002 - a kernel's
        """Run iterations first to last - 1."""
        self._engine.run(last - first)
        return 0


def solve(  # noqa: PLR0913 - options by keyword
    spot: Spot,
    *,
    target: float = 0.003,
    seconds: float | None = None,
    iterations: int | None = None,
    threads: int = 0,
    bits: Literal[32, 16] = 32,
    schedule: str | Schedule = DEFAULT,
    isomorphism: bool = True,
    locks: Sequence[Lock | str] = (),
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
        Whether run-outs that renamed suits make equal are solved once.
    locks
        Decisions that are played as given: `Lock` or its text.

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
    held = tuple(Lock.parse(lock) if isinstance(lock, str) else lock for lock in locks)
    plan = forecast(spot, threads=threads, bits=bits, schedule=schedule, isomorphism=isomorphism)
    plan.check()
    weights = [each.weights for each in spot.ranges]
    engine = Engine(
        spot.tree(),
        spot.cards,
        (weights[0], weights[1]),
        bits=bits,
        threads=plan.threads,
        isomorphism=isomorphism,
        schedule=find_schedule(schedule),
    )
    apply_locks(engine, held)
    return Solving(spot, engine, budget, held, plan.pace)
