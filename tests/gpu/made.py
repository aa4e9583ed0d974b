"""Spots that the CPU's engine, the kernels and their twin all solve."""

from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu.twin import TwinSpot
from riverboat.game import Rake
from riverboat.gpu import FlatSpot, GpuCard
from riverboat.spots import DeviceEngine, Engine, Schedule
from spots.made import made, spec_of

#: All regrets are kept: of pcfr+ none is below 0 whose prediction is above.
KEEPING = Schedule((inf, inf, 2.0), own_reach=False, predictive=True)
CARD = GpuCard(0, "a card", 8 * 2**30, 7 * 2**30, 5e11, "13.0")
#: Board, menu, ranges, changes of the game: each street, ties and blockers, rake, a short deck,
#: suits that can be renamed, lines that end before the river.
SPOTS: dict[str, tuple[str, str, tuple[str, str], dict[str, Any]]] = {
    "river": (
        "9s7d6hKcTd",
        "50%, a | a",
        ("AhAd:0.5, KsQs, JhTh, 9c9d, 6s7s:0.25", "AsKs, QdJd, TcTs, 8h8d:0.7, 6s7s"),
        {},
    ),
    "rake": (
        "9s7d6hKcTd",
        "50%, a | a",
        ("AhAd:0.5, KsQs, JhTh, 9c9d", "AsKs, QdJd, TcTs, 8h8d:0.7"),
        {"rake": Rake(5, 3)},
    ),
    # More hands than one warp has: threads share the lists of cards, and blocks take many items.
    "many": (
        "9s7d6hKc",
        "a / 50% | none",
        ("66+, A6s+, K6s+, A6o+, K9o+", "77+, A7s+, Q9s+, ATo+, KJo+:0.5"),
        {"showdown": "short-deck", "ranks": "6789TJQKA"},
    ),
    # More actions than kernels are told at compile time.
    "sizes": (
        "9s7d6hKcTd",
        "25%, 50%, 75%, 100%, a | none",
        ("AhAd:0.5, KsQs, JhTh, 9c9d", "AsKs, QdJd, TcTs, 8h8d:0.7"),
        {},
    ),
    "turn": ("JsTs9h4h", "50%, a | a", ("QQ, 98s, A5s", "TT-99, KJs:0.5"), {}),
    "short": (
        "9s7d6hKc",
        "none / a | none",
        ("AhAd:0.5, KsQs, JhTh:0.9", "AsKh:0.8, QdJd, TcTs:0.7"),
        {"showdown": "short-deck", "ranks": "6789TJQKA"},
    ),
    "flop": (
        "9s7d6h",
        "a / none / a | none",
        ("AhAd:0.5, KsQs", "QdJd, TcTs:0.7"),
        {"showdown": "short-deck", "ranks": "6789TJQKA"},
    ),
}


def engine_of(name: str, **options: Any) -> Engine:
    """Return an engine of a spot: the CPU's, if not told another kind."""
    board, menu, ranges, changes = SPOTS[name]
    return made(spec_of(board, 20, 40, **changes), menu, board, ranges, **options)


def chips(flat: FlatSpot, engine: Engine, player: int, values: NDArray[Any]) -> float:
    """Return what a player wins of a deal, from values of his hands at the root."""
    return float(np.dot(flat.start[player], values) / engine._core.deals(player))


class Table(np.ndarray):
    """An array that is asked as one on a card."""

    brought = 0

    def get(self, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Bring it."""
        Table.brought += 1
        found = np.empty_like(self, subok=False) if out is None else out
        found[...] = self
        return found

    def set(self, given: NDArray[Any]) -> None:
        """Send it."""
        self[...] = given


def twin_of(flat: FlatSpot, **options: Any) -> Any:
    """Return the kernels' twin, to be used in the place of a spot on a card."""
    twin = TwinSpot(flat, **options)
    for name, tables in twin.tables.items():
        twin.tables[name] = [table.view(Table) for table in tables]
    return twin


class TwinEngine(DeviceEngine):
    """The device's engine on the kernels' twin."""

    made = 0

    def _allocate(self, flat: FlatSpot) -> Any:
        TwinEngine.made += 1
        predictive = self.schedule.predictive
        return twin_of(flat, own_reach=self.own_reach, bits=self.bits, predictive=predictive)
