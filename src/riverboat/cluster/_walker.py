"""Who walks on a node: a solver with tables of its own, and who adds up what came of it."""

import time
from typing import Any, NamedTuple

import numpy as np

from riverboat.buckets import CardAbstraction
from riverboat.cluster._exchange import Change, Part, added, base_of, change_of, cuts, part_of
from riverboat.cluster._far import stamp
from riverboat.errors import ClusterError
from riverboat.files import alone, cache_folder
from riverboat.solve import Scheme
from riverboat.training import Recipe, load_recipe, prepare
from riverboat.work import as_worker

__all__ = ["Orders", "Walked", "Walker", "add_up"]


class Orders(NamedTuple):
    """Which iterations a worker walks."""

    first: int
    last: int
    low: float
    high: float
    """From which share of them to which."""


class Walked(NamedTuple):
    """How a worker did."""

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
    cards
        Of whoever gives the orders, so that all have the same buckets.
    threads
        That walk.
    given
        The stamp of whoever gives the orders.
    """

    def __init__(
        self, recipe: dict[str, Any], cards: CardAbstraction | None, threads: int, given: str
    ) -> None:
        as_worker()
        if given != stamp():
            raise ClusterError(f"a node has {stamp()}, and the training {given}")
        own: Recipe = load_recipe(recipe).changed({"threads": threads})
        with alone(cache_folder() / "tables"):  # built once, whoever comes first
            setup = prepare(own, cards=cards)
        self._solver = setup.solver(own)
        self._tables = self._solver.state(copy=False).arrays

    def walk(self, orders: Orders, *parts: Part) -> tuple[Any, ...]:
        """Walk a share on a copy of the tables; return the change of each part, and how it went."""
        first, last, low, high = orders
        pieces = cuts(len(self._tables["regrets"]), len(parts))
        for cut, part in zip(pieces, parts, strict=True):
            for name, table in part.items():
                self._tables[name][cut] = table
        began, solver = time.perf_counter(), self._solver
        solver.take_share(low, high)
        solver.driver.iterations, solver.driver.nodes = first, 0
        solver.driver.leap(last)
        seconds = time.perf_counter() - began
        ends = [part_of(self._tables, cut) for cut in pieces]
        if (low, high) == (0.0, 1.0):  # nobody else walks: these are the tables
            sent = [{name: np.array(table) for name, table in end.items()} for end in ends]
            size = sum(table.nbytes for part in sent for table in part.values())
            return (*sent, Walked(solver.nodes, seconds, size))
        made = [
            change_of(base_of(solver.scheme, part, first, last), end)
            for part, end in zip(parts, ends, strict=True)
        ]
        size = sum(change.nbytes for each in made for change in each.values())
        return (*made, Walked(solver.nodes, seconds, size))


def add_up(
    scheme: dict[str, Any], orders: list[Orders], part: Part, *changes: dict[str, Change]
) -> Part:
    """Return what a part has become by the walks of all, given the orders of each."""
    as_worker()
    base = base_of(Scheme.from_dict(scheme), part, orders[0].first, orders[0].last)
    return added(base, changes, [each.high - each.low for each in orders])
