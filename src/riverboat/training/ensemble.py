"""Ensembles: the same recipe with seeds apart, summed and normalised (caltech)."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from riverboat.blueprint import Blueprint, combine
from riverboat.training.measure import Point, measure
from riverboat.training.progress import Progress
from riverboat.training.recipe import Recipe
from riverboat.training.run_files import RunFiles
from riverboat.training.run_log import RunLog
from riverboat.training.setup import Setup

__all__ = ["combine_members"]


def combine_members(
    setup: Setup, recipe: Recipe, members: list[Path], files: RunFiles, last: Progress
) -> Iterator[Progress]:
    """Combine the members' blueprints into one and measure it."""
    opened = [Blueprint.open(path) for path in members]
    findings = combine(opened, files.blueprint)
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
    done = replace(written, event="finished")
    if recipe.bound.every != 0:
        strategy = Blueprint.open(files.blueprint).dense()
        point = Point(iterations, seconds, recipe.seed, setup.threads)
        done = replace(done, measured=measure(setup.deals, strategy, point, recipe.bound))
    log.write(done)
    yield done
