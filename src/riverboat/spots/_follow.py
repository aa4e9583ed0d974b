"""Fixed strategies for one player of a spot: from a solution, or from a blueprint.

A blueprint is queried as by the bot at a table: action translation maps the line to the spot and
the spot's own lines to the blueprint's bet sizes, and its actions back to real chips. A bet that
the spot's tree does not have is split between its two neighbours, by the same rule.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec
import numpy as np

from riverboat.blueprint import TreeFacts, hand_buckets
from riverboat.cards import HOLES, NUM_HOLES
from riverboat.errors import IllegalActionError, SpotError
from riverboat.game import Action, Hand
from riverboat.spots._settings import SIDES
from riverboat.translation import size_shares
from riverboat.tree import PublicState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from riverboat.blueprint import Blueprint, Query
    from riverboat.cards import HandStrength
    from riverboat.game import View
    from riverboat.spots._layout import Layout
    from riverboat.spots._solution import Solution
    from riverboat.spots._spot import Spot
    from riverboat.translation import Place

#: A decision of the spot's tree, the cards since its board, `[actions, 1326]` probabilities.
Rows: TypeAlias = "tuple[int, tuple[int, ...], NDArray[np.float64]]"

_BUCKET_BITS: Final = 40


class Imported:
    """A blueprint's strategy in a spot, for `Solving.follow`.

    Where the blueprint is untrained, its bet menu is played uniformly; off-tree it checks or calls.
    Isomorphic hands translate an off-tree bet alike; with `isomorphism=False` each hand draws its
    own translation, as at a table.

    Parameters
    ----------
    blueprint
        A blueprint of hold'em.
    line
        From the start of the hand to the spot, such as `b25c`.
    threshold
        Rarer bets and folds are left out: 0 = as trained, `blueprint.threshold` = as played.
    open_tables
        Returns the hand-strength tables, or None. Without tables the buckets are computed hand by
        hand: seconds per flop, a tenth of a second per turn.
    progress
        Called with the number of boards done and of all boards.

    Attributes
    ----------
    counts
        Decisions of single hands in `rows`, by `trained`, `untrained` and `off-tree`.

    Examples
    --------
    >>> from riverboat.blueprint import Blueprint, default_blueprint
    >>> from riverboat.spots import Imported, Spot, solve
    >>> blueprint = Blueprint.open(default_blueprint())
    >>> spot = Spot(board="Ks7h2d3c8d", pot=50, stack=975, oop="AK", ip="QQ", menu="a")
    >>> solving = solve(spot)
    >>> solving.follow(Imported(blueprint, "b25c/kk/kk"), "ip")
    >>> solving.exploit("oop").values[0] >= 50  # kings win at least the pot
    True
    """

    def __init__(
        self,
        blueprint: Blueprint,
        line: str,
        *,
        threshold: float = 0.0,
        open_tables: Callable[[], HandStrength | None] = lambda: None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        if blueprint.cards is None:
            raise SpotError(f"{blueprint.path} is not a blueprint of hold'em, as a spot needs")
        self.blueprint, self.line = blueprint, line.strip("/")
        self._cards, self._threshold = blueprint.cards, threshold
        self._open_tables, self._progress = open_tables, progress
        self.counts: Counter[str] = Counter()

    @property
    def name(self) -> str:
        """The blueprint's file name and the line."""
        return f"{self.blueprint.path.name} {self.line}"

    def rows(self, layout: Layout, player: int) -> Iterator[Rows]:
        """Yield the strategy of a player's decisions, board by board."""
        query = self.blueprint.query(threshold=self._threshold)
        table = _Table(self.blueprint, self.line, layout.spot)
        equals, known = layout.equals(player), dict[int, _Decision]()
        for done, cards in enumerate(layout.boards, 1):
            buckets = hand_buckets(self._cards, (*layout.board, *cards), self._open_tables)
            holes = layout.holes(player, cards)
            for node in layout.decisions(len(cards), player):
                if node not in known:
                    view = table.view(layout.tree.line(node))
                    known[node] = _Decision(query, view, layout.tree.actions(node), equals)
                yield node, cards, known[node].rows(buckets, holes, self.counts)
            if self._progress is not None:
                self._progress(done, len(layout.boards))


def followed(strategy: Solution | Imported, layout: Layout, player: int) -> Iterator[Rows]:
    """Yield the rows of a player who follows a strategy, decision by decision."""
    if isinstance(strategy, Imported):
        yield from strategy.rows(layout, player)
        return
    same_tree = TreeFacts.of(strategy.tree) == TreeFacts.of(layout.tree)
    if strategy.spot.cards != layout.spot.cards or not same_tree:
        raise SpotError(
            f"a solution to play against must have the same board and tree: {strategy.name} has "
            f"the board {strategy.spot.board}, pot {strategy.spot.pot:,}, and its own tree"
        )
    side = SIDES[player]
    for cards in layout.boards:
        holes = layout.holes(player, cards)
        for node in layout.decisions(len(cards), player):
            rows = strategy.strategy(node, cards)
            if np.isnan(rows[0, holes]).any():
                raise SpotError(f"the solution to play against lacks hands of the range {side}")
            yield node, cards, rows


