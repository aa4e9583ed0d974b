"""What a strategy says at a real table: `strategy(view)`.

The view's line of play is followed to a node of the tree, its cards are put into their bucket,
and the row that is found there comes back as real, legal actions.
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
from riverboat.translation import Tracker, real_actions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.blueprint._buckets import BucketFinder
    from riverboat.cards import HandStrength
    from riverboat.game import View
    from riverboat.translation import Place, Translation
    from riverboat.tree import Tree

_HALF_POINTS = {3: 1_081 * 1_980, 4: 46 * 1_980}

#: How far the sum of a row may be from 1.
_TOLERANCE: Final = 1e-3


class SwapRule:
    """Chooses the card of a swap.

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
        """Return the text of the card that a swap gives away."""
        low, high = sorted(view.hole)
        values = self._values(view.board, (low, high))
        return card_text(high if values[0] > values[1] else low)

    def _values(self, board: tuple[int, ...], pair: tuple[int, int]) -> tuple[int, int]:
        """Sum of the strength of each card with every other one, in half-points."""
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
    """A strategy on a tree: a blueprint, or anything like one."""

    @property
    def tree(self) -> Tree:
        """The betting tree."""
        ...

    def row(self, node: int, bucket: int) -> NDArray[np.float32] | None:
        """Return the probabilities of a decision's actions; None if it is untrained."""
        ...


