"""One decision of a hold'em strategy, for all hands at once: what `riverboat show` shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from riverboat.blueprint._action_keys import action_keys
from riverboat.blueprint._node_html import ClassCells, node_html
from riverboat.blueprint._rare_actions import rows_without_rare, shown_as
from riverboat.blueprint._visits import FEW_VISITS
from riverboat.cards import (
    BOARD_CARDS,
    CLASS_HOLES,
    HOLE_CLASS,
    HOLES,
    NUM_CLASSES,
    NUM_HOLES,
    HandStrength,
    as_cards,
    canonical_board,
    cards_text,
    class_text,
    hole_permutations,
    hole_text,
    live_holes,
)
from riverboat.errors import BlueprintError, CardError
from riverboat.report import Columns, Framed
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from riverboat.blueprint._action_keys import ActionKey
    from riverboat.blueprint._blueprint import Blueprint
    from riverboat.blueprint._writer import OnProgress
    from riverboat.buckets import CardAbstraction, StreetRule
    from riverboat.cards import CardsLike
    from riverboat.report import Palette
    from riverboat.tree import Tree

__all__ = ["NodeView", "board_buckets", "hand_buckets", "line_reach", "node_view", "reach_emphasis"]

#: Where no class comes more often than this, none is shown strongly.
_SELDOM: Final = 0.01
_FAINTEST: Final = 0.42


@dataclass(frozen=True)
class NodeView(Framed):
    """A decision for all 1,326 hole pairs.

    Attributes
    ----------
    node, line, board
        The decision, its line of play, and the public cards.
    actions
        As text, in the order of the last axis of `strategy`.
    buckets
        [1326] int64; -1 of pairs that share a card with the board.
    strategy
        [1326, actions] float64 probabilities; NaN of dead pairs, and where untrained.
    reach
        [1326] float64, how likely the player himself comes here with the pair; 0 of dead ones.
        Where his earlier decisions are untrained, he is taken to play uniformly.
    threshold
        Bets and folds that were rarer are left out, here and on the way; 0 is as trained.
    visits
        [1326] float64, how often training came here with the pair's bucket; NaN where that is not
        known or the pair is dead.
    few
        Fewer visits than this are few.
    keys
        Letters, words and colours of the actions.
    """

    node: int
    line: str
    board: tuple[int, ...]
    actions: tuple[str, ...]
    buckets: NDArray[np.int64]
    strategy: NDArray[np.float64]
    reach: NDArray[np.float64]
    threshold: float
    visits: NDArray[np.float64]
    few: int
    keys: tuple[ActionKey, ...]

    @property
    def shown(self) -> str:
        """Which strategy it is, in words: as trained or as played."""
        return shown_as(self.threshold)

    @cached_property
    def visits_known(self) -> bool:
        """Whether the file tells how often training came here."""
        return bool((~np.isnan(self.visits)).any())

    @cached_property
    def trained(self) -> NDArray[np.bool_]:
        """[1326] whether there is a strategy for the pair."""
        return ~np.isnan(self.strategy[:, 0])

    @cached_property
    def alive(self) -> NDArray[np.bool_]:
        """[1326] whether the pair shares no card with the board."""
        return self.buckets >= 0

    def frame_columns(self) -> Columns:
        """Return a row for each hole pair off the board: class, bucket, probabilities."""
        alive = np.flatnonzero(self.alive)
        played = {action: self.strategy[alive, index] for index, action in enumerate(self.actions)}
        return {
            "hole": [hole_text(index) for index in alive],
            "class": [class_text(HOLE_CLASS[index]) for index in alive],
            "bucket": self.buckets[alive],
            "reach": self.reach[alive],
            "visits": self.visits[alive],
            **played,
        }

    def by_class(self) -> NDArray[np.float64]:
        """Return the mean over the pairs of each class: [169, actions]; NaN where untrained."""
        weights = self.trained.astype(np.float64)
        counts = np.bincount(HOLE_CLASS, weights, NUM_CLASSES)
        sums = [
            np.bincount(HOLE_CLASS, np.nan_to_num(column), NUM_CLASSES)
            for column in self.strategy.T
        ]
        with np.errstate(invalid="ignore"):
            means: NDArray[np.float64] = np.array(sums).T / counts[:, None]
        return means

    def class_reach(self) -> NDArray[np.float64]:
        """Return the mean reach over the live pairs of each class: [169]; NaN if there is none."""
        counts = np.bincount(HOLE_CLASS, self.alive, NUM_CLASSES)
        with np.errstate(invalid="ignore"):
            means: NDArray[np.float64] = np.bincount(HOLE_CLASS, self.reach, NUM_CLASSES) / counts
        return means

    def class_visits(self) -> NDArray[np.float64]:
        """Return the median visits over the trained pairs of each class: [169]; NaN if unknown."""
        known = np.where(self.trained, self.visits, np.nan)
        medians = np.full(NUM_CLASSES, np.nan)
        for index, holes in enumerate(CLASS_HOLES):
            own = known[holes]
            if not np.isnan(own).all():
                medians[index] = np.nanmedian(own)
        return medians

    def class_emphasis(self) -> NDArray[np.float64]:
        """Return how strongly each class is shown: [169] from 0.42 to 1, by its reach.

        The class that comes here most often has 1, unless that is hardly ever.
        """
        return reach_emphasis(self.class_reach())

    def class_few(self) -> NDArray[np.bool_]:
        """Return whether training hardly came here with each class: [169]; not if unknown."""
        few: NDArray[np.bool_] = self.class_visits() < self.few
        return few

    def _repr_html_(self) -> str:
        known = f"~ was visited fewer than {self.few} times in training"
        line = f"After {self.line}" if self.line else "At the start"
        board = f" on {cards_text(self.board)}" if self.board else ""
        cells = ClassCells(
            self.by_class(), self.class_reach(), self.class_emphasis(), self.class_few()
        )
        visits = known if self.visits_known else "visits in training are not known"
        return node_html(cells, self.keys, f"{line}{board}, {self.shown}", visits)

    def share_visited(self) -> float:
        """Return the share of hands, by reach, that are trained by more than few visits.

        Where visits are not known, all trained hands count.
        """
        enough = self.trained & ~(self.visits < self.few)
        return float(self.reach[enough].sum() / max(self.reach.sum(), 1e-300))

    def frequencies(self) -> NDArray[np.float64]:
        """Return how often each action is taken here, by reach: [actions]; NaN if never trained."""
        weights = np.where(self.trained, self.reach, 0)
        with np.errstate(invalid="ignore"):
            shares: NDArray[np.float64] = weights @ np.nan_to_num(self.strategy) / weights.sum()
        return shares


def reach_emphasis(class_reach: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how strongly each class is shown by its reach: [169] from 0.42 to 1.

    Examples
    --------
    >>> reach_emphasis(np.array([1.0, 0.25, np.nan])).round(2).tolist()
    [1.0, 0.71, 0.42]
    """
    reach = np.nan_to_num(class_reach)
    emphasis: NDArray[np.float64] = np.sqrt(reach / max(float(reach.max()), _SELDOM))
    return _FAINTEST + (1 - _FAINTEST) * emphasis


