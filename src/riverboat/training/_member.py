"""The task of one solver: iterate, measure the strategy, save checkpoints, write the blueprint.

Reports, measurements and checkpoints do not change the tables. Iteration t uses the random stream
(seed, t), so the tables and the number of iterations are a complete checkpoint. With one thread the
final tables are bit-identical, however often the run was measured, saved, killed and resumed.
"""

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint import Header, Training, visit_scale
from riverboat.buckets import CardAbstraction
from riverboat.errors import AbstractionError, DamagedFileError
from riverboat.files import JsonLines
from riverboat.runs import Checkpoint, Clock, Due, Stop, Task, resident_memory
from riverboat.solve import Solver, SolverState
from riverboat.training._coverage import coverage
from riverboat.training._plan import Setup
from riverboat.training._progress import Event, Measured, Progress, measure, plot_logs, read_log
from riverboat.training._recipe import Recipe

#: Prefixes of array names in a checkpoint: of the card abstraction, and of a `Watch`.
_CARDS: Final = "cards."
_WATCH: Final = "watch."
_COUNTING_SHARE: Final = 0.005  # maximum share of time spent on reading whole tables for reports
_NEVER: Final = float("inf")


class Watch:
    """Examines a solver after given numbers of iterations; pass it to `train`.

    Its notes are part of the checkpoint, so a resumed run neither repeats nor skips an
    examination. A subclass defines `look`, and `notes`, `arrays` and `restore` for its notes.

    Parameters
    ----------
    at
        Numbers of iterations, ascending.

    Attributes
    ----------
    seen
        Those of `at` at which `look` has been called.
    """

    def __init__(self, at: Sequence[int] = ()) -> None:
        self.at, self.seen = tuple(at), list[int]()

    def look(self, solver: Solver) -> None:
        """Examine the solver without changing it; take no notes if Ctrl-C interrupts."""
        raise NotImplementedError

    def notes(self) -> Mapping[str, Any]:
        """Return the JSON values to store in the checkpoint."""
        return {}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return the arrays to store in the checkpoint."""
        return {}

    def restore(self, notes: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Restore notes and arrays; raise a ValueError if they are not of this training."""

    @property
    def over(self) -> bool:
        """Whether all examinations are done."""
        return self.seen == list(self.at)

    def look_once(self, solver: Solver) -> None:
        """Call `look` if it is due after this iteration and has not been called for it."""
        if solver.iterations in self.at and solver.iterations not in self.seen:
            self.look(solver)
            self.seen.append(solver.iterations)


#: Returns a context in which others, such as machines of a cluster, help the solver.
Helped = Callable[[Recipe, Setup, Solver], AbstractContextManager[object]]


