"""Ensembles: the same recipe with seeds apart, summed and normalised (caltech)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from riverboat.blueprint import Blueprint, combine
from riverboat.runs import Checkpoint, Slices, Stop, Task
from riverboat.training._files import RunFiles
from riverboat.training._measure import Point, measure
from riverboat.training._plan import Setup
from riverboat.training._plot import plot_logs
from riverboat.training._progress import Progress
from riverboat.training._recipe import Recipe


class Combination(Task[Progress]):
    """The members' blueprints combined into one, measured, and drawn with theirs.

    Parameters
    ----------
    setup, recipe
        Of the ensemble.
    members
        Where the members are.
    last
        How the last of them ended.
    """

    kind = ""  # it is done in one go

    def __init__(
        self, setup: Setup, recipe: Recipe, members: list[RunFiles], last: Progress
    ) -> None:
        super().__init__()
        self.setup, self.recipe, self.members, self.last = setup, recipe, members, last
        self.slices, self.until = Slices(lambda *_: None), {"iterations": 0}

    def identity(self) -> dict[str, Any]:
        """What decides it."""
        return self.recipe.identity()

    def checkpoint(self) -> Checkpoint:
        """There is nothing between its members and its end."""
        return Checkpoint({}, {})

    def restore(self, checkpoint: Checkpoint) -> None:
        """Begin anew."""

    def reports(self, due: frozenset[str], stop: Stop) -> tuple[Progress, ...]:  # noqa: ARG002 - as tasks have it
        """There are no slices."""
        return ()

    def write(self, path: Path, stop: Stop) -> Iterator[Progress]:
        """Combine and measure; Ctrl-C interrupts the measurement."""
        opened = [Blueprint.open(member.blueprint) for member in self.members]
        findings = combine(opened, path)
        written = replace(
            self.last,
            event="written",
            iterations=sum(each.header.training.iterations for each in opened),
            seconds=sum(each.header.training.seconds for each in opened),
            measured=None,
            findings=tuple(f"{each.level}: {each.text}" for each in findings),
        )
        yield written
        if self.recipe.bound.every == 0:
            yield replace(written, event="finished")
            return
        deals, strategy = self.setup.deals, Blueprint.open(path).dense()
        threads = self.setup.threads
        point = Point(written.iterations, written.seconds, self.recipe.seed, threads)
        found = stop.interruptible(lambda: measure(deals, strategy, point, self.recipe.bound))
        yield replace(written, event="finished" if found else "stopped", measured=found)

    def draw(self, log: Path, plot: Path) -> None:
        """Draw exploitability against time, the members' too."""
        spec = self.setup.tree.spec
        title = f"{self.recipe.name or spec.name}: {len(self.members)} members, combined"
        logs: Mapping[str, Path] = {
            **{f"member {index + 1}": each.log for index, each in enumerate(self.members)},
            "combination": log,
        }
        plot_logs(logs, plot, title, max(spec.blinds))
