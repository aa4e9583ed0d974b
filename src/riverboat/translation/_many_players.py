"""Map tables of three or more players to a tree of three or more, seat by seat.

A tree for six players serves every table with at least three seats. Its small blind, big blind and
the seats before the button are those of the table. Missing seats folded first; a seat before the
tree's first one has no place in the tree until it enters the pot.

A line that the tree has, up to bet sizes, is read action by action as `Tracker` does. Where the
tree has none (a limp, one caller too many, a seat that the tree lacks), the table continues at the
nearest line (`_nearest.py`). After the flop some players may be left out of that line:

* what a player who is left out checks, calls or folds is not in the tree;
* if such a player bets, they take the place of the tree's next player, unless that is the hero;
* if a player of the line folds while one who is left out is still in the hand, the latter takes
  their place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from riverboat.game import Hand
from riverboat.translation._menu_nodes import for_many
from riverboat.translation._nearest import NearestLines, read_preflop
from riverboat.translation._tracker import Place, Tracker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riverboat.game import GameSpec, View
    from riverboat.translation._bets import Translation
    from riverboat.tree import Tree

_BLINDS: Final = 2
_OUT: Final = -1  # of a seat: it has no place in the tree
_PASSIVE: Final = (1, 2)  # kinds of actions: check, call
_CROWD: Final = "more players are in the hand than in the line of the tree"


def make_tracker(
    tree: Tree, translation: Translation = "pseudo-harmonic", seed: int = 0
) -> Tracker:
    """Return the tracker for a tree of any number of players.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.tree import Tree
    >>> six = catalogue("nolimit-100bb", players=6)
    >>> tracker = make_tracker(Tree(six, "2.5x ; cap 1 ; limp sb ; flop 2 / 66% ; cap 1"))
    >>> table = catalogue("nolimit-100bb", players=4)  # cutoff, button and blinds
    >>> place = tracker.find(Hand.from_line(table, "cb40", seed=1).view(0))
    >>> tracker.tree.line(place.node)  # the limp is left out
    'fffb25'
    """
    kind = ManyTracker if for_many(tree.spec) else Tracker
    return kind(tree, translation, seed)


def tree_seats(tree: int, table: int) -> tuple[int, ...]:
    """Return the tree's seat of each seat of a table, -1 for seats before the tree's first.

    Examples
    --------
    >>> tree_seats(6, 4), tree_seats(6, 8)
    ((0, 1, 4, 5), (0, 1, -1, -1, 2, 3, 4, 5))
    """
    shift = tree - table
    later = (seat + shift for seat in range(_BLINDS, table))
    return (0, 1, *(seat if seat >= _BLINDS else _OUT for seat in later))


class ManyTracker(Tracker):
    """A tracker for trees of three or more players; create it with `make_tracker`."""

    def __init__(
        self, tree: Tree, translation: Translation = "pseudo-harmonic", seed: int = 0
    ) -> None:
        super().__init__(tree, translation, seed)
        self._lines: NearestLines | None = None

    def seeded(self, seed: int) -> Tracker:
        """Return a tracker of the same tree with another random seed."""
        other = super().seeded(seed)
        if isinstance(other, ManyTracker):
            other._lines = self.lines
        return other

    @property
    def lines(self) -> NearestLines:
        """The lines of the tree before the flop, by situation."""
        if self._lines is None:
            self._lines = NearestLines(self.tree)
        return self._lines

    def early_seats(self, view: View) -> int:
        """Return how many seats act before the tree's first one, from the view's seat on.

        0 unless the seat has no place of its own in the tree and nobody has entered the pot.
        """
        seats = tree_seats(self.tree.num_players, view.spec.players)
        if seats[view.seat] != _OUT or view.line.strip("f"):
            return 0
        return seats[view.seat :].count(_OUT)

    def _first_place(self, spec: GameSpec, stacks: tuple[int, ...], hero: int) -> Place:
        tree = self.tree
        seats = tree_seats(tree.num_players, spec.players)
        node, exact = 0, self._same_rules and stacks == tree.spec.stacks
        for _ in range(tree.num_players - spec.players):
            node = self.nodes[node].children.get("f", -1)
        if spec.players < tree.num_players:
            exact = _same_for_fewer(tree.spec, spec, stacks)
        elif spec.players > tree.num_players:
            exact = False
        place = Place(node, exact, seats=seats, hero=hero)
        return place if exact else self._settled(place, Hand(spec, stacks=stacks))

    def readings(self, place: Place, hand: Hand, action: str) -> tuple[tuple[Place, float], ...]:
        """Return the places after an action, with probabilities: one place, or two of a draw."""
        after = hand.clone()
        after.do(action)
        if hand.actor is None or not place.seats:
            return ((place, 1.0),)
        read = self._read_street(place, hand, action)
        return tuple((self._settled(new, after), share) for new, share in read)

    def _read_street(
        self, place: Place, hand: Hand, action: str
    ) -> tuple[tuple[Place, float], ...]:
        """Return the places after an action as the line of the tree has it."""
        seat = hand.actor
        if seat is None or place.node < 0:
            return ((place, 1.0),)
        if hand.street > 0:
            place, skipped = self._seated(place, hand, action)
            if skipped:
                return ((place, 1.0),)
        elif place.seats[seat] == _OUT:
            node = place.node if action == "f" else -1
            return ((place._replace(node=node, exact=False), 1.0),)
        found = super().readings(place, hand, action)
        if hand.street > 0 and action.startswith("b") and found[0][0].node < 0:
            found = ((self._bets_instead(place, hand, action) or found[0][0], 1.0),)
        return tuple((self._kept(new, place), share) for new, share in found)

    def _kept(self, new: Place, old: Place) -> Place:
        """Return a place of `Tracker` with the seats of the place before."""
        called = new.node >= 0 and self.nodes.is_decision(new.node)
        as_none = new.as_none and called and "c" in self.nodes[new.node].children
        return new._replace(seats=old.seats, hero=old.hero, as_none=as_none)

    # ---- Before the flop

    def _settled(self, place: Place, after: Hand) -> Place:
        """Return the place of the next decision: on the line, or on the nearest one."""
        if after.actor is None:
            return place
        if after.street == 0:
            return place if self._serves(place, after) else self._nearest(place, after)
        begins = after.street == 1 and after.line.count("/") == 0
        return (
            self._flop(place, after) if begins and not self._continues_in(place, after) else place
        )

    def _serves(self, place: Place, hand: Hand) -> bool:
        """Whether the next player acts at this node, or in the tree all players are all-in."""
        if place.node < 0 or hand.actor is None:
            return place.committed
        if not self.nodes.is_decision(place.node):
            return False
        seat = place.seats[hand.actor]
        at = self.nodes[place.node]
        if seat == _OUT:  # a seat before the tree's first, while nobody has entered
            return not hand.line.strip("f") and place.node == 0
        if at.street > 0 or at.player != seat or not self.lines.same_price(place.node, hand):
            return False
        if at.passive >= 0 or hand.price <= hand.spec.big_blind or hand.actor != place.hero:
            return True
        return place.exact and len(at.actions) > 1  # a rule of the menu excludes the call

    def _nearest(self, place: Place, hand: Hand) -> Place:
        seats = tree_seats(self.tree.num_players, hand.spec.players)
        situation = read_preflop(hand, seats)
        node = self.lines.decision(situation)
        if node < 0 or hand.actor is None:
            return Place(-1, reason=_CROWD, seats=seats, hero=place.hero)
        own = self.nodes[node].player
        folded = self.lines.folded(node)
        left = [
            _OUT if seat in folded or seat == own or other not in hand.live else seat
            for other, seat in enumerate(seats)
        ]
        left[hand.actor] = own
        return Place(node, seats=tuple(left), hero=place.hero)

    # ---- From the flop on

    def _continues_in(self, place: Place, hand: Hand) -> bool:
        """Whether the tree's flop has the players of the table's."""
        if place.node < 0 or not self.nodes.is_decision(place.node):
            # All players are all-in in the tree: it has no betting left.
            return place.committed or (place.node >= 0 and self.lines.is_showdown(place.node))
        if self.nodes[place.node].street != 1:
            return False
        seated = sorted(place.seats[seat] for seat in hand.live)
        return seated == self.lines.live(place.node)

    def _flop(self, place: Place, hand: Hand, needed: frozenset[int] = frozenset()) -> Place:
        """Return the place at the nearest line that leads to a flop, with the needed seats."""
        node, seats = self.lines.flop(hand, needed | {place.hero})
        if node < 0:
            return Place(-1, reason=_CROWD, seats=place.seats, hero=place.hero)
        return Place(node, seats=seats, hero=place.hero)

    def _seated(self, place: Place, hand: Hand, action: str) -> tuple[Place, bool]:
        """Give the actor a place in the line if needed; return whether the action is left out."""
        seat = hand.actor or 0
        if place.seats[seat] == _OUT:
            if not action.startswith("b"):
                return place, True
            return self._takes_place(place, hand, seat)
        out = [other for other in hand.live if place.seats[other] == _OUT]
        if action != "f" or not out:
            return place, False
        heir = max(out, key=lambda other: (hand.bets[other] < hand.price, -other))
        moved = _moved(place, heir, place.seats[seat])
        if hand.bets[heir] < hand.price and hand.stacks[heir] > 0:
            return moved, True
        found = self.aligned(moved, heir, hand.street)
        passive = self.nodes[found.node].passive if found.node >= 0 else -1
        return moved._replace(node=passive, committed=found.committed), True

    def _takes_place(self, place: Place, hand: Hand, seat: int) -> tuple[Place, bool]:
        """Give a place to a player who is left out and bets.

        It is that of the tree's next player, or of the last one on this street who checked or
        called; never the hero's. On the flop another line may have both.
        """
        own = _OUT if place.hero < 0 else place.seats[place.hero]
        for node in self._back(place.node, hand.street):
            player = self.nodes[node].player
            if player != own and player in place.seats:
                return _moved(place._replace(node=node), seat, player), False
        if hand.street == 1 and not hand.price:
            return self._flop(place, hand, frozenset({seat})), False
        return Place(-1, reason=_CROWD, seats=place.seats, hero=place.hero), True

    def _back(self, node: int, street: int) -> Iterator[int]:
        """Yield the decisions of a street up to a node, the last one first, to its last bet."""
        while node > 0:
            if self.nodes.is_decision(node) and int(self.tree.street[node]) == street:
                yield node
            parent = int(self.tree.parent[node])
            passive = int(self.tree.action_kind[node]) in _PASSIVE
            if not passive or int(self.tree.street[parent]) != street:
                return
            node = parent

    def _bets_instead(self, place: Place, hand: Hand, action: str) -> Place | None:
        """Return the place if a raise that the tree lacks were the first bet of the street.

        The raiser bets where they checked before, or after the others check. The size is the one
        that gives the next player the most similar pot odds.
        """
        seat = hand.actor or 0
        on_street = list(self._on_street(place.node, hand.street))
        own = (
            node
            for node in on_street
            if self.nodes[node].player == place.seats[seat] and self.nodes[node].bets
        )
        start = next(own, on_street[-1] if on_street else -1)
        first = self.aligned(place._replace(node=start, exact=False), seat, hand.street)
        if first.node < 0 or not (bets := self.nodes[first.node].bets):
            return None
        after = hand.clone()
        after.do(action)
        wanted = after.to_call / max(after.pot + after.to_call, 1)
        best = min(bets, key=lambda bet: abs(bet.share / (1 + 2 * bet.share) - wanted))
        return Place(best.child)

    def _on_street(self, node: int, street: int) -> Iterator[int]:
        """Yield the decisions of a street up to a node, the last one first."""
        while node > 0:
            if int(self.tree.street[node]) < street:
                return
            if self.nodes.is_decision(node) and int(self.tree.street[node]) == street:
                yield node
            node = int(self.tree.parent[node])

    def aligned(self, place: Place, seat: int, street: int, discarding: bool = False) -> Place:
        """Return the place after passing seats that act in the tree but not at the table."""
        if not place.seats or place.node < 0:
            return place
        own = place.seats[seat]
        if own == _OUT:
            if street == 0 and place.node == 0:  # before the tree's first seat
                return place
            return Place(-1, reason=_CROWD, seats=place.seats, hero=place.hero)
        found = super().aligned(place, own, street, discarding)
        return found._replace(seats=place.seats, hero=place.hero)


def _moved(place: Place, seat: int, player: int) -> Place:
    """Give a seat of the table the place of a player of the tree."""
    seats = [_OUT if own == player else own for own in place.seats]
    seats[seat] = player
    return place._replace(seats=tuple(seats), exact=False)


def _same_for_fewer(tree: GameSpec, table: GameSpec, stacks: tuple[int, ...]) -> bool:
    """Whether a table with fewer seats has the tree's chips once the missing seats have folded."""
    same = all(
        getattr(tree, name) == getattr(table, name)
        for name in ("betting", "streets", "showdown", "min_bet")
    )
    blinds = table.blinds[:_BLINDS] == tree.blinds[:_BLINDS] and not any(table.blinds[_BLINDS:])
    antes = not any(table.antes) and not any(tree.antes)
    return same and blinds and antes and {*stacks} == {*tree.stacks} and len({*stacks}) == 1
