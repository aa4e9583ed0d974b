"""Kernels, which run iterations, with the interface `run(first, last, crew)`.

Each family of sampling schemes is a small class. Iteration t uses the random stream (seed, t), so
with one thread the tables do not depend on the slices of a run.
"""

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.runs import Clock, Due, Slices
from riverboat.solve._deals import Deals
from riverboat.solve._public import public_walkers
from riverboat.solve._scheme import Forks, RegretRule, Scheme
from riverboat.solve._tables import Tables, whole_number


class Crew(_core.Crew):
    """A pool of threads for the iterations of slices; the calling thread is one of them.

    Kernels of the core divide a slice into blocks of iterations, and each free thread takes the
    next block. Only one caller may use a crew at a time.

    Parameters
    ----------
    threads
        Number of threads, including the calling thread.

    Attributes
    ----------
    threads
        Number of threads.

    Examples
    --------
    >>> Crew(2).threads
    2
    """


class Kernel(Protocol):
    """Runs iterations that update its tables."""

    @property
    def threads(self) -> int:
        """Number of threads."""

    def run(self, first: int, last: int, crew: Crew) -> int:
        """Run iterations `first` to `last - 1`; return the number of visited decision nodes."""


class Driver(Slices):
    """Runs a kernel in slices (`riverboat.runs.Slices`).

    Parameters
    ----------
    kernel
        The kernel.
    length, steady
        Length of the slices, as in `Slices`.

    Attributes
    ----------
    nodes
        Number of visited decision nodes.

    Examples
    --------
    >>> class Nothing:
    ...     threads = 1
    ...     def run(self, first, last, crew):
    ...         return last - first
    >>> driver = Driver(Nothing())
    >>> driver.advance(7)
    >>> driver.iterations, driver.nodes
    (7, 7)
    """

    def __init__(self, kernel: Kernel, *, length: int = 1, steady: bool = False) -> None:
        super().__init__(self._iterate, length=length, steady=steady, least=kernel.threads)
        self.kernel = kernel
        self.nodes = 0
        self._crew: Crew | None = None

    def take(self, kernel: Kernel, slice_seconds: Callable[[], float]) -> None:
        """Replace the kernel and the length of slices, from the next call of `run` on.

        Parameters
        ----------
        kernel
            A kernel with the same tables.
        slice_seconds
            Returns the duration of the next slice; called after each slice.
        """
        self.kernel, self.least, self.slice_seconds = kernel, kernel.threads, slice_seconds

    def run(
        self,
        until: Mapping[Clock, float],
        dues: Sequence[Due] = (),
        processor_clock: Callable[[], float] = time.process_time,
    ) -> Generator[frozenset[str], None, None]:
        """Run slices, all with the same threads: see `Slices.run`."""
        self._crew = Crew(self.kernel.threads)
        try:
            yield from super().run(until, dues, processor_clock)
        finally:
            self._crew = None

    def _iterate(self, first: int, last: int) -> None:
        crew = self._crew or Crew(self.kernel.threads)
        self.nodes += self.kernel.run(first, last, crew)


# Values of the core's RegretRule; linear CFR is DCFR with both exponents 1.
_RULES: Final[dict[RegretRule, int]] = {
    "cfr": 0,
    "cfr+": 1,
    "linear": 2,
    "dcfr": 2,
    "predictive+": 3,
}
_DISCOUNTING: Final = frozenset({"linear", "dcfr"})


def make_kernel(deals: Deals, scheme: Scheme, seed: int, threads: int, tables: Tables) -> Kernel:
    """Return the kernel of a scheme."""
    if scheme.sampling == "full":
        return _FullWidth(deals, scheme, tables)
    inputs = _Inputs(deals, scheme, seed, threads, tables)
    if scheme.forks is not None:
        return _Forked(inputs)
    return _PublicChance(inputs) if scheme.sampling == "public-chance" else _Sampled(inputs)


def _rule(scheme: Scheme) -> _core.RuleSettings:
    linear = scheme.rule == "linear"
    return _core.RuleSettings(
        _RULES[scheme.rule],
        1.0 if linear else scheme.alpha,
        1.0 if linear else scheme.beta,
        scheme.average_power,
        float(scheme.delay),
    )


