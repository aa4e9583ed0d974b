"""What a strategy wins from itself, by node and bucket: the table behind AIVAT's values.

Boards are drawn, and on each all hands of both seats play the strategy against each other
(`core/solve/public_values.cpp`). The table has, for each decision and seat, the seat's mean share
of the pot by its bucket: *entered*, by the bucket that it has when the last action is made, and
where a street begins also *begun*, by the bucket that the new cards make. It is sampled once for a
strategy file, with a seed of its own, and kept in the cache folder.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from riverboat.errors import DamagedFileError
from riverboat.evaluate._board_walk import BoardWalk
from riverboat.files import ArrayFile, ArrayFileWriter, ArraySpec, cache_folder
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from riverboat.blueprint import Blueprint
    from riverboat.tree import Tree

#: Raised whenever another table would come out for the same strategy.
VERSION: Final = 1
#: Boards that are drawn: about 90 s of processor time for 17,000 nodes.
NUM_BOARDS: Final = 400
_CHUNK: Final = 10
_MOST_CELLS: Final = 40_000_000


@dataclass(frozen=True)
class _Places:
    """Where the cells of a node and seat begin; -1 = not kept."""

    entered: NDArray[np.int64]
    """[nodes, 2]"""
    begun: NDArray[np.int64]
    """[nodes, 2]"""
    sizes: NDArray[np.int64]
    """[streets, 2] buckets of each seat."""
    num_cells: int


@dataclass(frozen=True)
class WorthTable:
    """Shares of the pot.

    Attributes
    ----------
    tree
        Of the strategy.
    places
        Where they lie.
    shares
        [cells] float32; of a pot as it is at the node, more than 1 or less than 0 where more
        chips will come.
    """

    tree: Tree
    places: _Places
    shares: NDArray[np.float32]

    def entered(
        self, node: int, seat: int, buckets: NDArray[np.intp]
    ) -> NDArray[np.float64] | None:
        """Return a seat's shares after the action that leads to a node: [n]; None if not kept."""
        return self._cells(int(self.places.entered[node, seat]), buckets)

    def begun(self, node: int, seat: int, buckets: NDArray[np.intp]) -> NDArray[np.float64] | None:
        """Return a seat's shares at the node with which a street begins: [n]; None if not kept."""
        return self._cells(int(self.places.begun[node, seat]), buckets)

    def _cells(self, place: int, buckets: NDArray[np.intp]) -> NDArray[np.float64] | None:
        if place < 0:
            return None
        return self.shares[place + buckets].astype(np.float64)


def worth_table(
    blueprint: Blueprint, digest: str, progress: Callable[[int, int], object] | None = None
) -> WorthTable:
    """Return the table of a strategy for two players, from the cache folder if it is there.

    Parameters
    ----------
    blueprint
        The strategy.
    digest
        Tells its file from others.
    progress
        Called with the boards that are walked, and all boards.
    """
    places = _fitting_places(blueprint)
    path = table_path(digest)
    try:
        shares = _read(path, places.num_cells)
    except (OSError, DamagedFileError):
        shares = _built(blueprint, places, progress)
        with suppress(OSError):  # the table itself is good
            _write(path, shares)
    return WorthTable(blueprint.tree, places, shares)


def table_path(digest: str) -> Path:
    """Return where the table of a strategy file is kept."""
    return cache_folder() / f"worth-{digest}-v{VERSION}.safetensors"


def _read(path: Path, num_cells: int) -> NDArray[np.float32]:
    shares = np.array(ArrayFile(path).array("shares"))
    if shares.shape != (num_cells,) or shares.dtype != np.float32:
        raise DamagedFileError(f"{path} is damaged: it is the table of another strategy")
    return shares


def _write(path: Path, shares: NDArray[np.float32]) -> None:
    with ArrayFileWriter(path, {"shares": ArraySpec(shares.dtype, shares.shape)}, {}) as writer:
        writer.write("shares", shares)


def _fitting_places(blueprint: Blueprint) -> _Places:
    """Places of as many streets as there is room for."""
    last = blueprint.tree.num_streets - 1
    while (places := _places(blueprint, last)).num_cells > _MOST_CELLS and last > 0:
        last -= 1
    return places


def _places(blueprint: Blueprint, last: int) -> _Places:
    tree = blueprint.tree
    sizes = np.zeros((tree.num_streets, 2), np.int64)
    sizes[tree.group_street, tree.group_player] = blueprint.num_buckets
    street, parent = tree.street.astype(np.intp), tree.parent.astype(np.intp)
    before = np.where(parent < 0, -1, street[parent])
    kept = (tree.kind == DECISION) & (before <= last)
    entered = np.where((kept & (before >= 0))[:, None], sizes[before], 0)
    begun = np.where((kept & (before != street) & (street <= last))[:, None], sizes[street], 0)
    counts = np.concatenate([entered.ravel(), begun.ravel()])
    first = np.where(counts > 0, np.cumsum(counts) - counts, -1)
    both = first.reshape(2, *entered.shape)
    return _Places(both[0].copy(), both[1].copy(), sizes, int(counts.sum()))


def _built(
    blueprint: Blueprint, places: _Places, progress: Callable[[int, int], object] | None
) -> NDArray[np.float32]:
    room = places.num_cells + int(places.sizes.max())
    walk = BoardWalk(blueprint, blueprint.dense(), places.entered, places.begun, room)
    for first in range(0, NUM_BOARDS, _CHUNK):
        end = min(first + _CHUNK, NUM_BOARDS)
        walk.run(first, end)
        if progress is not None:
            progress(end, NUM_BOARDS)
    sums = walk.sums
    return _shares(blueprint.tree, places, sums.sum(axis=0)[:, : places.num_cells])


def _shares(tree: Tree, places: _Places, sums: NDArray[np.float64]) -> NDArray[np.float32]:
    """Turn sums into shares; a bucket that never came gets the mean of its node."""
    shares = np.zeros(places.num_cells, np.float32)
    chips = tree.contributions.astype(np.float64)
    street = tree.street.astype(np.intp)
    streets = {"entered": street[tree.parent], "begun": street}
    for name, by_node in streets.items():
        first = getattr(places, name)
        for node, seat in zip(*np.nonzero(first >= 0), strict=True):
            begin = first[node, seat]
            cells = slice(begin, begin + places.sizes[by_node[node], seat])
            worth, weight = sums[:, cells]
            total = weight.sum()
            mean = worth.sum() / total if total > 0 else 0.0
            won = np.where(weight > 0, worth / np.where(weight > 0, weight, 1.0), mean)
            shares[cells] = (won + chips[node, seat]) / chips[node].sum()
    return shares
