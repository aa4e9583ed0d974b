"""The line of a tree that is most similar to a table's, with three or more players.

Before the flop a decision is described by a few facts (`Situation`), and so is every decision of
the tree. The nearest one has the smallest distance: above all the same number of raises and the
same part of the actor in them, a similar price, then the same seats of actor and raiser, then the
number of callers and the price in relation to the pot. So an open all-in counts as the re-raise
all-in that the tree has. A flop is compared by its players, by who raised last and how
often, and by the pot. If more players see it than in any line of the tree, those who fit best are
in the line; the hero and the last raiser always are.

The weights of the distance are judgements: an order of importance, not the result of a fit.
"""

from __future__ import annotations

from itertools import combinations
from math import inf, log
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from riverboat.tree import BET_ACTION, DECISION, SHOWDOWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riverboat.game import Hand
    from riverboat.tree import Tree

_FOLD, _CALL = 0, 2  # kinds of actions
_FIRST: Final = 2  # the first seat after the blinds
_OUT: Final = -1

# Weights of the distance between two decisions before the flop.
_RAISES: Final = 30.0
_PART: Final = 20.0
_ALL_IN: Final = 10.0
_OTHER_KIND: Final = 12.0  # a blind in place of another seat, or the reverse
_SEAT: Final = 2.0
_CALLERS: Final = 4.0
_ODDS: Final = 40.0
_PRICE: Final = 25.0  # of a price that is e times as high
#: A price that differs by more than this factor is another situation.
_SAME_PRICE: Final = 2.0
# Weights of the distance between two flops.
_MISSING: Final = 6.0
_FLOP_RAISES: Final = 8.0
_RAISER: Final = 15.0
_POT: Final = 5.0
_MOST_KNOWN: Final = 10_000


class Situation(NamedTuple):
    """A decision before the flop.

    Attributes
    ----------
    seat
        The tree's seat of the actor.
    raises
        Raises so far.
    part
        What the actor has done so far: 0 nothing, 1 limped or called, 2 raised.
    raiser
        The tree's seat of the last raiser, -1 if there is none.
    callers
        Other players who have limped or called, or raised before the last raise.
    odds
        The price as a share of the pot after a call.
    all_in
        Whether a call would put the actor or the last raiser all-in.
    price
        What a call amounts to on this street, in big blinds.
    """

    seat: int
    raises: int
    part: int
    raiser: int
    callers: int
    odds: float
    all_in: bool
    price: float


class _Past(NamedTuple):
    """What happened before the flop on a line of the tree."""

    parts: tuple[int, ...]
    folded: frozenset[int] = frozenset()
    raises: int = 0
    raiser: int = _OUT

    def after(self, seat: int, kind: int) -> _Past:
        if kind == _FOLD:
            return self._replace(folded=self.folded | {seat})
        part = {BET_ACTION: 2, _CALL: max(1, self.parts[seat])}.get(kind, self.parts[seat])
        parts = (*self.parts[:seat], part, *self.parts[seat + 1 :])
        if kind != BET_ACTION:
            return self._replace(parts=parts)
        return self._replace(parts=parts, raises=self.raises + 1, raiser=seat)

    def callers(self, actor: int) -> int:
        others = set(range(len(self.parts))) - self.folded - {actor, self.raiser}
        return sum(self.parts[seat] > 0 for seat in others)


class _Flop(NamedTuple):
    """A line of the tree that leads to a flop."""

    node: int
    live: tuple[int, ...]
    raises: int
    raiser: int
    pot: float
    """In big blinds."""


