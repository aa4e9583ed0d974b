"""Where a solution's strategies and values come from: the engine that solved, or a file."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from riverboat.cards import NUM_HOLES, hands_met, hole_permutations, live_holes
from riverboat.errors import DamagedFileError
from riverboat.spots._inputs import checked_down
from riverboat.spots._rivers import (
    River,
    fill_averages,
    kept,
    river_engine,
    river_root,
    river_rows,
    river_tree,
    solve_river,
)
from riverboat.tree import DECISION, FOLD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from riverboat.files import ArrayFile
    from riverboat.spots._engine import Engine
    from riverboat.spots._layout import Layout
    from riverboat.spots._settings import Lock
    from riverboat.spots._solution import Facts
    from riverboat.tree import Tree

_MOST_RIVERS: Final = 16  # whose engines are kept
_RIVER_TARGET: Final = 0.001  # of the pot, for rivers that are solved again
_PROBABILITY: Final = 65535


class Source(Protocol):
    """What a solution is asked for: an engine, or a file; `cards` are since the spot's board."""

    def strategy(self, node: int, cards: Sequence[int]) -> NDArray[Any]:
        """Return `[actions, 1326]`; nan where a hand cannot be."""

    def values(self, player: int, node: int, cards: Sequence[int]) -> NDArray[np.float64]:
        """Return `[1326]` chips."""

    def action_values(self, node: int, cards: Sequence[int]) -> NDArray[np.float64]:
        """Return `[actions, 1326]` chips."""

    def equity(self, player: int, node: int, cards: Sequence[int]) -> NDArray[np.float64]:
        """Return `[1326]` shares of the pot."""


