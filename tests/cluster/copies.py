"""What several nodes do, in one process: copies that are added up after slices; results."""

import re
from typing import Any

from riverboat.cluster import slice_here
from riverboat.training import Recipe, prepare

__all__ = ["trained_apart", "without_time"]

_TIMED = re.compile("second|time|speed|milli|_ms")


def trained_apart(recipe: Recipe, workers: int, length: int, total: int) -> dict[str, Any]:
    """Train on copies; return the tables after `total` iterations in slices of `length`."""
    setup = prepare(recipe)
    solvers = [setup.solver(recipe) for _ in range(workers)]
    tables = dict(solvers[0].state().arrays)
    for first in range(0, total, length):
        last = min(total, first + length)
        tables = slice_here(solvers, tables, first, last, [1 / workers] * workers)
    return tables


def without_time(value: Any) -> Any:
    """All of a result but what a clock says."""
    if isinstance(value, dict):
        return {key: without_time(each) for key, each in value.items() if not _TIMED.search(key)}
    return [without_time(each) for each in value] if isinstance(value, list) else value
