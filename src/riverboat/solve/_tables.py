"""The tables of a solver: sizes, types, saving and restoring; checks of numbers from users."""

import numbers
import operator
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from math import isfinite
from typing import Annotated, Any, Final, Self, SupportsIndex, cast

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from riverboat.errors import SolveError
from riverboat.report import FramedRow
from riverboat.settings import allowed, shown
from riverboat.solve._scheme import MOST_ITERATIONS, Scheme
from riverboat.tree import Tree


def whole_number(name: str, value: object, least: int, most: int) -> int:
    """Return a whole number within bounds as a plain int; refuse other values.

    Examples
    --------
    >>> whole_number("threads", 2.5, 1, 9)
    Traceback (most recent call last):
    ...
    riverboat.errors.SolveError: threads=2.5 is not allowed: it must be a whole number from 1 to 9
    """
    number = None
    if type(value) is not bool:
        with suppress(TypeError):
            number = operator.index(cast("SupportsIndex", value))
    if number is None or not least <= number <= most:
        raise _refused(name, value, Annotated[int, Meta(ge=least, le=most)])
    return number


def real_number(name: str, value: object, least: float, most: float) -> float:
    """Return a number within bounds as a float; refuse other values and NaN.

    Examples
    --------
    >>> real_number("tau", float("nan"), 0, 1e18)
    Traceback (most recent call last):
    ...
    riverboat.errors.SolveError: tau=nan is not allowed: it must be a number from 0 to 1e+18
    """
    number = float("nan")
    if type(value) is not bool and isinstance(value, numbers.Real):
        with suppress(OverflowError):
            number = float(value)
    if not least <= number <= most:
        bound = most if isfinite(most) else None
        raise _refused(name, value, Annotated[float, Meta(ge=least, le=bound)])
    return number


def _refused(name: str, value: object, kind: object) -> SolveError:
    """Return an error with the same message as for settings."""
    return SolveError(f"{name}={shown(value)} is not allowed: it must be {allowed(kind)}")


@dataclass(frozen=True, slots=True)
class SolverReport(FramedRow):
    """A progress report of a solver."""

    iterations: int
    """Finished iterations, including those before the solver was restored."""
    seconds: float
    """Elapsed time of these iterations."""
    iterations_per_second: float
    """Speed since the last report."""
    nodes: int
    """Number of visited decision nodes."""
    infosets: int
    visited: int
    """Infosets with a regret or an average."""
    averaged: int
    """Infosets with an average; the strategy of the others is uniform."""
    average_regret: float
    """Mean over infosets of the largest positive regret per iteration, in chips."""
    memory_bytes: int
    """Memory of the tables."""
    exploitability: float | None = None
    """Exploitability in chips per hand, if it was measured: see `Marks`."""


Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class SolverState:
    """The state of a solver, without scheme, seed and game.

    Random numbers depend only on the seed and the iteration, so no generator state is needed.
    """

    iterations: int
    """Finished iterations."""
    seconds: float
    """Elapsed time of the iterations."""
    nodes: int
    """Number of visited decision nodes."""
    arrays: Arrays
    """[entries] arrays `regrets`, `average`, and for `predictive+` `predictions`."""


def checked_state(state: SolverState, tables: Arrays) -> SolverState:
    """Return a state with plain numbers; refuse arrays that do not fit the solver's tables."""
    if not isinstance(state, SolverState):
        raise SolveError(f"{shown(state)} is not a SolverState")
    if not isinstance(state.arrays, Mapping) or set(state.arrays) != set(tables):
        raise SolveError(
            f"a state of this scheme must have the arrays {', '.join(tables)}, "
            f"not {shown(sorted(map(str, state.arrays)))}"
        )
    for name, table in tables.items():
        _check_array(name, state.arrays[name], table)
    return SolverState(
        whole_number("iterations", state.iterations, 0, MOST_ITERATIONS),
        real_number("seconds", state.seconds, 0.0, 1e18),
        whole_number("nodes", state.nodes, 0, 2**63),
        state.arrays,
    )


def _check_array(name: str, given: object, table: NDArray[Any]) -> None:
    if not isinstance(given, np.ndarray):
        raise SolveError(f"{name} of a state must be an array, not {shown(given)}")
    if given.shape != table.shape or given.dtype != table.dtype:
        raise SolveError(
            f"{name} of this game and scheme must be {list(table.shape)} {table.dtype}, "
            f"not {list(given.shape)} {given.dtype}"
        )
    if not np.isfinite(given).all() or (name == "average" and given.min(initial=0) < 0):
        raise SolveError(
            f"{name} of a state contains an impossible number: infinite, NaN or a negative average"
        )


