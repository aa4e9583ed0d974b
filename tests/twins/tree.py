"""The public betting tree in plain Python: every line of play that a menu allows below a state.

The twin of core/tree. It drives `riverboat.game.Hand` (whose own twin is _poker_rules.py) and
writes the menu's rules out as docs/tree.md states them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, NamedTuple

from riverboat.game import Hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.game import GameSpec
    from riverboat.tree import BetMenu, BetSize, StreetMenu

__all__ = ["PlainNode", "plain_tree"]


def pot_called(hand: Hand) -> int:
    """Return the pot once the actor has called."""
    return hand.pot + hand.to_call


def callable_all_in(hand: Hand) -> int:
    """Return the greatest street amount that the actor can bet and another seat can call."""
    chips = [bet + stack for bet, stack in zip(hand.bets, hand.stacks, strict=True)]
    seat = hand.actor or 0
    return min(chips[seat], max(chips[other] for other in hand.live if other != seat))


def rounded(amount: Fraction) -> int:
    """Return the nearest whole number of chips, halves up."""
    return floor(amount + Fraction(1, 2))


def geometric(size: BetSize, hand: Hand) -> Fraction:
    """Return the street amount of equal shares of the pot that put all chips in."""
    bets = int(size.value) or len(hand.spec.streets) - hand.street
    bets = max(1, bets - max(0, len(raises_on_street(hand)) - 1))
    pot = pot_called(hand)
    growth = 2 * (callable_all_in(hand) - hand.price) / pot + 1 if pot else 1.0
    return hand.price + Fraction((growth ** (1 / bets) - 1) / 2) * pot


def wanted(size: BetSize, hand: Hand) -> int:
    """Return the street amount that a size asks for, whatever the rules allow."""
    if size.unit == "e":
        return rounded(geometric(size, hand))
    value = Fraction(str(size.value))
    unit = hand.spec.big_blind or hand.spec.min_bet
    amount = {
        "min": Fraction(hand.min_raise_to or 0),
        "%": hand.price + value / 100 * pot_called(hand),
        "x": value * (hand.price or unit),
        "bb": value * unit,
        "a": Fraction(hand.max_raise_to or 0),
    }[size.unit]
    return rounded(amount)


def raises_on_street(hand: Hand) -> list[int]:
    """Return the seats that bet or raised on this street, in order."""
    return [e.seat for e in hand.events if e.street == hand.street and e.action.kind == "bet"]


def may_raise(street: StreetMenu, hand: Hand) -> bool:
    """Whether rules and caps leave room for one more raise."""
    raisers = raises_on_street(hand)
    if not hand.can_raise or (street.cap is not None and len(raisers) >= street.cap):
        return False
    return street.cap_each is None or raisers.count(hand.actor or 0) < street.cap_each


def called_before(hand: Hand) -> bool:
    """Whether the last bet of the hand was called by the seat that now opens the street."""
    moves = [e for e in hand.events if e.action.kind not in ("stand", "discard")]
    return bool(moves) and moves[-1].action.kind == "call" and moves[-1].seat == hand.actor


def small_blinds(spec: GameSpec) -> list[int]:
    """Return the seats with a blind that is smaller than the big blind."""
    return [seat for seat, blind in enumerate(spec.blinds) if 0 < blind < spec.big_blind]


def sizes_for(street: StreetMenu, hand: Hand) -> tuple[BetSize, ...]:
    """Return the sizes by position and depth."""
    if street.donk is not None and called_before(hand):
        return street.donk
    first = hand.street == 0 and not raises_on_street(hand)
    if first and street.sb is not None and hand.actor in small_blinds(hand.spec):
        return street.sb
    opens = hand.actor == hand.spec.first_seat(hand.street)
    depths = street.by_depth if opens or not street.ip else street.ip
    return depths[min(len(raises_on_street(hand)), len(depths) - 1)]


def must_be_all_in(menu: BetMenu, hand: Hand, amount: int) -> bool:
    """Whether a bet would leave too little behind."""
    seat = hand.actor or 0
    added = amount - hand.bets[seat]
    behind = hand.stacks[seat] - added
    if behind < Fraction(str(menu.force)) / 100 * (hand.pot + added):
        return True
    called = pot_called(hand) + 2 * (amount - hand.price)
    bound = rounded(Fraction(str(menu.force_called)) / 100 * called)
    return menu.force_called > 0 and callable_all_in(hand) - amount <= bound


def without_near(menu: BetMenu, hand: Hand, amounts: list[int]) -> list[int]:
    """Return the amounts without those that are near a larger one that stays."""
    kept: list[int] = []
    before_bet = pot_called(hand) - hand.price
    factor = 1 + Fraction(str(menu.near)) / 100
    for amount in sorted(amounts, reverse=True):
        if not kept or before_bet + kept[0] > factor * (before_bet + amount):
            kept.insert(0, amount)
    return kept


def may_call(menu: BetMenu, hand: Hand) -> bool:
    """Whether the menu's rules on limps and on players to the flop allow the actor a call."""
    rules, seat, blind = menu.streets[0], hand.actor or 0, hand.spec.big_blind
    if hand.street > 0:
        return True
    if not raises_on_street(hand):
        limpers = {
            "anyone": range(hand.spec.players),
            "sb": small_blinds(hand.spec),
            "never": [],
        }
        if seat not in limpers[rules.limp]:
            return False
    if rules.flop is None or hand.bets[seat] > blind:
        return True
    others = [other for other in hand.live if other != seat]
    entered = [
        other
        for other in others
        if hand.bets[other] > blind or hand.bets[other] == hand.price or not hand.stacks[other]
    ]
    return len(entered) < rules.flop