def line_reach(
    tree: Tree,
    source: Source,
    weights: Sequence[NDArray[Any]],
    node: int,
    cards: Sequence[int],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return `[1326]` of both players: range weights times their own probabilities to a node."""
    reach = [np.array(each, dtype=np.float64) for each in weights]
    for decision, taken in tree.way(node):
        rows = source.strategy(decision, cards[: int(tree.street[decision])])
        reach[int(tree.player[decision])] *= np.nan_to_num(rows[taken])
    live = live_holes(cards)
    return reach[0] * live, reach[1] * live


class FileSource:
    """A solution file: strategies, and values before the river, by memory map.

    River values come from the strategies in the file. Where the rivers were left out, one is
    solved again when it is asked for.
    """

    def __init__(
        self, file: ArrayFile, layout: Layout, facts: Facts, locks: Sequence[Lock]
    ) -> None:
        self.file, self.layout, self._facts = file, layout, facts
        self._locks = locks
        self._rivers: OrderedDict[tuple[int, tuple[int, ...]], River] = OrderedDict()
        self._trees: dict[int, Tree] = {}
        self._equities: dict[tuple[int, tuple[int, ...]], NDArray[np.float64]] = {}  # the last
        self._check_sizes()

    def _check_sizes(self) -> None:
        for name, (kind, size) in array_sizes(self.layout, self._facts).items():
            spec = self.file.spec(name) if name in self.file.names else None
            if spec is None or spec.shape != (size,) or spec.dtype != kind:
                raise DamagedFileError(f"{self.file.path} is damaged: {name} does not fit its spot")

    def _in_file(self, street: int) -> bool:
        return self._facts.rivers or street < self.layout.last_street

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
        rows[:, holes] = stored / _PROBABILITY if stored.dtype == np.uint16 else stored
        return rows[:, hole_permutations()[place.renaming]] if place.renaming else rows

    def values(self, player: int, node: int, cards: Sequence[int]) -> NDArray[np.float64]:
        """Return values: stored ones, or a river's."""
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
        """Return what each action is worth."""
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
        """Return shares of the pot without more bets: stored for the spot's street."""
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
        found: NDArray[np.float64] = self._equities[key][player]
        return found

    def _river_strategy(self, node: int, cards: Sequence[int]) -> NDArray[np.float64]:
        """Return the strategy of a river that was left out; even where the other has no hand."""
        tree, river = self.layout.tree, self._river(node, cards)
        if river.engine is not None:
            return river.engine.strategy(node - river.root).astype(np.float64)
        actions = int(tree.num_actions[node])
        rows = np.full((actions, NUM_HOLES), np.nan)
        rows[:, self.layout.holes(int(tree.player[node]), tuple(cards))] = 1 / actions
        return rows

    def _river(self, node: int, cards: Sequence[int]) -> River:
        """Return a node's river."""
        root = river_root(self.layout.tree, node)
        key = (root, tuple(cards))
        river = self._rivers.pop(key, None)
        self._rivers[key] = self._made(root, cards) if river is None else river
        if len(self._rivers) > _MOST_RIVERS:
            self._rivers.popitem(last=False)
        return self._rivers[key]

    def _made(self, root: int, cards: Sequence[int]) -> River:
        """Make a river: with the file's strategies, or solved again."""
        tree, layout = self.layout.tree, self.layout
        reach = line_reach(tree, self, layout.weights, root, cards)
        if root not in self._trees:
            self._trees[root] = river_tree(layout.spot, tree, root)
        river = self._trees[root]
        engine = river_engine(river, (*layout.board, *cards), layout.weights, reach)
        meets = bool(reach[1].any()), bool(reach[0].any())
        if engine is not None and self._facts.rivers:
            fill_averages(
                engine,
                lambda player: self._entries(player, cards, *river_rows(tree, river, root, player)),
            )
        elif engine is not None:
            pot = int(tree.contributions[root].sum())
            solve_river(engine, self._locks, _RIVER_TARGET * pot)
        return River(root, engine, meets)


def put_in(tree: Tree, child: int, player: int) -> int:
    """Return the chips of a player that an action put in."""
    return lying(tree, child, player) - lying(tree, int(tree.parent[child]), player)


def lying(tree: Tree, node: int, player: int) -> int:
    """Return a player's chips in the pot at a node: after a fold an uncalled bet lies there."""
    at = tree.parent[node] if tree.kind[node] == FOLD else node
    return int(tree.contributions[at, player])


def array_sizes(layout: Layout, facts: Facts) -> dict[str, tuple[np.dtype[Any], int]]:
    """Return the arrays of a solution file: type and size by name."""
    kind = np.dtype(np.uint16 if facts.bits == 16 else np.float32)
    last = len(layout.boards) if facts.rivers else layout.num_early
    sizes: dict[str, tuple[np.dtype[Any], int]] = {}
    for player in (0, 1):
        sizes[f"strategy{player}"] = kind, int(layout.strategy_begins[player][last])
    if not layout.last_street:
        return sizes
    for player in (0, 1):
        sizes[f"values{player}"] = np.dtype(np.float32), int(layout.value_begins[player][-1])
        equities = len(layout.street_nodes[0]) * len(layout.hands[player])
        sizes[f"equity{player}"] = np.dtype(np.float32), equities
    return sizes


def early_values(layout: Layout, engine: Engine) -> Iterator[NDArray[np.float64]]:
    """Yield `[2, nodes of the street, 1326]` chips for each board before the last street."""
    worth = [engine.recorded_values(player) for player in (0, 1)]
    for number, cards in enumerate(layout.boards[: layout.num_early]):
        shape = (2, len(layout.street_nodes[len(cards)]), NUM_HOLES)
        values = np.full(shape, np.nan)
        for player in (0, 1):
            begin, end = layout.value_begins[player][number : number + 2]
            holes = layout.holes(player, cards)
            values[player][:, holes] = worth[player][begin:end].reshape(shape[1], len(holes))
        yield _per_hand_met(layout, engine, cards, values)


def _per_hand_met(
    layout: Layout, engine: Engine, cards: tuple[int, ...], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Turn sums over the other's hands into values; fill in where a street begins."""
    tree, nodes = layout.tree, layout.street_nodes[len(cards)]
    place = {node: index for index, node in enumerate(nodes.tolist())}
    reach: dict[int, list[NDArray[np.float64]]] = {}
    for node, index in place.items():
        begins = int(tree.parent[node]) not in place or not node
        if begins:
            reach[node] = [engine.reach(player, node, cards) for player in (0, 1)]
        if tree.kind[node] != DECISION:
            continue
        actor, children = int(tree.player[node]), tree.children(node)
        strategy = engine.strategy(node, cards)
        for child, row in zip(children, strategy, strict=True):
            reach[child] = list(reach[node])
            reach[child][actor] = reach[node][actor] * np.nan_to_num(row)
        if begins:
            below = values[:, [place[child] for child in children]]
            values[actor, index] = (strategy * np.nan_to_num(below[actor])).sum(axis=0)
            values[1 - actor, index] = below[1 - actor].sum(axis=0)
    for node, index in place.items():
        for player in (0, 1):
            met = hands_met(reach[node][1 - player])
            chips = lying(tree, node, player) - lying(tree, 0, player)
            with np.errstate(invalid="ignore", divide="ignore"):
                values[player, index] = np.where(met > 0, values[player, index] / met, np.nan)
            values[player, index] += chips
    return values
