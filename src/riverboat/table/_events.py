"""Events at a table, as frozen records that any user interface or protocol can show.

A *seat* is a position in one hand, counted from the small blind; a *chair* stays the same from hand
to hand.
"""

from collections.abc import Iterator
from typing import Literal

import msgspec

from riverboat.arena import pots_left
from riverboat.errors import GameError
from riverboat.game import Action, Hand

Kind = Literal["fold", "check", "call", "bet", "raise", "stand", "swap", "toss"]


class Dealt(msgspec.Struct, frozen=True, tag="dealt"):
    """A hand begins.

    Attributes
    ----------
    number
        Of the hand in the session, from 1.
    chairs, stacks
        By seat.
    bought_in
        Chairs that had no chips left and bought in again.
    """

    number: int
    chairs: tuple[int, ...]
    stacks: tuple[int, ...]
    bought_in: tuple[int, ...] = ()


class Acted(msgspec.Struct, frozen=True, tag="acted"):
    """A seat acted.

    Attributes
    ----------
    street, seat
        Street and seat of the action.
    kind
        The action; a bet is the first of its street, a raise increases it.
    amount
        Chips: the price of a call, or the total on this street after a bet or raise; else 0.
    share
        Size of a bet or raise relative to the pot after a call; else 0.
    all_in
        Whether the seat has no chips left.
    card
        The discarded card; -1 if there is none or it is hidden.
    """

    street: int
    seat: int
    kind: Kind
    amount: int = 0
    share: float = 0.0
    all_in: bool = False
    card: int = -1

    def seen_by(self, seat: int) -> "Acted":
        """Return the action as a seat may see it: another seat's swapped card is hidden."""
        if self.kind != "swap" or seat == self.seat:
            return self
        return msgspec.structs.replace(self, card=-1)


class BoardDealt(msgspec.Struct, frozen=True, tag="board"):
    """Board cards were dealt; of several streets at once if all players are all-in."""

    street: int
    cards: tuple[int, ...]


class Shown(msgspec.Struct, frozen=True, tag="shown"):
    """A seat showed its cards."""

    seat: int
    cards: tuple[int, ...]


class Won(msgspec.Struct, frozen=True, tag="won"):
    """A pot was won: number 0 is the main pot; `chips` are the winnings by seat."""

    pot: int
    amount: int
    chips: tuple[int, ...]
    rake: int = 0


TableEvent = Dealt | Acted | BoardDealt | Shown | Won


def act_of(hand: Hand, action: Action) -> Acted:
    """Return the event of a legal action of the seat to act.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> act_of(Hand(catalogue("nolimit-100bb"), seed=1), Action("b30"))
    Acted(street=0, seat=0, kind='raise', amount=30, share=1.0, all_in=False, card=-1)
    """
    seat = hand.actor
    if seat is None:
        raise GameError("the hand is over: no seat can act")
    if action.kind == "bet":
        return _bet(hand, seat, action.amount)
    if action.kind == "call":
        all_in = hand.to_call == hand.stacks[seat]
        return Acted(hand.street, seat, "call", hand.to_call, all_in=all_in)
    if action.kind == "discard":
        toss = hand.spec.streets[hand.street].discard == "toss"
        return Acted(hand.street, seat, "toss" if toss else "swap", card=action.card)
    return Acted(hand.street, seat, action.kind)


def _bet(hand: Hand, seat: int, amount: int) -> Acted:
    """Return a bet or raise; its share counts the chips above the price of a call."""
    share = (amount - hand.price) / max(hand.pot + hand.to_call, 1)
    all_in = amount == hand.bets[seat] + hand.stacks[seat]
    kind: Kind = "raise" if hand.price else "bet"
    return Acted(hand.street, seat, kind, amount, share, all_in)


def ending(hand: Hand) -> Iterator[TableEvent]:
    """Yield the shown cards, and the winners of each pot."""
    for seat, cards in enumerate(hand.view(0).shown):
        if cards:
            yield Shown(seat, cards)
    for number, pot in enumerate(hand.pots()):
        yield Won(number, pot.amount, pot.won, pot.rake)


def given_up(hand: Hand) -> Iterator[TableEvent]:
    """Yield a fold of the seat to act where the rules have none: the others share each pot.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> [*given_up(Hand.from_line(catalogue("nolimit-100bb"), "ck/", seed=1))][-1]
    Won(pot=0, amount=20, chips=(20, 0), rake=0)
    """
    if (leaver := hand.actor) is None:
        raise GameError("the hand is over: no seat can act")
    yield Acted(hand.street, leaver, "fold")
    for number, chips in enumerate(pots_left(hand)):
        yield Won(number, sum(chips), chips)
