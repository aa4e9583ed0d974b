"""Solvers, which run a scheme on the kernels of the C++ core.

Solvers print nothing. With one thread a seed gives bit-identical results, however a run is sliced:
iteration t uses the random stream (seed, t).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.errors import SolveError
from riverboat.runs import Clock, Due
from riverboat.solve._deals import Deals
from riverboat.solve._kernels import MOST_THREADS, Driver, Kernel, make_kernel
from riverboat.solve._scheme import MOST_ITERATIONS, Scheme
from riverboat.solve._tables import (
    SolverReport,
    SolverState,
    Tables,
    checked_state,
    real_number,
    whole_number,
)
from riverboat.tree import Tree


@dataclass(frozen=True, slots=True)
class Marks:
    """Iterations after which a run reports its exploitability."""

    at: tuple[int, ...]
    """Numbers of iterations, ascending."""
    measure: Callable[["BaseSolver"], float]
    """Return the exploitability in chips per hand: see `riverboat.evaluate.exploitability_at`."""


class BaseSolver:
    """Base class of solvers: tables that a kernel updates.

    Parameters
    ----------
    deals
        The game: a tree with a dealer.
    tables
        The tables that the kernel updates.
    kernel
        Runs the iterations; a kernel of the C++ core or any other.

    Attributes
    ----------
    regrets, average
        [entries] the tables, shared with the kernel.
    driver
        Runs the slices; counts iterations, seconds and nodes.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import Scheme, Tables, enumerate_deals
    >>> from riverboat.tree import Tree
    >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
    >>> class Idle:
    ...     threads = 1
    ...     def run(self, first, last, crew):
    ...         return 0
    >>> run = BaseSolver(deals, Tables.empty(Scheme("full"), deals.num_entries), Idle())
    >>> run.run_all(iterations=3).visited
    0
    """

    def __init__(self, deals: Deals, tables: Tables, kernel: Kernel) -> None:
        self.deals = deals
        self._tables = tables
        self.regrets, self.average = tables.regrets, tables.average
        self.driver = Driver(kernel)

    @property
    def iterations(self) -> int:
        """Finished iterations, including those before the solver was restored."""
        return self.driver.iterations

    @property
    def seconds(self) -> float:
        """Elapsed time of the iterations."""
        return self.driver.seconds

    @property
    def nodes(self) -> int:
        """Number of visited decision nodes."""
        return self.driver.nodes

    @property
    def memory_bytes(self) -> int:
        """Bytes of the tables."""
        return sum(table.nbytes for table in self._tables.named().values())

    def strategy(self, dtype: type[np.float32] | type[np.float64] = np.float64) -> NDArray[Any]:
        """Return the average strategy: [entries] probabilities, uniform where untrained."""
        strategy: NDArray[Any] = np.empty(len(self.average), dtype)
        _core.normalise_into(self.deals.compiled, self.average, strategy)
        return strategy

    def current_strategy(self) -> NDArray[np.float64]:
        """Return the strategy by regret matching: [entries], uniform without positive regrets.

        Only the average strategy converges: see `strategy`.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> from riverboat.solve import Scheme, Solver, enumerate_deals
        >>> from riverboat.tree import Tree
        >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme("pure"))
        >>> solver.current_strategy()[:2].tolist()
        [0.5, 0.5]
        """
        strategy: NDArray[np.float64] = np.empty(len(self.regrets))
        positive = np.maximum(self.regrets, 0).astype(np.float64)
        _core.normalise_into(self.deals.compiled, positive, strategy)
        return strategy

    def state(self, copy: bool = True) -> SolverState:
        """Return the state from which `restore` continues.

        Parameters
        ----------
        copy
            Whether to copy the tables. Otherwise the arrays are the solver's own, which later
            iterations change: enough for a checkpoint that is written at once.
        """
        tables = self._tables.named()
        arrays = {name: table.copy() if copy else table for name, table in tables.items()}
        return SolverState(self.iterations, self.seconds, self.nodes, arrays)

    def restore(self, state: SolverState) -> None:
        """Continue from a state of the same game and scheme.

        With the same seed and one thread the results are bit-identical to those of a run without
        interruption. A state that does not fit is refused, and the solver does not change.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> from riverboat.solve import Scheme, Solver, enumerate_deals
        >>> from riverboat.tree import Tree
        >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
        >>> first, second, whole = (Solver(deals, Scheme("external"), seed=1) for _ in range(3))
        >>> _ = first.run_all(iterations=500)
        >>> second.restore(first.state())
        >>> _ = second.run_all(iterations=500), whole.run_all(iterations=1000)
        >>> bool((second.regrets == whole.regrets).all())
        True
        """
        checked = checked_state(state, self._tables.named())
        self._tables.copy_from(checked.arrays, self.driver.kernel.threads)
        self.driver.iterations, self.driver.nodes = checked.iterations, checked.nodes
        self.driver.seconds = checked.seconds

    def run_all(self, iterations: int | None = None, seconds: float | None = None) -> SolverReport:
        """Run to the end of the budget and return the last report."""
        for _ in self.run(iterations, seconds, every=float("inf")):
            pass
        return self.report()

    def run(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        every: float = 1.0,
        marks: Marks | None = None,
    ) -> Iterator[SolverReport]:
        """Iterate until a budget is used up; yield a report about every `every` seconds.

        Parameters
        ----------
        iterations, seconds
            Further iterations and seconds; the limit that is reached first ends the run. Give at
            least one.
        every
            Seconds between reports; the last report comes at the end.
        marks
            Iterations with an additional report of the exploitability.

        Examples
        --------
        >>> from riverboat.evaluate import exploitability_at
        >>> from riverboat.game import catalogue
        >>> from riverboat.solve import Scheme, Solver, enumerate_deals
        >>> from riverboat.tree import Tree
        >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme("full"))
        >>> for report in solver.run(iterations=100, marks=exploitability_at(10, 100)):
        ...     print(report.iterations, round(report.exploitability, 3))
        10 0.069
        100 0.008
        """
        until = self._until(iterations, seconds)
        every = real_number("every", every, 0.0, float("inf"))
        return self._reports(until, every, marks)

    def _reports(
        self,
        until: Mapping[Clock, float],
        every: float,
        marks: Marks | None,
    ) -> Iterator[SolverReport]:
        before = (self.iterations, self.driver.read("wall"))
        at = Due("mark", clock="iterations", at=marks.at if marks is not None else ())
        for due in self.driver.run(until, [Due("report", every), at]):
            if due & {"report", "mark"}:
                report = self.report(self._speed(*before))
                if marks is not None and "mark" in due:
                    report = replace(report, exploitability=marks.measure(self))
                yield report
                before = (self.iterations, self.driver.read("wall"))
        if self.iterations > before[0]:
            yield self.report(self._speed(*before))

    def _speed(self, iterations: int, wall: float) -> float:
        """Iterations per second since a report."""
        return (self.iterations - iterations) / max(self.driver.read("wall") - wall, 1e-9)

    def slices(self, iterations: int | None = None, seconds: float | None = None) -> Iterator[None]:
        """Iterate like `run`, but yield after every slice, without reports.

        A slice takes about a tenth of a second. Between slices tables and `iterations` are
        consistent. Use `report` where needed; it reads the whole tables.

        Parameters
        ----------
        iterations, seconds
            Further iterations and seconds; the limit that is reached first ends the run. Give at
            least one.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> from riverboat.solve import Scheme, Solver, enumerate_deals
        >>> from riverboat.tree import Tree
        >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme("external"))
        >>> for _ in solver.slices(iterations=1000):
        ...     pass
        >>> solver.iterations
        1000
        """
        return (None for _ in self.driver.run(self._until(iterations, seconds)))

    def _until(self, iterations: int | None, seconds: float | None) -> dict[Clock, float]:
        """Return the clock readings at the end of a budget."""
        if iterations is None and seconds is None:
            raise SolveError("give a budget: iterations, seconds or both")
        until: dict[Clock, float] = {}
        if iterations is not None:
            most = whole_number("iterations", iterations, 0, MOST_ITERATIONS)
            until["iterations"] = self.iterations + most
        if seconds is not None:
            limit = real_number("seconds", seconds, 0.0, float("inf"))
            until["wall"] = self.driver.read("wall") + limit
        return until

    def report(self, iterations_per_second: float | None = None) -> SolverReport:
        """Return a report of the current state."""
        infosets, visited, averaged, regret = _core.table_statistics(
            self.deals.compiled, self.regrets, self.average
        )
        if iterations_per_second is None:
            iterations_per_second = self.iterations / self.seconds if self.seconds else 0.0
        return SolverReport(
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


_MOST_PURE_CHIPS: Final = 2**24  # whole chips in a float32 payoff


class Solver(BaseSolver):
    """One run of a scheme on a game.

    Parameters
    ----------
    deals
        The game: a tree with a dealer.
    scheme
        The algorithm.
    seed
        Random seed, 0 to 2^64 - 1.
    threads
        Threads that share the tables without locks, for sampled schemes. With more than one a run
        is faster, but not repeatable. With the scheme's `forks` it is the maximum number of threads
        by subtree at once.
    starting_regrets
        [entries] initial regrets, in chips; zero by default.

    Attributes
    ----------
    regrets, average
        [entries] the tables, shared with the kernels.
    driver
        Runs the slices; counts iterations, seconds and nodes.

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
        self.threads = whole_number("threads", threads, 1, MOST_THREADS)
        check_scheme(deals.tree, scheme, self.threads)
        self.scheme = scheme
        tables = Tables.empty(scheme, deals.num_entries)
        if starting_regrets is not None:
            tables.start_from(starting_regrets)
        self._kernel = make_kernel(deals, scheme, self.seed, self.threads, tables)
        super().__init__(deals, tables, self._kernel)


