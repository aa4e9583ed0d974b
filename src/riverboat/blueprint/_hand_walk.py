"""Values of every hand of a player, by the core's walk over the betting tree.

The walk carries the opponent's reach down and values up: for each hand the sum, over the opposing
hands that share no card with it, of reach times chips won. Hands of a bucket share a strategy, but
not their strength and opposing hands, so nothing is averaged over buckets.

Rare lines may be drawn: a line with less reach than a floor is followed with a proportional
probability and then weighted up. That keeps means unbiased and skips nearly all of the tree. An
all-in on the street where the walk begins uses all runouts, not a sample.

A best response knows the opponent's range and strategy and plays each hand separately, but does not
know the cards to come. So all boards after a card are walked, and their mean is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riverboat import _core
from riverboat.cards import NUM_HOLES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from riverboat.blueprint._value_plan import Boards
    from riverboat.tree import Tree

    _Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DrawnLines:
    """Drawing of rare lines in a walk over sampled boards.

    Attributes
    ----------
    seed, floor
        Random seed, and the reach below which a line is drawn.
    equities
        Returns [1326, 1326] equities of each hand against each other over all runouts of the board
        where the walk begins, a tie counting one half; 0 for pairs that share a card.
    """

    seed: int
    floor: float
    equities: Callable[[], _Floats]


class HandWalk:
    """Values of one player's hands below a node.

    Parameters
    ----------
    tree
        A two-player tree without chance nodes.
    tables
        Returns [actions, buckets] probabilities of a decision.
    player
        The player whose values are computed.
    best
        Whether the player plays a best response; the boards are then all possible ones.
    drawn
        Drawing of rare lines; default: none.
    """

    def __init__(
        self,
        tree: Tree,
        tables: Callable[[int], _Floats],
        player: int,
        *,
        best: bool = False,
        drawn: DrawnLines | None = None,
    ) -> None:
        self._core = _core.HandWalk(tree.compiled, tables, player, best)
        self._tree = tree
        if drawn is not None:
            self._core.draw_lines(drawn.floor, drawn.seed, drawn.equities)

    def deal(self, street: int, boards: Sequence[Boards]) -> None:
        """Set the boards from a street on, one street after the other."""
        self._core.deal(
            street,
            [(each.cards, each.buckets.astype(np.int64), each.factor) for each in boards],
        )

    def values(self, node: int, reach: _Floats) -> _Floats:
        """Return [runouts, 1326] values at a node; `reach` is the opponent's, [1326].

        Those of a best response are means over all runouts, [1, 1326].
        """
        out = np.empty((self._core.rows, NUM_HOLES))
        self._core.values_into(node, reach, out)
        return out

    def action_values(self, node: int, reach: _Floats) -> _Floats:
        """Return [actions, runouts, 1326] values of each action of the player's decision."""
        out = np.empty((int(self._tree.num_actions[node]), self._core.rows, NUM_HOLES))
        self._core.action_values_into(node, reach, out)
        return out