_PIECE: Final = 2**19  # entries that one thread copies at a time: at least a large page


def table_dtypes(scheme: Scheme) -> dict[str, np.dtype[Any]]:
    """Return the dtype of each table of a scheme, by name.

    Pure sampling counts in integers. Regrets of sampled schemes are float32, because they take most
    of the memory in hold'em; averages are float64, because they grow without limit.

    Examples
    --------
    >>> table_dtypes(Scheme("external"))
    {'regrets': dtype('float32'), 'average': dtype('float64')}
    """
    regret, average = {
        "pure": (np.int32, np.uint32),
        "full": (np.float64, np.float64),
    }.get(scheme.sampling, (np.float32, np.float64))
    dtypes = {"regrets": np.dtype(regret), "average": np.dtype(average)}
    return dtypes | ({"predictions": np.dtype(regret)} if scheme.rule == "predictive+" else {})


def bytes_per_entry(scheme: Scheme) -> int:
    """Return the bytes of a solver's tables for each strategy entry.

    Examples
    --------
    >>> bytes_per_entry(Scheme("external")), bytes_per_entry(Scheme("pure"))
    (12, 8)
    """
    return sum(dtype.itemsize for dtype in table_dtypes(scheme).values())


def table_sizes(tree: Tree, num_buckets: Sequence[int]) -> tuple[int, int]:
    """Return the numbers of infosets and strategy entries, given the buckets by group.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> table_sizes(Tree(catalogue("kuhn"), "min"), (3, 3))
    (12, 24)
    """
    infosets = sum(map(int.__mul__, num_buckets, tree.group_decisions.tolist()))
    return infosets, sum(map(int.__mul__, num_buckets, tree.group_entries.tolist()))


@dataclass(frozen=True, eq=False)
class Tables:
    """The tables of a solver, [entries] each; predictions are empty for rules without them."""

    regrets: NDArray[Any]
    average: NDArray[Any]
    predictions: NDArray[Any]

    @classmethod
    def empty(cls, scheme: Scheme, entries: int) -> Self:
        """Return the tables of a scheme, filled with zeros."""
        tables = {name: np.zeros(entries, dtype) for name, dtype in table_dtypes(scheme).items()}
        return cls(**{"predictions": np.zeros(0, tables["regrets"].dtype), **tables})

    def named(self) -> dict[str, NDArray[Any]]:
        """Return the used tables by name."""
        tables = {"regrets": self.regrets, "average": self.average}
        return tables | ({"predictions": self.predictions} if len(self.predictions) else {})

    def copy_from(self, arrays: Mapping[str, NDArray[Any]], threads: int) -> None:
        """Copy arrays of the same sizes and types into the tables.

        The first thread to write a page decides on which memory node it lies (NUMA). So all threads
        copy a part of the pages, as they do in a run without a checkpoint.
        """
        with ThreadPoolExecutor(threads) as pool:
            for name, table in self.named().items():
                copy = partial(_copy_piece, table, arrays[name])
                list(pool.map(copy, range(0, len(table), _PIECE)))

    def start_from(self, regrets: NDArray[Any]) -> None:
        """Set initial regrets; refuse an array of another size, or with infinite numbers."""
        self.regrets[:] = _checked_start(regrets, self.regrets)


def _copy_piece(to: NDArray[Any], given: NDArray[Any], begin: int) -> None:
    to[begin : begin + _PIECE] = given[begin : begin + _PIECE]


def _checked_start(start: NDArray[Any], regrets: NDArray[Any]) -> NDArray[Any]:
    start = np.asarray(start)
    if start.shape != regrets.shape or start.dtype.kind not in "iuf":
        raise SolveError(
            f"starting regrets must be {len(regrets)} numbers, not {start.shape} of {start.dtype}"
        )
    whole = regrets.dtype == np.int32
    # Sums of some regrets must stay finite, too.
    most = float(np.iinfo(np.int32).max if whole else np.finfo(regrets.dtype).max / 2**20)
    if not (np.abs(start.astype(np.float64)) <= most).all():
        raise SolveError(f"starting regrets must be finite numbers from {-most:g} to {most:g}")
    return np.rint(start) if whole else start
