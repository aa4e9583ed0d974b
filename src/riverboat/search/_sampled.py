"""A flop on the CPU: sampled runouts to the end of the hand, with the face of an engine."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from riverboat.errors import GameError
from riverboat.spots import SampledSettings, SampledSolver, Spot, forecast_flop

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from riverboat.search._street import Planned

    Ranges = tuple[NDArray[np.float64], NDArray[np.float64]]


def _inputs(planned: Planned, ranges: Ranges, threads: int) -> tuple[Spot, SampledSettings]:
    state = planned.state
    weights = (ranges[0] / ranges[0].max()).tolist(), (ranges[1] / ranges[1].max()).tolist()
    # The same cards are drawn whenever the same board is solved.
    seed = zlib.crc32(state.board_text.encode())
    return Spot.from_state(state, weights), SampledSettings(seed=seed, threads=threads)


def flop_seconds(planned: Planned, ranges: Ranges, threads: int) -> float:
    """Return the estimated seconds of an iteration."""
    spot, settings = _inputs(planned, ranges, threads)
    return forecast_flop(spot, settings, tree=planned.tree).seconds_per_iteration


class SampledFlop:
    """Solver of a flop by sampled runouts.

    Parameters
    ----------
    planned
        Board, chips and tree.
    ranges
        Ranges of both players, out of position first.
    threads
        Threads; they do not change the result.
    """

    def __init__(
        self,
        planned: Planned,
        ranges: Ranges,
        threads: int,
    ) -> None:
        spot, settings = _inputs(planned, ranges, threads)
        self._solver = SampledSolver(spot, settings, tree=planned.tree)

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return self._solver.iterations

    @property
    def bytes(self) -> int:
        """Memory."""
        return self._solver.num_bytes

    def run(self, iterations: int) -> None:
        """Run more iterations."""
        self._solver.run(iterations)

    def strategy(self, node: int) -> NDArray[np.float64]:
        """Return `[actions, 1326]`: the average strategy of a flop decision; nan if dead."""
        return self._solver.strategy(node)

    def lock(self, node: int, cards: None, strategy: NDArray[np.float64]) -> None:
        """Keep the strategy that was played at a decision."""
        del cards
        self._solver.lock(node, strategy)

    def exploitability(self) -> tuple[float, float, float]:
        """Refuse: sampled runouts do not tell it."""
        raise GameError("the exploitability of a flop with sampled runouts is not known")
