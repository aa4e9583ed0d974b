"""What a strategy's actions are worth, for every hand: both players play it from there on.

The other's range is what his play on the way there makes of all hands. With at most one card to
come values are exact; before, run-outs are drawn, each one for all hands at once, and every value
has its standard error. Chips are counted as in solved spots: the share of all chips that lie in the
pot at the decision, less those put in later. So a fold is worth 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from riverboat.blueprint._buckets import HoldemBuckets
from riverboat.blueprint._hand_walk import BestWalk, Chances, HandWalk
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
    """What every hand of a player is worth at a node.

    Attributes
    ----------
    values
        [1326] float64, chips; NaN of hands that cannot be there or meet nobody.
    errors
        [1326] float64, standard errors; 0 where exact.
    met
        [1326] float64, reach of the other's hands that each one meets: values times this are
        counterfactual values, sums over the other's hands of reach times chips.
    samples
        Run-outs that were drawn; 0 = exact.
    """

    values: NDArray[np.float64]
    errors: NDArray[np.float64]
    met: NDArray[np.float64]
    samples: int

    @property
    def counterfactual(self) -> NDArray[np.float64]:
        """[1326] float64: sums over the other's hands of reach times chips; 0 where none is met."""
        return np.nan_to_num(self.values) * self.met


#: Where run-outs are drawn, lines that are played less often than this are left to chance: that
#: adds little to the errors of a run-out and makes ten of the time of one.
_FLOOR: Final = 0.02


