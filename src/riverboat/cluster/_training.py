"""Training across nodes: workers walk, the tables are added up in parts, and all begin again.

The driver has the tables after every slice, with reports, measurements and checkpoints as on one
machine. Where a worker or a node ends within a slice, the slice is walked again from the tables
before it: nothing is lost, and nothing is counted twice.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import accumulate, pairwise
from typing import Any

from riverboat.cluster._exchange import check_divisible, cuts, part_of
from riverboat.cluster._far import stamp
from riverboat.cluster._ray import sentence_of
from riverboat.cluster._walker import Orders, Walked, Walker, add_up
from riverboat.errors import ClusterError
from riverboat.solve import Solver
from riverboat.training import Recipe, Setup

__all__ = ["Sliced", "helpers"]

_PART_BYTES = 64 << 20
_MOST_PARTS = 64
_LEAST_SLICE, _MOST_SLICE = 0.5, 30.0  # seconds
_WALKING_SHARE = 0.85  # of a slice's time, at least, where `_MOST_SLICE` allows it
_TRIES = 20  # of one slice
_WAIT_SECONDS = 1.0  # before a try, for Ray to see who is gone
_QUIET = 0.5  # of the old speed in the mean with the new one


def helpers(
    ray: Any, *, even: bool = False, told: Callable[["Sliced"], object] = lambda _: None
) -> Callable[[Recipe, Setup, Solver], AbstractContextManager["Sliced"]]:
    """Return what `riverboat.training.train` takes as `helped`: the nodes of a cluster.

    Parameters
    ----------
    ray
        The module, connected.
    even
        Whether all workers get the same share, however fast they are: with one thread each the
        run is repeatable then.
    told
        Called after every slice.
    """

    @contextmanager
    def helped(recipe: Recipe, setup: Setup, solver: Solver) -> Iterator["Sliced"]:
        kernel = Sliced(ray, recipe, setup, solver, even=even, told=told)
        before = solver.driver.kernel
        solver.driver.take(kernel, lambda: kernel.slice_seconds)
        try:
            yield kernel
        finally:
            solver.driver.take(before, lambda: _LEAST_SLICE)
            kernel.close()

    return helped


class Sliced:
    """A kernel whose iterations are walked by the nodes of a cluster.

    Attributes
    ----------
    slice_seconds
        How long a slice should be: so long that the exchange of tables takes a small part of it.
    walked
        How each worker did in the last slice.
    seconds
        Of the last slice, with the exchange.
    failures
        Slices that were walked again because somebody was gone.
    """

    threads = 1

    def __init__(  # noqa: PLR0913 - two switches
        self,
        ray: Any,
        recipe: Recipe,
        setup: Setup,
        solver: Solver,
        *,
        even: bool,
        told: Callable[["Sliced"], object],
    ) -> None:
        check_divisible(solver.scheme)
        self.slice_seconds = _LEAST_SLICE
        self.walked: list[Walked] = []
        self.seconds = 0.0
        self.failures = 0
        self._ray, self._even, self._told = ray, even, told
        self._recipe, self._cards = recipe, setup.cards
        self._scheme = solver.scheme.as_whole_dict()
        self._tables = solver.state(copy=False).arrays
        size = sum(table.nbytes for table in self._tables.values())
        count = max(1, min(_MOST_PARTS, size // _PART_BYTES))
        self._cuts = cuts(len(solver.regrets), count)
        self._parts: list[Any] = []
        self._walkers: dict[str, Any] = {}
        self._speeds: dict[str, float] = {}
        self._add = ray.remote(add_up).options(num_cpus=0, name="add up", max_retries=-1)

    def run(self, first: int, last: int, crew: object) -> int:  # noqa: ARG002 - others have the threads
        """Walk iterations `first` to `last - 1`; return how many decision nodes were entered."""
        for tried in range(_TRIES):
            try:
                self._gather()
                return self._slice(first, last)
            except self._ray.exceptions.RayError as error:
                problem = sentence_of(error)
                if self._is_ours(error):
                    raise ClusterError(problem) from error
                self.failures += 1
                self.close()
                time.sleep(_WAIT_SECONDS * (tried + 1))
        raise ClusterError(f"a slice was tried {_TRIES} times, and the last time {problem}")

    def _is_ours(self, error: Exception) -> bool:
        """Whether a worker failed by itself, and would again; not because somebody was gone."""
        known = self._ray.exceptions
        cause = getattr(error, "cause", None)
        return isinstance(error, known.RayTaskError) and not isinstance(cause, known.RayError)

    def close(self) -> None:
        """Let the workers go; the driver's tables are those after the last whole slice."""
        for walker in self._walkers.values():
            self._ray.kill(walker)
        self._walkers, self._parts = {}, []

    def _gather(self) -> None:
        """Have a worker on every node that gives cores, and the tables where they get them."""
        nodes = {
            node["NodeID"]: int(node["Resources"].get("CPU", 0))
            for node in self._ray.nodes()
            if node["Alive"]
        }
        wanted = {name: cores for name, cores in nodes.items() if cores}
        if not wanted:
            raise ClusterError("the cluster has no node left that gives cores")
        for name in self._walkers.keys() - wanted.keys():
            self._walkers.pop(name)
        for name in sorted(wanted.keys() - self._walkers.keys()):
            self._walkers[name] = self._hire(name, wanted[name])
        if not self._parts:
            whole = [part_of(self._tables, cut) for cut in self._cuts]
            self._parts = [self._ray.put(part) for part in whole]

    def _hire(self, node: str, cores: int) -> Any:
        strategies = self._ray.util.scheduling_strategies
        there = strategies.NodeAffinitySchedulingStrategy(node, soft=False)
        threads = self._recipe.threads or cores
        return (
            self._ray.remote(Walker)
            .options(num_cpus=cores, name=None, scheduling_strategy=there)
            .remote(self._recipe.as_dict(), self._cards, threads, stamp())
        )

    def _slice(self, first: int, last: int) -> int:
        began = time.perf_counter()
        names = sorted(self._walkers)
        orders = [Orders(first, last, *share) for share in pairwise(self._shares(names))]
        returns = len(self._parts) + 1
        sent = [
            self._walkers[name]
            .walk.options(num_returns=returns, name=f"walk {first:,} to {last:,}")
            .remote(each, *self._parts)
            for name, each in zip(names, orders, strict=True)
        ]
        parts = sent[0][:-1] if len(sent) == 1 else self._added(orders, sent)
        found = self._ray.get([*parts, *(each[-1] for each in sent)])
        self._take(found[: len(parts)])
        self._parts, self.walked = parts, found[len(parts) :]
        self._learn(dict(zip(names, orders, strict=True)), began)
        return sum(each.nodes for each in self.walked)

    def _shares(self, names: list[str]) -> list[float]:
        """Where the shares of workers begin and end: by their speeds, once they are known."""
        known = [self._speeds[name] for name in names if name in self._speeds]
        mean = sum(known) / len(known) if known else 1.0
        weights = [1.0 if self._even else self._speeds.get(name, mean) for name in names]
        ends = list(accumulate(weights, initial=0.0))
        return [0.0, *(end / ends[-1] for end in ends[1:-1]), 1.0]

    def _added(self, orders: list[Orders], sent: list[list[Any]]) -> list[Any]:
        """Add up every part, wherever there is room."""
        return [
            self._add.remote(self._scheme, orders, part, *(each[index] for each in sent))
            for index, part in enumerate(self._parts)
        ]

    def _take(self, parts: list[dict[str, Any]]) -> None:
        """Put the new tables into the driver's, all or none."""
        for cut, part in zip(self._cuts, parts, strict=True):
            for name, table in part.items():
                self._tables[name][cut] = table

    def _learn(self, orders: dict[str, Orders], began: float) -> None:
        """Take the speeds of workers, and choose the length of the next slice."""
        self.seconds = time.perf_counter() - began
        for (name, each), walked in zip(orders.items(), self.walked, strict=True):
            count = (each.high - each.low) * (each.last - each.first)
            speed = count / max(walked.seconds, 1e-6)
            old = self._speeds.get(name, speed)
            self._speeds[name] = _QUIET * old + (1 - _QUIET) * speed
        exchange = self.seconds - max(each.seconds for each in self.walked)
        wanted = exchange / (1 - _WALKING_SHARE)
        self.slice_seconds = min(_MOST_SLICE, max(_LEAST_SLICE, wanted))
        self._told(self)
