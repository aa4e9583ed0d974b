"""Estimate memory and time of a sampled solve before its tables exist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from riverboat.cards import NUM_HOLES
from riverboat.runs import available_memory, num_cores
from riverboat.spots._flop_solution import MOST_NODES
from riverboat.spots._flop_worth import NUM_BATCHES, flop_nodes
from riverboat.spots._forecast import refuse_memory
from riverboat.spots._sampled import SampledSettings, SampledSize, SampledSolver, check_flop

if TYPE_CHECKING:
    from riverboat.spots._spot import Spot
    from riverboat.tree import Tree

#: Seconds per step on one thread, by hand, by bin and by number that changes its lane: a fit to the
#: CPU time of 32 solves of 0.06 to 24 ms an iteration (docs/research/sampled.md).
_STEP_SECONDS: Final = (1.2e-9, 1.2e-9, 0.9e-9)
#: Tables that the processor's cache does not hold: a turn card's part is read and written at each
#: visit (0.4 to 0.5 ns a byte with tables of 290 and 680 MB).
_BYTE_SECONDS: Final = 4.5e-10
_CACHED_BYTES: Final = 32_000_000
_TREE_BYTES: Final = 100  # per node (measured on trees of 20,000 to 50,000 nodes)
#: Iterations if neither iterations nor seconds are given.
DEFAULT_ITERATIONS: Final = 10_000
_MOST_EVALUATED: Final = 4_500  # iterations of an evaluation, at most and at least
_LEAST_EVALUATED: Final = 90


def num_evaluated(iterations: int) -> int:
    """Return the iterations of the evaluation that ends a solve."""
    return min(max(iterations // 4, _LEAST_EVALUATED), _MOST_EVALUATED)


@dataclass(frozen=True, slots=True)
class FlopForecast:
    """Estimate of a sampled solve.

    Attributes
    ----------
    spot, settings, tree
        What is solved.
    size
        Memory of the solver, and the work of an iteration.
    seconds_per_iteration
        Roughly, if the threads have cores of their own.
    """

    spot: Spot
    settings: SampledSettings
    tree: Tree
    size: SampledSize
    seconds_per_iteration: float

    @property
    def solver_bytes(self) -> int:
        """Memory of the solver, as `SampledSolver.num_bytes`."""
        return self.size.table_bytes + self.size.board_bytes + self.size.scratch_bytes

    @property
    def memory_bytes(self) -> int:
        """Memory of `solve_flop_file`: a checkpoint and an evaluation copy the tables."""
        values = 2 * len(flop_nodes(self.tree)) * NUM_BATCHES * NUM_HOLES * 8
        copied = self.size.table_bytes + values
        return self.solver_bytes + copied + self.tree.num_nodes * _TREE_BYTES

    @property
    def available_bytes(self) -> int:
        """Free memory."""
        return available_memory()

    @property
    def threads(self) -> int:
        """Threads of the solve: at most one per turn card, and one per player on the flop."""
        return min(self.settings.threads or num_cores(), max(self.settings.turns, 2))

    def iterations(self, iterations: int | None = None, seconds: float | None = None) -> int:
        """Estimated iterations until one of these limits; without both the default."""
        if seconds is None:
            return DEFAULT_ITERATIONS if iterations is None else iterations
        timed = max(1, int(seconds / self.seconds_per_iteration))
        return timed if iterations is None else min(timed, iterations)

    def seconds(self, iterations: int) -> float:
        """Estimated seconds of `solve_flop_file`, its evaluation included."""
        return (iterations + num_evaluated(iterations)) * self.seconds_per_iteration

    def check(self) -> None:
        """Refuse a solve that does not fit into memory."""
        needed, available = self.memory_bytes, self.available_bytes
        if needed > available:
            refuse_memory("this flop", needed, available, "fewer bet sizes")


def forecast_flop(
    spot: Spot,
    settings: SampledSettings = SampledSettings(),  # noqa: B008 - frozen
    *,
    tree: Tree | None = None,
) -> FlopForecast:
    """Estimate memory and time of a sampled solve.

    Examples
    --------
    >>> from riverboat.spots import Spot, forecast_flop
    >>> spot = Spot(board="8s2sJs", pot=50, stack=100, oop="QQ, 99, AJ", ip="KK, TT", menu="50%, a")
    >>> plan = forecast_flop(spot)
    >>> plan.solver_bytes < plan.memory_bytes
    True
    """
    check_flop(spot)
    tree = spot.tree(MOST_NODES) if tree is None else tree
    size = SampledSolver.size(spot, tree, settings)
    steps = size.hand_steps, size.bin_steps, size.copy_steps
    seconds = sum(count * each for count, each in zip(steps, _STEP_SECONDS, strict=True))
    visited = settings.turns / (len(tree.spec.deck) - len(spot.cards))
    seconds += max(0, size.table_bytes - _CACHED_BYTES) * visited * _BYTE_SECONDS
    workers = min(settings.threads or num_cores(), settings.turns)
    return FlopForecast(spot, settings, tree, size, seconds / workers)
