"""A street to the end of the hand, solved for all hands of both players from its beginning."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from riverboat.bots import HandStrategies
from riverboat.spots import Engine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from riverboat.spots import Spot

__all__ = ["Budget", "Ranges", "Subgame"]

#: `[1326]` of the player out of position and of the one in position.
Ranges = tuple["NDArray[np.float64]", "NDArray[np.float64]"]

_SLICE: Final = 5  # iterations between looks at the clock


@dataclass(frozen=True, slots=True)
class Budget:
    """What one solve may take: iterations, or seconds if they are None."""

    iterations: int | None
    seconds: float


class Subgame:
    """A solved subgame.

    Parameters
    ----------
    spot
        Board, chips and menu; its ranges do not count.
    ranges
        Of both players, out of position first.
    locks
        Decisions that are kept: strategies `[1326, actions]` by line.
    budget
        How long to solve.
    threads
        Of the solver.
    """

    def __init__(
        self,
        spot: Spot,
        ranges: Ranges,
        locks: Mapping[str, NDArray[np.float64]],
        budget: Budget,
        threads: int,
    ) -> None:
        began = time.perf_counter()
        self.spot, self.tree = spot, spot.tree()
        self.engine = Engine(self.tree, spot.cards, ranges, threads=threads)
        for line, rows in locks.items():
            self.engine.lock(self.tree.node(line), None, _held(rows).T)
        self._solve(budget, began)
        self.seconds = time.perf_counter() - began

    def _solve(self, budget: Budget, began: float) -> None:
        if budget.iterations is not None:
            self.engine.run(budget.iterations)
            return
        while True:
            before = time.perf_counter()
            self.engine.run(_SLICE)
            now = time.perf_counter()
            # Stop where another slice would be late.
            if now + (now - before) - began > budget.seconds:
                return

    def has(self, line: str) -> bool:
        """Whether the tree knows a line."""
        try:
            self.tree.node(line)
        except Exception:
            return False
        return True

    def rows(self, line: str) -> HandStrategies:
        """Return what all hands do at a decision on the subgame's own street."""
        node = self.tree.node(line)
        strategy = np.nan_to_num(self.engine.strategy(node).astype(np.float64))
        return HandStrategies(self.tree.actions(node), strategy.T)

    def ranges_after(self, line: str, cards: tuple[int, ...]) -> Ranges:
        """Return both ranges where a line and new cards lead to the next street."""
        node = self.tree.node(line)
        found = [np.nan_to_num(self.engine.reach(player, node, cards)) for player in (0, 1)]
        return found[0], found[1]

    @property
    def exploitability(self) -> float:
        """Of the solve in its own subgame, as a part of its pot."""
        return self.engine.exploitability()[2] / self.spot.pot

    @property
    def bytes(self) -> int:
        """Memory of its tables."""
        return sum(table.nbytes for table in self.engine.state().values())


def _held(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows of a lock: hands that cannot be there are left free."""
    return np.where(rows.sum(axis=1, keepdims=True) > 0, rows, np.nan)
