"""What a strategy is worth to every hand of a player: a walk over the betting tree.

It carries the other's reach down, [boards, 1326], and values up: for each hand the sum, over the
other's hands that share no card with it, of reach times chips won. Hands of one bucket play alike,
but meet other hands and have another strength: nothing is averaged over buckets.

Lines that are seldom played may be left to chance: one that is played less often than a floor is
followed with probability in proportion and then counts so much more. That keeps means and saves
nearly all of the tree. An all-in on the street where the walk begins needs no board that is drawn.

What a best response to a strategy is worth to every hand: a walk that takes the best action.

The responder knows the other's range and strategy and plays each hand for itself; only the cards
to come are unknown to him. So before a card all boards that it may make are walked at once.
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
    """What a walk over drawn boards leaves to chance, and what not.

    Attributes
    ----------
    draws, floor
        Decide whether a line that is played less often than `floor` is followed.
    equities
        Gives [1326, 1326] how often each hand beats each other one over all run-outs of the board
        where the walk begins, a tie counting one half; 0 where they share a card.
    known
        Values of all-ins that were found before.
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
        Of two players, without chance nodes.
    tables
        Gives [actions, buckets] probabilities of a decision.
    boards
        By street, from that of the node on.
    player
        Whose values are wanted.
    chances
        What is left to chance; nothing if not given.
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
        """Return [boards, 1326] values at a node which the other reaches with [1, 1326]."""
        return self._value(node, WalkRange(self._at(node), reach), 1.0)

    def action_values(self, node: int, reach: _Floats) -> list[_Floats]:
        """Return [boards, 1326] values of each action of a decision of the player."""
        other = WalkRange(self._at(node), reach)
        return [self._below(node, child, other, 1.0) for child in self._tree.children(node)]

    def _at(self, node: int) -> Boards:
        return self._boards[int(self._tree.street[node])]

    def _value(self, node: int, other: WalkRange, chance: float) -> _Floats:
        """Values at a node; `chance` says how often play comes there, times what it counts."""
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
        """What an action of the player adds; None if it is not followed."""
        likely = chance * float(np.sqrt(row @ row / len(row)))
        weight = self._weight(likely)
        if not weight:
            return None
        share: _Floats = (weight * row).take(self._at(node).buckets)
        return share * self._below(node, child, other, likely * weight)

    def _others(
        self, node: int, child: int, row: NDArray[np.float64], other: WalkRange, chance: float
    ) -> _Floats | None:
        """What an action of the other adds; None if it is not followed."""
        after = other.times(row.take(self._at(node).buckets))
        likely = chance * after.total / other.total if other.total else 0.0
        weight = self._weight(likely)
        if not weight:
            return None
        value = self._below(node, child, after, likely * weight)
        return value if weight == 1 else weight * value

    def _weight(self, likely: float) -> float:
        """What a line counts that is so likely; 0 if it is not followed."""
        chances = self._chances
        if chances is None or likely >= chances.floor or not likely:
            return float(likely > 0)
        share = likely / chances.floor
        return 1 / share if chances.draws.random() < share else 0.0

    def _below(self, node: int, child: int, other: WalkRange, chance: float) -> _Floats:
        """The value of an action, with the cards that come after it."""
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
        """The mean over all run-outs at once: it is the same for every part of them."""
        if node not in chances.known:
            win, _, lose = self._outcomes(node)
            won = chances.equities() @ other.reach[0]
            chances.known[node] = lose * other.met + (win - lose) * won
        return chances.known[node]

    def _is_even(self, node: int) -> bool:
        """Whether a node is a showdown where a tie is half a win: then equities say all."""
        if self._tree.kind[node] != SHOWDOWN:
            return False
        win, tie, lose = self._outcomes(node)
        return 2 * tie == win + lose

    def _outcomes(self, node: int) -> tuple[float, float, float]:
        """What the player gets who wins, ties, loses."""
        win, tie, lose = (self._payoff(node, row) for row in range(3))
        return (win, tie, lose) if self._player == 0 else (lose, tie, win)

    def _payoff(self, node: int, row: int) -> float:
        tree = self._tree
        return float(tree.payoffs[int(tree.payoff_index[node]) // 2 + row, self._player])


class WalkRange:
    """The other's reach, and what it is to each hand: worked out when first asked for."""

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
    """Values of one player's hands below a node, each played as well as it can be.

    The boards are all that can come. Values are those of the walk over a strategy, but where a card
    comes they are the mean over it: [1, 1326].
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
