"""Decisions of a hold'em blueprint, with all hands at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riverboat.blueprint._buckets import board_buckets
from riverboat.blueprint._rare_actions import rows_without_rare, shown_as
from riverboat.blueprint._visits import FEW_VISITS
from riverboat.cards import (
    BOARD_CARDS,
    NUM_HOLES,
    HandStrength,
    as_cards,
    cards_text,
)
from riverboat.decision import Decision, public_state
from riverboat.errors import BlueprintError, CardError
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from riverboat.blueprint._blueprint import Blueprint
    from riverboat.blueprint._layout import OnProgress
    from riverboat.cards import CardsLike
    from riverboat.report import Palette
    from riverboat.tree import Tree


def decision_at(  # noqa: PLR0913 - options
    blueprint: Blueprint,
    where: int | str,
    board: CardsLike = "",
    open_tables: Callable[[], HandStrength | None] = HandStrength,
    progress: OnProgress | None = None,
    *,
    threshold: float = 0.0,
    palette: Palette = "usual",
) -> Decision:
    """Return a decision of a hold'em blueprint.

    Untrained earlier decisions count as uniform play in reach. In games with swaps reach is 1, and
    buckets assume that the player has had the hole pair from the start.

    Parameters
    ----------
    blueprint
        The strategy.
    where
        A decision of its tree, or a line.
    board
        The board of the decision's street, in the order of dealing.
    open_tables
        Returns the hand-strength tables if the buckets need them, or None: without tables buckets
        take up to 2 ms per hand on the flop.
    progress
        Called while buckets are computed without tables: hands done and all hands of a street.
    threshold
        Rarer bets and folds are left out: 0 = as trained, `blueprint.threshold` = as played.
    palette
        Colours of the actions.
    """
    node = blueprint.tree.node(where) if isinstance(where, str) else where
    way = _Way(blueprint, node, board, open_tables, progress, threshold)
    *_, (_, reach) = way.steps()
    return way.decision(node, reach, palette)


def decisions_to(  # noqa: PLR0913 - as `decision_at`
    blueprint: Blueprint,
    node: int,
    board: CardsLike = "",
    open_tables: Callable[[], HandStrength | None] = HandStrength,
    *,
    threshold: float = 0.0,
    palette: Palette = "usual",
) -> list[Decision]:
    """Return all decisions on the line to a node, the node included; see `decision_at`."""
    way = _Way(blueprint, node, board, open_tables, None, threshold)
    return [way.decision(decision, reach, palette) for decision, reach in way.steps()]


def line_reach(
    blueprint: Blueprint,
    node: int,
    board: CardsLike,
    open_tables: Callable[[], HandStrength | None] = lambda: None,
    threshold: float = 0.0,
) -> NDArray[np.float64]:
    """Return each player's reach of a decision with each hole pair: [players, 1326].

    Equal to `decision_at(...).reach`, without computing the buckets of the decision itself. For
    games without swaps.
    """
    if blueprint.header.spec.has_swaps:
        raise BlueprintError("reach needs a game without swaps")
    way = _Way(blueprint, node, board, open_tables, None, threshold, whole=False)
    *_, (_, reach) = way.steps()
    return reach * blueprint.tree.spec.live_holes(way.board)


class _Way:
    """The decisions from the start of the hand to a node."""

    def __init__(  # noqa: PLR0913, PLR0917 - options
        self,
        blueprint: Blueprint,
        node: int,
        board: CardsLike,
        open_tables: Callable[[], HandStrength | None],
        progress: OnProgress | None,
        threshold: float,
        whole: bool = True,
    ) -> None:
        tree, cards = blueprint.tree, blueprint.cards
        if cards is None or tree.kind[node] != DECISION:
            raise BlueprintError(f"node {node} is not a decision of hold'em with card buckets")
        self._blueprint, self._tree, self._node = blueprint, tree, node
        self._threshold = threshold
        self.board = _checked_board(tree, node, tuple(as_cards(board)))
        last = node if whole else int(tree.parent[node])
        size = tree.spec.board_sizes[int(tree.street[last])] if last >= 0 else 0
        self._streets = board_buckets(cards, self.board[:size], open_tables, progress)
        self._rows: dict[int, NDArray[np.float64]] = {}

    def steps(self) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """Yield each decision with the reach of all players: [players, 1326]."""
        tree = self._tree
        reach = np.ones((tree.num_players, NUM_HOLES))
        for decision, taken in tree.way(self._node):
            yield decision, reach
            if not self._blueprint.header.spec.has_swaps:
                probability = self._strategy(decision)[:, taken]
                uniform = 1 / int(tree.num_actions[decision])
                reach = reach.copy()
                reach[int(tree.player[decision])] *= np.where(
                    np.isnan(probability), uniform, probability
                )
        yield self._node, reach

    def decision(self, node: int, reach: NDArray[np.float64], palette: Palette) -> Decision:
        """Return the decision at a node of the line."""
        blueprint, board = self._blueprint, self._board(node)
        alive, buckets = self._tree.spec.live_holes(board), self._buckets(node)
        scale = blueprint.visit_scale
        return Decision(
            **public_state(self._tree, node, palette),
            game=blueprint.header.game_name,
            board=board,
            strategy=np.where(alive[:, None], self._strategy(node), np.nan),
            reach=reach * alive,
            alive=alive,
            buckets=np.where(alive, buckets, -1),
            visits=np.where(alive, self._visits(node, buckets), np.nan),
            few=FEW_VISITS if scale is None else scale.few,
            source="blueprint",
            note=f"Shown {shown_as(self._threshold)}",
            facts={"threshold": self._threshold},
        )

    def _board(self, node: int) -> tuple[int, ...]:
        return self.board[: self._tree.spec.board_sizes[int(self._tree.street[node])]]

    def _buckets(self, node: int) -> NDArray[np.int64]:
        """[1326] buckets on a decision's street; -1 for dead hands."""
        return self._streets[BOARD_CARDS.index(len(self._board(node)))]

    def _strategy(self, node: int) -> NDArray[np.float64]:
        """[1326, actions] probabilities; NaN for dead hands and where untrained."""
        if node not in self._rows:
            self._rows[node] = self._read(node)
        return self._rows[node]

    def _read(self, node: int) -> NDArray[np.float64]:
        actions = self._tree.actions(node)
        known, own = np.unique(self._buckets(node), return_inverse=True)
        rows = np.full((len(known), len(actions)), np.nan)
        for place, bucket in enumerate(known.tolist()):
            row = self._blueprint.row(node, bucket) if bucket >= 0 else None
            if row is not None:
                rows[place] = row
        return rows_without_rare(rows, actions, self._threshold)[own]

    def _visits(self, node: int, buckets: NDArray[np.int64]) -> NDArray[np.float64]:
        """[1326] visits of each hand's bucket; NaN for dead hands and if unknown."""
        if self._blueprint.visit_scale is None:
            return np.full(NUM_HOLES, np.nan)
        known, own = np.unique(buckets, return_inverse=True)
        visits = [
            None if bucket < 0 else self._blueprint.visits(node, bucket)
            for bucket in known.tolist()
        ]
        return np.array(visits, np.float64)[own]


def _checked_board(tree: Tree, node: int, board: tuple[int, ...]) -> tuple[int, ...]:
    street = int(tree.street[node])
    count = tree.spec.board_sizes[street]
    if len(board) != count or min(board, default=0) < 0 or len(set(board)) < count:
        given = cards_text(board) or "none"
        line = tree.line(node)
        raise CardError(
            f"after '{line}' the board has {count} cards, but {given} are given: "
            + ("omit --board" if count == 0 else f"give {count} different cards with --board")
        )
    return board
