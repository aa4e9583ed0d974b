"""A member of a training: the task that drives one solver, measures it, and writes its blueprint.

Counting, measuring and saving change nothing in the tables. Iteration t draws from the stream
(seed, t), so tables and the number of iterations are enough for a checkpoint: with one thread a run
ends with the same tables, bit for bit, however often it was measured, saved, killed and resumed.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets import CardAbstraction
from riverboat.errors import AbstractionError, DamagedFileError
from riverboat.files import JsonLines
from riverboat.runs import Checkpoint, Clock, Due, Stop, Task, resident_memory
from riverboat.solve import Solver, SolverState
from riverboat.training._plan import Setup
from riverboat.training._progress import Event, Measured, Progress, measure, plot_logs, read_log
from riverboat.training._recipe import Recipe

#: What the names of arrays begin with: those of the cards, and those that a `Watch` has noted.
_CARDS: Final = "cards."
_WATCH: Final = "watch."
_COUNTING_SHARE: Final = 0.005  # of the time at most is spent on walking whole tables for reports
_NEVER: Final = float("inf")


class Watch:
    """Looks at a solver at some numbers of iterations; give it to `train`.

    What it notes is part of the checkpoint: a run that was stopped looks at nothing twice, and
    leaves nothing out. Subclass it with `look`, and with what it has to note.

    Parameters
    ----------
    at
        Iterations at which it looks, ascending.

    Attributes
    ----------
    seen
        Iterations at which it has looked.
    """

    def __init__(self, at: Sequence[int] = ()) -> None:
        self.at, self.seen = tuple(at), list[int]()

    def look(self, solver: Solver) -> None:
        """Look; the solver stays as it is. What is broken off by Ctrl-C must leave no note."""
        raise NotImplementedError

    def notes(self) -> Mapping[str, Any]:
        """Return what is to be remembered: values that JSON has."""
        return {}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return arrays that are to be remembered."""
        return {}

    def restore(self, notes: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take both back; a ValueError says that they are not those of this training."""

    @property
    def over(self) -> bool:
        """Whether it has looked everywhere."""
        return self.seen == list(self.at)

    def look_once(self, solver: Solver) -> None:
        """Look, if it is to look here and has not."""
        if solver.iterations in self.at and solver.iterations not in self.seen:
            self.look(solver)
            self.seen.append(solver.iterations)


#: Who helps a solver while the block runs.
Helped = Callable[[Recipe, Setup, Solver], AbstractContextManager[object]]


class Member(Task[Progress]):
    """The training of one solver; an ensemble has several.

    Parameters
    ----------
    setup, recipe
        What is trained; the recipe is that of this member.
    place
        Its number from 1, and how many there are.
    helped
        Who helps.
    watch
        Who looks at the solver on its way.
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
        self._next_count = 0.0
        self._mark = (0, 0.0)  # iterations and seconds when the speed was last taken
        self._speed = 0.0
        self._findings: tuple[str, ...] = ()

    def identity(self) -> dict[str, Any]:
        """What decides the tables."""
        return self.recipe.identity()

    def checkpoint(self) -> Checkpoint:
        """The solver's tables, the cards, and what was noted.

        With the cards a run continues with the very same buckets, and fits nothing anew.
        """
        state, cards = self.solver.state(copy=False), self.setup.cards
        said, fitted = ({}, {}) if cards is None else cards.save()
        progress = {name: getattr(state, name) for name in ("iterations", "seconds", "nodes")}
        arrays = {**state.arrays, **{_CARDS + name: array for name, array in fitted.items()}}
        more: dict[str, Any] = {"cards": said}
        if self.watch.at:
            arrays |= {_WATCH + name: array for name, array in self.watch.arrays().items()}
            more["watch"] = {"seen": self.watch.seen, "notes": self.watch.notes()}
        return Checkpoint(progress, arrays, more)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Put the solver where it was."""
        tables = {n: a for n, a in checkpoint.arrays.items() if not n.startswith((_CARDS, _WATCH))}
        self.solver.restore(SolverState(**checkpoint.progress, arrays=tables))
        if self.watch.at:
            noted, arrays = checkpoint.more["watch"], _named(checkpoint, _WATCH)
            own = {name: array.copy() for name, array in arrays.items()}  # the file's are read-only
            self.watch.restore(noted["notes"], own)
            self.watch.seen = [int(each) for each in noted["seen"]]

    def read_log(self, path: Path) -> JsonLines:
        """Read an earlier run's log."""
        return read_log(path)

    def header(self) -> Mapping[str, Any]:
        """Log the recipe once."""
        return {"recipe": self.recipe.as_dict()}

    def begin(self, earlier: Sequence[Mapping[str, Any]]) -> Iterator[Progress]:
        """Take the last measurement of a resumed run from its log."""
        for line in earlier:
            if line.get("measured"):
                self.measured = Measured(**line["measured"])
        self._mark = (self.slices.iterations, self.slices.seconds)
        self._count()
        self.watch.look_once(self.solver)  # where a stopped run did not come to it
        yield self.progress("started")

    def advance(self) -> Iterator[frozenset[str]]:
        """Run slices, with help where there is any."""
        given = self.recipe, self.setup, self.solver
        with self.helped(*given) if self.helped else nullcontext():
            yield from super().advance()

    def reports(self, due: frozenset[str], stop: Stop) -> Iterator[Progress]:
        """Report and measure; tables are walked so rarely that it hardly costs time."""
        if "report" in due and not stop.asked:  # whoever hung up reads no report
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
        """Say so."""
        yield self.progress("unsaved" if self.problem else "saved")

    def conclude(self, stop: Stop) -> tuple[Progress, ...]:  # noqa: ARG002 - as tasks have it
        """Count once more."""
        self._take_speed()
        self._count()
        return ()

    def write(self, path: Path, stop: Stop) -> Iterator[Progress]:
        """Write the blueprint and measure it; the solver's tables make room for the responses'.

        A run whose last measurement was left out or interrupted is not finished: resuming it
        measures.
        """
        found = self.setup.write(path, self.recipe, self.solver)
        self._findings = (*found, *self.warnings)
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

    # ---- How it stands

    def progress(self, event: Event) -> Progress:
        """How the run stands."""
        if self._speed == 0.0 and self.slices.iterations > self._mark[0]:  # before a report
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
        """Walk the tables: infosets visited, average regret. Return the seconds that it took."""
        began = time.perf_counter()
        report = self.solver.report()
        visited, regret = report.visited, report.average_regret
        if self.recipe.start is not None:
            # Starting weights are in every infoset: only averages tell a visit, and the weights
            # count as the iterations that they are worth.
            done = self.slices.iterations
            visited = report.averaged
            regret *= max(1, done) / max(1.0, done + self.recipe.start.iterations)
        self._counted = (report.infosets, visited, regret)
        cost = time.perf_counter() - began
        self.overhead += cost
        return cost

    def _measure(self, stop: Stop, *, release: bool = False) -> bool:
        """Measure the average strategy; return whether nobody interrupted it."""
        began, strategy = time.perf_counter(), self.setup.average(self.solver)
        at = self.slices.iterations, self.slices.seconds
        if release:
            del self.solver, self.slices
        found = stop.interruptible(lambda: measure(self.setup, strategy, self.recipe, at))
        self.measured = found or self.measured
        self.overhead += time.perf_counter() - began
        return found is not None

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
        """Seconds of the measurements to come, by the last one's cost or what they are allowed."""
        bound = self.recipe.bound
        done = self.measured is not None and self.measured.iterations == self.slices.iterations
        if bound.every == 0 or not isfinite(training) or (training == 0 and done):
            return 0.0
        allowed = 0.0 if self.setup.exact else self.setup.tree.spec.players * bound.seconds
        cost = self.measured.cost if self.measured else allowed
        return cost * (1 + (int(training / bound.every) if bound.every else 0))


def saved_cards(path: Path, identity: Mapping[str, Any]) -> CardAbstraction | None:
    """Return the card abstraction of a checkpoint; None where deals are enumerated."""
    checkpoint = Checkpoint.open(path, Member.kind, identity)
    said = checkpoint.more.get("cards")
    try:
        return CardAbstraction.restore(said, _named(checkpoint, _CARDS)) if said else None
    except AbstractionError as error:
        raise DamagedFileError(f"{path} is damaged: {error}") from error


def _named(checkpoint: Checkpoint, prefix: str) -> dict[str, NDArray[Any]]:
    """The arrays of a checkpoint whose names begin so, without that."""
    arrays = checkpoint.arrays.items()
    return {n.removeprefix(prefix): np.asarray(a) for n, a in arrays if n.startswith(prefix)}
