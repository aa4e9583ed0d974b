"""Sources of a solution's strategies and values: the engine, or a file.

From a file, the values of a river are computed from its stored strategies; a river that is not
stored is solved again when it is queried.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias

import numpy as np

from riverboat.cards import NUM_HOLES, hole_permutations, live_holes
from riverboat.errors import DamagedFileError
from riverboat.spots._engine import Engine
from riverboat.spots._inputs import checked_down
from riverboat.spots._layout import WHOLE, put_in
from riverboat.spots._settings import Lock, apply_locks
from riverboat.tree import CHANCE, DECISION, Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from riverboat.files import ArrayFile
    from riverboat.spots._layout import Layout
    from riverboat.spots._spot import Spot

#: By player, `[1326]`.
Reach: TypeAlias = "tuple[NDArray[np.float64], NDArray[np.float64]]"

#: Hands with reach 0 get this weight in a river, so that they have values there.
_LEAST_WEIGHT: Final = 1e-7
_FIRST_CHECK: Final = 20
_MOST_ITERATIONS: Final = 2000

_MOST_RIVERS: Final = 16  # with cached engines
_RIVER_TARGET: Final = 0.001  # fraction of the pot, for rivers that are solved again


class River(NamedTuple):
    """One river of a spot; nodes are those of the spot's tree."""

    root: int
    engine: Engine | None
    """None if the board leaves a player no hand."""
    meets: tuple[bool, bool]
    """Whether any opposing hand reaches the river; otherwise a player's hands have no values."""

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
    """Return the first node of the last street on the line to a node."""
    while node and tree.kind[int(tree.parent[node])] != CHANCE:
        node = int(tree.parent[node])
    return node


def river_tree(spot: Spot, tree: Tree, root: int) -> Tree:
    """Build the tree of a river; its node i is node root + i of the spot's tree."""
    if not root:
        return tree
    line = tree.line(root)

    def below(lines: Sequence[str]) -> list[str]:
        return [longer for longer in lines if longer.startswith(f"{line}/")]

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
    """Build the engine of one river from the ranges' weights and the reach there.

    A player whose reach is 0 gets the whole range; None if the board leaves a player no hand.
    """
    free = live_holes(board)
    first, second = (
        left if left.any() else np.where(free, whole, 0)
        for whole, left in zip(weights, kept(weights, reach), strict=True)
    )
    if not (first.any() and second.any()):
        return None
    return Engine(river, board, (first, second), isomorphism=False)


def kept(weights: Sequence[NDArray[Any]], reach: Reach) -> Reach:
    """Return reaches in which every hand of the ranges has at least a tiny weight."""
    first, second = (
        np.where(whole > 0, np.maximum(left, _LEAST_WEIGHT * left.max()), 0)
        for whole, left in zip(weights, reach, strict=True)
    )
    return first, second


def river_rows(tree: Tree, river: Tree, root: int, player: int) -> tuple[int, int]:
    """Return the range [first, last) of a river among a player's entries of the last street."""
    mine = np.flatnonzero((river.kind == DECISION) & (river.player == player))
    if not len(mine):
        return 0, 0
    first = int(tree.offset[root + mine[0]] - river.offset[mine[0]])
    return first, first + int(river.group_entries[river.group_player == player].sum())


def fill_averages(engine: Engine, strategy: Callable[[int], NDArray[np.float64]]) -> None:
    """Load strategies into a river's engine: `[entries, 1326]` by player."""
    state = engine.state()
    for player in (0, 1):
        rows = strategy(player)
        if len(rows):
            table = state[f"average{player}"].reshape(len(rows), -1)
            hands = engine.hands[player]
            table[:, : len(hands)] = rows[:, hands]