class _Table:
    """A table of the blueprint's game, with a hand that leads to the spot."""

    def __init__(self, blueprint: Blueprint, line: str, spot: Spot) -> None:
        self._spec, self._line = blueprint.tree.spec, line
        hand = Hand.from_line(self._spec, line, board=spot.cards)
        if hand.finished or self._spec.board_sizes[hand.street] != len(spot.cards):
            end = "the end" if hand.finished else f"the {self._spec.street_names[hand.street]}"
            raise SpotError(f"the line '{line}' leads to {end} of a hand, not to a {spot.street}")
        state = PublicState.of(hand, spot.street)
        if state.line_of(hand):
            raise SpotError(f"the line '{line}' must end where the {spot.street} begins")
        for name, words in (("pot", "a pot of"), ("betting", "the betting"), ("deck", "the deck")):
            own, given = getattr(state, name), getattr(spot, name)
            if own != given:
                raise SpotError(
                    f"after '{line}' {blueprint.path.name} has {words} {own}, the spot has {given}"
                )
        behind = min(spot.stacks)
        self._stacks = list(hand.starting_stacks)
        for seat in state.seats:
            self._stacks[seat] += behind - hand.stacks[seat]

    def view(self, line: str) -> View:
        """View of the seat to act after a line of the spot."""
        hand = Hand(self._spec, stacks=self._stacks)
        try:
            hand.play(f"{self._line}/{line}".rstrip("/"))
        except IllegalActionError as error:
            raise SpotError(
                f"the spot's line '{line}' cannot be played in the blueprint's game: {error}"
            ) from error
        return hand.view(hand.actor or 0)


class _Decision:
    """The blueprint's strategy at a decision of the spot, for any bucket."""

    def __init__(
        self, query: Query, view: View, actions: Sequence[str], hands: NDArray[np.intp]
    ) -> None:
        self._query, self._view, self._actions = query, view, actions
        self._places, self._place_of = _places(query, view, hands)
        self._known: dict[tuple[int, int], tuple[str, NDArray[np.float64]]] = {}

    def rows(
        self, buckets: NDArray[np.int64], holes: NDArray[np.intp], counts: Counter[str]
    ) -> NDArray[np.float64]:
        """Return `[actions, 1326]`, nan except for `holes`; count the hands by status."""
        keys = (self._place_of[holes] << _BUCKET_BITS) + buckets[holes]
        own, inverse, hands = np.unique(keys, return_inverse=True, return_counts=True)
        answers = [self._row(*divmod(key, 1 << _BUCKET_BITS)) for key in own.tolist()]
        for (status, _), count in zip(answers, hands.tolist(), strict=True):
            counts[status] += count
        rows = np.full((len(self._actions), NUM_HOLES), np.nan)
        rows[:, holes] = np.array([row for _, row in answers])[inverse].T
        return rows

    def _row(self, place: int, bucket: int) -> tuple[str, NDArray[np.float64]]:
        known = self._known.get((place, bucket))
        if known is None:
            status, probabilities = self._answer(self._places[place], bucket)
            known = status, _on_tree(self._view, self._actions, probabilities)
            self._known[place, bucket] = known
        return known

    def _answer(self, place: Place, bucket: int) -> tuple[str, dict[str, float]]:
        """Return the bot's strategy at the table, without its fallback."""
        if place.node < 0:
            return "off-tree", {"k" if self._view.legal.check else "c": 1.0}
        answer = self._query.answer(self._view, place, bucket)
        if answer.status == "trained":
            return answer.status, dict(answer.actions)
        return "untrained", dict(self._query.uniform(self._view, place))


def _places(
    query: Query, view: View, hands: NDArray[np.intp]
) -> tuple[list[Place], NDArray[np.intp]]:
    """Return a view's places in the blueprint's tree, and [1326] each hand's place among them.

    `hands` has for each hand its representative, or -1; a hand draws its representative's place.
    """
    numbers: dict[Place, int] = {}
    place_of = np.zeros(NUM_HOLES, dtype=np.intp)
    for hand in np.unique(hands[hands >= 0]).tolist():
        first, second = HOLES[hand].tolist()
        place = query.tracker.find(msgspec.structs.replace(view, hole=(first, second)))
        place_of[hand] = numbers.setdefault(place, len(numbers))
        if not query.tracker.drawn:
            break
    return list(numbers), place_of[hands]


def _on_tree(
    view: View, actions: Sequence[str], probabilities: Mapping[str, float]
) -> NDArray[np.float64]:
    """[actions] probabilities; a bet that the spot lacks is split between its neighbours."""
    row = dict.fromkeys(actions, 0.0)
    for action, probability in probabilities.items():
        for nearest, share in _translated(view, actions, action):
            row[nearest] += probability * share
    total = sum(row.values())
    return np.array([probability / total for probability in row.values()])


def _translated(view: View, actions: Sequence[str], action: str) -> list[tuple[str, float]]:
    """The spot's actions that stand for an action at the table, with their shares."""
    if action in actions:
        return [(action, 1.0)]
    bets = sorted(bet.amount for bet in map(Action, actions) if bet.kind == "bet")
    move = Action(action)
    if move.kind != "bet" or not bets:
        return [(next((passive for passive in actions if passive in "kc"), actions[0]), 1.0)]
    price, pot = view.bets[view.seat] + view.to_call, view.pot + view.to_call
    sizes = [(bet - price) / pot for bet in bets]
    # A bet below the spot's smallest counts as the smallest.
    shares = size_shares(max((move.amount - price) / pot, sizes[0]), sizes)
    return [(f"b{bets[index]}", share) for index, share in shares]