class StrategyValues:
    """Values of a hold'em strategy of two players.

    Parameters
    ----------
    tree
        The betting tree.
    tables
        Gives [actions, buckets] probabilities of a decision.
    buckets
        Finds buckets of all hands on a board. Tables of hand strength that it needs are built.
    seed
        Of the run-outs that are drawn.

    Examples
    --------
    >>> from riverboat.blueprint import Blueprint, default_blueprint
    >>> values = Blueprint.open(default_blueprint()).query().all_values
    >>> found = values.actions(values.tree.node("ck/kk/kk/"), "Qh7c2d9s3h")
    >>> found.found, len(found.action_values)
    ('exact', 1326)
    >>> found.hand("QsQd").value > found.hand("6s5s").value
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
        """Build the tables of buckets that are missing, which is else done without a word."""
        self._buckets.build_tables(progress)

    def actions(
        self,
        node: int,
        board: CardsLike = "",
        *,
        reach: ArrayLike | None = None,
        samples: int | None = None,
    ) -> Decision:
        """Return a decision with values; untrained hands play uniformly.

        Parameters
        ----------
        node
            A decision of the tree.
        board
            The public cards there, in the order of dealing.
        reach
            [2, 1326] how likely each player comes there with each hand; by the strategy's own
            play if not given.
        samples
            Run-outs to draw where more than one card is to come; 200 if not given. 0 = all of
            them, which is exact and slow, from the flop on.
        """
        if self.tree.kind[node] != DECISION:
            raise BlueprintError(f"nobody decides after '{self.tree.line(node)}'")
        cards, player = self._checked(node, board), int(self.tree.player[node])
        both, shares = self._both(node, cards, reach), self._shares(node, cards)
        plan = self._plan(node, cards, samples)
        sums = BoardSums(len(shares) + 1, by_class=not cards and reach is None)
        for walk, alive in self._walks(plan, node, player):
            each = walk.action_values(node, both[None, 1 - player])
            mixed = np.zeros_like(each[0])
            for share, value in zip(shares, each, strict=True):
                mixed = mixed + share * value
            sums.add([*each, mixed], alive)
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
        """Return what all hands of either player are worth at a node, which may be an end.

        `player` is a seat; the rest is as for `actions`.
        """
        cards = self._checked(node, board)
        both, plan = self._both(node, cards, reach), self._plan(node, cards, samples)
        sums = BoardSums(1, by_class=not cards and reach is None)
        for walk, alive in self._walks(plan, node, player):
            sums.add([walk.values(node, both[None, 1 - player])], alive)
        values, errors = self._chips(sums, plan, (node, player), both)
        return HandValues(values[0], errors[0], hands_met(both[1 - player]), plan.samples)

    def best(
        self, player: int, node: int, board: CardsLike = "", *, reach: ArrayLike | None = None
    ) -> HandValues:
        """Return what all hands of a player are worth who responds best from a node on.

        He knows the other's strategy and range, which is as for `actions`, and bets by the menu.
        With at most one card to come.
        """
        cards = self._checked(node, board)
        both, (plan, walk, alive) = self._both(node, cards, reach), self._best(node, cards, player)
        sums = BoardSums(1, by_class=False)
        sums.add([walk.values(node, both[None, 1 - player])], alive)
        values, errors = self._chips(sums, plan, (node, player), both)
        return HandValues(values[0], errors[0], hands_met(both[1 - player]), plan.samples)

    def best_actions(
        self, node: int, board: CardsLike = "", *, reach: ArrayLike | None = None
    ) -> NDArray[np.float64]:
        """Return [1326, actions] what each action is worth to who responds best after it: chips.

        All is as for `best`; NaN of hands that cannot be there or meet nobody.
        """
        cards, player = self._checked(node, board), int(self.tree.player[node])
        both, (plan, walk, alive) = self._both(node, cards, reach), self._best(node, cards, player)
        sums = BoardSums(int(self.tree.num_actions[node]), by_class=False)
        sums.add(walk.action_values(node, both[None, 1 - player]), alive)
        return self._chips(sums, plan, (node, player), both)[0].T

    def reach(self, node: int, board: CardsLike = "") -> NDArray[np.float64]:
        """Return how likely each player comes to a node with each hand: [2, 1326].

        By his own play; 0 of hands on the board. Untrained decisions are played uniformly.
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
        """Yield walks, and [boards, 1326] which hands the boards of each leave alive."""
        chances = None
        if plan.samples:
            draws = np.random.default_rng((self._seed, 1))
            chances = Chances(draws, _FLOOR, partial(equities, plan.cards))
        for streets in plan.streets():
            boards = dict(enumerate(streets, int(self.tree.street[node])))
            yield HandWalk(self.tree, self._tables, boards, player, chances), streets[-1].alive

    def _best(
        self, node: int, cards: tuple[int, ...], player: int
    ) -> tuple[BoardPlan, BestWalk, NDArray[np.bool_]]:
        """A walk over all boards at once, and [1, 1326] which hands are alive where it begins."""
        plan = self._plan(node, cards, None, at_once=NUM_CARDS)
        if plan.samples:
            raise BlueprintError(
                "best responses are found with at most one card to come, not after "
                f"'{self.tree.line(node)}'"
            )
        [streets] = plan.streets()
        boards = dict(enumerate(streets, int(self.tree.street[node])))
        return plan, BestWalk(self.tree, self._tables, boards, player), streets[0].alive

    def _shares(self, node: int, cards: tuple[int, ...]) -> NDArray[np.float64]:
        """[actions, 1326] what every hand does at a decision."""
        return self._tables(node)[:, self._buckets.find_all(cards)]

    def _checked(self, node: int, board: CardsLike) -> tuple[int, ...]:
        cards = tuple(as_cards(board))
        count = self.tree.spec.board_sizes[int(self.tree.street[node])]
        if len(cards) != count or min(cards, default=0) < 0 or len(set(cards)) < count:
            raise BlueprintError(
                f"after '{self.tree.line(node)}' the board has {count} different cards, not "
                f"{cards_text(cards) or 'none'}"
            )
        return cards

    def _both(self, node: int, cards: tuple[int, ...], given: ArrayLike | None) -> _Floats:
        """Both players' reach; 0 of hands on the board."""
        if given is None:
            return self.reach(node, cards)
        reach = np.array(given, dtype=np.float64)
        if reach.shape != (2, NUM_HOLES) or not np.isfinite(reach).all() or (reach < 0).any():
            raise BlueprintError("the reach of two players is [2, 1326] numbers, none below 0")
        reach[:, ~live_holes(cards)] = 0
        return reach

    def _chips(
        self, sums: BoardSums, plan: BoardPlan, where: tuple[int, int], both: _Floats
    ) -> tuple[_Floats, _Floats]:
        """Values and errors, [columns, 1326], for one hand met, with the share of the pot."""
        met = hands_met(both[1 - where[1]])
        per_hand = np.where(met > 0, 1 / np.where(met > 0, met, 1), np.nan)
        values, errors = (each * per_hand for each in sums.means())
        if not plan.samples:
            errors[~np.isnan(errors)] = 0
        node, player = where
        # After a fold the bet that nobody called still lies there.
        at = int(self.tree.parent[node]) if self.tree.kind[node] == FOLD else node
        return values + int(self.tree.contributions[at, player]), errors


def _checked_buckets(tree: Tree, buckets: BucketFinder) -> HoldemBuckets:
    """Refuse strategies whose values are not had for all hands."""
    spec = tree.spec
    if spec.players != 2:
        raise BlueprintError(f"values are for two players: '{spec.name}' has {spec.players}")
    if spec.has_discards:
        raise BlueprintError(f"values are for games without discards: '{spec.name}' has them")
    if not isinstance(buckets, HoldemBuckets):
        raise BlueprintError("values of all hole pairs at once are for hold'em with card buckets")
    return buckets