def node_view(  # noqa: PLR0913 - what is looked at, and how
    blueprint: Blueprint,
    node: int,
    board: CardsLike = "",
    open_tables: Callable[[], HandStrength | None] = HandStrength,
    progress: OnProgress | None = None,
    *,
    threshold: float = 0.0,
    palette: Palette = "usual",
) -> NodeView:
    """Look at a decision of a hold'em strategy.

    In games with swaps the player is taken to have held his pair all along, and his reach is 1.

    Parameters
    ----------
    blueprint
        The strategy.
    node
        A decision of its tree.
    board
        The public cards of the decision's street, in the order of dealing.
    open_tables
        Gives the hand-strength tables, if the buckets need them; None to do without, which takes
        up to 2 ms a hand, on the flop.
    progress
        Called with the hands that are done without tables on a street, and all there are.
    threshold
        Bets and folds that are rarer are left out, as a bot does: 0 shows the strategy as trained,
        `blueprint.threshold` as it is played.
    palette
        Whose eyes the colours are for.
    """
    tree, cards = blueprint.tree, blueprint.cards
    if cards is None or tree.kind[node] != DECISION:
        raise BlueprintError(f"node {node} is no decision of hold'em with card buckets")
    table = _checked_board(tree, node, tuple(as_cards(board)))
    buckets = board_buckets(cards, table, open_tables, progress)
    return NodeView(
        node,
        tree.line(node),
        table,
        tree.actions(node),
        buckets[-1],
        _rows(blueprint, node, buckets[-1], threshold),
        _reach(blueprint, node, int(tree.player[node]), buckets, threshold),
        threshold,
        _visits(blueprint, node, buckets[-1]),
        FEW_VISITS if blueprint.visit_scale is None else blueprint.visit_scale.few,
        action_keys(tree, node, palette),
    )


