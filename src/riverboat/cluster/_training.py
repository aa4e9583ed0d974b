"""Training across nodes: workers train a slice, their tables are added, and the next slice begins.

The driver has the tables after every slice, with reports, measurements and checkpoints as on one
machine. If a worker or a node ends within a slice, the slice is repeated from the tables
before it, so nothing is lost or counted twice.

Workers take some iterations of a slice at a time until none are left. A slow worker takes fewer,
so at the end of a slice the others wait for a small range only, and not for a share that was
meant for a faster worker.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

from riverboat.cluster._far import stamp
from riverboat.cluster._ray import sentence_of
from riverboat.cluster._walker import Walked, Walker, add_up, check_divisible, cuts, part_of
from riverboat.errors import ClusterError, NodeError
from riverboat.solve import Solver
from riverboat.training import Recipe, Setup

_PART_BYTES = 64 << 20
_MOST_PARTS = 64
_LEAST_SLICE, _MOST_SLICE = 0.5, 30.0  # seconds of training
_WALKING_SHARE = 0.95  # training's share of a slice, if `_MOST_SLICE` and `_SLICE_SHARE` allow
_SLICE_SHARE = 0.05  # at most of all training so far, so that workers exchange often enough
_TRIES = 20  # attempts at one slice
_WAIT_SECONDS = 1.0  # before a retry, until Ray notices lost nodes
_FRACTION = 0.25  # part of a worker's share of the rest that it takes at once
_LEAST = 1 / 16  # smallest part of its share of the whole slice


def helpers(
    ray: Any,
    *,
    even: bool = False,
    told: Callable[["Sliced"], object] = lambda _: None,
    left_out: dict[str, str] | None = None,
) -> Callable[[Recipe, Setup, Solver], AbstractContextManager["Sliced"]]:
    """Return the `helped` argument of `riverboat.training.train`: the nodes of a cluster.

    Parameters
    ----------
    ray
        The module, connected.
    even
        Whether all workers get the same share regardless of speed: with one thread each the
        run is repeatable then.
    told
        Called after every slice.
    left_out
        Nodes that get no work, with the reason; nodes that fail are added.
    """
    excluded = {} if left_out is None else left_out

    @contextmanager
    def helped(recipe: Recipe, setup: Setup, solver: Solver) -> Iterator["Sliced"]:
        kernel = Sliced(ray, recipe, setup, solver, even=even, told=told, left_out=excluded)
        before = solver.driver.kernel
        solver.driver.take(kernel, lambda: kernel.slice_seconds)
        try:
            yield kernel
        finally:
            solver.driver.take(before, lambda: _LEAST_SLICE)
            kernel.close()

    return helped


def slice_length(exchange: float, walked: float) -> float:
    """Return the training seconds of the next slice, by those of an exchange and of all slices.

    Examples
    --------
    >>> slice_length(0.1, 10.0), slice_length(0.1, 30.0), slice_length(60.0, 10_000.0)
    (0.5, 1.5, 30.0)
    """
    wanted = min(exchange * _WALKING_SHARE / (1 - _WALKING_SHARE), _SLICE_SHARE * walked)
    return min(_MOST_SLICE, max(_LEAST_SLICE, wanted))


class Ranges:
    """Iterations of a slice, assigned in order.

    Parameters
    ----------
    first, last
        The slice ends before iteration `last`.
    speeds
        Speeds of workers by name, in any unit.
    even
        Whether each worker gets one range of equal length regardless of speed.

    Examples
    --------
    >>> ranges = Ranges(0, 160, {"fast": 3.0, "slow": 1.0})
    >>> ranges.take("fast"), ranges.take("slow"), ranges.take("fast")
    ((0, 30), (30, 39), (39, 62))
    """

    def __init__(
        self, first: int, last: int, speeds: Mapping[str, float], *, even: bool = False
    ) -> None:
        self._next, self._last, self._whole = first, last, last - first
        total = sum(speeds.values())
        self._shares = {name: speed / total for name, speed in speeds.items()}
        self._once: dict[str, slice] | None = None
        if even or len(speeds) == 1:
            pieces = cuts(last - first, len(speeds))
            begins = [slice(first + cut.start, first + cut.stop) for cut in pieces]
            self._once = dict(zip(sorted(speeds), begins, strict=True))

    def take(self, name: str) -> tuple[int, int] | None:
        """Return a worker's next range of iterations; None = the slice is over."""
        if self._once is not None:
            cut = self._once.pop(name, slice(0, 0))
            return (cut.start, cut.stop) if cut.start < cut.stop else None
        left = self._last - self._next
        if not left:
            return None
        wanted = self._shares[name] * max(_FRACTION * left, _LEAST * self._whole)
        first, self._next = self._next, self._next + min(left, max(1, math.ceil(wanted)))
        return first, self._next


