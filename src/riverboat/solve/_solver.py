"""One run of a scheme on the core's kernels.

Solvers print nothing. With one thread and a seed a run is repeatable bit for bit, however it is
sliced: iteration t draws from the stream (seed, t).
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
from riverboat.solve._kernels import Driver, Kernel, make_kernel
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
    """Iterations after which a run is measured; the reports that come there carry the figure."""

    at: tuple[int, ...]
    """Ascending."""
    measure: Callable[["BaseSolver"], float]
    """Return the exploitability, chips a hand: `riverboat.evaluate.exploitability_at`."""


class BaseSolver:
    """What every solver is: tables that a kernel iterates on.

    Parameters
    ----------
    deals
        The game: a tree with a dealer.
    tables
        Where the kernel writes.
    kernel
        What runs the iterations, the C++ core's or anybody's.

    Attributes
    ----------
    regrets, average
        [entries] the tables, shared with the kernel.
    driver
        What runs the slices: iterations, seconds and nodes so far.

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
        """Finished in all, those before a resumption too."""
        return self.driver.iterations

    @property
    def seconds(self) -> float:
        """Spent iterating."""
        return self.driver.seconds

    @property
    def nodes(self) -> int:
        """Decision nodes entered."""
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
        """Return what the regrets stand for: [entries], uniform where none is positive.

        It is the average that converges, see `strategy`.

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
        """Return all that a run needs to go on: see `restore`.

        Parameters
        ----------
        copy
            Copy the tables. Without, the arrays are the solver's own, which the run goes on to
            change: enough for a checkpoint that writes them to a file at once.
        """
        tables = self._tables.named()
        arrays = {name: table.copy() if copy else table for name, table in tables.items()}
        return SolverState(self.iterations, self.seconds, self.nodes, arrays)

    def restore(self, state: SolverState) -> None:
        """Go on from a state of the same game and scheme.

        With the same seed and one thread the run that follows is bit for bit the one that was
        never stopped. A state that does not fit is refused and nothing changes.

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
            How much more to do; whichever is reached first. One must be given.
        every
            Seconds between reports; a last one comes at the end.
        marks
            Where reports come, too, with what was measured there.

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
        told = (self.iterations, self.driver.read("wall"))
        at = Due("mark", clock="iterations", at=marks.at if marks is not None else ())
        for due in self.driver.run(until, [Due("report", every), at]):
            if due & {"report", "mark"}:
                report = self.report(self._speed(*told))
                if marks is not None and "mark" in due:
                    report = replace(report, exploitability=marks.measure(self))
                yield report
                told = (self.iterations, self.driver.read("wall"))
        if self.iterations > told[0]:
            yield self.report(self._speed(*told))

    def _speed(self, iterations: int, wall: float) -> float:
        """Iterations a second since a mark."""
        return (self.iterations - iterations) / max(self.driver.read("wall") - wall, 1e-9)

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
        """Return where clocks will stand at the end of a budget."""
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
        """Say how the run stands."""
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
    driver
        What runs the slices: iterations, seconds and nodes so far.

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
        self.scheme = scheme
        tables = Tables.empty(scheme, deals.num_entries)
        if starting_regrets is not None:
            tables.start_from(starting_regrets)
        self._kernel = make_kernel(deals, scheme, self.seed, self.threads, tables)
        super().__init__(deals, tables, self._kernel)


def check_scheme(tree: Tree, scheme: Scheme, threads: int) -> None:
    """Refuse a scheme that does not suit a game, whatever its cards."""
    most_actions, players = int(tree.num_actions.max()), tree.spec.players
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
    if players == 2 and scheme.average_every is not None:
        raise SolveError(
            f"average_every={scheme.average_every} is for three players and more: with two the "
            "average needs no walk of its own"
        )
    if players > 2 and scheme.sampling not in {"external", "outcome", "pure"}:
        raise SolveError(
            f"{scheme.sampling} sampling is for two players; with "
            f"{players} take external, outcome or pure"
        )
