"""Query a strategy at real tables: `strategy(view)`.

Action translation maps the view's line to a node of the tree, the card abstraction maps its cards
to a bucket, and the row of both is translated back to real, legal actions.
"""

from __future__ import annotations

from copy import copy
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Final, Protocol

import msgspec
import numpy as np

from riverboat.blueprint._buckets import EnumeratedBuckets
from riverboat.blueprint._deal_values import DealValues, RowSource, RowTables
from riverboat.blueprint._rare_actions import shown_as, without_rare
from riverboat.blueprint._values import StrategyValues
from riverboat.blueprint._view_values import MenuValues, Status, ViewValues
from riverboat.cards import HOLES, NUM_CARDS, card_text, hole_index, run_out_points
from riverboat.errors import BlueprintError
from riverboat.report import Columns, Framed
from riverboat.translation import make_tracker, real_actions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.blueprint._buckets import BucketFinder
    from riverboat.cards import HandStrength
    from riverboat.game import GameSpec, View
    from riverboat.translation import Place, Translation
    from riverboat.tree import Tree

_HALF_POINTS = {3: 1_081 * 1_980, 4: 46 * 1_980}

#: Tolerance of the sum of a row.
_TOLERANCE: Final = 1e-3


class SwapRule:
    """Chooses the card to swap.

    Parameters
    ----------
    tables
        The hand-strength tables. Without them a choice on the flop takes some tenths of a
        second.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("discard-2017"), hole=["2cAd", "??"], board="AhKs9cTd4h")
    >>> hand.play("ck/sskk/s")
    >>> SwapRule().card(hand.view(0))
    '2c'
    """

    def __init__(self, tables: HandStrength | None = None) -> None:
        self._tables = tables

    def card(self, view: View) -> str:
        """Return the text of the card to discard."""
        low, high = sorted(view.hole)
        values = self._values(view.board, (low, high))
        return card_text(high if values[0] > values[1] else low)

    def _values(self, board: tuple[int, ...], pair: tuple[int, int]) -> tuple[int, int]:
        """Sum of the strength of each card with every possible second card, in half-points."""
        if self._tables is None:
            alive = [card for card in range(NUM_CARDS) if card not in board]
            first, second = (
                sum(
                    int(run_out_points([own, card], list(board)).sum())
                    for card in alive
                    if card != own
                )
                for own in pair
            )
            return first, second
        means = np.nan_to_num(self._tables.board_strength(list(board)).mean)
        points = np.rint(means * _HALF_POINTS[len(board)]).astype(np.int64)
        first, second = (int(points[np.any(own == HOLES, axis=1)].sum()) for own in pair)
        return first, second


class StrategySource(Protocol):
    """A strategy on a tree, such as a blueprint."""

    @property
    def tree(self) -> Tree:
        """The betting tree."""
        ...

    def row(self, node: int, bucket: int) -> NDArray[np.float32] | None:
        """Return the probabilities of a decision's actions; None if it is untrained."""
        ...


class Answer(Framed, msgspec.Struct, frozen=True):
    """A strategy's answer at one decision.

    Attributes
    ----------
    status
        `trained`: `actions` has the strategy; `untrained`: the decision is in the tree, but was
        never trained; `off-tree`: the tree has no such decision.
    actions
        Real legal actions with their probabilities, each once, in the order of the menu; empty
        unless trained.
    node, line
        The tree's decision and its line; -1 and empty if off-tree.
    bucket
        Bucket of the hole cards; -1 if off-tree.
    exact
        Whether that line equals the table's, with the same chips.
    committed
        Off-tree because all players of the tree are all-in there: calling is right.
    reason
        Why there is no strategy, in words.
    threshold
        Rarer bets and folds are left out; 0 = as trained.
    """

    status: Status
    actions: tuple[tuple[str, float], ...] = ()
    node: int = -1
    line: str = ""
    bucket: int = -1
    exact: bool = False
    committed: bool = False
    reason: str = ""
    threshold: float = 0.0

    def frame_columns(self) -> Columns:
        """Return one row per action, with its probability."""
        return {
            "action": [action for action, _ in self.actions],
            "probability": [probability for _, probability in self.actions],
        }

    def _repr_html_(self) -> str:
        """Draw the actions in a notebook, with a caption."""
        caption = self.reason or f"{self.line or 'at the start'}, {shown_as(self.threshold)}"
        return f"{super()._repr_html_()}<p>{escape(caption)}</p>"


