"""Sample boards; on each, evaluate all hands of a strategy in self-play.

The kernel, `core/solve/public_values.cpp`, adds up values of nodes by bucket. The tables of a
strategy file are computed once and kept in the cache folder.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat import _core
from riverboat.errors import DamagedFileError
from riverboat.files import ArrayFile
from riverboat.runs import num_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from riverboat.blueprint import Blueprint

_SEED: Final = 1
# Threads, each with its own sums. Their number is fixed, so all machines round sums identically.
_LANES: Final = 2


class BoardWalk:
    """Evaluates boards; the results are added to `sums`.

    Parameters
    ----------
    blueprint, strategy
        A blueprint for two players, and its probabilities as `Blueprint.dense` returns them.
    entered, begun
        [nodes, 2] int64 offsets of the sums of a node and seat: by the bucket at the action that
        leads to the node, and by the bucket at the node; -1 = no sums.
    room
        Size of the sums.

    Attributes
    ----------
    sums
        [lanes, 2, room] float64: sums of value times weight, and of weights.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        strategy: NDArray[Any],
        entered: NDArray[np.int64],
        begun: NDArray[np.int64],
        room: int,
    ) -> None:
        public = _core.holdem_public(blueprint.deals().compiled)
        self._strategy, self._where = strategy, (entered, begun)
        self._walkers = [_core.PublicValues(public) for _ in range(_LANES)]
        self.sums = np.zeros((_LANES, 2, room))

    def run(self, first: int, end: int) -> None:
        """Evaluate the boards `first` to `end - 1`."""

        def walk(lane: int) -> None:
            worth, weight = self.sums[lane]
            numbers = _SEED, first + lane, end, _LANES
            self._walkers[lane].run(*numbers, self._strategy, *self._where, worth, weight)

        with ThreadPoolExecutor(min(_LANES, num_cores())) as pool:
            list(pool.map(walk, range(_LANES)))


def kept_tables(
    path: Path,
    shapes: Mapping[str, tuple[int, ...]],
    make: Callable[[], Sequence[NDArray[np.float32]]],
) -> Sequence[NDArray[np.float32]]:
    """Return tables from a file if it fits, else compute and save them."""
    with suppress(OSError, DamagedFileError):
        file = ArrayFile(path)
        saved = [np.array(file.array(name)) for name in shapes]
        layout = [(np.dtype(np.float32), shape) for shape in shapes.values()]
        if [(table.dtype, table.shape) for table in saved] == layout:
            return saved
    tables = make()
    with suppress(OSError):  # the tables can be used without a file
        ArrayFile.save(path, dict(zip(shapes, tables, strict=True)))
    return tables
