"""River subtrees of a solution: values from the strategies in the file, or solved again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from riverboat.cards import NUM_HOLES, live_holes
from riverboat.spots._engine import Engine
from riverboat.spots._settings import Lock, apply_locks
from riverboat.tree import CHANCE, DECISION, Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from riverboat.spots._spot import Spot

#: By player, `[1326]`.
Reach: TypeAlias = "tuple[NDArray[np.float64], NDArray[np.float64]]"

#: Hands that never come are in the subtree, too: they have values there.
_LEAST_WEIGHT: Final = 1e-7
_FIRST_CHECK: Final = 20
_MOST_ITERATIONS: Final = 2000


class River(NamedTuple):
    """One river of a spot; nodes are those of the spot's tree."""

    root: int
    engine: Engine | None
    """None where the cards leave a player no hand."""
    meets: tuple[bool, bool]
    """Whether any hand of the other comes here: else a player's hands have no values."""

    def values(self, player: int, node: int) -> NDArray[np.float64]:
        """Return `[1326]` chips."""
        if self.engine is None or not self.meets[player]:
            return np.full(NUM_HOLES, np.nan)
        return self.engine.values(player, node - self.root)

    def action_values(self, player: int, node: int, actions: int) -> NDArray[np.float64]:
        """Return `[actions, 1326]` chips."""
        if self.engine is None or not self.meets[player]:
            return np.full((actions, NUM_HOLES), np.nan)
        return self.engine.action_values(node - self.root)

    def equity(self, player: int, node: int) -> NDArray[np.float64]:
        """Return `[1326]` shares of the pot."""
        if self.engine is None or not self.meets[player]:
            return np.full(NUM_HOLES, np.nan)
        return self.engine.equity(player, node - self.root)


def river_root(tree: Tree, node: int) -> int:
    """Return where the last street began on the way to a node."""
    while node and tree.kind[int(tree.parent[node])] != CHANCE:
        node = int(tree.parent[node])
    return node


def river_tree(spot: Spot, tree: Tree, root: int) -> Tree:
    """Build the tree of a river: its node i is node root + i of the spot's."""
    if not root:
        return tree
    line = tree.line(root)

    def below(lines: Sequence[str]) -> list[str]:
        return [each for each in lines if each.startswith(f"{line}/")]

    return Tree(
        spot.spec,
        tree.menu,
        start=line,
        chance=True,
        added=below(tree.added),
        removed=below(tree.removed),
        fractions=True,
    )


def river_engine(
    river: Tree, board: Sequence[int], weights: Sequence[NDArray[Any]], reach: Reach
) -> Engine | None:
    """Make the engine of one river from the ranges' weights and what is left of them there.

    A player who never comes there has his whole range; None where the cards leave him no hand.
    """
    free = live_holes(board)
    first, second = (
        each if each.any() else np.where(free, whole, 0)
        for whole, each in zip(weights, kept(weights, reach), strict=True)
    )
    if not (first.any() and second.any()):
        return None
    return Engine(river, board, (first, second), isomorphism=False)


def kept(weights: Sequence[NDArray[Any]], reach: Reach) -> Reach:
    """Return reaches in which every hand of the ranges is left, however little of it."""
    first, second = (
        np.where(whole > 0, np.maximum(each, _LEAST_WEIGHT * each.max()), 0)
        for whole, each in zip(weights, reach, strict=True)
    )
    return first, second


def river_rows(tree: Tree, river: Tree, root: int, player: int) -> tuple[int, int]:
    """Return which of a player's entries of the last street are a river's: those [first, last)."""
    mine = np.flatnonzero((river.kind == DECISION) & (river.player == player))
    if not len(mine):
        return 0, 0
    first = int(tree.offset[root + mine[0]] - river.offset[mine[0]])
    return first, first + int(river.group_entries[river.group_player == player].sum())


def fill_averages(engine: Engine, strategy: Callable[[int], NDArray[np.float64]]) -> None:
    """Have a river's engine play given strategies: `[entries, 1326]` by player."""
    state = engine.state()
    for player in (0, 1):
        rows = strategy(player)
        if len(rows):
            table = state[f"average{player}"].reshape(len(rows), -1)
            hands = engine.hands[player]
            table[:, : len(hands)] = rows[:, hands]


def solve_river(engine: Engine, locks: Sequence[Lock], target: float) -> None:
    """Solve a river again, with those of the locks that are its own; `target` is chips."""
    own = engine.tree.start.line
    apply_locks(
        engine, [lock for lock in locks if f"{lock.line}/".startswith(f"{own}/" * bool(own))]
    )
    engine.run_checked(_MOST_ITERATIONS, target, _FIRST_CHECK)