def line_reach(
    blueprint: Blueprint,
    node: int,
    board: CardsLike,
    open_tables: Callable[[], HandStrength | None] = lambda: None,
    threshold: float = 0.0,
) -> NDArray[np.float64]:
    """Return how likely each player comes to a decision with each hole pair, by his own play.

    Parameters
    ----------
    blueprint
        A strategy of hold'em, without swaps.
    node
        A decision of its tree.
    board
        The public cards at that decision.
    open_tables
        Gives the hand-strength tables if they are built. Without them buckets are worked out
        hand by hand.
    threshold
        Bets and folds that are rarer are left out: 0 = as trained.

    Returns
    -------
    ndarray
        `[players, 1326] float64`; 0 of pairs that share a card with the board. Where decisions
        are untrained, play is taken to be uniform.
    """
    tree, cards = blueprint.tree, blueprint.cards
    if cards is None or tree.kind[node] != DECISION or tree.spec.has_swaps:
        raise BlueprintError(f"node {node} is no decision of hold'em with card buckets")
    table = _checked_board(tree, node, tuple(as_cards(board)))
    # The board of the last decision before: what comes after it does not matter.
    size = BOARD_CARDS[_table_index(tree, int(tree.parent[node]))] if node else 0
    buckets = board_buckets(cards, table[:size], open_tables)
    seats = range(tree.num_players)
    reach = np.array([_reach(blueprint, node, seat, buckets, threshold) for seat in seats])
    reach[:, ~live_holes(table)] = 0
    return reach


def board_buckets(
    cards: CardAbstraction,
    board: tuple[int, ...],
    open_tables: Callable[[], HandStrength | None],
    progress: OnProgress | None = None,
) -> list[NDArray[np.int64]]:
    """Buckets of all pairs on each street up to a board, [1326] each; -1 of dead pairs."""
    streets: list[NDArray[np.int64]] = []
    for size, rule in zip(BOARD_CARDS, cards.rules, strict=False):
        if size > len(board):
            break
        own = _own_buckets(rule, board[:size], open_tables, progress)
        if cards.recall and streets:
            own = own + streets[-1] * rule.num_buckets
        streets.append(own)
    return [np.where(live_holes(board), buckets, -1) for buckets in streets]


def hand_buckets(
    cards: CardAbstraction,
    board: tuple[int, ...],
    open_tables: Callable[[], HandStrength | None] = lambda: None,
) -> NDArray[np.int64]:
    """Return the buckets of all pairs on a board, [1326]; -1 of dead pairs.

    Parameters
    ----------
    cards
        The abstraction, which has a rule for the board's street.
    board
        The public cards, in the order of dealing.
    open_tables
        Gives the hand-strength tables if they are built. Without them buckets are worked out
        hand by hand.
    """
    if cards.recall:
        return board_buckets(cards, board, open_tables)[-1]
    own = _own_buckets(cards.rules[BOARD_CARDS.index(len(board))], board, open_tables, None)
    return np.where(live_holes(board), own, -1)


