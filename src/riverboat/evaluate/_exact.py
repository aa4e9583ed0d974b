"""Exact values and exploitability of strategies in games whose deals can be enumerated.

Exploitability is NashConv divided by the number of players: the mean gain of a best response.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.errors import SolveError
from riverboat.report import Columns, Framed
from riverboat.solve import BaseSolver, Deals, Marks

_ROUNDING = 1e-4


@dataclass(frozen=True, slots=True)
class Exploitability(Framed):
    """Exact values of a strategy for all seats, in chips per hand."""

    values: tuple[float, ...]
    """EV of each seat when all seats play the strategy."""
    best_responses: tuple[float, ...]
    """EV of each seat's best response to the strategy."""

    @property
    def nash_conv(self) -> float:
        """Sum of all seats' gains by a best response."""
        return sum(self.best_responses) - sum(self.values)

    @property
    def exploitability(self) -> float:
        """Mean gain by a best response: NashConv divided by the number of seats."""
        return self.nash_conv / len(self.values)

    def frame_columns(self) -> Columns:
        """Return one row per seat: value, EV of the best response, and the gain."""
        pairs = zip(self.values, self.best_responses, strict=True)
        return {
            "seat": range(len(self.values)),
            "value": self.values,
            "best_response": self.best_responses,
            "gain": [best - value for value, best in pairs],
        }


def exploitability(deals: Deals, strategy: NDArray[np.floating[Any]]) -> Exploitability:
    """Compute the exact value and the exploitability of a strategy.

    Parameters
    ----------
    deals
        Enumerated deals of a game, whose buckets have perfect recall.
    strategy
        [entries] probabilities, as `Solver.strategy` returns them.

    Examples
    --------
    >>> import numpy as np
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import Scheme, Solver, enumerate_deals
    >>> from riverboat.tree import Tree
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme("full"))
    >>> round(exploitability(solver.deals, solver.strategy()).nash_conv, 6)  # uniform strategy
    0.916667
    """
    if deals.num_deals is None:
        raise SolveError("exact exploitability needs deals that can be enumerated")
    table = checked_strategy(deals, strategy)
    exact = _core.ExactValues(deals.compiled)
    seats = range(deals.tree.spec.players)
    return Exploitability(
        tuple(exact.value(seat, table, False) for seat in seats),
        tuple(exact.value(seat, table, True) for seat in seats),
    )


def exploitability_at(*iterations: int) -> Marks:
    """Return marks at which a run reports its exact exploitability.

    Parameters
    ----------
    iterations
        Numbers of iterations.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import Scheme, Solver, enumerate_deals
    >>> from riverboat.tree import Tree
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme("full", "cfr+"))
    >>> reports = list(solver.run(iterations=50, marks=exploitability_at(10, 50)))
    >>> [round(report.exploitability, 2) for report in reports]
    [0.05, 0.01]
    """
    return Marks(tuple(sorted(iterations)), _measured)


def _measured(run: BaseSolver) -> float:
    """Return the exact exploitability of a solver's strategy, in chips per hand."""
    return exploitability(run.deals, run.strategy()).exploitability


def checked_strategy(
    deals: Deals,
    strategy: NDArray[np.floating[Any]],
    dtype: type[np.float32] | type[np.float64] = np.float64,
) -> NDArray[Any]:
    """Return a strategy as floats; refuse it unless the probabilities of each infoset sum to 1.

    Hold'em strategies take hundreds of megabytes: an array of the right dtype is not copied, and
    the check needs memory for only one more array.
    """
    try:
        table: NDArray[Any] = np.ascontiguousarray(strategy, dtype)
    except (TypeError, ValueError) as error:
        raise SolveError(
            f"a strategy must be an array of probabilities, not {strategy!r}"
        ) from error
    if table.shape != (deals.num_entries,):
        raise SolveError(
            f"a strategy of this game must have {deals.num_entries} entries, not {table.shape}"
        )
    if not np.isfinite(table).all() or table.min() < 0:
        raise SolveError("the probabilities of a strategy must be finite and not negative")
    normalised = np.empty_like(table)
    _core.normalise_into(deals.compiled, table, normalised)
    np.subtract(normalised, table, out=normalised)
    if max(float(normalised.max()), -float(normalised.min())) > _ROUNDING:
        raise SolveError("the probabilities of a strategy must sum to 1 in every infoset")
    return table
