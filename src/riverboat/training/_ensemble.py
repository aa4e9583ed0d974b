"""Ensembles: the same recipe with seeds apart, summed and normalised (caltech)."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from riverboat.blueprint import Blueprint, combine
from riverboat.errors import TrainingError
from riverboat.runs import Stop
from riverboat.training._files import RunFiles, refused
from riverboat.training._log import RunLog
from riverboat.training._measure import Point, measure
from riverboat.training._plot import plot_logs
from riverboat.training._progress import Progress
from riverboat.training._recipe import Recipe
from riverboat.training._run import Run
from riverboat.training._setup import Setup

__all__ = ["combine_members"]


def combine_members(  # noqa: PLR0913, PLR0917 - what, from where, where to, and two switches
    setup: Setup,
    recipe: Recipe,
    runs: list[Run],
    files: RunFiles,
    stop: Stop,
    plot: bool,
) -> Iterator[Progress]:
    """Combine the members' blueprints into one, measure it, and draw it with theirs."""
    members, last = [run.files for run in runs], runs[-1].last
    opened = [Blueprint.open(member.blueprint) for member in members]
    try:
        findings = combine(opened, files.blueprint)
    except OSError as error:
        raise TrainingError(
            f"{refused(files.blueprint, error)}; the members are saved: make room, and --resume "
            "combines them"
        ) from error
    log = RunLog(files.log)
    iterations = sum(member.header.training.iterations for member in opened)
    seconds = sum(member.header.training.seconds for member in opened)
    written = replace(
        last,
        event="written",
        iterations=iterations,
        seconds=seconds,
        measured=None,
        findings=tuple(f"{each.level}: {each.text}" for each in findings),
    )
    log.write(written, recipe=recipe.as_dict())
    yield written
    done = _measured(setup, recipe, files, written, stop)
    log.write(done)
    if plot:
        spec = setup.tree.spec
        title = f"{recipe.name or spec.name}: {len(members)} members and their combination"
        logs = {f"member {index + 1}": each.log for index, each in enumerate(members)}
        logs["combination"] = files.log
        with suppress(OSError):  # it can be drawn again from the logs
            stop.interruptible(lambda: plot_logs(logs, files.plot, title, max(spec.blinds)))
    yield done


def _measured(
    setup: Setup, recipe: Recipe, files: RunFiles, written: Progress, stop: Stop
) -> Progress:
    """Measure the combination; Ctrl-C breaks it off."""
    if recipe.bound.every == 0:
        return replace(written, event="finished")
    strategy = Blueprint.open(files.blueprint).dense()
    point = Point(written.iterations, written.seconds, recipe.seed, setup.threads)
    found = stop.interruptible(lambda: measure(setup.deals, strategy, point, recipe.bound))
    return replace(written, event="finished" if found else "stopped", measured=found)