def read_preflop(hand: Hand, seats: tuple[int, ...]) -> Situation:
    """Return the situation of the seat to act; `seats` are the tree's seats.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand.from_line(catalogue("nolimit-100bb", players=6), "cfb40")
    >>> situation = read_preflop(hand, (0, 1, 2, 3, 4, 5))
    >>> situation.seat, situation.raiser, situation.callers, situation.price
    (5, 4, 1, 4.0)
    """
    past, actor = _past(hand), hand.actor or 0
    seat, raiser = _or_first(seats[actor]), past.raiser
    if raiser >= 0:
        raiser = _or_first(seats[raiser])
        if raiser == seat >= _FIRST:
            seat = min(seat + 1, len(seats) - 1)
    pays = max(hand.stacks[actor], 1)
    all_in = hand.to_call >= pays or (past.raiser >= 0 and hand.stacks[past.raiser] == 0)
    odds = hand.to_call / max(hand.pot + hand.to_call, 1)
    callers = past.callers(actor)
    price = hand.price / hand.spec.big_blind
    return Situation(seat, past.raises, past.parts[actor], raiser, callers, odds, all_in, price)


def _or_first(seat: int) -> int:
    return _FIRST if seat == _OUT else seat


def _past(hand: Hand) -> _Past:
    past = _Past((0,) * hand.spec.players)
    kinds = {"fold": _FOLD, "call": _CALL, "bet": BET_ACTION}
    for event in hand.events:
        if event.street == 0:
            past = past.after(event.seat, kinds.get(event.action.kind, -1))
    return past


class NearestLines:
    """The decisions of a tree before the flop, and its flops, by what led there.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("nolimit-100bb", players=6), "2.5x | a ; cap 2 ; flop 2 / none")
    >>> hand = Hand.from_line(catalogue("nolimit-100bb", players=6), "cfb40")
    >>> tree.line(NearestLines(tree).decision(read_preflop(hand, (0, 1, 2, 3, 4, 5))))
    'cfb25'
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._pasts: dict[int, _Past] = {}
        self._decisions: list[tuple[Situation, int]] = []
        self._flops: list[_Flop] = []
        self._known: dict[Situation, int] = {}
        self._known_flops: dict[tuple[object, ...], tuple[int, tuple[int, ...]]] = {}
        for node, past in _preflop(tree):
            self._pasts[node] = past
            if int(tree.street[node]) == 0:
                self._add_decision(node, past)
            else:
                self._flops.append(self._flop_at(node, past))

    def decision(self, wanted: Situation) -> int:
        """Return the nearest decision; -1 if there is none."""
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        if wanted not in self._known:
            nearest = min(
                self._decisions, key=lambda each: _distance(wanted, each[0]), default=None
            )
            self._known[wanted] = nearest[1] if nearest else -1
        return self._known[wanted]

    def flop(self, hand: Hand, needed: frozenset[int]) -> tuple[int, tuple[int, ...]]:
        """Return the nearest flop, and the tree's seat of each seat; -1 = left out.

        `needed` are seats that must be in the line, if they are in the hand.
        """
        past = _past(hand)
        live, unit = tuple(sorted(hand.live)), hand.spec.big_blind or 1
        pot = round(hand.pot / unit, 1)
        key = (live, past.raises, past.raiser, pot, needed, hand.spec.players)
        if len(self._known_flops) > _MOST_KNOWN:
            self._known_flops.clear()
        if key not in self._known_flops:
            table = _Flop(-1, live, past.raises, past.raiser, pot)
            needed = needed & frozenset(live)
            self._known_flops[key] = self._search(table, needed, hand.spec.players)
        return self._known_flops[key]

    def folded(self, node: int) -> frozenset[int]:
        """Return the seats that have folded before a decision before the flop."""
        return self._pasts[node].folded

    def live(self, node: int) -> list[int]:
        """Return the players of a flop, in order."""
        return sorted(set(range(self.tree.num_players)) - self._pasts[node].folded)

    def is_showdown(self, node: int) -> bool:
        """Whether a node is a showdown: all players are all-in."""
        return int(self.tree.kind[node]) == SHOWDOWN

    def _add_decision(self, node: int, past: _Past) -> None:
        kinds = {int(self.tree.action_kind[child]) for child in self.tree.children(node)}
        if past.raises and kinds <= {_FOLD, BET_ACTION}:
            return  # a rule of the menu excludes the call
        seat, chips = int(self.tree.player[node]), self.tree.contributions[node].tolist()
        stacks, to_call = self.tree.spec.stacks, max(chips) - chips[seat]
        behind = [stack - paid for stack, paid in zip(stacks, chips, strict=True)]
        all_in = to_call >= behind[seat] or (past.raiser >= 0 and behind[past.raiser] == 0)
        odds = to_call / max(sum(chips) + to_call, 1)
        part, callers, price = past.parts[seat], past.callers(seat), self._price(node)
        situation = Situation(seat, past.raises, part, past.raiser, callers, odds, all_in, price)
        self._decisions.append((situation, node))

    def _price(self, node: int) -> float:
        spec = self.tree.spec
        paid = self.tree.contributions[node] - np.array(spec.antes)
        return float(paid.max()) / spec.big_blind

    def same_price(self, node: int, hand: Hand) -> bool:
        """Whether a decision before the flop has about the price of a table."""
        ratio = hand.price / hand.spec.big_blind / self._price(node)
        return 1 / _SAME_PRICE <= ratio <= _SAME_PRICE

    def _flop_at(self, node: int, past: _Past) -> _Flop:
        pot = float(self.tree.contributions[node].sum()) / (self.tree.spec.big_blind or 1)
        return _Flop(node, tuple(self.live(node)), past.raises, past.raiser, pot)

    def _search(
        self, table: _Flop, needed: frozenset[int], players: int
    ) -> tuple[int, tuple[int, ...]]:
        """Compare all flops of the tree with a table's, for each choice of players."""
        shift = self.tree.num_players - players
        kinds = [seat if seat < _FIRST else max(seat + shift, _FIRST) for seat in range(players)]
        best, found = inf, (-1, (_OUT,) * players)
        for flop in self._flops:
            cost = _FLOP_RAISES * abs(flop.raises - table.raises)
            cost += _POT * abs(log(max(flop.pot, 0.1) / max(table.pot, 0.1)))
            cost += _MISSING * (len(table.live) - len(flop.live))
            if cost >= best or len(flop.live) > len(table.live):
                continue
            for chosen in combinations(table.live, len(flop.live)):
                if not needed <= {*chosen}:
                    continue
                own = cost + _players_distance(chosen, flop, table.raiser, kinds)
                if own < best:
                    seats = dict(zip(chosen, flop.live, strict=True))
                    best = own
                    found = (flop.node, tuple(seats.get(seat, _OUT) for seat in range(players)))
        return found


