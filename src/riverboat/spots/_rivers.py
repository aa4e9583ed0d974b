"""River subtrees of a solution: values from the strategies in the file, or solved again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat.spots._engine import Engine
from riverboat.spots._locks import Lock, apply_locks
from riverboat.tree import CHANCE, DECISION, Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from riverboat.spots._spot import Spot

__all__ = ["fill_averages", "river_engine", "river_root", "solve_river"]

#: Hands that never come are in the subtree, too: they have values there.
_LEAST_WEIGHT: Final = 1e-7
_CHECK_EVERY: Final = 50
_MOST_ITERATIONS: Final = 2000


def river_root(tree: Tree, node: int) -> int:
    """Return where the last street began on the way to a node."""
    while node and tree.kind[int(tree.parent[node])] != CHANCE:
        node = int(tree.parent[node])
    return node


def river_engine(
    spot: Spot,
    tree: Tree,
    root: int,
    cards: Sequence[int],
    reach: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> Engine:
    """Make the engine of one river: node i of its tree is node root + i of the spot's."""
    line = tree.line(root)

    def below(lines: Sequence[str]) -> list[str]:
        return [each for each in lines if not line or each.startswith(f"{line}/")]

    river = tree
    if root:
        edits: dict[str, Any] = {"added": below(tree.added), "removed": below(tree.removed)}
        river = Tree(spot.spec, spot.bet_menu, start=line, chance=True, fractions=True, **edits)
    dealt = (*spot.cards, *cards)
    ranges = spot.ranges
    weights = [
        np.where(ranges[player].weights > 0, np.maximum(each, _LEAST_WEIGHT * each.max()), 0)
        for player, each in enumerate(reach)
    ]
    return Engine(river, dealt, (weights[0], weights[1]), isomorphism=False)


def fill_averages(engine: Engine, strategy: Callable[[int], NDArray[np.float64]]) -> None:
    """Have a river's engine play given strategies: `[actions, 1326]` by node of its tree."""
    tree, state = engine.tree, engine.state()
    for player in (0, 1):
        rows = int(tree.group_entries[tree.group_player == player].sum())
        if not rows:
            continue
        table = state[f"average{player}"].reshape(rows, -1)
        hands = engine.hands[player]
        for node in np.flatnonzero((tree.kind == DECISION) & (tree.player == player)).tolist():
            first = int(tree.offset[node])
            last = first + int(tree.num_actions[node])
            table[first:last, : len(hands)] = strategy(node)[:, hands]


def solve_river(engine: Engine, locks: Sequence[Lock], target: float) -> None:
    """Solve a river again, with those of the locks that are its own; `target` is chips."""
    own = engine.tree.start.line
    apply_locks(
        engine, [lock for lock in locks if f"{lock.line}/".startswith(f"{own}/" * bool(own))]
    )
    while engine.iteration < _MOST_ITERATIONS:
        engine.run(_CHECK_EVERY)
        if engine.exploitability()[2] <= target:
            return
