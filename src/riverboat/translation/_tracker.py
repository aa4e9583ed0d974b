"""Map the line of a real table to a node of the tree, action by action.

While chips and actions equal the tree's, this is one look-up per action. From the first bet off the
menu, or from the start if the stacks differ, the real hand is replayed with these rules:

* a bet that equals a menu bet at this table counts as that one; a bet of the tree's stack or more
  counts as its all-in; other bets are translated by their share of the pot
  (`riverboat.translation._bets`). A short all-in is a bet like others, with the size of its chips;
* a bet below the menu's smallest may count as no bet: the place is that after the smallest bet, and
  the player who faces it calls where the strategy folds;
* a raise of an all-in of the tree counts as a call: all players are then all-in in the tree;
* any other raise after the menu's last raise is translated by its size, between no raise and
  all-in: either the raiser's last bet on this street counts as the largest one of the menu there,
  or the raise counts as none. After a call the hand continues where the menu's last raise is
  called, the node with the nearest pot. If the raiser has not bet on this street, the hand is
  off-tree;
* a check counts as a call and the reverse if the tree has only the other;
* a seat that acts in the tree but is all-in at the table checks or calls in the tree;
* if all players are all-in in the tree, or the tree lacks the street, the hand is off-tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riverboat.errors import MenuError
from riverboat.game import Action, Hand, line_prefixes
from riverboat.translation._bets import TRANSLATIONS, draw_for, share_amount, size_shares
from riverboat.translation._menu_nodes import MenuNodes, chip_scale, kind_difference, same_rules
from riverboat.tree import BET_ACTION

if TYPE_CHECKING:
    from riverboat.game import GameSpec, View
    from riverboat.translation._bets import Translation
    from riverboat.translation._menu_nodes import MenuNode
    from riverboat.tree import Tree

_HEADS_UP = 2


class Place(NamedTuple):
    """Place of a table in a tree."""

    node: int
    """The decision, or -1 if off-tree."""
    exact: bool = False
    """Whether the node's chips and line equal the table's."""
    committed: bool = False
    """Off-tree because all players are all-in in the tree: calling is right."""
    reason: str = ""
    """Why the table is off-tree, in words; otherwise empty."""
    as_none: bool = False
    """Whether the last bet counts as no bet: folds to it become calls."""
    called: int = -1
    """After a raise above the menu's last: the node where the last raise is called."""
    seats: tuple[int, ...] = ()
    """With three or more players: the tree's seat of each seat, -1 = none; else empty."""
    hero: int = -1
    """The seat whose decisions must have a place, with three or more players; -1 = none."""