class Sliced:
    """A kernel whose iterations run on the nodes of a cluster.

    Attributes
    ----------
    slice_seconds
        Length of the last slice, with the exchange of tables, if it had trained as long
        as the next slice should.
    walked
        Statistics of each node's worker in the last slice.
    seconds
        Seconds of the last slice, with the exchange.
    failures
        Slices that were repeated because a worker was lost.
    """

    threads = 1

    def __init__(  # noqa: PLR0913 - three switches
        self,
        ray: Any,
        recipe: Recipe,
        setup: Setup,
        solver: Solver,
        *,
        even: bool,
        told: Callable[["Sliced"], object],
        left_out: dict[str, str],
    ) -> None:
        check_divisible(solver.scheme)
        self.slice_seconds = _LEAST_SLICE
        self.walked: dict[str, Walked] = {}
        self.seconds = 0.0
        self.failures = 0
        self._walking = solver.seconds  # seconds of the whole run; earlier exchanges count, too
        self._ray, self._even, self._told, self._left_out = ray, even, told, left_out
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

    def run(self, first: int, last: int, crew: object) -> int:  # noqa: ARG002 - the nodes have the threads
        """Train iterations `first` to `last - 1`; return the number of decision nodes visited."""
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
        raise ClusterError(f"a slice failed {_TRIES} times; the last error: {problem}")

    def _is_ours(self, error: Exception) -> bool:
        """Whether a worker failed by an error of its own, and would fail again."""
        known = self._ray.exceptions
        cause = getattr(error, "cause", None)
        return isinstance(error, known.RayTaskError) and not isinstance(cause, known.RayError)

    def close(self) -> None:
        """End the workers; the driver keeps the tables after the last whole slice."""
        for walker in self._walkers.values():
            with suppress(ConnectionError, self._ray.exceptions.RayError):  # it is gone already
                self._ray.kill(walker)
        self._walkers, self._parts = {}, []

    def _gather(self) -> None:
        """Start a worker on every node that gives cores, and share the tables."""
        nodes = {
            node["NodeID"]: int(node["Resources"].get("CPU", 0))
            for node in self._ray.nodes()
            if node["Alive"]
        }
        wanted = {
            name: cores for name, cores in nodes.items() if cores and name not in self._left_out
        }
        for name in self._walkers.keys() - wanted.keys():
            self._walkers.pop(name)
        missing = sorted(wanted.keys() - self._walkers.keys())
        self._hire({name: wanted[name] for name in missing})
        if not self._walkers:
            why = "; ".join(dict.fromkeys(self._left_out.values()))
            raise ClusterError("no node is left to train on" + (f": {why}" if why else ""))
        if not self._parts:
            whole = [part_of(self._tables, cut) for cut in self._cuts]
            self._parts = [self._ray.put(part) for part in whole]

    def _hire(self, nodes: dict[str, int]) -> None:
        """Start workers on nodes with their numbers of cores; nodes that fail are left out."""
        strategies = self._ray.util.scheduling_strategies
        ready = {}
        for node, cores in nodes.items():
            there = strategies.NodeAffinitySchedulingStrategy(node, soft=False)
            walker = self._ray.remote(Walker).options(
                num_cpus=cores, name=None, scheduling_strategy=there
            )
            threads = self._recipe.threads or cores
            self._walkers[node] = walker.remote(self._recipe.as_dict(), threads, stamp())
            ready[node] = self._walkers[node].prepare.remote(self._cards)
        for node, each in ready.items():
            try:
                self._ray.get(each)
            except self._ray.exceptions.RayTaskError as error:
                if not isinstance(error.cause, NodeError):
                    raise
                self._left_out[node] = str(error.cause)
                self._ray.kill(self._walkers.pop(node))

    def _slice(self, first: int, last: int) -> int:
        began = time.perf_counter()
        names = sorted(self._walkers)
        begun = {self._walkers[name].begin.remote(first, *self._parts): name for name in names}
        self._walk(Ranges(first, last, self._speeds_of(names), even=self._even), begun)
        returns, alone = len(self._parts) + 1, len(names) == 1
        sent = [
            self._walkers[name].end.options(num_returns=returns).remote(last, alone)
            for name in names
        ]
        walked = self._ray.get([each[-1] for each in sent])
        parts = sent[0][:-1] if alone else self._added((first, last), walked, sent)
        self._take(self._ray.get(parts))
        self._parts, self.walked = parts, dict(zip(names, walked, strict=True))
        self._learn(began)
        return sum(each.nodes for each in walked)

    def _speeds_of(self, names: Sequence[str]) -> dict[str, float]:
        """Return the speeds of workers; a new worker gets the mean."""
        known = [self._speeds[name] for name in names if name in self._speeds]
        mean = sum(known) / len(known) if known else 1.0
        return {name: self._speeds.get(name, mean) for name in names}

    def _walk(self, ranges: Ranges, begun: dict[Any, str]) -> None:
        """Train all iterations of a slice: each worker that is idle takes a range."""
        running = dict(begun)
        while running:
            done = self._ray.wait(list(running))[0]
            self._ray.get(done)  # raises its error
            for name in [running.pop(each) for each in done]:
                if (taken := ranges.take(name)) is not None:
                    label = f"walk {taken[0]:,} to {taken[1]:,}"
                    walk = self._walkers[name].walk.options(name=label)
                    running[walk.remote(*taken)] = name

    def _added(
        self, span: tuple[int, int], walked: Sequence[Walked], sent: Sequence[Any]
    ) -> list[Any]:
        """Add the changes of every part, on any node."""
        counts = [each.iterations for each in walked]
        return [
            self._add.remote(self._scheme, span, counts, part, *(each[index] for each in sent))
            for index, part in enumerate(self._parts)
        ]

    def _take(self, parts: list[dict[str, Any]]) -> None:
        """Copy the new tables into the driver's, all or none."""
        for cut, part in zip(self._cuts, parts, strict=True):
            for name, table in part.items():
                self._tables[name][cut] = table

    def _learn(self, began: float) -> None:
        """Update the speeds of workers, and choose the length of the next slice."""
        self.seconds = time.perf_counter() - began
        for name, walked in self.walked.items():
            if walked.iterations:
                self._speeds[name] = walked.iterations / max(walked.seconds, 1e-6)
        walking = max(each.seconds for each in self.walked.values())
        self._walking += walking
        wanted = slice_length(self.seconds - walking, self._walking)
        self.slice_seconds = self.seconds * wanted / max(walking, 1e-6)
        self._told(self)
