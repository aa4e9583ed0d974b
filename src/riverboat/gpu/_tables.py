"""Tables of 32 and 16 bits, and conversion of 16-bit regrets between CPU and GPU.

The CPU stores 16-bit regrets as integers times a scale per node, which needs all hands of the node.
GPU threads do not wait for each other, so each number is a 16-bit float, with one scale for the
whole spot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from riverboat.gpu._cards import Bits
    from riverboat.gpu._flat import FlatSpot

TableName = Literal["regrets", "average", "predictions"]

#: Largest scaled regret of one iteration. The largest 16-bit float is a hundred times larger,
#: because regrets grow over iterations.
_MOST_AT_ONCE: Final = 512.0
_MOST_HALF: Final = float(np.finfo(np.float16).max)
_MOST_SHORT: Final = np.iinfo(np.int16).max


def table_kinds(bits: Bits, *, predictive: bool) -> dict[TableName, type[np.generic]]:
    """Return the GPU's tables in the kernels' order, and their types."""
    if bits == 16:
        return {"regrets": np.float16, "average": np.uint16}
    found: dict[TableName, type[np.generic]] = {"regrets": np.float32, "average": np.float32}
    return found | ({"predictions": np.float32} if predictive else {})


def regret_scale(spot: FlatSpot) -> float:
    """Return the factor of 16-bit regrets on the GPU, a power of two."""
    reach = max(float(each.sum()) for each in spot.start)
    pay = max(float(np.abs(view.pays).max(initial=0)) for view in spot.views)
    return float(2.0 ** np.floor(np.log2(_MOST_AT_ONCE / max(pay * reach, 1e-30))))


def halves(regrets: NDArray[np.float32]) -> NDArray[np.float16]:
    """Return scaled regrets as the GPU's 16-bit floats."""
    return np.clip(regrets, -_MOST_HALF, _MOST_HALF).astype(np.float16)


def cpu_regrets(
    spot: FlatSpot,
    player: int,
    given: NDArray[np.float16],
    into: tuple[NDArray[np.int16], NDArray[np.float32]],
) -> None:
    """Convert a player's regrets from the GPU's table to the CPU's table and scales."""
    scale = regret_scale(spot)
    for numbers, first, row_scales in _boards(spot, player, into[1]):
        rows = given[numbers].reshape(len(row_scales), -1).astype(np.float32) / np.float32(scale)
        largest = np.maximum.reduceat(np.abs(rows).max(axis=1), first)
        row_scales[first] = largest / _MOST_SHORT
        by = _of_nodes(row_scales, first)
        whole = np.rint(rows / np.where(by > 0, by, 1)[:, None])
        into[0][numbers] = whole.astype(np.int16).ravel()


def card_regrets(
    spot: FlatSpot, player: int, given: NDArray[np.int16], scales: NDArray[np.float32]
) -> NDArray[np.float16]:
    """Convert a player's regrets from the CPU's table and scales to the GPU's table."""
    found = np.zeros(len(given), dtype=np.float16)
    scale = np.float32(regret_scale(spot))
    for numbers, first, row_scales in _boards(spot, player, scales):
        rows = given[numbers].reshape(len(row_scales), -1).astype(np.float32)
        found[numbers] = halves(rows * (_of_nodes(row_scales, first) * scale)[:, None]).ravel()
    return found


def _of_nodes(row_scales: NDArray[np.float32], first: NDArray[np.int64]) -> NDArray[np.float32]:
    """[rows] the scale of each row's node, which is stored at the node's first row."""
    return np.repeat(row_scales[first], np.diff([*first, len(row_scales)]))


def _boards(
    spot: FlatSpot, player: int, scales: NDArray[np.float32]
) -> Iterator[tuple[slice, NDArray[np.int64], NDArray[np.float32]]]:
    """Yield each board's slice of numbers, the first rows of its nodes, and its scales."""
    hands = spot.hands[player]
    first_rows = _first_rows(spot, player)
    streets = np.zeros(len(hands.base), dtype=np.int64)
    items = spot.views[player].item
    streets[items[:, 0]] = spot.segments[items[:, 1], 0]
    ends = np.append(hands.base[1:], spot.num_numbers[player])
    row_ends = np.append(hands.base_row[1:], spot.num_rows[player])
    for board, street in enumerate(streets.tolist()):
        rows = slice(int(hands.base_row[board]), int(row_ends[board]))
        if rows.stop > rows.start:
            numbers = slice(int(hands.base[board]), int(ends[board]))
            yield numbers, first_rows[street], scales[rows]


def _first_rows(spot: FlatSpot, player: int) -> dict[int, NDArray[np.int64]]:
    """By street, the first rows of the player's nodes."""
    view = spot.views[player]
    found: dict[int, set[int]] = {}
    for segment, street in enumerate(spot.segments[:, 0].tolist()):
        at, levels = (int(view.bound(name)[segment]) for name in ("first_up", "up_levels"))
        steps = view.up[view.up_levels[at] : view.up_levels[at + levels]]
        found.setdefault(street, set()).update(steps[steps[:, 3] != 0, 1].tolist())
    return {street: np.array(sorted(rows), dtype=np.int64) for street, rows in found.items()}