def solve_river(engine: Engine, locks: Sequence[Lock], target: float) -> None:
    """Solve a river again, with the locks inside it; `target` is in chips."""
    own = engine.tree.start.line
    apply_locks(
        engine, [lock for lock in locks if f"{lock.line}/".startswith(f"{own}/" * bool(own))]
    )
    engine.run_checked(_MOST_ITERATIONS, target, _FIRST_CHECK)


class StrategySource(Protocol):
    """Strategies of decisions; `cards` are those since the spot's board."""

    def strategy(self, node: int, cards: Sequence[int]) -> NDArray[Any]:
        """Return `[actions, 1326]`; nan for impossible hands."""


class Source(StrategySource, Protocol):
    """Queries of a solution, by an engine or a file; `cards` are those since the spot's board."""

    def values(self, player: int, node: int, cards: Sequence[int]) -> NDArray[np.float64]:
        """Return `[1326]` chips."""

    def action_values(self, node: int, cards: Sequence[int]) -> NDArray[np.float64]:
        """Return `[actions, 1326]` chips."""

    def equity(self, player: int, node: int, cards: Sequence[int]) -> NDArray[np.float64]:
        """Return `[1326]` shares of the pot."""


def line_reach(
    tree: Tree,
    source: StrategySource,
    weights: Sequence[NDArray[Any]],
    node: int,
    cards: Sequence[int],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return `[1326]` of both players: range weights times their own action probabilities."""
    reach = [np.array(held, dtype=np.float64) for held in weights]
    for decision, taken in tree.way(node):
        rows = source.strategy(decision, cards[: int(tree.street[decision])])
        reach[int(tree.player[decision])] *= np.nan_to_num(rows[taken])
    live = live_holes(cards)
    return reach[0] * live, reach[1] * live


class FileSource:
    """A solution file: strategies, and values before the river, by memory map.

    River values are computed from the stored strategies; a river that is not stored is solved
    again when it is queried.
    """

    def __init__(
        self, file: ArrayFile, layout: Layout, locks: Sequence[Lock], *, bits: int, rivers: bool
    ) -> None:
        self.file, self.layout, self._locks, self._has_rivers = file, layout, locks, rivers
        self._rivers: OrderedDict[tuple[int, tuple[int, ...]], River] = OrderedDict()
        self._trees: dict[int, Tree] = {}
        self._equities: dict[tuple[int, tuple[int, ...]], NDArray[np.float64]] = {}  # the last
        for name, wanted in layout.arrays(bits, rivers=rivers).items():
            if name not in file.names or file.spec(name) != wanted:
                raise DamagedFileError(f"{file.path} is damaged: {name} does not fit its spot")

    def _in_file(self, street: int) -> bool:
        return self._has_rivers or street < self.layout.last_street

    def strategy(self, node: int, cards: Sequence[int]) -> NDArray[np.float64]:
        """Return the strategy of a decision."""
        tree = self.layout.tree
        if not self._in_file(int(tree.street[node])):
            return self._river_strategy(node, cards)
        first = int(tree.offset[node])
        last = first + int(tree.num_actions[node])
        return self._entries(int(tree.player[node]), cards, first, last)

    def _entries(
        self, player: int, cards: Sequence[int], first: int, last: int
    ) -> NDArray[np.float64]:
        """`[last - first, 1326]` of a player's entries on a board, from the file."""
        layout = self.layout
        place = layout.place(cards)
        holes = layout.holes(player, place.cards)
        begin = int(layout.strategy_begins[player][place.number])
        stored = self.file.rows(
            f"strategy{player}", begin + first * len(holes), begin + last * len(holes)
        ).reshape(last - first, len(holes))
        rows = np.full((last - first, NUM_HOLES), np.nan)
        rows[:, holes] = stored / WHOLE if stored.dtype == np.uint16 else stored
        return rows[:, hole_permutations()[place.renaming]] if place.renaming else rows

    def values(self, player: int, node: int, cards: Sequence[int]) -> NDArray[np.float64]:
        """Return EV: stored, or computed by a river's engine."""
        layout, street = self.layout, int(self.layout.tree.street[node])
        if street == layout.last_street:
            return self._river(node, cards).values(player, node)
        place = layout.place(cards)
        holes = layout.holes(player, place.cards)
        row = int(np.searchsorted(layout.street_nodes[street], node))
        begin = int(layout.value_begins[player][place.number]) + row * len(holes)
        values = np.full(NUM_HOLES, np.nan)
        values[holes] = self.file.rows(f"values{player}", begin, begin + len(holes))
        renamed: NDArray[np.float64] = values[hole_permutations()[place.renaming]]
        return renamed

    def action_values(self, node: int, cards: Sequence[int]) -> NDArray[np.float64]:
        """Return EV of each action."""
        tree = self.layout.tree
        player = int(tree.player[node])
        if int(tree.street[node]) == self.layout.last_street:
            actions = int(tree.num_actions[node])
            return self._river(node, cards).action_values(player, node, actions)
        return np.array(
            [
                self.values(player, child, cards) - put_in(tree, child, player)
                for child in tree.children(node)
            ]
        )

    def equity(self, player: int, node: int, cards: Sequence[int]) -> NDArray[np.float64]:
        """Return equity: stored for the spot's street, otherwise computed."""
        layout, tree = self.layout, self.layout.tree
        street = int(tree.street[node])
        if street == layout.last_street:
            return self._river(node, cards).equity(player, node)
        if street == 0:
            row = int(np.searchsorted(layout.street_nodes[0], node))
            count = len(layout.hands[player])
            shares = np.full(NUM_HOLES, np.nan)
            shares[layout.hands[player]] = self.file.rows(
                f"equity{player}", row * count, (row + 1) * count
            )
            return shares
        key = (node, tuple(cards))
        if key not in self._equities:
            reach = line_reach(tree, self, layout.weights, node, cards)
            board = (*layout.board, *cards)
            self._equities = {key: checked_down(tree, board, kept(layout.weights, reach))}
        equity: NDArray[np.float64] = self._equities[key][player]
        return equity

    def _river_strategy(self, node: int, cards: Sequence[int]) -> NDArray[np.float64]:
        """Return the strategy of a river that is not stored; uniform if a player has no hand."""
        tree, river = self.layout.tree, self._river(node, cards)
        if river.engine is not None:
            return river.engine.strategy(node - river.root).astype(np.float64)
        actions = int(tree.num_actions[node])
        rows = np.full((actions, NUM_HOLES), np.nan)
        rows[:, self.layout.holes(int(tree.player[node]), tuple(cards))] = 1 / actions
        return rows

    def _river(self, node: int, cards: Sequence[int]) -> River:
        """Return a node's river, from the cache if possible."""
        root = river_root(self.layout.tree, node)
        key = (root, tuple(cards))
        river = self._rivers.pop(key, None)
        self._rivers[key] = self._build_river(root, cards) if river is None else river
        if len(self._rivers) > _MOST_RIVERS:
            self._rivers.popitem(last=False)
        return self._rivers[key]

    def _build_river(self, root: int, cards: Sequence[int]) -> River:
        """Build a river from the stored strategies, or solve it again."""
        tree, layout = self.layout.tree, self.layout
        reach = line_reach(tree, self, layout.weights, root, cards)
        if root not in self._trees:
            self._trees[root] = river_tree(layout.spot, tree, root)
        river = self._trees[root]
        engine = river_engine(river, (*layout.board, *cards), layout.weights, reach)
        meets = bool(reach[1].any()), bool(reach[0].any())
        if engine is not None and self._has_rivers:
            fill_averages(
                engine,
                lambda player: self._entries(player, cards, *river_rows(tree, river, root, player)),
            )
        elif engine is not None:
            pot = int(tree.contributions[root].sum())
            solve_river(engine, self._locks, _RIVER_TARGET * pot)
        return River(root, engine, meets)
