"""Running a scheme: slices of iterations, reports, a result that is usable at any time.

Solvers print nothing. `run` yields frozen reports; stop iterating, or press
Ctrl-C, and the tables are those of the last whole slice, which is counted. With one thread and a
seed a run is repeatable bit for bit, however it is sliced: iteration t draws
from the stream (seed, t).
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.errors import SolveError
from riverboat.solve._checks import MOST_ITERATIONS, real_number, whole_number
from riverboat.solve._deals import Deals
from riverboat.solve._interrupts import interrupts_held
from riverboat.solve._public import public_walkers
from riverboat.solve._report import Checkpoint, Report
from riverboat.solve._scheme import RegretRule, Scheme
from riverboat.solve._state import Arrays, SolverState, checked_state
from riverboat.tree import Tree

__all__ = ["Solver", "check_scheme"]

# Positions in the core's RegretRule; linear is DCFR with both exponents 1.
_RULES: Final[dict[RegretRule, int]] = {
    "cfr": 0,
    "cfr+": 1,
    "linear": 2,
    "dcfr": 2,
    "predictive+": 3,
}
_SLICE_SECONDS = 0.1
_MOST_PURE_CHIPS: Final = 2**24  # whole chips in a float32 payoff


class Solver:
    """One run of a scheme on a game.

    Parameters
    ----------
    deals
        The game: a tree with a dealer.
    scheme
        The algorithm.
    seed
        Of all random numbers, 0 to 2^64 - 1.
    threads
        Threads that share the tables without locks; sampled schemes only. More
        than one is quicker and not repeatable.
    starting_regrets
        [entries] regrets to start from, in chips; zero by default.

    Attributes
    ----------
    regrets, average
        [entries] the tables, shared with the kernels.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import enumerate_deals
    >>> from riverboat.tree import Tree
    >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
    >>> solver = Solver(deals, Scheme("full", "cfr+", "linear"))
    >>> solver.run_all(iterations=1000).iterations
    1000
    """

    def __init__(
        self,
        deals: Deals,
        scheme: Scheme,
        *,
        seed: int = 0,
        threads: int = 1,
        starting_regrets: NDArray[np.floating[Any]] | None = None,
    ) -> None:
        self.seed = whole_number("seed", seed, 0, 2**64 - 1)
        self.threads = whole_number("threads", threads, 1, 1024)
        check_scheme(deals.tree, scheme, self.threads)
        self.deals = deals
        self.scheme = scheme
        self.iterations = 0
        self.seconds = 0.0
        self.nodes = 0
        regret, average = _dtypes(scheme)
        self.regrets: NDArray[Any] = np.zeros(deals.num_entries, regret)
        self.average: NDArray[Any] = np.zeros(deals.num_entries, average)
        predictive = scheme.rule == "predictive+"
        self._predictions: NDArray[Any] = np.zeros(deals.num_entries if predictive else 0, regret)
        if starting_regrets is not None:
            self.regrets[:] = _checked_start(starting_regrets, self.regrets)
        linear = scheme.rule == "linear"
        self._rule = _core.RuleSettings(
            _RULES[scheme.rule],
            1.0 if linear else scheme.alpha,
            1.0 if linear else scheme.beta,
            scheme.average_power,
            float(scheme.delay),
        )
        self._full = _core.FullWidth(deals.compiled) if scheme.sampling == "full" else None
        self._walkers = (
            public_walkers(deals, self.threads) if scheme.sampling == "public-chance" else ()
        )
        self._average_every = scheme.average_every or 1
        if scheme.sampling == "external" and scheme.average_every is None:
            self._average_every = _core.collecting_interval(deals.tree.compiled)
        self._slice = 1

    @property
    def _tables(self) -> Arrays:
        tables = {"regrets": self.regrets, "average": self.average}
        return tables | ({"predictions": self._predictions} if len(self._predictions) else {})

    @property
    def memory_bytes(self) -> int:
        """Bytes of the tables."""
        return sum(table.nbytes for table in self._tables.values())

    def strategy(self, dtype: type[np.float32] | type[np.float64] = np.float64) -> NDArray[Any]:
        """Return the average strategy: [entries] probabilities, uniform where untrained."""
        strategy: NDArray[Any] = np.empty(len(self.average), dtype)
        _core.normalise_into(self.deals.compiled, self.average, strategy)
        return strategy

    def state(self, copy: bool = True) -> SolverState:
        """Return all that a run needs to go on: see `restore`.

        Parameters
        ----------
        copy
            Copy the tables. Without, the arrays are the solver's own, which the run goes on to
            change: enough for a checkpoint that writes them to a file at once.
        """
        arrays = {name: table.copy() if copy else table for name, table in self._tables.items()}
        return SolverState(self.iterations, self.seconds, self.nodes, arrays)

    def restore(self, state: SolverState) -> None:
        """Go on from a state of the same game and scheme.

        With the same seed and one thread the run that follows is bit for bit the one that was
        never stopped. A state that does not fit is refused and nothing changes.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> from riverboat.solve import enumerate_deals
        >>> from riverboat.tree import Tree
        >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
        >>> first, second, whole = (Solver(deals, Scheme("external"), seed=1) for _ in range(3))
        >>> _ = first.run_all(iterations=500)
        >>> second.restore(first.state())
        >>> _ = second.run_all(iterations=500), whole.run_all(iterations=1000)
        >>> bool((second.regrets == whole.regrets).all())
        True
        """
        checked = checked_state(state, self._tables)
        for name, table in self._tables.items():
            table[:] = checked.arrays[name]
        self.iterations, self.nodes = checked.iterations, checked.nodes
        self.seconds = checked.seconds

    def run_all(self, iterations: int | None = None, seconds: float | None = None) -> Report:
        """Run to the end of the budget and return the last report."""
        for _ in self.run(iterations, seconds, every=float("inf")):
            pass
        return self.report()

    def run(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        every: float = 1.0,
        checkpoint: Checkpoint | None = None,
    ) -> Iterator[Report]:
        """Iterate until a budget is used up; yield a report about every `every` seconds.

        Parameters
        ----------
        iterations, seconds
            How much more to do; whichever is reached first. One must be given.
        every
            Seconds between reports; a last one comes at the end.
        checkpoint
            Called at intervals and at the end. A run that is to go on later needs `state`.
        """
        last, deadline = _checked_budget(iterations, seconds)
        every = real_number("every", every, 0.0, float("inf"))
        return self._reports(self.iterations + last, deadline, every, checkpoint)

    def _reports(
        self,
        last: int,
        seconds: float,
        every: float,
        checkpoint: Checkpoint | None,
    ) -> Iterator[Report]:
        deadline = time.perf_counter() + seconds
        reported, mark = time.perf_counter(), self.iterations
        saved, saved_iterations = reported, mark
        for _ in self._slices(last, deadline):
            now = time.perf_counter()
            if checkpoint is not None and now - saved >= checkpoint.seconds:
                checkpoint.save(self)
                saved, saved_iterations = now, self.iterations
            if now - reported >= every:
                yield self.report((self.iterations - mark) / (now - reported))
                reported, mark = now, self.iterations
        if checkpoint is not None and self.iterations > saved_iterations:
            checkpoint.save(self)
        elapsed = time.perf_counter() - reported
        if self.iterations > mark:
            yield self.report((self.iterations - mark) / elapsed)

    def slices(self, iterations: int | None = None, seconds: float | None = None) -> Iterator[None]:
        """Iterate as `run` does, without reports: come back after every slice.

        A slice takes about a tenth of a second. Between slices tables and `iterations` belong
        together; a report, which walks the whole tables, is made only where one is asked for.

        Parameters
        ----------
        iterations, seconds
            How much more to do; whichever is reached first. One must be given.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> from riverboat.solve import enumerate_deals
        >>> from riverboat.tree import Tree
        >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme("external"))
        >>> for _ in solver.slices(iterations=1000):
        ...     pass
        >>> solver.iterations
        1000
        """
        last, limit = _checked_budget(iterations, seconds)
        return self._slices(self.iterations + last, time.perf_counter() + limit)

    def _slices(self, last: int, deadline: float) -> Iterator[None]:
        with ThreadPoolExecutor(self.threads) as pool:
            while self.iterations < last and time.perf_counter() < deadline:
                with interrupts_held():
                    self._run_slice(min(last, self.iterations + self._slice), pool)
                yield

    def report(self, iterations_per_second: float | None = None) -> Report:
        """Say how the run stands."""
        infosets, visited, averaged, regret = _core.table_statistics(
            self.deals.compiled, self.regrets, self.average
        )
        if iterations_per_second is None:
            iterations_per_second = self.iterations / self.seconds if self.seconds else 0.0
        return Report(
            self.iterations,
            self.seconds,
            iterations_per_second,
            self.nodes,
            infosets,
            visited,
            averaged,
            regret / max(1, self.iterations) / infosets,
            self.memory_bytes,
        )

    def _run_slice(self, end: int, pool: ThreadPoolExecutor) -> None:
        started = time.perf_counter()
        before = self.iterations
        if self._full is not None:
            self.nodes += self._full.run(
                self._rule, before, end, self.regrets, self.average, self._predictions
            )
        else:
            end = self._run_sampled(before, end, pool)
        self.iterations = end
        elapsed = time.perf_counter() - started
        self.seconds += elapsed
        # Aim at slices that are long enough to be efficient and short enough for Ctrl-C.
        wanted = (end - before) * _SLICE_SECONDS / max(elapsed, 1e-6)
        self._slice = max(self.threads, int(min(wanted, 4 * self._slice)))

    def _run_sampled(self, first: int, end: int, pool: ThreadPoolExecutor) -> int:
        """Run a slice within one step, floor and pruning; return where it ended."""
        step = first // self.scheme.step_iterations
        floor, floor_end = self.scheme.floor_at(first)
        step_end = (step + 1) * self.scheme.step_iterations
        end = min(end, step_end, floor_end if floor_end is not None else end)
        if self.scheme.prune is not None and first < self.scheme.prune.after:
            end = min(end, self.scheme.prune.after)
        options = self._options(first, step, floor)

        def walk(thread: int) -> int:
            if self._walkers:
                return self._walkers[thread].run(
                    self._rule, self.seed, options.average_weight, first + thread, end,
                    self.threads, self.regrets, self.average, self._predictions,
                )  # fmt: skip
            if self.scheme.sampling == "pure":
                return _core.run_pure(
                    self.deals.compiled, options, first + thread, end, self.threads,
                    self.regrets, self.average,
                )  # fmt: skip
            return _core.run_sampled(
                self.scheme.sampling, self.deals.compiled, options, first + thread, end,
                self.threads, self.regrets, self.average,
            )  # fmt: skip

        if self.threads == 1:
            self.nodes += walk(0)
        else:
            self.nodes += sum(pool.map(walk, range(self.threads)))
        if end == step_end and self.scheme.rule in {"linear", "dcfr"}:
            _core.discount(self.regrets, *self._rule.factors(step + 1.0))
        return end

    def _options(self, first: int, step: int, floor: float) -> _core.WalkOptions:
        scheme = self.scheme
        options = _core.WalkOptions()
        options.seed = self.seed
        options.floor = floor
        options.floor_in_average = scheme.floor_in_average
        options.average_weight = self._rule.average_weight(step + 1.0)
        options.epsilon = scheme.exploration
        options.tau = scheme.tau
        options.beta = scheme.beta_offset
        options.plus = scheme.rule == "cfr+"
        options.average_every = self._average_every
        if scheme.prune is not None and first >= scheme.prune.after:
            options.prune_below = scheme.prune.below
            options.prune_probability = scheme.prune.probability
        return options


def _dtypes(scheme: Scheme) -> tuple[type[Any], type[Any]]:
    if scheme.sampling == "pure":
        return np.int32, np.uint32
    if scheme.sampling == "full":
        return np.float64, np.float64
    return np.float32, np.float64


def _checked_budget(iterations: int | None, seconds: float | None) -> tuple[int, float]:
    """Return how many iterations and seconds there are, as plain numbers."""
    if iterations is None and seconds is None:
        raise SolveError("give a budget: iterations, seconds or both")
    most = MOST_ITERATIONS
    return (
        most if iterations is None else whole_number("iterations", iterations, 0, most),
        float("inf") if seconds is None else real_number("seconds", seconds, 0.0, float("inf")),
    )


def _checked_start(start: NDArray[Any], regrets: NDArray[Any]) -> NDArray[Any]:
    start = np.asarray(start)
    if start.shape != regrets.shape or start.dtype.kind not in "iuf":
        raise SolveError(
            f"starting regrets are {len(regrets)} numbers, not {start.shape} of {start.dtype}"
        )
    whole = regrets.dtype == np.int32
    # Sums of a few floats have to stay finite, too.
    most = float(np.iinfo(np.int32).max if whole else np.finfo(regrets.dtype).max / 2**20)
    if not (np.abs(start.astype(np.float64)) <= most).all():
        raise SolveError(
            f"starting regrets are finite numbers of at most {most:g} here, either way"
        )
    return np.rint(start) if whole else start


def check_scheme(tree: Tree, scheme: Scheme, threads: int) -> None:
    """Refuse a scheme that does not suit a game, whatever its cards."""
    most_actions = int(tree.num_actions.max())
    if any(floor * most_actions > 1 for _, floor in scheme.floor):
        raise SolveError(
            f"floor={scheme.floor}: a decision of this tree has {most_actions} actions, "
            f"which leaves a floor of at most {1 / most_actions:.4g}"
        )
    if scheme.sampling == "pure" and sum(tree.spec.stacks) > _MOST_PURE_CHIPS:
        raise SolveError(
            f"pure sampling has integer regrets: stacks of at most {_MOST_PURE_CHIPS:,} chips in "
            f"all, not {sum(tree.spec.stacks):,}"
        )
    if threads > 1 and scheme.sampling == "full":
        raise SolveError(f"{scheme.sampling} sampling runs on one thread, not {threads}")
    if tree.spec.players == 2 and scheme.average_every is not None:
        raise SolveError(
            f"average_every={scheme.average_every} is for three players and more: with two the "
            "average needs no walk of its own"
        )
    if tree.spec.players > 2 and scheme.sampling not in {"external", "outcome"}:
        raise SolveError(
            f"{scheme.sampling} sampling is for two players; with "
            f"{tree.spec.players} take external or outcome"
        )
