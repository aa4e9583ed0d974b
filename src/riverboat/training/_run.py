"""One run: what a member does between the slices of its driver.

Counting, measuring and saving change nothing in the tables: with one thread a run ends with the
same tables however often it was measured, saved, killed and resumed.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import TrainingError
from riverboat.runs import Clock, Due, Stop, resident_memory
from riverboat.solve import Solver
from riverboat.training._checkpoint import restore_checkpoint, save_checkpoint
from riverboat.training._files import RunFiles, refused
from riverboat.training._log import RunLog, read_log
from riverboat.training._measure import Point, measure
from riverboat.training._plot import plot_logs
from riverboat.training._progress import Event, Measured, Progress
from riverboat.training._recipe import Recipe
from riverboat.training._result import write_result
from riverboat.training._setup import Setup

__all__ = ["Helped", "Run", "no_help"]

#: Who helps a solver while the block runs.
Helped = Callable[[Recipe, Setup, Solver], AbstractContextManager[object]]


def no_help(recipe: Recipe, setup: Setup, solver: Solver) -> AbstractContextManager[object]:  # noqa: ARG001 - what `Helped` hands over
    """Nobody helps: the solver does it all."""
    return nullcontext()


_COUNTING_SHARE = 0.005  # of the time at most is spent on walking whole tables for reports


class Run:
    """One member's run."""

    def __init__(  # noqa: PLR0913, PLR0917 - all that `train` has found
        self,
        setup: Setup,
        recipe: Recipe,
        files: RunFiles,
        member: tuple[int, int],
        plot: bool,
        helped: Helped = no_help,
    ) -> None:
        self.helped = helped
        self.setup = setup
        self.recipe = recipe
        self.files = files
        self.member = member
        self.plot = plot
        self.measured: Measured | None = None
        self.overhead = 0.0
        self.counted = (0, 0, 0.0)  # infosets, visited, average regret
        self.next_count = 0.0
        self.next_plot = 0.0
        self.mark = (0, 0.0)  # iterations and seconds when the speed was last taken
        self.speed = 0.0
        self.worth = recipe.start.iterations if recipe.start else 0.0
        self.problem = ""
        self.findings: tuple[str, ...] = ()
        self.torn: tuple[str, ...] = ()

    def go(self, resume: bool, stop: Stop) -> Iterator[Progress]:
        """Train to the end of the budget or to Ctrl-C."""
        identity = self.recipe.identity()
        self.solver = self.setup.solver(self.recipe)
        if resume:
            restore_checkpoint(self.files.checkpoint, self.solver, identity)
        self._open_log()
        self._remember_measured()
        self._count()
        yield self._logged("started", recipe=self.recipe.as_dict())
        with self.helped(self.recipe, self.setup, self.solver):
            yield from self._iterate(stop)
        self._count()
        yield self._save()
        self._write()
        yield self._logged("written")
        self.last = self._last_measured(stop)
        with suppress(OSError):  # what counts is written
            self.log.write(self.last)
        self._draw(stop)
        yield self.last

    def _last_measured(self, stop: Stop) -> Progress:
        """Measure what was written; the solver's tables make room for those of the responses.

        A run whose last measurement was left out or broken off is not finished: resuming it
        measures.
        """
        last = self.progress("stopped" if self._unfinished() else "finished")
        at = self.measured.iterations if self.measured else -1
        if self.recipe.bound.every == 0 or at == last.iterations:
            del self.solver
            return last
        began = time.perf_counter()
        point, strategy = self._point(), self._strategy()
        del self.solver
        measured = stop.interruptible(
            lambda: measure(self.setup.deals, strategy, point, self.recipe.bound)
        )
        self.measured = measured or self.measured
        return replace(
            last,
            event=last.event if measured else "stopped",
            measured=self.measured,
            seconds_left=0.0 if measured else last.seconds_left,
            resident_bytes=resident_memory(),
            overhead_seconds=last.overhead_seconds + time.perf_counter() - began,
        )

    def progress(self, event: Event) -> Progress:
        """How the run stands."""
        infosets, visited, regret = self.counted
        return Progress(
            event=event,
            member=self.member[0],
            members=self.member[1],
            iterations=self.solver.iterations,
            seconds=self.solver.seconds,
            iterations_per_second=self.speed,
            seconds_left=self._seconds_left(),
            infosets=infosets,
            visited=visited,
            average_regret=regret,
            table_bytes=self.solver.memory_bytes,
            resident_bytes=resident_memory(),
            overhead_seconds=self.overhead,
            measured=self.measured,
            problem=self.problem,
            findings=self.findings,
        )

    def _iterate(self, stop: Stop) -> Iterator[Progress]:
        """Run slices; do what is due between them."""
        every, solver = self.recipe.every, self.solver
        dues = (
            Due("report", every.report),
            Due("measure", self.recipe.bound.every or float("inf"), clock="seconds"),
            Due("save", every.checkpoint),
        )
        self.mark = (solver.iterations, solver.seconds)
        for due in solver.driver.run(self._until(), dues):
            if "report" in due and not stop.asked:  # whoever hung up reads no report
                yield self._report()
            if "measure" in due and not stop.asked:
                yield from self._measure(stop)
            if "save" in due:
                yield self._save()
            if stop.asked:
                break
        self._take_speed()

    def _until(self) -> dict[Clock, float]:
        """Return where the clocks stand at the end of the budget, earlier runs included."""
        budget = self.recipe.budget
        until: dict[Clock, float] = {}
        if budget.iterations is not None:
            until["iterations"] = budget.iterations
        if budget.seconds is not None:
            until["seconds"] = budget.seconds
        return until

    def _report(self) -> Progress:
        """Say how the run stands; tables are walked so rarely that it hardly costs time."""
        self._take_speed()
        if time.perf_counter() >= self.next_count:
            cost = self._count()
            self.next_count = time.perf_counter() + cost / _COUNTING_SHARE
        return self._logged("training")

    def _take_speed(self) -> None:
        done, seconds = self.solver.iterations, self.solver.seconds
        if done > self.mark[0]:
            self.speed = (done - self.mark[0]) / max(seconds - self.mark[1], 1e-9)
            self.mark = (done, seconds)

    def _count(self) -> float:
        """Walk the tables: infosets visited, average regret. Return the seconds that it took."""
        began = time.perf_counter()
        report = self.solver.report()
        visited, regret = report.visited, report.average_regret
        if self.setup.starting_regrets is not None:
            # Starting weights are in every infoset: only averages tell a visit, and the weights
            # count as the iterations that they are worth.
            done = self.solver.iterations
            visited = report.averaged
            regret *= max(1, done) / max(1.0, done + self.worth)
        self.counted = (report.infosets, visited, regret)
        cost = time.perf_counter() - began
        self.overhead += cost
        return cost

    def _open_log(self) -> None:
        """Begin the log, or go on with it: here a folder that cannot be written shows."""
        try:
            self.files.remove_leftovers()
            self.log = RunLog(self.files.log, self.solver.iterations)
            if torn := self.log.torn:
                what = "line was" if torn == 1 else "lines were"
                self.torn = (f"warning: {torn} torn {what} left out of {self.files.log}",)
        except OSError as error:
            raise TrainingError(
                f"{refused(self.files.log, error)}; name another place with --output"
            ) from error

    def _save(self) -> Progress:
        """Save a checkpoint. If it cannot be written the old one stays, and the run goes on."""
        began = time.perf_counter()
        identity = self.recipe.identity()
        try:
            save_checkpoint(self.files.checkpoint, self.solver, identity, self.setup.cards)
            self.problem = ""
        except OSError as error:
            self.problem = refused(self.files.checkpoint, error)
        self.overhead += time.perf_counter() - began
        return self._logged("unsaved" if self.problem else "saved")

    def _write(self) -> None:
        """Write the blueprint, whether or not the checkpoint could be."""
        try:
            found = write_result(self.files.blueprint, self.setup, self.recipe, self.solver)
        except OSError as error:
            kept = (
                self.problem
                or f"the run is saved in {self.files.checkpoint}: make room, and --resume writes it"
            )
            raise TrainingError(f"{refused(self.files.blueprint, error)}; {kept}") from error
        lost = (f"warning: {self.problem}: --resume cannot go on from here",)
        self.findings = (*found, *(lost if self.problem else ()), *self.torn)

    def _measure(self, stop: Stop) -> Iterator[Progress]:
        began = time.perf_counter()
        measured = stop.interruptible(
            lambda: measure(self.setup.deals, self._strategy(), self._point(), self.recipe.bound)
        )
        self.overhead += time.perf_counter() - began
        if measured is None:
            return
        self.measured = measured
        yield self._logged("measured")
        if time.perf_counter() >= self.next_plot:
            self._draw(stop)

    def _strategy(self) -> NDArray[Any]:
        exact = self.setup.deals.num_deals is not None
        return self.solver.strategy(np.float64 if exact else np.float32)

    def _point(self) -> Point:
        solver = self.solver
        return Point(solver.iterations, solver.seconds, solver.seed, solver.threads)

    def _remember_measured(self) -> None:
        """Take the last measurement of a resumed run from its log."""
        for line in read_log(self.files.log):
            if line.get("measured"):
                self.measured = Measured(**line["measured"])

    def _unfinished(self) -> bool:
        return not self.solver.driver.reached(self._until())

    def _seconds_left(self) -> float:
        budget, solver = self.recipe.budget, self.solver
        left = [float("inf")]
        if budget.seconds is not None:
            left.append(budget.seconds - solver.seconds)
        if budget.iterations is not None and self.speed > 0:
            left.append((budget.iterations - solver.iterations) / self.speed)
        training = max(0.0, min(left))
        return training + self._measuring_left(training)

    def _measuring_left(self, training: float) -> float:
        """Seconds of the measurements to come, by the last one's cost or what they are allowed."""
        bound = self.recipe.bound
        done = self.measured is not None and self.measured.iterations == self.solver.iterations
        if bound.every == 0 or not isfinite(training) or (training == 0 and done):
            return 0.0
        exact = self.setup.deals.num_deals is not None
        allowed = 0.0 if exact else self.setup.tree.spec.players * bound.seconds
        cost = self.measured.cost if self.measured else allowed
        return cost * (1 + (int(training / bound.every) if bound.every else 0))

    def _logged(self, event: Event, **more: object) -> Progress:
        if self.speed == 0.0 and self.solver.iterations > self.mark[0]:  # before the first report
            self._take_speed()
            self._count()
        progress = self.progress(event)
        try:
            self.log.write(progress, **more)
        except OSError as error:
            return replace(progress, problem=progress.problem or refused(self.files.log, error))
        return progress

    def _draw(self, stop: Stop) -> None:
        """Draw the plot; the next one in between waits a hundred times as long as this took.

        Ctrl-C breaks it off: all else is written.
        """
        if not self.plot:
            return
        began = time.perf_counter()
        spec = self.setup.tree.spec
        title = f"{self.recipe.name or spec.name}: {self.recipe.solver_scheme.name}"
        with suppress(OSError):  # it can be drawn again from the log
            stop.interruptible(
                lambda: plot_logs({"": self.files.log}, self.files.plot, title, max(spec.blinds))
            )
        cost = time.perf_counter() - began
        self.overhead += cost
        self.next_plot = time.perf_counter() + 100 * cost
