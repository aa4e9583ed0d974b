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

from riverboat.blueprint import Header, Training, write_blueprint
from riverboat.buckets import CardAbstraction, restore_abstraction, save_abstraction
from riverboat.errors import AbstractionError, DamagedFileError
from riverboat.files import JsonLines
from riverboat.runs import Checkpoint, Clock, Due, Stop, Task, open_checkpoint, resident_memory
from riverboat.solve import Solver, SolverState
from riverboat.training._plan import Setup
from riverboat.training._progress import (
    Event,
    Measured,
    Point,
    Progress,
    measure,
    plot_logs,
    read_log,
)
from riverboat.training._recipe import Recipe

KIND: Final = "riverboat-checkpoint"
_CARDS: Final = "cards."
#: Names of arrays that a `Watch` has noted begin so.
WATCH: Final = "watch."


def checkpoint_of(solver: Solver, cards: CardAbstraction | None = None) -> Checkpoint:
    """Return the state of a solver between two slices; its arrays are the solver's own.

    With the card abstraction a run continues with the very same buckets, and fits nothing anew.
    """
    state = solver.state(copy=False)
    said, fitted = save_abstraction(cards) if cards is not None else ({}, {})
    arrays = {**state.arrays, **{_CARDS + name: array for name, array in fitted.items()}}
    progress = {name: getattr(state, name) for name in ("iterations", "seconds", "nodes")}
    return Checkpoint(progress, arrays, {"cards": said})


def restore_solver(solver: Solver, checkpoint: Checkpoint) -> None:
    """Put a solver where a checkpoint was taken."""
    tables = {
        n: array for n, array in checkpoint.arrays.items() if not n.startswith((_CARDS, WATCH))
    }
    solver.restore(SolverState(**checkpoint.progress, arrays=tables))


def saved_cards(path: Path, identity: Mapping[str, Any]) -> CardAbstraction | None:
    """Return the card abstraction of a checkpoint; None where deals are enumerated."""
    checkpoint = open_checkpoint(path, KIND, identity)
    arrays = {
        name.removeprefix(_CARDS): np.asarray(array)
        for name, array in checkpoint.arrays.items()
        if name.startswith(_CARDS)
    }
    said = checkpoint.more.get("cards")
    try:
        return restore_abstraction(said, arrays) if said else None
    except AbstractionError as error:
        raise DamagedFileError(f"{path} is damaged: {error}") from error


def write_result(path: Path, setup: Setup, recipe: Recipe, solver: Solver) -> tuple[str, ...]:
    """Write the average strategy of a solver, with all that is needed to train it again.

    Returns
    -------
    tuple of str
        What is remarkable about the strategy.
    """
    training = Training(
        scheme=solver.scheme.as_whole_dict(),
        seed=solver.seed,
        threads=solver.threads,
        iterations=solver.iterations,
        seconds=solver.seconds,
        recipe=recipe.as_dict(),
    )
    header = Header.of(
        setup.tree,
        setup.deals.num_buckets,
        training,
        fallback=recipe.fallback,
        values=recipe.file.values,
        pruned=recipe.file.pruned,
    )
    found = write_blueprint(path, header, setup.tree, solver.average, setup.cards)
    return tuple(f"{each.level}: {each.text}" for each in found)


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


def no_help(recipe: Recipe, setup: Setup, solver: Solver) -> AbstractContextManager[object]:  # noqa: ARG001 - what `Helped` hands over
    """Nobody helps: the solver does it all."""
    return nullcontext()


_COUNTING_SHARE = 0.005  # of the time at most is spent on walking whole tables for reports
_NEVER = float("inf")


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

    kind = KIND
    ordinary = "training"
    continues = True

    def __init__(
        self,
        setup: Setup,
        recipe: Recipe,
        place: tuple[int, int] = (1, 1),
        helped: Helped = no_help,
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
        """The solver's tables, the cards, and what was noted."""
        found = checkpoint_of(self.solver, self.setup.cards)
        if not self.watch.at:
            return found
        noted = {WATCH + name: array for name, array in self.watch.arrays().items()}
        notes = {"seen": self.watch.seen, "notes": self.watch.notes()}
        return replace(found, arrays={**found.arrays, **noted}, more={**found.more, "watch": notes})

    def restore(self, checkpoint: Checkpoint) -> None:
        """Put the solver where it was."""
        restore_solver(self.solver, checkpoint)
        if self.watch.at:
            noted = {
                name.removeprefix(WATCH): np.array(array)
                for name, array in checkpoint.arrays.items()
                if name.startswith(WATCH)
            }
            self.watch.restore(checkpoint.more["watch"]["notes"], noted)
            self.watch.seen = [int(each) for each in checkpoint.more["watch"]["seen"]]

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
        with self.helped(self.recipe, self.setup, self.solver):
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
        found = write_result(path, self.setup, self.recipe, self.solver)
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
        began, solver, now = time.perf_counter(), self.solver, self.slices
        exact = self.setup.deals.num_deals is not None
        point = Point(now.iterations, now.seconds, solver.seed, solver.threads)
        strategy = solver.strategy(np.float64 if exact else np.float32)
        if release:
            del solver, now, self.solver, self.slices
        found = stop.interruptible(
            lambda: measure(self.setup.deals, strategy, point, self.recipe.bound)
        )
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
        exact = self.setup.deals.num_deals is not None
        allowed = 0.0 if exact else self.setup.tree.spec.players * bound.seconds
        cost = self.measured.cost if self.measured else allowed
        return cost * (1 + (int(training / bound.every) if bound.every else 0))
