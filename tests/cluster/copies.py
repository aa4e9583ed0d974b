"""What a training on several nodes does, in one process: copies that are added up after slices."""

from typing import Any

from riverboat.cluster import added, base_of, change_of
from riverboat.training import Recipe, prepare

__all__ = ["trained_apart"]


def trained_apart(recipe: Recipe, workers: int, length: int, total: int) -> dict[str, Any]:
    """Train on copies; return the tables after `total` iterations in slices of `length`."""
    setup = prepare(recipe)
    solvers = [setup.solver(recipe) for _ in range(workers)]
    scheme = solvers[0].scheme
    tables = dict(solvers[0].state().arrays)
    for first in range(0, total, length):
        last = min(total, first + length)
        base = base_of(scheme, tables, first, last)
        changes = []
        for index, solver in enumerate(solvers):
            own = solver.state(copy=False).arrays
            for name, table in own.items():
                table[:] = tables[name]
            solver.take_share(index / workers, (index + 1) / workers)
            solver.driver.iterations = first
            solver.driver.leap(last)
            changes.append(change_of(base, own))
        tables = added(base, changes, [1 / workers] * workers)
    return tables
