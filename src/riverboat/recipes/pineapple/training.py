"""Its training, repeated: how much of the game is reached, and how often.

In each tenth of the training it is noted which infosets got a share of the average strategy. How
many tenths an infoset was reached in says how well it was trained; averaging weights do not,
because average-strategy sampling weighs a single rare visit by thousands.
"""

import time

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint.layout import Layout
from riverboat.recipes.pineapple.all_in import AllIn, all_in_by_tenths
from riverboat.recipes.pineapple.data import amounts
from riverboat.recipes.pineapple.marks import Kept, keep, kept_before, write_tenths
from riverboat.recipes.pineapple.work import blueprint_path, prepared, recipe_of
from riverboat.recipes.run import Run
from riverboat.solve import Deals, Solver
from riverboat.training.write import write_result

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


def train(run: Run) -> Training:
    """Train as the authors did; keep the strategy on its way, too."""
    return run.step("training", Training, lambda: _train(run))


def _train(run: Run) -> Training:
    own, recipe = amounts(run), recipe_of(run)
    setup = prepared(run, recipe)
    solver = Solver(setup.deals, recipe.solver_scheme(), seed=recipe.seed, threads=setup.threads)
    layout = Layout(setup.tree, setup.deals.num_buckets)
    state = kept_before(run, solver, recipe, layout.num_infosets)
    tenths, points = state.tenths, [msgspec.convert(each, Point) for each in state.points]
    sums, saved = _sums(layout, solver.average), time.monotonic()
    for mark in marks_of(own.iterations, own.snapshots):
        if mark <= solver.iterations:
            continue
        for _ in solver.slices(iterations=mark - solver.iterations):
            run.tell(solver.iterations / own.iterations, f"{solver.iterations:,} samples")
        name = f"after-{mark}" if mark in (*own.snapshots, own.iterations) else ""
        if name:
            write_result(blueprint_path(run, name), setup, recipe, solver)
        report = solver.report()
        points.append(Point(mark, solver.seconds, report.visited, report.averaged, name))
        if mark in marks_of(own.iterations, ()):
            now = _sums(layout, solver.average)
            tenths += (now > sums).astype(np.uint8)
            sums = now
            if time.monotonic() - saved > _SAVE_SECONDS and mark < own.iterations:
                built = tuple(msgspec.to_builtins(point) for point in points)
                keep(run, solver, recipe, Kept(tenths, built))
                saved = time.monotonic()
    write_tenths(run, tenths)
    plain, own_swaps = _sizes_without(setup.deals)
    return Training(
        tuple(points),
        layout.num_infosets,
        sum(setup.tree.num_decisions),
        plain,
        own_swaps,
        solver.memory_bytes,
        blueprint_path(run, points[-1].strategy).stat().st_size,
        all_in_by_tenths(layout, solver.average, tenths),
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
    import dataclasses  # noqa: PLC0415

    from riverboat.tree import Tree  # noqa: PLC0415

    spec = deals.tree.spec
    streets = tuple(dataclasses.replace(street, discard="none") for street in spec.streets)
    plain = Tree(spec.replace(streets=streets), deals.tree.menu)
    groups = zip(deals.tree.group_street.tolist(), deals.num_buckets, strict=True)
    buckets = dict(groups)
    by_street = plain.num_infosets([buckets[street] for street in range(len(streets))])
    lines, own = 1, 0
    for street, count in zip(spec.streets, by_street, strict=True):
        lines *= 2 if street.discard == "swap" else 1
        own += count * lines
    return sum(by_street), own
