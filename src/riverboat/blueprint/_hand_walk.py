"""Values of every hand of a player, by a walk over the betting tree: `HandWalk` and `BestWalk`.

`HandWalk`: both players play a strategy. The walk carries the opponent's reach down, [boards,
1326], and values up: for each hand the sum, over the opposing hands that share no card with it, of
reach times chips won. Hands of a bucket share a strategy, but not their strength and opposing
hands, so nothing is averaged over buckets.

Rare lines may be sampled: a line with less reach than a floor is followed with a proportional
probability and then weighted up. That keeps means unbiased and skips nearly all of the tree. An
all-in on the street where the walk begins uses all runouts, not a sample.

`BestWalk`: the player plays a best response. It knows the opponent's range and strategy and plays
each hand separately, but does not know the cards to come. So all boards after a card are walked at
once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import TYPE_CHECKING

import numpy as np

from riverboat.cards import hands_met
from riverboat.tree import DECISION, FOLD, SHOWDOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from riverboat.blueprint._value_plan import Boards
    from riverboat.tree import Tree

    _Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Chances:
    """Sampling of rare lines in a walk over sampled boards.

    Attributes
    ----------
    draws, floor
        Random generator, and the reach below which a line is sampled.
    equities
        Returns [1326, 1326] equities of each hand against each other over all runouts of the board
        where the walk begins, a tie counting one half; 0 for pairs that share a card.
    known
        Cached values of all-ins.
    """

    draws: np.random.Generator
    floor: float
    equities: Callable[[], _Floats]
    known: dict[int, _Floats] = field(default_factory=dict)


class HandWalk:
    """Values of one player's hands below a node.

    Parameters
    ----------
    tree
        A two-player tree without chance nodes.
    tables
        Returns [actions, buckets] probabilities of a decision.
    boards
        Boards by street, from the node's street on.
    player
        The player whose values are computed.
    chances
        Sampling of rare lines; default: none.
    """

    def __init__(
        self,
        tree: Tree,
        tables: Callable[[int], NDArray[np.float64]],
        boards: Mapping[int, Boards],
        player: int,
        chances: Chances | None = None,
    ) -> None:
        self._tree, self._tables, self._boards, self._player = tree, tables, boards, player
        self._chances, self._first = chances, min(boards)

    def values(self, node: int, reach: _Floats) -> _Floats:
        """Return [boards, 1326] values at a node; `reach` is the opponent's, [1, 1326]."""
        return self._value(node, WalkRange(self._at(node), reach), 1.0)

    def action_values(self, node: int, reach: _Floats) -> list[_Floats]:
        """Return [boards, 1326] values of each action of the player's decision."""
        other = WalkRange(self._at(node), reach)
        return [self._below(node, child, other, 1.0) for child in self._tree.children(node)]

    def _at(self, node: int) -> Boards:
        return self._boards[int(self._tree.street[node])]

    def _value(self, node: int, other: WalkRange, chance: float) -> _Floats:
        """Values at a node; `chance` is its reach times the weight of its line."""
        tree, kind = self._tree, int(self._tree.kind[node])
        if kind == FOLD:
            return other.met * self._payoff(node, 0)
        if kind == SHOWDOWN:
            return self._showdown(node, other)
        follow = self._own if tree.player[node] == self._player else self._others
        rows = zip(tree.children(node), self._tables(node), strict=True)
        parts = [follow(node, child, row, other, chance) for child, row in rows]
        known = [part for part in parts if part is not None]
        return reduce(np.add, known) if known else np.zeros_like(other.reach)

    def _own(
        self, node: int, child: int, row: NDArray[np.float64], other: WalkRange, chance: float
    ) -> _Floats | None:
        """Value that an action of the player adds; None if the line is not sampled."""
        likely = chance * float(np.sqrt(row @ row / len(row)))
        weight = self._weight(likely)
        if not weight:
            return None
        share: _Floats = (weight * row).take(self._at(node).buckets)
        return share * self._below(node, child, other, likely * weight)

    def _others(
        self, node: int, child: int, row: NDArray[np.float64], other: WalkRange, chance: float
    ) -> _Floats | None:
        """Value that an action of the opponent adds; None if the line is not sampled."""
        after = other.times(row.take(self._at(node).buckets))
        likely = chance * after.total / other.total if other.total else 0.0
        weight = self._weight(likely)
        if not weight:
            return None
        value = self._below(node, child, after, likely * weight)
        return value if weight == 1 else weight * value

    def _weight(self, likely: float) -> float:
        """Weight of a line with reach `likely`; 0 if it is not sampled."""
        chances = self._chances
        if chances is None or likely >= chances.floor or not likely:
            return float(likely > 0)
        share = likely / chances.floor
        return 1 / share if chances.draws.random() < share else 0.0

    def _below(self, node: int, child: int, other: WalkRange, chance: float) -> _Floats:
        """Value of an action, with the cards dealt after it."""
        begin, end = int(self._tree.street[node]), int(self._tree.street[child])
        if begin == end:
            return self._value(child, other, chance)
        if self._chances and begin == self._first and self._is_even(child):
            return self._all_in(child, other, self._chances)
        streets = [self._boards[street] for street in range(begin + 1, end + 1)]
        reach = other.reach
        for boards in streets:
            reach = boards.enter(reach)
        value = self._value(child, WalkRange(streets[-1], reach), chance)
        for boards in reversed(streets):
            value = boards.leave(value)
        return value

    def _showdown(self, node: int, other: WalkRange) -> _Floats:
        win, tie, lose = self._outcomes(node)
        weaker, stronger = other.showdown
        value: _Floats = (win - tie) * weaker + (lose - tie) * stronger
        return value + tie * other.met if tie else value

    def _all_in(self, node: int, other: WalkRange, chances: Chances) -> _Floats:
        """Value of an all-in over all runouts; the same for every sample."""
        if node not in chances.known:
            win, _, lose = self._outcomes(node)
            won = chances.equities() @ other.reach[0]
            chances.known[node] = lose * other.met + (win - lose) * won
        return chances.known[node]

    def _is_even(self, node: int) -> bool:
        """Whether a node is a showdown where a tie is half a win, so that equities suffice."""
        if self._tree.kind[node] != SHOWDOWN:
            return False
        win, tie, lose = self._outcomes(node)
        return 2 * tie == win + lose

    def _outcomes(self, node: int) -> tuple[float, float, float]:
        """Payoffs of the player for a win, a tie, a loss."""
        win, tie, lose = (self._payoff(node, row) for row in range(3))
        return (win, tie, lose) if self._player == 0 else (lose, tie, win)

    def _payoff(self, node: int, row: int) -> float:
        tree = self._tree
        return float(tree.payoffs[int(tree.payoff_index[node]) // 2 + row, self._player])


class WalkRange:
    """The opponent's reach, and lazily computed sums over it for each hand."""

    def __init__(self, boards: Boards, reach: _Floats) -> None:
        self._boards, self.reach = boards, reach

    def times(self, share: NDArray[np.float64]) -> WalkRange:
        return WalkRange(self._boards, self.reach * share)

    @cached_property
    def total(self) -> float:
        return float(self.reach.sum())

    @cached_property
    def met(self) -> _Floats:
        return hands_met(self.reach)

    @cached_property
    def showdown(self) -> tuple[_Floats, _Floats]:
        return self._boards.sums.showdown(self.reach)


class BestWalk(HandWalk):
    """Values of one player's hands below a node, for a best response.

    The boards are all possible ones. Values are as in `HandWalk`, but where a card is dealt the
    mean over the card, [1, 1326].
    """

    def _value(self, node: int, other: WalkRange, chance: float) -> _Floats:
        tree = self._tree
        if tree.kind[node] != DECISION or tree.player[node] != self._player:
            return super()._value(node, other, chance)
        children = tree.children(node)
        return reduce(np.maximum, [self._below(node, child, other, 1.0) for child in children])

    def _below(self, node: int, child: int, other: WalkRange, chance: float) -> _Floats:
        value = super()._below(node, child, other, chance)
        end = int(self._tree.street[child])
        if end == int(self._tree.street[node]):
            return value
        alive = self._boards[end].alive
        count = np.maximum(alive.sum(axis=0, keepdims=True), 1)
        mean: _Floats = np.where(alive, value, 0.0).sum(axis=0, keepdims=True) / count
        return mean