def check_scheme(tree: Tree, scheme: Scheme, threads: int) -> None:
    """Refuse a scheme that does not fit a game."""
    most_actions, players = int(tree.num_actions.max()), tree.spec.players
    if any(floor * most_actions > 1 for _, floor in scheme.floor):
        raise SolveError(
            f"floor={scheme.floor} is too high: a decision of this tree has {most_actions} "
            f"actions, so the floor must be at most {1 / most_actions:.4g}"
        )
    if scheme.sampling == "pure" and sum(tree.spec.stacks) > _MOST_PURE_CHIPS:
        raise SolveError(
            f"pure sampling has integer regrets: the sum of all stacks must be at most "
            f"{_MOST_PURE_CHIPS:,} chips, not {sum(tree.spec.stacks):,}"
        )
    if threads > 1 and scheme.sampling == "full":
        raise SolveError(f"{scheme.sampling} sampling runs on one thread, not {threads}")
    if players > 2 and scheme.forks is not None:
        raise SolveError(f"threads by subtree (forks) are for two players, not {players}")
    if players == 2 and scheme.average_every is not None:
        raise SolveError(
            f"average_every={scheme.average_every} is for three or more players: with two, each "
            "traversal updates the average"
        )
    if players > 2 and scheme.sampling not in {"external", "outcome", "pure"}:
        raise SolveError(
            f"{scheme.sampling} sampling needs two players: with {players} players use external, "
            "outcome or pure sampling"
        )
