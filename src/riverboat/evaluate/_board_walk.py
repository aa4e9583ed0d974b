"""Boards are drawn, and on each all hands of both seats play a strategy against each other.

The kernel is `core/solve/public_values.cpp`: it adds up what nodes are worth, by bucket. What comes
of it is made once for a strategy file, and kept in the cache folder.
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
# Threads, each with sums of its own; always as many, so that sums are rounded alike everywhere.
_LANES: Final = 2


class BoardWalk:
    """Walks boards; what it finds is added to `sums`.

    Parameters
    ----------
    blueprint, strategy
        Of two players; its probabilities, as `Blueprint.dense` gives them.
    entered, begun
        [nodes, 2] int64, where the sums of a node and seat begin, by the bucket at the action
        that leads there, and at the node; -1 = not kept.
    room
        Numbers that sums take.

    Attributes
    ----------
    sums
        [lanes, 2, room] float64: worth times weight, and weight.
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
        """Walk boards, numbered from `first` to before `end`."""

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
    """Return tables from a file if they are there, whole and of these shapes; else make them."""
    with suppress(OSError, DamagedFileError):
        file = ArrayFile(path)
        found = [np.array(file.array(name)) for name in shapes]
        wanted = [(np.dtype(np.float32), shape) for shape in shapes.values()]
        if [(table.dtype, table.shape) for table in found] == wanted:
            return found
    made = make()
    with suppress(OSError):  # the tables themselves are good
        ArrayFile.save(path, dict(zip(shapes, made, strict=True)))
    return made
