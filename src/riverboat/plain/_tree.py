"""The public betting tree in plain Python: every line of play that a menu allows below a state.

The twin of core/tree. It drives `riverboat.game.Hand` (whose own twin is _poker_rules.py) and
writes the menu's rules out as docs/tree.md states them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from riverboat.game import Hand

if TYPE_CHECKING:
    from riverboat.game import GameSpec
    from riverboat.tree import BetMenu, BetSize, StreetMenu

__all__ = ["PlainNode", "plain_tree"]


def wanted(size: BetSize, hand: Hand) -> int:
    """Return the street amount that a size asks for, whatever the rules allow."""
    value = Fraction(str(size.value))
    unit = hand.spec.big_blind or hand.spec.min_bet
    amount = {
        "min": Fraction(hand.min_raise_to or 0),
        "%": hand.price + value / 100 * (hand.pot + hand.to_call),
        "x": value * (hand.price or unit),
        "bb": value * unit,
        "a": Fraction(hand.max_raise_to or 0),
    }[size.unit]
    return floor(amount + Fraction(1, 2))


def raises_on_street(hand: Hand) -> list[int]:
    """Return the seats that bet or raised on this street, in order."""
    return [e.seat for e in hand.events if e.street == hand.street and e.action.kind == "bet"]


def may_raise(street: StreetMenu, hand: Hand) -> bool:
    """Whether rules and caps leave room for one more raise."""
    raisers = raises_on_street(hand)
    if not hand.can_raise or (street.cap is not None and len(raisers) >= street.cap):
        return False
    return street.cap_each is None or raisers.count(hand.actor or 0) < street.cap_each


def menu_amounts(menu: BetMenu, hand: Hand) -> list[int]:
    """Return the amounts that the menu offers the actor, ascending."""
    street = menu.streets[min(hand.street, len(menu.streets) - 1)]
    if not may_raise(street, hand):
        return []
    sizes = street.by_depth[min(len(raises_on_street(hand)), len(street.by_depth) - 1)]
    least, most, seat = hand.min_raise_to or 0, hand.max_raise_to or 0, hand.actor or 0
    if hand.spec.betting == "fixed-limit":
        return [least] if sizes else []
    amounts = set()
    for size in sizes:
        amount = wanted(size, hand)
        if size.unit == "bb" and not least <= amount <= most:
            continue
        amount = max(least, min(amount, most))
        added = amount - hand.bets[seat]
        behind = hand.stacks[seat] - added
        if behind < Fraction(str(menu.merge)) / 100 * (hand.pot + added):
            amount = most
        amounts.add(amount)
    return sorted(amounts)


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


def moves(menu: BetMenu, hand: Hand) -> list[str]:
    """Return the actions in the order of strategies."""
    if hand.finished:
        return []
    if hand.discarding:
        return ["s", "d"]
    first = ["f", "c"] if hand.to_call else ["k"]
    return first + [f"b{amount}" for amount in menu_amounts(menu, hand)]


def swapped(hand: Hand, swaps: list[int]) -> list[int]:
    """Return the swaps once the actor has swapped, too."""
    phase = [street.discard for street in hand.spec.streets[: hand.street]].count("swap")
    return [line | (1 << phase) * (seat == hand.actor) for seat, line in enumerate(swaps)]


def build(menu: BetMenu, hand: Hand, swaps: list[int], street: int, *, chance: bool) -> PlainNode:
    """Build the tree below a hand without known cards, on a street that may be over."""
    node = PlainNode(hand, street, swaps)
    if node.is_chance:
        node.children.append(build(menu, hand, swaps, street + 1, chance=chance))
        return node
    node.actions = moves(menu, hand)
    for move in node.actions:
        child = hand.clone()
        child.do(move)
        after = swapped(hand, swaps) if move == "d" else swaps
        now = street if chance else child.street
        node.children.append(build(menu, child, after, now, chance=chance))
    return node


def plain_tree(
    spec: GameSpec, menu: BetMenu, start: list[str] | None = None, *, chance: bool = False
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
    return build(menu, hand, swaps, hand.street, chance=chance)