class Answer(Framed, msgspec.Struct, frozen=True):
    """What a strategy says of one decision.

    Attributes
    ----------
    status
        `trained`: `actions` hold; `untrained`: the table is in the tree, but the strategy was
        never trained there; `off-tree`: the tree has no such decision.
    actions
        Real legal actions with their probabilities, each once, in the order of the menu; empty
        unless trained.
    node, line
        The tree's decision and the line that leads there; -1 and empty where off the tree.
    bucket
        Of the own cards; -1 where off the tree.
    exact
        Whether that line is the table's own, with the same chips.
    committed
        Off the tree because everybody is all-in there: a player of the tree calls anything.
    reason
        Why there is no strategy, in words.
    threshold
        Bets and folds that were rarer are left out; 0 is the strategy as trained.
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
        """Return a row for each action, with its probability."""
        return {
            "action": [action for action, _ in self.actions],
            "probability": [probability for _, probability in self.actions],
        }

    def _repr_html_(self) -> str:
        """Draw the actions in a notebook, and say which strategy that is."""
        said = self.reason or f"{self.line or 'at the start'}, {shown_as(self.threshold)}"
        return f"{super()._repr_html_()}<p>{escape(said)}</p>"


class Query:
    """Asks a strategy about real tables.

    Parameters
    ----------
    source
        The strategy.
    buckets
        Finds the bucket of a view's cards.
    translation, seed
        How bets are read that are not on the menu, and the seed of the draws.
    tables
        The hand-strength tables; used in games with swaps only, and there only for speed.
    threshold
        Bets and folds that are rarer are left out, as a bot does; 0 answers as trained.

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

    def __init__(  # noqa: PLR0913, PLR0917 - what is asked, and how
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
        self.tracker = Tracker(self.tree, translation, seed)
        self._swap_rule = SwapRule(tables)
        self._lines: dict[int, str] = {}

    def seeded(self, seed: int) -> Query:
        """Return the same with draws of its own; what was worked out is shared.

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

    def strategy(self, view: View) -> Answer:
        """Return what the strategy does for the view's seat, which must be to act."""
        if view.actor != view.seat:
            who = "the hand is over" if view.actor is None else f"seat {view.actor} is to act"
            raise BlueprintError(f"seat {view.seat} has nothing to decide: {who}")
        place = self.tracker.find(view)
        if place.node < 0:
            return Answer("off-tree", committed=place.committed, reason=place.reason)
        bucket = self.buckets.find(view, place.node)
        if bucket is None:
            return Answer("off-tree", reason="not all cards that the strategy needs are known")
        return self.answer(view, place, bucket)

    def answer(self, view: View, place: Place, bucket: int) -> Answer:
        """Return what the strategy does where a view's place and bucket are known.

        Parameters
        ----------
        view
            Of the seat that is to act; its cards do not matter.
        place
            In the tree, which it has not left: of `tracker.find`.
        bucket
            Of the seat's cards.
        """
        row = self.source.row(place.node, bucket)
        line = self._line(place.node)
        if row is None:
            return Answer("untrained", (), place.node, line, bucket, place.exact)
        chances = row.tolist()
        # A sum that is no number is not near 1 either.
        if not abs(sum(chances) - 1) < _TOLERANCE or min(chances) < 0:
            raise BlueprintError(
                f"the strategy of bucket {bucket} after '{line}' is {chances}, no distribution: "
                "see riverboat blueprint verify"
            )
        actions = self._actions(view, place, chances)
        if self.threshold:
            actions = tuple(without_rare(dict(actions), self.threshold).items())
        where = (place.node, line, bucket, place.exact)
        return Answer("trained", actions, *where, threshold=self.threshold)

    def values(self, view: View, samples: int | None = None) -> ViewValues:
        """Return what each action is worth to the view's own hand, both playing the strategy on.

        Exact with at most one card to come and in small games; before, run-outs are drawn.

        Parameters
        ----------
        view
            Of the seat that is to act.
        samples
            Run-outs to draw; 200 if not given, 0 = all, from the flop on.
        """
        answer = self.strategy(view)
        if answer.status == "off-tree":
            return ViewValues(answer.status, reason=answer.reason)
        place = self.tracker.find(view)
        menu, shares = self._menu_values(view, answer, samples)
        if place.as_none and "f" in (names := self.tracker.nodes[place.node].actions):
            shares = _calling(shares, names)
        real = menu.real(self._real(view, place), shares, self.tracker.scale)
        # Bets that are one at the table are rare or not together.
        asked = dict(answer.actions)
        actions = tuple(
            each._replace(probability=asked.get(each.action, each.probability)) for each in real
        )
        return ViewValues(
            answer.status,
            actions,
            sum(each.probability * each.value for each in actions if each.probability),
            menu.error * self.tracker.scale,
            menu.samples,
            answer.node,
            answer.line,
            answer.exact,
        )

    @cached_property
    def all_values(self) -> StrategyValues:
        """Values of all hole pairs at any node, in hold'em of two players without discards."""
        return StrategyValues(self.tree, self._tables, self.buckets)

    def values_as_played(self, threshold: float, seed: int = 0) -> StrategyValues:
        """Return `all_values` of the strategy without bets and folds that are rarer."""
        return StrategyValues(self.tree, self._rows(threshold), self.buckets, seed)

    @cached_property
    def bucket_values(self) -> DealValues:
        """Values of all buckets at any decision, in small games of two players."""
        if not isinstance(self.buckets, EnumeratedBuckets):
            raise BlueprintError("values by bucket are for games whose deals are enumerated")
        return DealValues(self.tree, self._tables)

    @cached_property
    def _tables(self) -> RowTables:
        return self._rows(self.threshold)

    def _rows(self, threshold: float) -> RowTables:
        if not isinstance(self.source, RowSource):
            raise BlueprintError("values are asked of strategy files: this one has no `node_rows`")
        return RowTables(self.source, threshold)

    def _menu_values(
        self, view: View, answer: Answer, samples: int | None
    ) -> tuple[MenuValues, list[float]]:
        """What the menu's actions are worth to the view's hand, and how often it takes them."""
        if isinstance(self.buckets, EnumeratedBuckets):
            small = self.bucket_values.actions(answer.node)
            values = small.action_values[answer.bucket]
            return MenuValues(values, np.zeros_like(values)), small.strategy[answer.bucket].tolist()
        found = self.all_values.actions(answer.node, view.board, samples=samples)
        own = found.pair(hole_index(*view.hole))
        worth = MenuValues(own.action_values, own.action_errors, own.error, found.samples)
        return worth, own.strategy.tolist()

    def menu(self, view: View) -> tuple[tuple[str, float], ...]:
        """Return real legal actions as uniform play on the tree has them; empty off the tree.

        Actions of the menu that come to the same at the table are added up.
        """
        place = self.tracker.find(view)
        return () if place.node < 0 else self.uniform(view, place)

    def uniform(self, view: View, place: Place) -> tuple[tuple[str, float], ...]:
        """Return the same where the place is known."""
        count = len(self.tracker.nodes[place.node].actions)
        return self._actions(view, place, [1 / count] * count)

    def _actions(self, view: View, place: Place, row: list[float]) -> tuple[tuple[str, float], ...]:
        """Probabilities of real actions; those that come to the same are added up."""
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
        """The real action of each action of the menu; the menu's own where they are the same."""
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
    """Probabilities with calls in the place of folds."""
    moved = list(row)
    moved[actions.index("c")] += moved[actions.index("f")]
    moved[actions.index("f")] = 0.0
    return moved
