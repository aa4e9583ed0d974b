"""What a sampled flop strategy is worth, estimated on more sampled boards.

The average strategy of the flop is held while turn and river are sampled and go on learning. From
the values of the flop's nodes follow each player's EV, and what the best deviation on the flop
would gain. The deviation is chosen on some batches of boards and scored on another one, so that
the luck of the boards does not make it look better than it is.

The gain is a lower bound of the exploitability of the solver's whole play: turn and river are
played as the solver plays them, with bins, and the deviation does not go on there. A player who
solves turn and river when they are dealt plays them better. For such a player the gain is a
guide, not a bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat.report import Columns, Framed
from riverboat.statistics import Estimate, mean_estimate
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from riverboat.tree import Tree

#: Batches of boards: each is scored with the deviation that the others choose.
NUM_BATCHES: Final = 8


@dataclass(frozen=True)
class FlopWorth(Framed):
    """Estimated EV of both players, and what a deviation on the flop would gain.

    Parameters
    ----------
    values
        EV of each player in chips, pot share included: oop, ip.
    gains
        Chips per hand that each player's best deviation on the flop gains: oop, ip.
    boards
        Sampled boards.
    """

    values: tuple[Estimate, Estimate]
    gains: tuple[Estimate, Estimate]
    boards: int

    @property
    def gain(self) -> Estimate:
        """Mean of both gains, chips."""
        first, second = self.gains
        error = None
        if first.error is not None and second.error is not None:
            error = float(np.hypot(first.error, second.error)) / 2
        return Estimate((first.mean + second.mean) / 2, error, min(first.units, second.units))

    def as_dict(self) -> dict[str, Any]:
        """Return the estimates as plain values."""
        return {
            "boards": self.boards,
            "values": [_plain(each) for each in self.values],
            "gains": [_plain(each) for each in self.gains],
            "gain": _plain(self.gain),
        }

    def frame_columns(self) -> Columns:
        """Return a row per player."""
        return {
            "player": ["oop", "ip"],
            "value": [each.mean for each in self.values],
            "gain": [each.mean for each in self.gains],
            "margin": [each.margin for each in self.gains],
        }


def _plain(estimate: Estimate) -> dict[str, float]:
    return {"mean": estimate.mean, "margin": estimate.margin}


def player_worth(
    tree: Tree,
    player: int,
    values: Mapping[int, NDArray[np.float64]],
    weights: NDArray[np.float64],
) -> tuple[Estimate, Estimate]:
    """Return a player's EV and the gain of the best deviation on the flop.

    Parameters
    ----------
    tree, player
        The tree and the player.
    values
        By node of the flop: mean values of the player's hands in each batch, times the reach of
        the opposing hands, `[batches, hands]`.
    weights
        `[hands]` probabilities of the hands, divided by the mass of opposing hands.
    """
    ev = values[0] @ weights
    gains = []
    for batch in range(len(ev)):
        _, scored = _deviate(tree, player, 0, values, batch)
        gains.append(float(scored @ weights) - float(ev[batch]))
    return mean_estimate(ev), mean_estimate(np.array(gains))


def _deviate(
    tree: Tree, player: int, node: int, values: Mapping[int, NDArray[np.float64]], batch: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the values of a deviation on the batches that choose it, and on the one that scores.

    Both are `[hands]`.
    """
    if int(tree.kind[node]) != DECISION:
        here = values[node]
        return (here.sum(axis=0) - here[batch]) / (len(here) - 1), here[batch]
    pairs = [_deviate(tree, player, child, values, batch) for child in tree.children(node)]
    chosen, scored = (np.stack(side) for side in zip(*pairs, strict=True))
    if int(tree.player[node]) != player:
        return chosen.sum(axis=0), scored.sum(axis=0)
    best = chosen.argmax(axis=0)[None]
    return (
        np.take_along_axis(chosen, best, axis=0)[0],
        np.take_along_axis(scored, best, axis=0)[0],
    )


def flop_nodes(tree: Tree) -> Sequence[int]:
    """Return the nodes of the flop, with those that end it."""
    nodes: list[int] = np.flatnonzero(tree.street == 0).tolist()
    return nodes
