"""What the engine gets, as the core takes it; what it would not take is refused in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riverboat import _core
from riverboat.cards import NUM_HOLES
from riverboat.errors import GameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from riverboat.spots._gadget import Gadget
    from riverboat.spots._schedule import Schedule
    from riverboat.tree import Tree


def checked_down(
    tree: Tree, board: Sequence[int], reach: tuple[ArrayLike, ArrayLike]
) -> NDArray[np.float64]:
    """Return `[2, 1326]`: shares of the pot of both players' hands if no more bets came.

    `board` has 3 cards at least. nan where a hand cannot be, or meets nobody.
    """
    out = np.empty((2, NUM_HOLES))
    weights = np.ascontiguousarray(reach, dtype=np.float64)
    _core.checked_down_into(tree.compiled, [int(card) for card in board], weights, out)
    return out


def check_iterations(iterations: int) -> None:
    """Refuse what is no number of iterations."""
    if not isinstance(iterations, int) or iterations < 0:
        raise GameError(f"iterations are a whole number from 0, not {iterations!r}")


def core_schedule(schedule: Schedule, running_mean: bool) -> _core.SpotSchedule:
    """Return a schedule as the core has it: its factors in Python take as long as a river."""
    last = schedule.last or schedule.first
    first = schedule.first if schedule.over else last
    moves = schedule.over, schedule.lag, schedule.restart
    return _core.SpotSchedule(first, last, *moves, running_mean)


def core_gadget(gadget: Gadget) -> _core.SpotGadget:
    """Return a gadget as the core has it."""
    mode = "maxmargin" if gadget.mode == "reach" else gadget.mode
    return _core.SpotGadget(gadget.player, mode, gadget.raised(), gadget.cap, gadget.even)


def core_weights(
    ranges: tuple[ArrayLike, ArrayLike], gadget: Gadget | None = None
) -> NDArray[np.float32]:
    """Return both ranges as the core takes them."""
    weights = np.ascontiguousarray(ranges, dtype=np.float32)
    if weights.shape != (2, NUM_HOLES):
        raise GameError(f"two ranges are [2, 1326] weights, not {list(weights.shape)}")
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise GameError("weights of a range are finite and not negative")
    return weights if gadget is None else gadget.weighed(weights)


def check_bits(bits: int, schedule: Schedule) -> None:
    """Refuse tables that there are not."""
    if bits not in (32, 16):
        raise GameError(f"tables have 32 or 16 bits, not {bits!r}")
    if bits == 16 and schedule.predictive:
        raise GameError("tables of 16 bits have no room for predictions: take 32 bits")
