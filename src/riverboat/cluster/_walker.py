"""Training on a node, and how the copies of a solver's tables are merged.

All workers begin a slice with the same tables and train some of its iterations on a copy. The
change of a worker is the difference between its tables and the old tables after discounting
alone: the *base*. Averages become the base plus all changes. Regrets become the base plus the
*mean* of the changes, by shares: all workers push regrets in the same direction without knowing
of each other, so the sum would overshoot (`bench/cluster.py` measures both). Regret matching
does not depend on the scale of regrets. A slice then counts as fewer iterations with less noise,
as averaging of parameters does for gradients.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets import CardAbstraction
from riverboat.cluster._far import fit
from riverboat.errors import ClusterError
from riverboat.files import alone, cache_folder
from riverboat.runs import as_worker
from riverboat.solve import Scheme, Solver, discount_steps
from riverboat.training import load_recipe, prepare

#: A part of every table of a solver, by name.
Part = dict[str, NDArray[Any]]

_SUMS = ("cfr", "linear", "dcfr")


class Change(NamedTuple):
    """The change of a part of a table by one worker."""

    places: NDArray[np.uint32] | None
    """[changed] indexes of the entries that changed; None = all entries."""
    values: NDArray[Any]
    """[changed] or [entries] values to add."""

    @property
    def nbytes(self) -> int:
        """Bytes to send."""
        return self.values.nbytes + (0 if self.places is None else self.places.nbytes)


def check_divisible(scheme: Scheme) -> None:
    """Refuse a scheme whose tables are not sums over iterations.

    Raises
    ------
    ClusterError
        With the reason.

    Examples
    --------
    >>> check_divisible(Scheme("external", "linear"))
    >>> check_divisible(Scheme("full", "cfr+"))
    Traceback (most recent call last):
    ...
    riverboat.errors.ClusterError: full sampling visits all deals in every iteration, so \
