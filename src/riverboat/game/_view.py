"""Views: what one seat may know and do, as immutable values.

A view contains copies of public facts and of the seat's hole cards. It has no
reference to the hand, so hidden cards cannot be reached from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from riverboat._core import Action
from riverboat.cards import RANKS, SUITS
from riverboat.errors import IllegalActionError
from riverboat.game._spec import GameSpec  # noqa: TC001 - msgspec reads the types of fields

if TYPE_CHECKING:
    from collections.abc import Iterator


def cards_text(cards: tuple[int, ...]) -> str:
    """Return cards as text, `??` for unknown ones."""
    return "".join("??" if card < 0 else RANKS[card // 4] + SUITS[card % 4] for card in cards)


_BEHIND: Final = ("BTN", "CO", "HJ", "LJ")


def position_names(spec: GameSpec) -> tuple[str, ...]:
    """Return the name of each position: SB, BB, BTN and so on.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> position_names(catalogue("nolimit-100bb"))
    ('SB', 'BB')
    """
    blinds = spec.blinds
    names = ["" if not blind else "BB" if blind == max(blinds) else "SB" for blind in blinds]
    others = [seat for seat, name in enumerate(names) if not name]
    for back, seat in enumerate(reversed(others)):
        early = len(others) - len(_BEHIND)
        names[seat] = _BEHIND[back] if back < len(_BEHIND) else f"UTG+{early - 1 - back + 4}"
    return tuple(name.removesuffix("+0") for name in names)


def position_text(spec: GameSpec, seat: int, button: int) -> str:
    """Return the blind that a seat posts, and the button; empty for other seats."""
    posted = spec.blinds[seat]
    names = []
    if posted:
        names.append("big blind" if posted == spec.big_blind else "small blind")
    if seat == button:
        names.append("button")
    return ", ".join(names)


class LegalActions(msgspec.Struct, frozen=True, gc=False):
    """The legal actions of the seat to act; False, None or empty after the hand.

    Attributes
    ----------
    fold, check, stand
        Whether the move is allowed (`stand`: keep all cards in a discard phase).
    call
        Chips that a call adds, or None if there is nothing to call.
    raise_to
        Minimum and maximum of a bet or raise, as chips in on this street, or None.
    discards
        Cards that may be discarded (-1 for an unknown one).
    """

    fold: bool = False
    check: bool = False
    call: int | None = None
    raise_to: tuple[int, int] | None = None
    stand: bool = False
    discards: tuple[int, ...] = ()

    def __contains__(self, action: object) -> bool:
        """Whether an action, as text or Action, is one of these."""
        try:
            move = Action(action) if isinstance(action, str) else action
        except IllegalActionError:
            return False
        if not isinstance(move, Action):
            return False
        if move.kind == "bet":
            return self.raise_to is not None and self.raise_to[0] <= move.amount <= self.raise_to[1]
        if move.kind == "discard":
            return move.card in self.discards
        allowed = {"fold": self.fold, "check": self.check, "stand": self.stand}
        return allowed.get(move.kind, self.call is not None)

    def __iter__(self) -> Iterator[str]:
        """Yield the actions as text; of all raises only the minimum and the maximum."""
        for letter, allowed in zip(
            "fkcs", (self.fold, self.check, self.call, self.stand), strict=True
        ):
            if allowed:
                yield letter
        if self.raise_to is not None:
            for amount in sorted(set(self.raise_to)):
                yield f"b{amount}"
        for card in self.discards:
            yield "d" if card < 0 else f"d{cards_text((card,))}"

    def __str__(self) -> str:
        """Return the actions in words: `fold, call 5, raise to 20-1000`."""
        words = [name for name in ("fold", "check") if getattr(self, name)]
        if self.call is not None:
            words.append(f"call {self.call}")
        if self.raise_to is not None:
            least, most = self.raise_to
            span = f"{least}" if least == most else f"{least}-{most}"
            words.append(f"{'bet to' if self.check else 'raise to'} {span}")
        if self.stand:
            words.append("stand pat")
        words += [f"discard {cards_text((card,))}" for card in self.discards]
        return ", ".join(words) or "nothing"

    def __repr__(self) -> str:
        return f"<LegalActions: {self}>"


class Pot(msgspec.Struct, frozen=True, gc=False):
    """One pot: the main pot or a side pot.

    Attributes
    ----------
    amount
        Chips in the pot, with the rake.
    rake
        Chips that the house takes from the pot.
    eligible
        Seats that can win the pot.
    winners
        Seats that won the pot; empty before the hand is settled.
    won
        Chips won from the pot, by seat.
    """

    amount: int
    rake: int
    eligible: tuple[int, ...]
    winners: tuple[int, ...]
    won: tuple[int, ...]


class Event(msgspec.Struct, frozen=True, gc=False):
    """One action of a hand: the street, the seat, the move."""

    street: int
    seat: int
    action: Action


class View(msgspec.Struct, frozen=True):
    """Everything that one seat may know at one moment.

    `str` gives one line; `hole_text` and `board_text` are the cards as text:

    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand.from_line(catalogue("nolimit-100bb"), "b30", hole=["AhKd", "7s2c"])
    >>> print(hand.view(1))
    preflop, seat 1 (big blind) with 7s2c: pot 40, 20 to call; fold, call 20, raise to 50-1000

    Attributes
    ----------
    spec
        The game.
    seat, button, actor
        The seat itself, the button and the seat to act (None after the hand).
    street
        0 = before the first board cards.
    hole
        The seat's hole cards; `discarded` are those that it discarded.
    board
        Public cards (-1 where unknown).
    line
        The public line of play.
    live
        Seats that have not folded.
    stacks, starting_stacks, bets
        Chips by seat: remaining, at the start, in on this street.
    pot
        All chips in, including this street's.
    to_call
        Chips that a call by this seat would add; 0 if it is not to act.
    legal
        The seat's legal actions; empty if it is not to act.
    finished
        Whether the hand is over.
    shown
        The cards shown at the showdown, by seat; empty if not shown.
    payoffs
        Chips won or lost by seat; None before the end.
    seconds_left
        Time for this decision, if it is limited.
    """

    spec: GameSpec
    seat: int
    button: int
    actor: int | None
    street: int
    hole: tuple[int, ...]
    discarded: tuple[int, ...]
    board: tuple[int, ...]
    line: str
    live: tuple[int, ...]
    stacks: tuple[int, ...]
    starting_stacks: tuple[int, ...]
    bets: tuple[int, ...]
    pot: int
    to_call: int
    legal: LegalActions
    finished: bool
    shown: tuple[tuple[int, ...], ...]
    payoffs: tuple[int, ...] | None
    seconds_left: float | None = None

    @property
    def hole_text(self) -> str:
        """The hole cards as text, `AhKd`."""
        return cards_text(self.hole)

    @property
    def board_text(self) -> str:
        """The board as text, `7c2d9h`; empty before the flop."""
        return cards_text(self.board)

    @property
    def position(self) -> str:
        """The seat's position: `small blind`, `big blind`, `button`; empty for other seats."""
        return position_text(self.spec, self.seat, self.button)

    def __str__(self) -> str:
        """Return one line: what the seat sees and may do."""
        place = f" ({self.position})" if self.position else ""
        cards = f" with {self.hole_text}" if self.hole else ""
        board = f" {self.board_text}" if self.board else ""
        head = f"{self.spec.street_names[self.street]}{board}, seat {self.seat}{place}{cards}"
        if self.payoffs is not None:
            return f"{head}: the hand is over, {self.payoffs[self.seat]:+} chips"
        price = f", {self.to_call} to call" if self.to_call else ""
        if self.actor is None:
            turn = "the hand is over"
        else:
            turn = str(self.legal) if self.actor == self.seat else f"seat {self.actor} is to act"
        return f"{head}: pot {self.pot}{price}; {turn}"
