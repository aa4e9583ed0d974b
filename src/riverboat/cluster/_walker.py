"""Who walks on a node: a solver with tables of its own, and who adds up what came of it."""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from riverboat.buckets import CardAbstraction
from riverboat.cluster._exchange import (
    Change,
    Part,
    added,
    base_of,
    change_of,
    cuts,
    part_of,
    walk_range,
)
from riverboat.cluster._far import fit
from riverboat.files import alone, cache_folder
from riverboat.runs import as_worker
from riverboat.solve import Scheme
from riverboat.training import load_recipe, prepare


class Walked(NamedTuple):
    """How a worker did in a slice."""

    iterations: int
    nodes: int
    seconds: float
    """Of walking."""
    sent_bytes: int


class Walker:
    """A solver of a recipe on one node.

    Parameters
    ----------
    recipe
        As plain values.
    threads
        That walk.
    given
        The stamp of whoever gives the orders.
    """

    def __init__(self, recipe: dict[str, Any], threads: int, given: str) -> None:
        as_worker()
        self._recipe = load_recipe(recipe).changed({"threads": threads})
        self._given = given

    def prepare(self, cards: CardAbstraction | None) -> None:
        """Make the solver, with the buckets of whoever gives the orders.

        Raises
        ------
        NodeError
            If this node cannot, and another one may.
        """
        with fit(self._given), alone(cache_folder() / "tables"):  # built once, by who comes first
            setup = prepare(self._recipe, cards=cards)
            self._solver = setup.solver(self._recipe)
        self._tables = self._solver.state(copy=False).arrays

    def begin(self, first: int, *parts: Part) -> None:
        """Take the tables before iteration `first`, with which a slice begins."""
        self._first = self._at = first
        self._parts = parts
        self._cuts = cuts(len(self._tables["regrets"]), len(parts))
        for cut, part in zip(self._cuts, parts, strict=True):
            for name, table in part.items():
                self._tables[name][cut] = table
        self._walked = Walked(0, 0, 0.0, 0)
        self._solver.driver.nodes = 0

    def walk(self, first: int, last: int) -> None:
        """Walk iterations `first` to `last - 1`, which come after those walked before."""
        began = time.perf_counter()
        walk_range(self._solver, self._at, first, last)
        self._at = last
        count, _, seconds, _ = self._walked
        spent = seconds + time.perf_counter() - began
        self._walked = Walked(count + last - first, self._solver.nodes, spent, 0)

    def end(self, last: int, alone: bool) -> tuple[Any, ...]:
        """Return what a slice up to `last` changed in each part, and how it went.

        Where nobody else walks these are the tables themselves.
        """
        walk_range(self._solver, self._at, last, last)
        ends = [part_of(self._tables, cut) for cut in self._cuts]
        sent: list[Any]
        if alone:
            sent = [{name: np.array(table) for name, table in end.items()} for end in ends]
        else:
            scheme, first = self._solver.scheme, self._first
            sent = [
                change_of(base_of(scheme, part, first, last), end)
                for part, end in zip(self._parts, ends, strict=True)
            ]
        self._parts = ()
        size = sum(each.nbytes for part in sent for each in part.values())
        return (*sent, self._walked._replace(sent_bytes=size))


def add_up(
    scheme: dict[str, Any],
    span: tuple[int, int],
    counts: Sequence[int],
    part: Part,
    *changes: dict[str, Change],
) -> Part:
    """Return what a part has become in a slice by the walks of all, so many of each."""
    as_worker()
    base = base_of(Scheme.from_dict(scheme), part, *span)
    return added(base, changes, [count / sum(counts) for count in counts])