class Tracker:
    """Finds the node of a tree for views of real hands.

    Its cache is only for speed: all trackers with the same tree, rule and seed return the same
    place for a view.

    Parameters
    ----------
    tree
        The tree.
    translation
        The rule for off-tree bets.
    seed
        Random seed of the draws between two sizes.

    Attributes
    ----------
    nodes
        The decisions of the tree.
    scale
        Chips of the last table per chip of the tree.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.tree import Tree
    >>> game = catalogue("nolimit-100bb")
    >>> tracker = Tracker(Tree(game, "laptop"))
    >>> place = tracker.find(Hand.from_line(game, "b40c/kb50", seed=1).view(1))
    >>> tracker.tree.line(place.node), place.exact
    ('b30c/kb30', False)
    """

    def __init__(
        self, tree: Tree, translation: Translation = "pseudo-harmonic", seed: int = 0
    ) -> None:
        if translation not in TRANSLATIONS:
            raise MenuError(
                f"translation must be one of {', '.join(TRANSLATIONS)}, not {translation!r}"
            )
        tree.require_whole("translation")
        self.tree, self.translation, self.seed = tree, translation, seed
        self.nodes = MenuNodes(tree)
        self._swaps = tree.spec.has_swaps
        # State of the last game, and of its hand.
        self._spec: GameSpec | None = None
        self._difference, self._same_rules = "", False
        self.scale = 1.0
        self._tree_stacks: list[int] = []
        self._line: str | None = None
        self._stacks: tuple[int, ...] = ()
        self._cards: tuple[int, ...] = ()
        self._drawn = False
        self._hand: Hand | None = None
        self._place = Place(0)

    def seeded(self, seed: int) -> Tracker:
        """Return a tracker of the same tree with another random seed."""
        other = type(self)(self.tree, self.translation, seed)
        other.nodes = self.nodes  # the cache is shared
        return other

    def reseed(self, seed: int) -> None:
        """Use another random seed from now on, as for a new hand."""
        self.seed, self._line = seed, None

    def find(self, view: View) -> Place:
        """Return the place of the seat to act."""
        if view.spec is not self._spec:
            self._take_game(view.spec)
        if self._difference:
            return Place(-1, reason=self._difference)
        if not self._continues(view):
            self._restart(view)
        read = self._line or ""
        for action, line in line_prefixes(view.line, len(read)):
            if self._place.node < 0:
                break
            self._read(action, line)
        self._line = view.line
        if view.actor is None:
            return Place(-1, reason="the hand is over")
        if self._place.node >= 0 and not self._place.exact:
            discarding = bool(view.legal.discards)
            self._place = self.aligned(self._place, view.actor, view.street, discarding)
        if self._place.committed:
            return Place(-1, committed=True, reason="all players are all-in in the tree")
        return self._place

    @property
    def drawn(self) -> bool:
        """Whether the last place was drawn, and so depends on the player's own cards."""
        return self._drawn

    def early_seats(self, view: View) -> int:  # noqa: ARG002 - for ManyTracker
        """Return how many seats act before the tree's first one, from the view's seat on."""
        return 0

    def difference(self, spec: GameSpec) -> str:
        """Return why the tree does not fit tables of a game; empty if it fits."""
        return kind_difference(self.tree.spec, spec)

    def _take_game(self, spec: GameSpec) -> None:
        self._spec, self._line = spec, None
        self._difference = self.difference(spec)
        self._same_rules = not self._difference and same_rules(self.tree.spec, spec)
        self.scale = 1.0 if self._difference else chip_scale(self.tree.spec, spec)
        self._tree_stacks = [round(stack * self.scale) for stack in self.tree.spec.stacks]

    def _continues(self, view: View) -> bool:
        """Whether this is the hand of the last view, with more actions.

        Cards matter only after a draw: before, all hands of a line have the same place.
        """
        line = self._line
        if line is None or view.starting_stacks != self._stacks:
            return False
        if not view.line.startswith(line):
            return False
        if self._drawn and self._key(view) != self._cards:
            return False
        self._cards = self._key(view)
        return len(view.line) == len(line) or not view.line[len(line)].isdigit()

    def _key(self, view: View) -> tuple[int, ...]:
        """The cards that determine draws: the hole cards, if they cannot change in the hand."""
        return () if self._swaps else view.hole

    def _restart(self, view: View) -> None:
        self._line, self._hand, self._drawn = "", None, False
        self._stacks, self._cards = view.starting_stacks, self._key(view)
        self._place = self._first_place(view.spec, view.starting_stacks, view.seat)

    def _first_place(self, spec: GameSpec, stacks: tuple[int, ...], hero: int) -> Place:  # noqa: ARG002 - for ManyTracker
        return Place(0, self._same_rules and stacks == self.tree.spec.stacks)

    def _read(self, action: str, line: str) -> None:
        """Move to the place after an action; `line` ends with it."""
        if self._place.exact and not self._place.seats:
            child = self.nodes[self._place.node].children.get(action, -1)
            if child >= 0:
                self._place = Place(child, exact=True)
                return
        hand = self._real_hand(line[: -len(action)])
        (place, share), *others = self.readings(self._place, hand, action)
        if others:
            self._drawn = True
            if draw_for(self.seed, line, self._cards) >= share:
                [(place, _)] = others
        self._place = place
        hand.do(action)

    def start(self, spec: GameSpec, stacks: tuple[int, ...], hero: int = -1) -> Place:
        """Return the place of a hand before its first action, the start for `readings`.

        Parameters
        ----------
        spec, stacks
            The table's game, and the stacks of the hand.
        hero
            The seat whose decisions must have a place, if there are more players than lines of the
            tree can have; -1 = none in particular.
        """
        if spec is not self._spec:
            self._take_game(spec)
        if self._difference:
            return Place(-1, reason=self._difference)
        return self._first_place(spec, stacks, hero)

    def readings(self, place: Place, hand: Hand, action: str) -> tuple[tuple[Place, float], ...]:
        """Return the places after an action, with probabilities: one place, or two of a draw.

        Parameters
        ----------
        place
            The place before the action.
        hand
            The real hand before the action, of the last game.
        action
            The action as text.
        """
        if place.exact and (child := self.nodes[place.node].children.get(action, -1)) >= 0:
            return ((Place(child, exact=True), 1.0),)
        if hand.actor is not None:
            place = self.aligned(place, hand.actor, hand.street, hand.discarding)
        if place.node < 0 or place.committed:
            return ((place, 1.0),)
        return self._after(place, hand, action)

    def _real_hand(self, line: str) -> Hand:
        """The public hand before the last action; later actions are played on it."""
        if self._hand is None:
            self._hand = Hand(self._spec, stacks=self._stacks)
            self._hand.play(line)
        return self._hand

    def aligned(self, place: Place, seat: int, street: int, discarding: bool = False) -> Place:
        """Return the place after passing seats that act in the tree but not at the table."""
        if place.node < 0:  # off the tree for the rest of the hand, committed or not
            return place
        node = place.node
        while node >= 0 and self.nodes.is_decision(node):
            at = self.nodes[node]
            if (at.player, at.street, at.swap) == (seat, street, discarding):
                return place._replace(node=node, committed=False)
            if at.street > street and at.swap:
                # All-in in the tree before a swap: stay here while the table still bets.
                return place._replace(node=node, committed=True)
            node = at.passive if at.street <= street else -1
        committed = node >= 0 and street < self.tree.num_streets
        missing = "the tree has no such street"
        reason = "all players are all-in in the tree" if committed else missing
        return Place(-1, committed=committed, reason=reason)

    def _after(self, place: Place, hand: Hand, action: str) -> tuple[tuple[Place, float], ...]:
        """The places after an action that must be translated."""
        at = self.nodes[place.node]
        move = Action(action)
        if move.kind == "bet":
            places = self._bet(place, hand, move.amount)
        elif place.called >= 0 and action in {"k", "c"}:
            places = ((Place(place.called), 1.0),)
        else:
            child = at.passive if action in {"k", "c"} else at.children.get(action, -1)
            places = ((Place(child, as_none=place.as_none), 1.0),)
        if places[0][0].node < 0:
            slash = "/" * (hand.street - hand.line.count("/"))
            line = f"{hand.line}{slash}{action}"
            reason = f"the tree has no action like {action} at the end of '{line}'"
            return ((Place(-1, reason=reason), 1.0),)
        return places

    def _bet(self, place: Place, hand: Hand, amount: int) -> tuple[tuple[Place, float], ...]:
        at = self.nodes[place.node]
        if not at.bets:
            if place.called < 0 and self._faces_all_in(at):
                return ((Place(at.passive), 1.0),)
            return self._bet_beyond(place, hand, amount)
        price, pot = hand.price, max(hand.pot + hand.to_call, 1)  # 0 without forced bets
        own = self._own_size(at, hand, amount, price, pot)
        if own >= 0:
            return ((Place(at.bets[own].child), 1.0),)
        sizes = size_shares((amount - price) / pot, at.shares, self.translation)
        return tuple(
            (Place(at.bets[max(index, 0)].child, as_none=index < 0), share)
            for index, share in sizes
        )

    def _bet_beyond(self, place: Place, hand: Hand, amount: int) -> tuple[tuple[Place, float], ...]:
        """The places after a raise above the menu's last raise."""
        at, largest = self.nodes[place.node], self._raised_again(place.node)
        all_in, price, pot = self._all_in(at.player, hand), hand.price, hand.pot + hand.to_call
        if largest < 0 or amount >= all_in:
            return ((Place(largest), 1.0),)
        called = place.called
        if called < 0 and self.tree.num_players == _HEADS_UP:
            called = at.passive
        sizes = size_shares((amount - price) / pot, ((all_in - price) / pot,), self.translation)
        return tuple(
            (Place(largest, as_none=index < 0, called=called), share) for index, share in sizes
        )

    def _all_in(self, seat: int, hand: Hand) -> int:
        """Total on this street when the tree's stack is all-in."""
        actor = seat if hand.actor is None else hand.actor
        earlier = hand.starting_stacks[actor] - hand.stacks[actor] - hand.bets[actor]
        return self._tree_stacks[seat] - earlier

    def _own_size(self, at: MenuNode, hand: Hand, amount: int, price: int, pot: int) -> int:
        """Index of the menu bet with this amount at this table; -1 if there is none.

        So a bot's own bets translate back to its choice, despite rounding.
        """
        last = len(at.bets) - 1
        if at.bets[last].all_in:
            if amount >= self._all_in(at.player, hand):
                return last
            last -= 1
        added = amount - price
        for index in range(last, -1, -1):
            if added == share_amount(at.shares[index], pot):
                return index
        # Bets below the minimum raise become the minimum raise.
        if last >= 0 and amount == hand.min_raise_to:
            below = [share for share in at.shares[: last + 1] if share_amount(share, pot) < added]
            return len(below) - 1
        return -1

    def _faces_all_in(self, at: MenuNode) -> bool:
        """Whether a call would put the caller, or the bettor, all-in."""
        stacks = self.tree.spec.stacks
        called = self.tree.contributions[at.passive].tolist()
        return called[at.player] == stacks[at.player] or any(
            chips == stack and chips == max(called)
            for chips, stack in zip(called, stacks, strict=True)
        )

    def _raised_again(self, child: int) -> int:
        """The raiser's last bet on this street, replaced by the menu's largest; -1 if none."""
        tree, at = self.tree, self.nodes[child]
        while child > 0:
            node = int(tree.parent[child])
            if int(tree.street[node]) != at.street:
                break
            if int(tree.player[node]) == at.player and int(tree.action_kind[child]) == BET_ACTION:
                return self.nodes[node].bets[-1].child
            child = node
        return -1
