"""All that a run needs to go on: saved, restored in another process, it is the same run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import SolveError
from riverboat.settings import shown
from riverboat.solve._checks import MOST_ITERATIONS, real_number, whole_number

__all__ = ["SolverState", "checked_state"]

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class SolverState:
    """Where a run stands. Draws depend on the seed and the iteration only.

    Scheme, seed and game are not part of it: the solver that is restored has its own.
    """

    iterations: int
    """Finished in all."""
    seconds: float
    """Spent iterating."""
    nodes: int
    """Decision nodes entered."""
    arrays: Arrays
    """By name, [entries]: `regrets`, `average`, and with `predictive+` `predictions`."""


def checked_state(state: SolverState, tables: Arrays) -> SolverState:
    """Return the state with plain numbers, refused unless its arrays fit the solver's tables."""
    if not isinstance(state, SolverState):
        raise SolveError(f"{shown(state)} is no SolverState")
    if not isinstance(state.arrays, Mapping) or set(state.arrays) != set(tables):
        raise SolveError(
            f"a state of this scheme has the arrays {', '.join(tables)}, "
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
        raise SolveError(f"{name} of a state is an array, not {shown(given)}")
    if given.shape != table.shape or given.dtype != table.dtype:
        raise SolveError(
            f"{name} of this game and scheme is {list(table.shape)} {table.dtype}, "
            f"not {list(given.shape)} {given.dtype}"
        )
    if not np.isfinite(given).all() or (name == "average" and given.min(initial=0) < 0):
        raise SolveError(f"{name} of a state holds a number that no run could have made")