def _preflop(tree: Tree) -> Iterator[tuple[int, _Past]]:
    """Yield the decisions before the flop, and the first ones after it."""
    stack = [(0, _Past((0,) * tree.num_players))]
    while stack:
        node, past = stack.pop()
        yield node, past
        if int(tree.street[node]) > 0:
            continue
        seat = int(tree.player[node])
        stack.extend(
            (child, past.after(seat, int(tree.action_kind[child])))
            for child in tree.children(node)
            if int(tree.kind[child]) == DECISION
        )


def _seats_distance(one: int, other: int) -> float:
    if one == other:
        return 0.0
    if min(one, other) < _FIRST:
        return _OTHER_KIND
    return _SEAT * abs(one - other)


def _distance(one: Situation, other: Situation) -> float:
    raiser = (one.raiser >= 0) == (other.raiser >= 0)
    return (
        _RAISES * abs(one.raises - other.raises)
        + _PART * abs(one.part - other.part)
        + _ALL_IN * (one.all_in != other.all_in)
        + _seats_distance(one.seat, other.seat)
        + (_seats_distance(one.raiser, other.raiser) / 2 if raiser else 0.0)
        + _PRICE * abs(log(one.price / other.price))
        + _CALLERS * abs(one.callers - other.callers)
        + _ODDS * abs(one.odds - other.odds)
    )


def _players_distance(chosen: tuple[int, ...], flop: _Flop, raiser: int, kinds: list[int]) -> float:
    """Distance between the players of a table and those of a line, in the order of acting."""
    pairs = list(zip(chosen, flop.live, strict=True))
    seats = sum(_seats_distance(kinds[seat], own) / _FIRST for seat, own in pairs)
    matched = raiser < 0 or (raiser, flop.raiser) in pairs
    return seats + (0.0 if matched else _RAISER)