nodes cannot share them; train it with --on local
    """
    if scheme.sampling == "full":
        raise ClusterError(
            "full sampling visits all deals in every iteration, so nodes cannot share them; train "
            "it with --on local"
        )
    if scheme.rule not in _SUMS:
        raise ClusterError(
            f"regrets of {scheme.rule} are not sums, so changes from several machines cannot be "
            f"added; use {', '.join(_SUMS)}, or --on local"
        )


def cuts(entries: int, parts: int) -> list[slice]:
    """Return slices of nearly equal length that cover the entries.

    Examples
    --------
    >>> cuts(10, 3)
    [slice(0, 3, None), slice(3, 6, None), slice(6, 10, None)]
    """
    ends = [entries * part // parts for part in range(parts + 1)]
    return [slice(*pair) for pair in pairwise(ends)]


def part_of(tables: Mapping[str, NDArray[Any]], cut: slice) -> Part:
    """Return a part of every table, as views."""
    return {name: table[cut] for name, table in tables.items()}


def base_of(scheme: Scheme, part: Mapping[str, NDArray[Any]], first: int, last: int) -> Part:
    """Return a part after iterations `first` to `last - 1` with discounts alone."""
    base = {name: np.array(table) for name, table in part.items()}
    discount_steps(scheme, base["regrets"], first, last)
    return base


def change_of(
    base: Mapping[str, NDArray[Any]], end: Mapping[str, NDArray[Any]]
) -> dict[str, Change]:
    """Return the changed entries, or all entries where that is shorter.

    Examples
    --------
    >>> old, new = np.zeros(9), np.zeros(9)
    >>> new[4] = 2.0
    >>> change_of({"average": old}, {"average": new})["average"].places.tolist()
    [4]
    """
    return {name: _change(base[name], end[name]) for name in base}


def _change(base: NDArray[Any], end: NDArray[Any]) -> Change:
    places = np.flatnonzero(end != base)
    if len(places) * (4 + end.itemsize) < end.nbytes:
        return Change(places.astype(np.uint32), end[places] - base[places])
    return Change(None, end - base)


def added(base: Part, changes: Sequence[Mapping[str, Change]], shares: Sequence[float]) -> Part:
    """Add the changes of all workers to a base in order, regrets weighted by shares.

    Examples
    --------
    >>> base = {"regrets": np.zeros(2), "average": np.zeros(2)}
    >>> change = change_of(base, {"regrets": np.array([0.0, 2.0]), "average": np.array([1.0, 3.0])})
    >>> found = added(base, [change, change], [0.5, 0.5])
    >>> found["regrets"].tolist(), found["average"].tolist()
    ([0.0, 2.0], [2.0, 6.0])
    """
    total = {name: np.array(table) for name, table in base.items()}
    for change in changes:
        for name, (places, values) in change.items():
            if name != "regrets":
                total[name][slice(None) if places is None else places] += values
    total["regrets"] += _mean([change["regrets"] for change in changes], shares, total["regrets"])
    return total


def walk_range(solver: Solver, at: int, first: int, last: int) -> None:
    """Train iterations `first` to `last - 1` on tables from before iteration `at`.

    Other workers train the iterations between; here they only discount.
    """
    discount_steps(solver.scheme, solver.regrets, at, first)
    if first < last:
        solver.driver.iterations = first
        solver.driver.advance(last)


def slice_here(  # noqa: PLR0913, PLR0917 - a slice, and how its changes are sent
    solvers: Sequence[Solver],
    tables: Part,
    first: int,
    last: int,
    shares: Sequence[float],
    told: Callable[[Change], Change] = lambda change: change,
) -> Part:
    """Return the tables after a slice trained by copies in equal parts, in one process.

    Parameters
    ----------
    solvers
        One for each worker; their tables are overwritten.
    tables
        The common tables before iteration `first`.
    first, last
        The slice ends before iteration `last`.
    shares
        Weights of the changes of regrets.
    told
        Transforms a change when it is sent.
    """
    base, changes = base_of(solvers[0].scheme, tables, first, last), []
    for solver, cut in zip(solvers, cuts(last - first, len(solvers)), strict=True):
        own = solver.state(copy=False).arrays
        for name, table in own.items():
            table[:] = tables[name]
        end = first + cut.stop
        walk_range(solver, first, first + cut.start, end)
        walk_range(solver, end, last, last)
        changes.append({name: told(change) for name, change in change_of(base, own).items()})
    return added(base, changes, shares)


def _mean(changes: Sequence[Change], shares: Sequence[float], like: NDArray[Any]) -> NDArray[Any]:
    """Return the mean of changes by shares; rounded if regrets are whole numbers."""
    mean = np.zeros(len(like))
    for (places, values), share in zip(changes, shares, strict=True):
        mean[slice(None) if places is None else places] += values * share
    return (np.rint(mean) if like.dtype.kind == "i" else mean).astype(like.dtype)


class Walked(NamedTuple):
    """Statistics of a worker in a slice."""

    iterations: int
    nodes: int
    seconds: float
    """Training time."""
    sent_bytes: int


class Walker:
    """A solver of a recipe on one node.

    Parameters
    ----------
    recipe
        The recipe as plain values.
    threads
        Number of training threads.
    given
        The stamp of the driver.
    """

    def __init__(self, recipe: dict[str, Any], threads: int, given: str) -> None:
        as_worker()
        self._recipe = load_recipe(recipe).changed({"threads": threads})
        self._given = given

    def prepare(self, cards: CardAbstraction | None) -> None:
        """Prepare the solver with the driver's buckets.

        Raises
        ------
        NodeError
            If this node fails where another one may succeed.
        """
        with (
            fit(self._given),
            alone(cache_folder() / "tables"),
        ):  # the first worker of a node builds the tables
            setup = prepare(self._recipe, cards=cards)
            self._solver = setup.solver(self._recipe)
        self._tables = self._solver.state(copy=False).arrays

    def begin(self, first: int, *parts: Part) -> None:
        """Begin a slice with the tables before iteration `first`."""
        self._first = self._at = first
        self._parts = parts
        self._cuts = cuts(len(self._tables["regrets"]), len(parts))
        for cut, part in zip(self._cuts, parts, strict=True):
            for name, table in part.items():
                self._tables[name][cut] = table
        self._walked = Walked(0, 0, 0.0, 0)
        self._solver.driver.nodes = 0

    def walk(self, first: int, last: int) -> None:
        """Train iterations `first` to `last - 1`, which follow the iterations before."""
        began = time.perf_counter()
        walk_range(self._solver, self._at, first, last)
        self._at = last
        count, _, seconds, _ = self._walked
        spent = seconds + time.perf_counter() - began
        self._walked = Walked(count + last - first, self._solver.nodes, spent, 0)

    def end(self, last: int, alone: bool) -> tuple[Any, ...]:
        """Return the changes of each part in the slice up to `last`, and statistics.

        With a single worker, the changes are the tables themselves.
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
    """Return a part after a slice, with the changes of all workers weighted by `counts`."""
    as_worker()
    base = base_of(Scheme.from_dict(scheme), part, *span)
    return added(base, changes, [count / sum(counts) for count in counts])