class Member(Task[Progress]):
    """The training of one solver: a whole run, or a member of an ensemble.

    Parameters
    ----------
    setup, recipe
        The setup of the run, and the recipe of this member.
    place
        Number of this member, from 1, and number of members.
    helped
        Context in which others help the solver.
    watch
        Examines the solver during the training.
    """

    kind = "riverboat-checkpoint"
    ordinary = "training"
    continues = True

    def __init__(
        self,
        setup: Setup,
        recipe: Recipe,
        place: tuple[int, int] = (1, 1),
        helped: Helped | None = None,
        watch: Watch | None = None,
    ) -> None:
        super().__init__()
        self.watch = watch or Watch()
        self.setup, self.recipe, self.place, self.helped = setup, recipe, place, helped
        self.solver = setup.solver(recipe)
        self.slices = self.solver.driver
        budget, every, measured = recipe.budget, recipe.every, recipe.bound.every or _NEVER
        limits: dict[Clock, float | None] = {
            "iterations": budget.iterations,
            "seconds": budget.seconds,
        }
        self.until = {clock: limit for clock, limit in limits.items() if limit is not None}
        self.dues = (
            Due("report", every.report),
            Due("measure", measured, clock="seconds"),
            Due("draw", measured, clock="seconds"),
            Due("save", every.checkpoint),
            Due("look", clock="iterations", at=self.watch.at),
        )
        self.measured: Measured | None = None
        self._counted = (0, 0, 0.0)  # infosets, visited, average regret
        self._coverage: float | None = None
        self._next_count = 0.0
        self._mark = (0, 0.0)  # iterations and seconds at the last measurement of the speed
        self._speed = 0.0
        self._findings: tuple[str, ...] = ()

    def identity(self) -> dict[str, Any]:
        """Settings that determine the tables."""
        return self.recipe.identity()

    @property
    def over(self) -> bool:
        """Whether the budget is used up, or the coverage reached at the last count."""
        wanted = self.recipe.budget.coverage
        covered = wanted is not None and (self._coverage or 0.0) >= wanted
        return covered or super().over

    def checkpoint(self) -> Checkpoint:
        """The solver's tables, the card abstraction, and the notes of the watch.

        With the card abstraction a resumed run has the same buckets and need not fit them again.
        """
        state, cards = self.solver.state(copy=False), self.setup.cards
        parameters, fitted = ({}, {}) if cards is None else cards.save()
        progress = {name: getattr(state, name) for name in ("iterations", "seconds", "nodes")}
        arrays = {**state.arrays, **{_CARDS + name: array for name, array in fitted.items()}}
        more: dict[str, Any] = {"cards": parameters}
        if self.watch.at:
            arrays |= {_WATCH + name: array for name, array in self.watch.arrays().items()}
            more["watch"] = {"seen": self.watch.seen, "notes": self.watch.notes()}
        return Checkpoint(progress, arrays, more)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Restore the solver and the notes of the watch."""
        tables = {n: a for n, a in checkpoint.arrays.items() if not n.startswith((_CARDS, _WATCH))}
        self.solver.restore(SolverState(**checkpoint.progress, arrays=tables))
        if self.watch.at:
            watch, arrays = checkpoint.more["watch"], _named(checkpoint, _WATCH)
            copies = {name: array.copy() for name, array in arrays.items()}  # the map is read-only
            self.watch.restore(watch["notes"], copies)
            self.watch.seen = [int(iterations) for iterations in watch["seen"]]

    def read_log(self, path: Path) -> JsonLines:
        """Read the log of an earlier run."""
        return read_log(path)

    def header(self) -> Mapping[str, Any]:
        """The recipe, for the first line of the log."""
        return {"recipe": self.recipe.as_dict()}

    def begin(self, earlier: Sequence[Mapping[str, Any]]) -> Iterator[Progress]:
        """Restore the last measurement of a resumed run from its log."""
        for line in earlier:
            if line.get("measured"):
                self.measured = Measured(**line["measured"])
        self._mark = (self.slices.iterations, self.slices.seconds)
        self._count()
        self.watch.look_once(self.solver)  # if the run was stopped before it was done
        yield self.progress("started")

    def advance(self) -> Generator[frozenset[str], None, None]:
        """Run slices, with the help of others if there are any, who leave after the last one."""
        arguments = self.recipe, self.setup, self.solver
        with self.helped(*arguments) if self.helped else nullcontext():
            try:
                yield from super().advance()
            except GeneratorExit:  # the run is over, which is no error to those who help
                return

    def reports(self, due: frozenset[str], stop: Stop) -> Iterator[Progress]:
        """Report and measure; whole tables are read rarely, because that takes time."""
        if "report" in due and not stop.asked:  # the terminal may be closed
            self._take_speed()
            if time.perf_counter() >= self._next_count:
                cost = self._count()
                self._next_count = time.perf_counter() + cost / _COUNTING_SHARE
            yield self.progress("training")
        if "look" in due:
            stop.interruptible(lambda: self.watch.look_once(self.solver))
        if "measure" in due and not stop.asked and self._measure(stop):
            yield self.progress("measured")

    def saved(self) -> Iterator[Progress]:
        """Report that the checkpoint was saved, or was not."""
        yield self.progress("unsaved" if self.problem else "saved")

    def conclude(self, stop: Stop) -> tuple[Progress, ...]:  # noqa: ARG002 - as tasks have it
        """Count infosets a last time."""
        self._take_speed()
        self._count()
        return ()

    def write(self, path: Path, stop: Stop) -> Iterator[Progress]:
        """Write the blueprint and measure it, after freeing the solver's tables.

        A run whose last measurement was skipped or interrupted is not finished: resuming it
        repeats the measurement.
        """
        findings = self.setup.write(path, self.recipe, self.solver)
        self._findings = (*findings, *self.warnings)
        yield self.progress("written")
        last = self.progress("finished" if self.over else "stopped")
        at = self.measured.iterations if self.measured else -1
        if self.recipe.bound.every != 0 and at != last.iterations:
            done = self._measure(stop, release=True)
            last = replace(
                last,
                event=last.event if done else "stopped",
                measured=self.measured,
                seconds_left=0.0 if done else last.seconds_left,
                resident_bytes=resident_memory(),
                overhead_seconds=self.overhead,
            )
        yield last

    def draw(self, log: Path, plot: Path) -> None:
        """Draw exploitability against time."""
        spec = self.setup.tree.spec
        title = f"{self.recipe.name or spec.name}: {self.recipe.solver_scheme.name}"
        plot_logs({"": log}, plot, title, max(spec.blinds))

    # ---- Progress reports

    def progress(self, event: Event) -> Progress:
        """Return a report of the current state."""
        if self._speed == 0.0 and self.slices.iterations > self._mark[0]:  # first report
            self._take_speed()
            self._count()
        infosets, visited, regret = self._counted
        return Progress(
            event=event,
            member=self.place[0],
            members=self.place[1],
            iterations=self.slices.iterations,
            seconds=self.slices.seconds,
            iterations_per_second=self._speed,
            seconds_left=self._seconds_left(),
            infosets=infosets,
            visited=visited,
            coverage=self._coverage,
            average_regret=regret,
            table_bytes=self.solver.memory_bytes,
            resident_bytes=resident_memory(),
            overhead_seconds=self.overhead,
            measured=self.measured,
            problem=self.problem,
            findings=self._findings,
        )

    def _take_speed(self) -> None:
        done, seconds = self.slices.iterations, self.slices.seconds
        if done > self._mark[0]:
            self._speed = (done - self._mark[0]) / max(seconds - self._mark[1], 1e-9)
            self._mark = (done, seconds)

    def _count(self) -> float:
        """Count visited infosets and the average regret; return the seconds that this took."""
        began = time.perf_counter()
        report = self.solver.report()
        visited, regret = report.visited, report.average_regret
        if self.recipe.start is not None:
            # Starting weights give every infoset a regret, so only averages count as visits. The
            # weights count as `start.iterations` further iterations.
            done = self.slices.iterations
            visited = report.averaged
            regret *= max(1, done) / max(1.0, done + self.recipe.start.iterations)
        self._counted = (report.infosets, visited, regret)
        if not self.setup.exact and self.slices.iterations:
            self._coverage = self._covered()
        cost = time.perf_counter() - began
        self.overhead += cost
        return cost

    def _covered(self) -> float | None:
        """Estimate the coverage; None if the scheme's visits are unknown."""
        done = self.slices.iterations
        training = Training(scheme=self.solver.scheme.as_whole_dict(), iterations=done)
        deals = self.setup.deals
        scale = visit_scale(Header.of(self.setup.tree, deals.num_buckets, training))
        if scale is None:
            return None
        return coverage(deals, self.solver.average, scale, self.recipe.seed + done)

    def _measure(self, stop: Stop, *, release: bool = False) -> bool:
        """Measure the average strategy; return False if Ctrl-C interrupted the measurement."""
        began, strategy = time.perf_counter(), self.setup.average(self.solver)
        at = self.slices.iterations, self.slices.seconds
        if release:
            del self.solver, self.slices
        measured = stop.interruptible(lambda: measure(self.setup, strategy, self.recipe, at))
        self.measured = measured or self.measured
        self.overhead += time.perf_counter() - began
        return measured is not None

    def _seconds_left(self) -> float:
        budget, now = self.recipe.budget, self.slices
        left = [_NEVER]
        if budget.seconds is not None:
            left.append(budget.seconds - now.seconds)
        if budget.iterations is not None and self._speed > 0:
            left.append((budget.iterations - now.iterations) / self._speed)
        training = max(0.0, min(left))
        return training + self._measuring_left(training)

    def _measuring_left(self, training: float) -> float:
        """Seconds of the remaining measurements, from the cost of the last one or the recipe."""
        bound = self.recipe.bound
        done = self.measured is not None and self.measured.iterations == self.slices.iterations
        if bound.every == 0 or not isfinite(training) or (training == 0 and done):
            return 0.0
        allowed = 0.0 if self.setup.exact else self.setup.tree.spec.players * bound.seconds
        cost = self.measured.cost if self.measured else allowed
        return cost * (1 + (int(training / bound.every) if bound.every else 0))


def saved_cards(path: Path, identity: Mapping[str, Any]) -> CardAbstraction | None:
    """Return the card abstraction of a checkpoint; None if deals are enumerated."""
    checkpoint = Checkpoint.open(path, Member.kind, identity)
    parameters = checkpoint.more.get("cards")
    if not parameters:
        return None
    try:
        return CardAbstraction.restore(parameters, _named(checkpoint, _CARDS))
    except AbstractionError as error:
        raise DamagedFileError(f"{path} is damaged: {error}") from error


def _named(checkpoint: Checkpoint, prefix: str) -> dict[str, NDArray[Any]]:
    """The arrays of a checkpoint whose names have a prefix, by name without it."""
    arrays = checkpoint.arrays.items()
    return {n.removeprefix(prefix): np.asarray(a) for n, a in arrays if n.startswith(prefix)}
