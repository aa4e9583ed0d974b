"""EV of a strategy's actions for every hand, if both players play the strategy from there on.

The opponent's range follows from the strategy on the line to the decision. With at most one card to
come values are exact; otherwise runouts are sampled, each for all hands at once, and every value
has a standard error. Chips are counted as in solved spots: the share of the pot at the decision,
minus chips put in later. So a fold is worth 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from riverboat.blueprint._buckets import HoldemBuckets
from riverboat.blueprint._hand_walk import DrawnLines, HandWalk
from riverboat.blueprint._value_plan import BoardPlan, BoardSums, equities
from riverboat.buckets import no_progress
from riverboat.cards import NUM_CARDS, NUM_HOLES, as_cards, cards_text, hands_met, live_holes
from riverboat.decision import Decision, public_state
from riverboat.errors import BlueprintError
from riverboat.tree import DECISION, FOLD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike, NDArray

    from riverboat.blueprint._buckets import BucketFinder
    from riverboat.buckets import ProgressCall
    from riverboat.cards import CardsLike
    from riverboat.tree import Tree

    _Floats = NDArray[np.float64]
    from numpy.typing import NDArray


@dataclass(frozen=True)
class HandValues:
    """EV of every hand of a player at a node.

    Attributes
    ----------
    values
        [1326] float64, chips; NaN for impossible hands and hands without an opposing hand.
    errors
        [1326] float64, standard errors; 0 if exact.
    met
        [1326] float64, total reach of the opposing hands of each hand; values times `met` are
        counterfactual values.
    samples
        Sampled runouts; 0 = exact.
    """

    values: NDArray[np.float64]
    errors: NDArray[np.float64]
    met: NDArray[np.float64]
    samples: int

    @property
    def counterfactual(self) -> NDArray[np.float64]:
        """[1326] float64, counterfactual values; 0 without an opposing hand."""
        return np.nan_to_num(self.values) * self.met


#: With sampled runouts, lines with less reach than this are sampled, too: that adds little to the
#: standard error of a runout, and ten runouts take the time of one.
_FLOOR: Final = 0.02


class StrategyValues:
    """Values of a two-player hold'em strategy.

    Parameters
    ----------
    tree
        The betting tree.
    tables
        Returns [actions, buckets] probabilities of a decision.
    buckets
        Finds the buckets of all hands on a board; builds hand-strength tables that it needs.
    seed
        Random seed of the runouts.

    Examples
    --------
    >>> from riverboat.blueprint import Blueprint, default_blueprint
    >>> values = Blueprint.open(default_blueprint()).query().all_values
    >>> decision = values.actions(values.tree.node("ck/kk/kk/"), "Qh7c2d9s3h")
    >>> decision.found, len(decision.action_values)
    ('exact', 1326)
    >>> decision.hand("QsQd").value > decision.hand("6s5s").value
    True
    """

    def __init__(
        self,
        tree: Tree,
        tables: Callable[[int], NDArray[np.float64]],
        buckets: BucketFinder,
        seed: int = 0,
    ) -> None:
        self._buckets = _checked_buckets(tree, buckets)
        self.tree, self._tables, self._seed = tree, tables, seed

    def build_tables(self, progress: ProgressCall = no_progress) -> None:
        """Build missing tables of buckets now, with progress, instead of on first use."""
        self._buckets.build_tables(progress)

    def actions(
        self,
        node: int,
        board: CardsLike = "",
        *,
        reach: ArrayLike | None = None,
        samples: int | None = None,
    ) -> Decision:
        """Return a decision with values; untrained rows are played uniformly.

        Parameters
        ----------
        node
            A decision of the tree.
        board
            The board there, in the order of dealing.
        reach
            [2, 1326] both players' reach; default: from the strategy.
        samples
            Runouts to sample if more than one card is to come; default 200. 0 = all runouts,
            exact and slow, from the flop on.
        """
        if self.tree.kind[node] != DECISION:
            raise BlueprintError(f"there is no decision after '{self.tree.line(node)}'")
        cards, player = self._checked(node, board), int(self.tree.player[node])
        both, shares = self._both(node, cards, reach), self._shares(node, cards)
        plan = self._plan(node, cards, samples)
        sums = BoardSums(len(shares) + 1, by_class=not cards and reach is None)
        for walk, alive in self._walks(plan, node, player):
            by_action = walk.action_values(node, both[1 - player])
            mixed = (shares[:, None] * by_action).sum(axis=0)
            sums.add([*by_action, mixed], alive)
        values, errors = self._chips(sums, plan, (node, player), both)
        alive, known = live_holes(cards), np.full(both.shape, np.nan)
        known[player] = values[-1]
        return Decision(
            **public_state(self.tree, node),
            board=cards,
            strategy=np.where(alive, shares, np.nan).T,
            reach=both,
            alive=alive,
            values=known,
            action_values=values[:-1].T,
            errors=errors[-1],
            action_errors=errors[:-1].T,
            samples=plan.samples,
            source="blueprint",
        )

    def hands(
        self,
        player: int,
        node: int,
        board: CardsLike = "",
        *,
        reach: ArrayLike | None = None,
        samples: int | None = None,
    ) -> HandValues:
        """Return the EV of all hands of a player at any node, also a terminal one.

        `player` is a seat; the other parameters are those of `actions`.
        """
        cards = self._checked(node, board)
        both, plan = self._both(node, cards, reach), self._plan(node, cards, samples)
        sums = BoardSums(1, by_class=not cards and reach is None)
        for walk, alive in self._walks(plan, node, player):
            sums.add([walk.values(node, both[1 - player])], alive)
        values, errors = self._chips(sums, plan, (node, player), both)
        return HandValues(values[0], errors[0], hands_met(both[1 - player]), plan.samples)

    def best(
        self, player: int, node: int, board: CardsLike = "", *, reach: ArrayLike | None = None
    ) -> HandValues:
        """Return the EV of all hands of a player who plays a best response from a node on.

        The best response uses the bet menu and knows the opponent's strategy and range, which is
        as in `actions`. At most one card may be to come.
        """
        cards = self._checked(node, board)
        both, (plan, walk, alive) = self._both(node, cards, reach), self._best(node, cards, player)
        sums = BoardSums(1, by_class=False)
        sums.add([walk.values(node, both[1 - player])], alive)
        values, errors = self._chips(sums, plan, (node, player), both)
        return HandValues(values[0], errors[0], hands_met(both[1 - player]), plan.samples)

    def best_actions(
        self, node: int, board: CardsLike = "", *, reach: ArrayLike | None = None
    ) -> NDArray[np.float64]:
        """Return [1326, actions] chips: EV of each action, followed by a best response.

        As for `best`; NaN for impossible hands and hands without an opposing hand.
        """
        cards, player = self._checked(node, board), int(self.tree.player[node])
        both, (plan, walk, alive) = self._both(node, cards, reach), self._best(node, cards, player)
        sums = BoardSums(int(self.tree.num_actions[node]), by_class=False)
        sums.add(list(walk.action_values(node, both[1 - player])), alive)
        return self._chips(sums, plan, (node, player), both)[0].T

    def reach(self, node: int, board: CardsLike = "") -> NDArray[np.float64]:
        """Return both players' own reach of a node with each hand: [2, 1326].

        0 for dead hands. Untrained decisions are played uniformly.
        """
        cards = self._checked(node, board)
        tree, reach = self.tree, np.ones((2, NUM_HOLES))
        for decision, taken in tree.way(node):
            seen = cards[: tree.spec.board_sizes[int(tree.street[decision])]]
            row = self._tables(decision)[taken]
            reach[int(tree.player[decision])] *= row[self._buckets.find_all(seen)]
        reach[:, ~live_holes(cards)] = 0
        return reach

    def _plan(
        self, node: int, cards: tuple[int, ...], samples: int | None, **options: int
    ) -> BoardPlan:
        sizes = self.tree.spec.board_sizes[int(self.tree.street[node]) :]
        return BoardPlan(sizes, cards, self._buckets.find_all, samples, self._seed, **options)

    def _walks(
        self, plan: BoardPlan, node: int, player: int
    ) -> Iterator[tuple[HandWalk, NDArray[np.bool_]]]:
        """Yield walks, each with [boards, 1326] whether hands are alive."""
        drawn = None
        if plan.samples:
            drawn = DrawnLines(self._seed, _FLOOR, partial(equities, plan.cards))
        walk = HandWalk(self.tree, self._tables, player, drawn=drawn)
        for streets in plan.streets():
            walk.deal(int(self.tree.street[node]), streets)
            yield walk, streets[-1].alive

    def _best(
        self, node: int, cards: tuple[int, ...], player: int
    ) -> tuple[BoardPlan, HandWalk, NDArray[np.bool_]]:
        """Return a walk over all boards at once, and [1, 1326] the live hands at its start."""
        plan = self._plan(node, cards, None, at_once=NUM_CARDS)
        if plan.samples:
            raise BlueprintError(
                "best responses need at most one card to come, unlike after "
                f"'{self.tree.line(node)}'"
            )
        [streets] = plan.streets()
        walk = HandWalk(self.tree, self._tables, player, best=True)
        walk.deal(int(self.tree.street[node]), streets)
        return plan, walk, streets[0].alive

    def _shares(self, node: int, cards: tuple[int, ...]) -> NDArray[np.float64]:
        """[actions, 1326] strategy of every hand at a decision."""
        return self._tables(node)[:, self._buckets.find_all(cards)]

    def _checked(self, node: int, board: CardsLike) -> tuple[int, ...]:
        cards = tuple(as_cards(board))
        count = self.tree.spec.board_sizes[int(self.tree.street[node])]
        if len(cards) != count or min(cards, default=0) < 0 or len(set(cards)) < count:
            raise BlueprintError(
                f"after '{self.tree.line(node)}' the board must have {count} different cards, not "
                f"{cards_text(cards) or 'none'}"
            )
        return cards

    def _both(self, node: int, cards: tuple[int, ...], given: ArrayLike | None) -> _Floats:
        """Both players' reach; 0 for dead hands."""
        if given is None:
            return self.reach(node, cards)
        reach = np.array(given, dtype=np.float64)
        if reach.shape != (2, NUM_HOLES) or not np.isfinite(reach).all() or (reach < 0).any():
            raise BlueprintError("reach must be [2, 1326] finite numbers from 0 on")
        reach[:, ~live_holes(cards)] = 0
        return reach

    def _chips(
        self, sums: BoardSums, plan: BoardPlan, where: tuple[int, int], both: _Floats
    ) -> tuple[_Floats, _Floats]:
        """Values and errors, [columns, 1326], per opposing hand, with the share of the pot."""
        met = hands_met(both[1 - where[1]])
        per_hand = np.where(met > 0, 1 / np.where(met > 0, met, 1), np.nan)
        values, errors = (numbers * per_hand for numbers in sums.means())
        if not plan.samples:
            errors[~np.isnan(errors)] = 0
        node, player = where
        # After a fold the uncalled bet is still part of the pot.
        at = int(self.tree.parent[node]) if self.tree.kind[node] == FOLD else node
        return values + int(self.tree.contributions[at, player]), errors


def _checked_buckets(tree: Tree, buckets: BucketFinder) -> HoldemBuckets:
    """Refuse games without values of all hole pairs."""
    spec = tree.spec
    if spec.players != 2:
        raise BlueprintError(f"values need a game of two players: '{spec.name}' has {spec.players}")
    if spec.has_discards:
        raise BlueprintError(f"values need a game without discards: '{spec.name}' has them")
    if not isinstance(buckets, HoldemBuckets):
        raise BlueprintError("values of all hole pairs need hold'em with card buckets")
    return buckets
