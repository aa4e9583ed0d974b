"""Its training, repeated: how much of the game is reached, and how often.

In each tenth of the training it is noted which infosets got a share of the average strategy. How
many tenths an infoset was reached in says how well it was trained; averaging weights do not,
because average-strategy sampling weighs a single rare visit by thousands.
"""

import time
from dataclasses import dataclass, field, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint import Layout
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.pineapple.all_in import AllIn, all_in_by_tenths
from riverboat.seeds.pineapple.data import amounts
from riverboat.seeds.pineapple.marks import Kept, keep, kept_before, write_tenths
from riverboat.seeds.pineapple.work import blueprint_path, prepared, recipe_of
from riverboat.solve import Deals, Solver
from riverboat.training import Recipe, Setup, write_result
from riverboat.tree import Tree

__all__ = ["Point", "Training", "marks_of", "train"]

_SAVE_SECONDS = 30.0


class Point(msgspec.Struct, frozen=True):
    """The training at some moment."""

    iterations: int
    seconds: float
    visited: int
    """Infosets with a regret or a strategy."""
    averaged: int
    """Infosets with a strategy."""
    strategy: str
    """Name of the strategy that was kept then; empty if none was."""


class Training(msgspec.Struct, frozen=True):
    """What came of the training."""

    points: tuple[Point, ...]
    infosets: int
    decisions: int
    without_swaps: int
    """Infosets of the same betting without swaps."""
    own_swaps: int
    """Infosets if only the own swaps were told apart, not the opponent's."""
    table_bytes: int
    file_bytes: int
    all_in: tuple[AllIn, ...]
    """By tenths of the training that an infoset was reached in, 0 to 10."""

    @property
    def last(self) -> Point:
        """The end of the training."""
        return self.points[-1]


def marks_of(iterations: int, snapshots: tuple[int, ...]) -> tuple[int, ...]:
    """Return where a training is looked at: its tenths, and where its strategy is kept.

    Examples
    --------
    >>> marks_of(100, (5, 20))
    (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
    """
    tenths = {-(-iterations * tenth // 10) for tenth in range(1, 11)}
    return tuple(sorted(tenths | set(snapshots)))


def train(run: Reproduction) -> Training:
    """Train as the authors did; keep the strategy on its way, too."""
    return run.step("training", Training, lambda: _train(run))


def _train(run: Reproduction) -> Training:
    own, recipe = amounts(run), recipe_of(run)
    setup = prepared(recipe)
    solver = Solver(setup.deals, recipe.solver_scheme(), seed=recipe.seed, threads=setup.threads)
    course = _Course(run, recipe, setup, solver, Layout(setup.tree, setup.deals.num_buckets))
    tenths = marks_of(own.iterations, ())
    for mark in marks_of(own.iterations, own.snapshots):
        if mark > solver.iterations:
            course.go(mark, own.iterations)
            course.look(keep_strategy=mark in (*own.snapshots, own.iterations))
            if mark in tenths:
                course.note(save=mark < own.iterations)
    write_tenths(run, course.tenths)
    return course.result()


@dataclass
class _Course:
    """A training under way, and what is noted of it."""

    run: Reproduction
    recipe: Recipe
    setup: Setup
    solver: Solver
    layout: Layout
    tenths: NDArray[np.uint8] = field(init=False)
    points: list[Point] = field(init=False)
    saved: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        """Go on where an earlier run was stopped."""
        before = kept_before(self.run, self.solver, self.recipe, self.layout.num_infosets)
        self.tenths = before.tenths
        self.points = [msgspec.convert(each, Point) for each in before.points]
        self.sums = _sums(self.layout, self.solver.average)

    def go(self, mark: int, last: int) -> None:
        """Train up to a number of samples."""
        for _ in self.solver.slices(iterations=mark - self.solver.iterations):
            done = self.solver.iterations
            self.run.tell(done / last, f"{done:,} samples")

    def look(self, *, keep_strategy: bool) -> None:
        """Count what was reached, and keep the strategy if it is to be played."""
        solver = self.solver
        name = f"after-{solver.iterations}" if keep_strategy else ""
        if name:
            write_result(blueprint_path(self.run, name), self.setup, self.recipe, solver)
        report = solver.report()
        now = (solver.iterations, solver.seconds, report.visited, report.averaged)
        self.points.append(Point(*now, name))

    def note(self, *, save: bool) -> None:
        """Note which infosets this tenth of the training has reached."""
        now = _sums(self.layout, self.solver.average)
        self.tenths += (now > self.sums).astype(np.uint8)
        self.sums = now
        if save and time.monotonic() - self.saved > _SAVE_SECONDS:
            points = tuple(msgspec.to_builtins(point) for point in self.points)
            keep(self.run, self.solver, self.recipe, Kept(self.tenths, points))
            self.saved = time.monotonic()

    def result(self) -> Training:
        """Sum up."""
        plain, own_swaps = _sizes_without(self.setup.deals)
        return Training(
            tuple(self.points),
            self.layout.num_infosets,
            sum(self.setup.tree.num_decisions),
            plain,
            own_swaps,
            self.solver.memory_bytes,
            blueprint_path(self.run, self.points[-1].strategy).stat().st_size,
            all_in_by_tenths(self.layout, self.solver.average, self.tenths),
        )


def _sums(layout: Layout, average: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum of the average of each infoset, [infosets]."""
    sums = np.empty(layout.num_infosets)
    for chunk in layout.chunks():
        block = average[chunk.entries].reshape(chunk.num_buckets, -1)
        sums[chunk.infosets] = layout.groups[chunk.group].sums(block).ravel()
    return sums


def _sizes_without(deals: Deals) -> tuple[int, int]:
    """Infosets without any swaps, and with the own ones only."""
    spec = deals.tree.spec
    streets = tuple(replace(street, discard="none") for street in spec.streets)
    plain = Tree(spec.replace(streets=streets), deals.tree.menu)
    buckets = dict(zip(deals.tree.group_street.tolist(), deals.num_buckets, strict=True))
    by_street = plain.num_infosets([buckets[street] for street in range(len(streets))])
    lines, own = 1, 0
    for street, count in zip(spec.streets, by_street, strict=True):
        lines *= 2 if street.discard == "swap" else 1
        own += count * lines
    return sum(by_street), own
