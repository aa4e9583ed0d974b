"""Exact values of strategies in games whose deals can be enumerated.

Exploitability is NashConv over the number of players: the mean gain of a best
response. In two-player games it is NashConv / 2.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.errors import SolveError
from riverboat.solve import Deals

__all__ = ["Exploitability", "exploitability"]


@dataclass(frozen=True, slots=True)
class Exploitability:
    """Exact values of a profile of strategies, in chips a hand."""

    values: tuple[float, ...]
    """What each seat wins when all play the strategy."""
    best_responses: tuple[float, ...]
    """What each seat wins by a best response to the others."""

    @property
    def nash_conv(self) -> float:
        """Sum of the seats' gains by deviating."""
        return sum(self.best_responses) - sum(self.values)

    @property
    def exploitability(self) -> float:
        """Mean gain by deviating: NashConv over the number of seats."""
        return self.nash_conv / len(self.values)


def exploitability(deals: Deals, strategy: NDArray[np.floating[Any]]) -> Exploitability:
    """Compute the exact value and the exploitability of a strategy.

    Parameters
    ----------
    deals
        Enumerated deals of a game: its buckets never forget.
    strategy
        [entries] probabilities, as `Solver.strategy` gives them.

    Examples
    --------
    >>> import numpy as np
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import Scheme, Solver, enumerate_deals
    >>> from riverboat.tree import Tree
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme("full"))
    >>> round(exploitability(solver.deals, solver.strategy()).nash_conv, 6)  # of uniform play
    0.916667
    """
    if deals.num_deals is None:
        raise SolveError("exact exploitability needs deals that can be enumerated")
    if strategy.shape != (deals.num_entries,):
        raise SolveError(f"a strategy here has {deals.num_entries} entries, not {strategy.shape}")
    table = np.ascontiguousarray(strategy, np.float64)
    exact = _core.ExactValues(deals.compiled)
    seats = range(deals.tree.spec.players)
    return Exploitability(
        tuple(exact.value(seat, table, False) for seat in seats),
        tuple(exact.value(seat, table, True) for seat in seats),
    )