def menu_amounts(menu: BetMenu, hand: Hand) -> list[int]:
    """Return the amounts that the menu offers the actor, ascending."""
    street = menu.streets[min(hand.street, len(menu.streets) - 1)]
    if not may_raise(street, hand):
        return []
    sizes = sizes_for(street, hand)
    least, most = hand.min_raise_to or 0, hand.max_raise_to or 0
    if hand.spec.betting == "fixed-limit":
        return [least] if sizes else []
    amounts = set()
    for size in sizes:
        amount = wanted(size, hand)
        if size.unit == "bb" and not least <= amount <= most:
            continue
        amount = max(least, min(amount, most))
        amounts.add(most if must_be_all_in(menu, hand, amount) else amount)
    all_in = callable_all_in(hand)
    bound = hand.price + rounded(Fraction(str(menu.add)) / 100 * pot_called(hand))
    if menu.add and all_in <= min(bound, most):
        amounts.add(most)
    return without_near(menu, hand, sorted(amounts)) if menu.near else sorted(amounts)


@dataclass
class PlainNode:
    """A node and all below it.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import BetMenu
    >>> plain_tree(catalogue("kuhn"), BetMenu.parse("min")).actions
    ['k', 'b1']
    """

    hand: Hand
    street: int
    swaps: list[int]  # by seat, a bit for each swap phase
    actions: list[str] = field(default_factory=list)
    children: list[PlainNode] = field(default_factory=list)

    @property
    def is_chance(self) -> bool:
        """Whether cards of the next street come here."""
        return self.street < self.hand.street

    def count(self) -> int:
        """Nodes from here on."""
        return 1 + sum(child.count() for child in self.children)


def moves(menu: BetMenu, hand: Hand, edits: Edits) -> list[str]:
    """Return the actions in the order of strategies."""
    if hand.finished:
        return []
    if hand.discarding:
        found = ["s", "d"]
    else:
        found = ["f"] + ["c"] * may_call(menu, hand) if hand.to_call else ["k"]
        found += [f"b{amount}" for amount in menu_amounts(menu, hand)]
    before = played(hand)
    found += [path[-1] for path in edits.added if path[:-1] == before and path[-1] not in found]
    left = [move for move in found if (*before, move) not in edits.removed]
    return sorted(left, key=lambda move: ("fkcbsd".index(move[0]), int(move[1:] or 0)))


class Edits(NamedTuple):
    """Lines that people added, each with all that leads there, and removed, as moves."""

    added: frozenset[tuple[str, ...]] = frozenset()
    removed: frozenset[tuple[str, ...]] = frozenset()

    @classmethod
    def of(cls, spec: GameSpec, added: Sequence[str], removed: Sequence[str]) -> Edits:
        """Read lines of play."""
        paths = [played(Hand.from_line(spec, line)) for line in added]
        prefixes = [path[: n + 1] for path in paths for n in range(len(path))]
        gone = [played(Hand.from_line(spec, line)) for line in removed]
        return cls(frozenset(prefixes), frozenset(gone))


def played(hand: Hand) -> tuple[str, ...]:
    """Return the moves so far, without the cards that were swapped."""
    return tuple(
        str(e.action)[0] if e.action.kind == "discard" else str(e.action) for e in hand.events
    )


def swapped(hand: Hand, swaps: list[int]) -> list[int]:
    """Return the swaps once the actor has swapped, too."""
    phase = [street.discard for street in hand.spec.streets[: hand.street]].count("swap")
    return [line | (1 << phase) * (seat == hand.actor) for seat, line in enumerate(swaps)]


@dataclass(frozen=True)
class Builder:
    """Builds trees of one menu."""

    menu: BetMenu
    chance: bool
    edits: Edits

    def build(self, hand: Hand, swaps: list[int], street: int) -> PlainNode:
        """Build the tree below a hand without known cards, on a street that may be over."""
        node = PlainNode(hand, street, swaps)
        if node.is_chance:
            node.children.append(self.build(hand, swaps, street + 1))
            return node
        node.actions = moves(self.menu, hand, self.edits)
        for move in node.actions:
            child = hand.clone()
            child.do(move)
            after = swapped(hand, swaps) if move == "d" else swaps
            node.children.append(self.build(child, after, street if self.chance else child.street))
        return node


def plain_tree(
    spec: GameSpec,
    menu: BetMenu,
    start: list[str] | None = None,
    *,
    chance: bool = False,
    added: Sequence[str] = (),
    removed: Sequence[str] = (),
) -> PlainNode:
    """Build the whole tree, or the one below the moves of a start.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import BetMenu
    >>> plain_tree(catalogue("kuhn"), BetMenu.parse("min")).count()
    9
    """
    hand, swaps = Hand(spec), [0] * spec.players
    for move in start or []:
        if move == "d":
            swaps = swapped(hand, swaps)
        hand.do(move)
    builder = Builder(menu, chance, Edits.of(spec, added, removed))
    return builder.build(hand, swaps, hand.street)