class Query:
    """Answers queries of a strategy at real tables.

    Parameters
    ----------
    source
        The strategy.
    buckets
        Finds the bucket of a view's cards.
    translation, seed
        Action translation of off-tree bets, and the random seed of its draws.
    tables
        The hand-strength tables; they make swaps faster, other games do not use them.
    threshold
        Rarer bets and folds are left out, as a bot does; 0 = as trained.

    Attributes
    ----------
    swap_gain
        Minimum gain of equity of the rule that decides swaps; None = swaps are decisions of the
        tree, or the game has none.

    Examples
    --------
    >>> import numpy as np
    >>> from riverboat.blueprint import EnumeratedBuckets
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.tree import Tree
    >>> class Uniform:
    ...     tree = Tree(catalogue("kuhn"), "min")
    ...     def row(self, node, bucket):
    ...         return np.full(2, 0.5, np.float32)
    >>> query = Query(Uniform(), EnumeratedBuckets(Uniform.tree))
    >>> answer = query.strategy(Hand(Uniform.tree.spec, seed=1).view(0))
    >>> answer.status, answer.actions
    ('trained', (('k', 0.5), ('b1', 0.5)))
    """

    def __init__(  # noqa: PLR0913, PLR0917 - options
        self,
        source: StrategySource,
        buckets: BucketFinder,
        translation: Translation = "pseudo-harmonic",
        seed: int = 0,
        tables: HandStrength | None = None,
        threshold: float = 0.0,
    ) -> None:
        self.source, self.buckets, self.threshold = source, buckets, threshold
        self.tree = source.tree
        self.tracker = make_tracker(self.tree, translation, seed)
        self.swap_gain: float | None = None
        self._swap_rule = SwapRule(tables)
        self._lines: dict[int, str] = {}
        self._games: dict[GameSpec, GameSpec] = {}

    def seeded(self, seed: int) -> Query:
        """Return a copy with another random seed, which shares all caches.

        Examples
        --------
        >>> from riverboat.blueprint import Blueprint, default_blueprint
        >>> query = Blueprint.open(default_blueprint()).query()
        >>> query.seeded(7).tracker.seed, query.tracker.seed
        (7, 0)
        """
        other = copy(self)
        other.tracker = self.tracker.seeded(seed)
        return other

    def swaps_by_rule(self, view: View) -> bool:
        """Whether a rule decides here, not the strategy: a swap that is not in the tree."""
        return self.swap_gain is not None and view.legal.stand

    def seen(self, view: View) -> View:
        """Return a view as the tree's game has it: without swaps that are not in the tree."""
        if self.swap_gain is None:
            return view
        line = view.line.replace("s", "").replace("d", "")
        return msgspec.structs.replace(view, spec=self._game_of(view.spec), line=line)

    def difference(self, spec: GameSpec) -> str:
        """Return why the strategy does not fit tables of a game; empty if it fits."""
        if self.swap_gain is not None and not spec.has_swaps:
            return "the strategy is for a game with swaps, the table has none"
        return self.tracker.difference(self._game_of(spec))

    def _game_of(self, spec: GameSpec) -> GameSpec:
        """Return a table's game as the tree has it; always the same object for one game."""
        if self.swap_gain is None:
            return spec
        if spec not in self._games:
            self._games[spec] = spec.without_swaps()
        return self._games[spec]

    def strategy(self, view: View) -> Answer:
        """Return the strategy of the view's seat, which must be to act."""
        if view.actor != view.seat:
            who = "the hand is over" if view.actor is None else f"seat {view.actor} is to act"
            raise BlueprintError(f"seat {view.seat} is not to act: {who}")
        if self.swaps_by_rule(view):
            self.buckets.find(view, 0)  # remembers the cards that are held before the swap
            return Answer("off-tree", reason="a fixed rule decides swaps")
        view = self.seen(view)
        place = self.tracker.find(view)
        if place.node < 0:
            return Answer("off-tree", committed=place.committed, reason=place.reason)
        bucket = self.buckets.find(view, place.node)
        if bucket is None:
            return Answer("off-tree", reason="some cards that the strategy needs are unknown")
        return self.answer(view, place, bucket)

    def answer(self, view: View, place: Place, bucket: int) -> Answer:
        """Return the strategy for a view whose place and bucket are known.

        Parameters
        ----------
        view
            View of the seat to act; its cards do not matter.
        place
            Place in the tree, from `tracker.find`; not off-tree.
        bucket
            Bucket of the seat's cards.
        """
        row = self.source.row(place.node, bucket)
        line = self._line(place.node)
        if row is None:
            return Answer("untrained", (), place.node, line, bucket, place.exact)
        probabilities = row.tolist()
        # A sum of nan fails this comparison, too.
        if not abs(sum(probabilities) - 1) < _TOLERANCE or min(probabilities) < 0:
            raise BlueprintError(
                f"the strategy of bucket {bucket} after '{line}' is {probabilities}, not a "
                "distribution: see riverboat blueprint verify"
            )
        actions = self._actions(view, place, probabilities)
        if self.threshold:
            actions = tuple(without_rare(dict(actions), self.threshold).items())
        where = (place.node, line, bucket, place.exact)
        return Answer("trained", actions, *where, threshold=self.threshold)

    def values(self, view: View, samples: int | None = None) -> ViewValues:
        """Return the EV of each action for the view's hand if both players play the strategy.

        Exact in small games and with at most one card to come; otherwise runouts are sampled.

        Parameters
        ----------
        view
            View of the seat to act.
        samples
            Runouts to sample; default 200; 0 = all, from the flop on.
        """
        answer = self.strategy(view)
        if answer.status == "off-tree":
            return ViewValues(answer.status, reason=answer.reason)
        view = self.seen(view)
        place = self.tracker.find(view)
        menu, shares = self._menu_values(view, answer, samples)
        if place.as_none and "f" in (names := self.tracker.nodes[place.node].actions):
            shares = _calling(shares, names)
        real = menu.real(self._real(view, place), shares, self.tracker.scale)
        # Menu bets that are one real bet count together against the threshold.
        played = dict(answer.actions)
        actions = tuple(
            item._replace(probability=played.get(item.action, item.probability)) for item in real
        )
        return ViewValues(
            answer.status,
            actions,
            sum(item.probability * item.value for item in actions if item.probability),
            menu.error * self.tracker.scale,
            menu.samples,
            answer.node,
            answer.line,
            answer.exact,
        )

    @cached_property
    def all_values(self) -> StrategyValues:
        """Values of all hole pairs at any node, in two-player hold'em without discards."""
        return StrategyValues(self.tree, self._tables, self.buckets)

    def values_as_played(self, threshold: float, seed: int = 0) -> StrategyValues:
        """Return `all_values` of the strategy with another threshold."""
        return StrategyValues(self.tree, self._rows(threshold), self.buckets, seed)

    @cached_property
    def bucket_values(self) -> DealValues:
        """Values of all buckets at any decision, in small two-player games."""
        if not isinstance(self.buckets, EnumeratedBuckets):
            raise BlueprintError("values by bucket need a game with enumerated deals")
        return DealValues(self.tree, self._tables)

    @cached_property
    def _tables(self) -> RowTables:
        return self._rows(self.threshold)

    def _rows(self, threshold: float) -> RowTables:
        if not isinstance(self.source, RowSource):
            raise BlueprintError("values need a strategy with `node_rows`, such as a blueprint")
        return RowTables(self.source, threshold)

    def _menu_values(
        self, view: View, answer: Answer, samples: int | None
    ) -> tuple[MenuValues, list[float]]:
        """EV and probability of the menu's actions for the view's hand."""
        if isinstance(self.buckets, EnumeratedBuckets):
            small = self.bucket_values.actions(answer.node)
            own_values = small.action_values[answer.bucket]
            exact = MenuValues(own_values, np.zeros_like(own_values))
            return exact, small.strategy[answer.bucket].tolist()
        decision = self.all_values.actions(answer.node, view.board, samples=samples)
        own = decision.pair(hole_index(*view.hole))
        values = MenuValues(own.action_values, own.action_errors, own.error, decision.samples)
        return values, own.strategy.tolist()

    def menu(self, view: View) -> tuple[tuple[str, float], ...]:
        """Return real legal actions with probabilities of uniform play on the tree; empty off-tree.

        Menu actions with the same real action are added up.
        """
        if self.swaps_by_rule(view):
            return ()
        view = self.seen(view)
        place = self.tracker.find(view)
        return () if place.node < 0 else self.uniform(view, place)

    def uniform(self, view: View, place: Place) -> tuple[tuple[str, float], ...]:
        """Return `menu` for a known place."""
        count = len(self.tracker.nodes[place.node].actions)
        return self._actions(view, place, [1 / count] * count)

    def _actions(self, view: View, place: Place, row: list[float]) -> tuple[tuple[str, float], ...]:
        """Probabilities of real actions; equal real actions are added up."""
        menu = self.tracker.nodes[place.node]
        if place.as_none and "f" in menu.actions:
            row = _calling(row, menu.actions)
        real = self._real(view, place)
        if real is menu.actions:
            return tuple(zip(real, row, strict=True))
        merged: dict[str, float] = {}
        for action, probability in zip(real, row, strict=True):
            merged[action] = merged.get(action, 0.0) + probability
        return tuple(merged.items())

    def _real(self, view: View, place: Place) -> tuple[str, ...]:
        """The real action of each menu action; `menu.actions` itself if all are equal."""
        menu = self.tracker.nodes[place.node]
        if place.exact and menu.passive >= 0:
            return menu.actions
        swap = f"d{self._swap_rule.card(view)}" if view.legal.discards else ""
        return real_actions(self.tree.spec, menu, view, swap, self.tracker.scale)

    def _line(self, node: int) -> str:
        line = self._lines.get(node)
        if line is None:
            line = self._lines[node] = self.tree.line(node)
        return line


def _calling(row: list[float], actions: tuple[str, ...]) -> list[float]:
    """Probabilities with folds replaced by calls."""
    moved = list(row)
    moved[actions.index("c")] += moved[actions.index("f")]
    moved[actions.index("f")] = 0.0
    return moved