def discount_steps(scheme: Scheme, regrets: NDArray[Any], first: int, last: int) -> None:
    """Discount regrets as iterations `first` to `last - 1` discount entries without updates.

    Examples
    --------
    >>> import numpy as np
    >>> regrets = np.array([6.0, -6.0], np.float32)
    >>> discount_steps(Scheme("external", "linear", step=10), regrets, 0, 20)  # 1/2, then 2/3
    >>> regrets.tolist()
    [2.0, -2.0]
    """
    if scheme.rule in _DISCOUNTING:
        rule, step, crew = _rule(scheme), scheme.step_iterations, Crew(1)
        for number in range(first // step + 1, last // step + 1):
            _core.discount(regrets, *rule.factors(float(number)), crew)


class _FullWidth:
    """Full-width CFR: every deal in every iteration."""

    threads = 1

    def __init__(self, deals: Deals, scheme: Scheme, tables: Tables) -> None:
        self._walk = _core.FullWidth(deals.compiled)
        self._rule = _rule(scheme)
        self._tables = tables

    def run(self, first: int, last: int, crew: Crew) -> int:  # noqa: ARG002 - one thread
        tables = self._tables
        return self._walk.run(
            self._rule, first, last, tables.regrets, tables.average, tables.predictions
        )


@dataclass(frozen=True, slots=True)
class _Inputs:
    """The input of sampled kernels."""

    deals: Deals
    scheme: Scheme
    seed: int
    threads: int
    tables: Tables


@dataclass(frozen=True, slots=True)
class _Piece:
    """Iterations with the same step, floor and pruning."""

    first: int
    end: int
    step: int
    floor: float
    pruned: bool


def _pieces(scheme: Scheme, first: int, last: int) -> Iterator[_Piece]:
    """Split iterations where step, floor or pruning change."""
    while first < last:
        step = first // scheme.step_iterations
        floor, floor_end = scheme.floor_at(first)
        pruned = scheme.prune is not None and first >= scheme.prune.after
        end = min(last, (step + 1) * scheme.step_iterations)
        if floor_end is not None:
            end = min(end, floor_end)
        if scheme.prune is not None and not pruned:
            end = min(end, scheme.prune.after)
        yield _Piece(first, end, step, floor, pruned)
        first = end


class _Stepped:
    """A sampled kernel: runs pieces, and discounts the whole table after each step."""

    def __init__(self, inputs: _Inputs) -> None:
        self.threads = inputs.threads
        self._of = inputs
        self._rule = _rule(inputs.scheme)
        self._discounts = inputs.scheme.rule in _DISCOUNTING

    def run(self, first: int, last: int, crew: Crew) -> int:
        scheme, nodes = self._of.scheme, 0
        for piece in _pieces(scheme, first, last):
            nodes += self._walk(piece, crew)
            if self._discounts and piece.end % scheme.step_iterations == 0:
                factors = self._rule.factors(piece.step + 1.0)
                _core.discount(self._of.tables.regrets, *factors, crew)
        return nodes

    def _walk(self, piece: _Piece, crew: Crew) -> int:
        """Run the iterations of a piece; return the number of visited decision nodes."""
        raise NotImplementedError


class _Sampled(_Stepped):
    """One deal per iteration: chance, external, outcome, average-strategy and pure sampling."""

    def __init__(self, inputs: _Inputs) -> None:
        super().__init__(inputs)
        every = inputs.scheme.average_every
        if inputs.scheme.sampling in {"external", "pure"} and every is None:
            every = _core.collecting_interval(inputs.deals.tree.compiled)
        self._average_every = every or 1

    def _walk(self, piece: _Piece, crew: Crew) -> int:
        of, options = self._of, self._options(piece)
        arguments = of.deals.compiled, options, piece.first, piece.end, crew
        tables = of.tables.regrets, of.tables.average
        if of.scheme.sampling == "pure":  # its tables are integers
            return _core.run_pure(*arguments, *tables)
        return _core.run_sampled(of.scheme.sampling, *arguments, *tables)

    def _options(self, piece: _Piece) -> _core.WalkOptions:
        scheme = self._of.scheme
        options = _core.WalkOptions()
        options.seed = self._of.seed
        options.floor = piece.floor
        options.floor_in_average = scheme.floor_in_average
        options.average_weight = self._rule.average_weight(piece.step + 1.0)
        options.epsilon = scheme.exploration
        options.tau = scheme.tau
        options.beta = scheme.beta_offset
        options.plus = scheme.rule == "cfr+"
        options.average_every = self._average_every
        if scheme.explore is not None:
            options.explore = scheme.explore.probability
            options.explore_weight = scheme.explore.weight
        if scheme.prune is not None and piece.pruned:
            options.prune_below = scheme.prune.below
            options.prune_probability = scheme.prune.probability
        return options


class _Forked(_Sampled):
    """One deal at a time, with a thread for each large subtree."""

    def _walk(self, piece: _Piece, crew: Crew) -> int:  # noqa: ARG002 - it starts its own threads
        of, forks = self._of, self._of.scheme.forks or Forks()
        found = _core.run_forked(
            of.deals.compiled, self._options(piece), forks.more_than, forks.last_street,
            of.threads, piece.first, piece.end, of.tables.regrets, of.tables.average,
        )  # fmt: skip
        return found[0]


class _PublicChance(_Stepped):
    """One public outcome per iteration, with all hands of both players."""

    def __init__(self, inputs: _Inputs) -> None:
        super().__init__(inputs)
        self._walkers = public_walkers(inputs.deals, inputs.threads)

    def _walk(self, piece: _Piece, crew: Crew) -> int:
        tables, weight = self._of.tables, self._rule.average_weight(piece.step + 1.0)
        return self._walkers.run(
            self._rule, self._of.seed, weight, piece.first, piece.end, crew,
            tables.regrets, tables.average, tables.predictions,
        )  # fmt: skip


_MOST = 1 << 40
#: Maximum number of threads of a solver.
MOST_THREADS: Final = 1024


class ForkCounts(NamedTuple):
    """Counts of a run with threads by subtree."""

    nodes: int
    """Visited decision nodes."""
    span: int
    """Nodes of these on the critical path, summed over traversals."""
    threads: int
    """Started threads."""


def count_forks(  # noqa: PLR0913, PLR0917 - the docstring names them
    deals: Deals,
    scheme: Scheme,
    iterations: int,
    threads: int = 1,
    seed: int = 0,
    tables: tuple[NDArray[np.float32], NDArray[np.float64]] | None = None,
) -> ForkCounts:
    """Run iterations of a scheme with `forks`, and count threads and nodes.

    Parameters
    ----------
    deals
        A game for two players.
    scheme
        External sampling with forks; only its floor of the first iteration is used.
    iterations
        Number of iterations; each has one deal and a traversal for each player.
    threads
        Maximum number of threads at once; with 1 locks are taken, but no thread starts.
    seed
        Random seed of the deals.
    tables
        [entries] regrets and average weights, which are modified; empty ones by default.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import enumerate_deals
    >>> from riverboat.tree import Tree
    >>> deals = enumerate_deals(Tree(catalogue("leduc"), "min"))
    >>> counts = count_forks(deals, Scheme("external", forks=Forks(more_than=1)), 100, threads=8)
    >>> counts.threads > 0, counts.span < counts.nodes
    (True, True)
    """
    forks, options = scheme.forks or Forks(), _core.WalkOptions()
    options.seed, options.floor = whole_number("seed", seed, 0, _MOST), scheme.floor_at(0)[0]
    last = whole_number("iterations", iterations, 0, _MOST)
    live = whole_number("threads", threads, 1, MOST_THREADS)
    size = deals.num_entries
    both = tables or (np.zeros(size, np.float32), np.zeros(size))
    rule = forks.more_than, forks.last_street
    found = _core.run_forked(deals.compiled, options, *rule, live, 0, last, *both)
    return ForkCounts(*found)