def _own_buckets(
    rule: StreetRule,
    board: tuple[int, ...],
    open_tables: Callable[[], HandStrength | None],
    progress: OnProgress | None,
) -> NDArray[np.int64]:
    """One street's buckets, from the tables where they are built."""
    tables = open_tables() if rule.needs_tables else None
    if tables is None and rule.needs_tables:
        return _on_the_fly(rule, board, progress)
    return _street_buckets(rule, board, tables)


def _street_buckets(
    rule: StreetRule, board: tuple[int, ...], tables: HandStrength | None
) -> NDArray[np.int64]:
    """One row of the rule's table, in the suits of the board."""
    row = np.zeros((1, NUM_HOLES), np.uint32)
    found = canonical_board(list(board)) if board else None
    rule.fill(cast("HandStrength", tables), 0 if found is None else found.id, row)
    buckets: NDArray[np.int64] = row[0].astype(np.int64)
    return buckets if found is None else buckets[hole_permutations()[found.permutation]]


def _on_the_fly(
    rule: StreetRule, board: tuple[int, ...], progress: OnProgress | None
) -> NDArray[np.int64]:
    """The same without tables, hand by hand."""
    buckets = np.zeros(NUM_HOLES, np.int64)
    for index, hole in enumerate(HOLES.tolist()):
        if not set(hole) & set(board):
            buckets[index] = rule.bucket(hole, board)
        if progress is not None:
            progress(index + 1, NUM_HOLES)
    return buckets


def _checked_board(tree: Tree, node: int, board: tuple[int, ...]) -> tuple[int, ...]:
    street = int(tree.street[node])
    count = tree.spec.board_sizes[street]
    if len(board) != count or min(board, default=0) < 0 or len(set(board)) < count:
        given = cards_text(board) or "none"
        line = tree.line(node)
        raise CardError(
            f"after '{line}' the board has {count} cards, and {given} are given: "
            + ("leave --board out" if count == 0 else f"give {count} different ones with --board")
        )
    return board


def _rows(
    blueprint: Blueprint, node: int, buckets: NDArray[np.int64], threshold: float
) -> NDArray[np.float64]:
    """[1326, actions] probabilities; NaN of dead pairs and where untrained."""
    actions = blueprint.tree.actions(node)
    known, own = np.unique(buckets, return_inverse=True)
    rows = np.full((len(known), len(actions)), np.nan)
    for place, bucket in enumerate(known.tolist()):
        row = blueprint.row(node, bucket) if bucket >= 0 else None
        if row is not None:
            rows[place] = row
    return rows_without_rare(rows, actions, threshold)[own]


def _visits(blueprint: Blueprint, node: int, buckets: NDArray[np.int64]) -> NDArray[np.float64]:
    """[1326] visits of each pair's bucket; NaN of dead pairs and where they are not known."""
    visits = np.full(NUM_HOLES, np.nan)
    for bucket in np.unique(buckets[buckets >= 0]).tolist():
        found = blueprint.visits(node, bucket)
        if found is not None:
            visits[buckets == bucket] = found
    return visits


def _reach(
    blueprint: Blueprint,
    node: int,
    player: int,
    buckets: list[NDArray[np.int64]],
    threshold: float,
) -> NDArray[np.float64]:
    """[1326] product of a player's own probabilities on the way to a node."""
    tree = blueprint.tree
    reach = (buckets[-1] >= 0).astype(np.float64)
    if tree.spec.has_swaps:
        return reach
    for decision, taken in tree.way(node):
        if tree.player[decision] == player:
            own = buckets[_table_index(tree, decision)]
            rows = _rows(blueprint, decision, own, threshold)
            reach *= np.where(np.isnan(rows[:, taken]), 1 / rows.shape[1], rows[:, taken])
    return reach


def _table_index(tree: Tree, node: int) -> int:
    """Which of the usual streets a node's board is on."""
    return BOARD_CARDS.index(tree.spec.board_sizes[int(tree.street[node])])
