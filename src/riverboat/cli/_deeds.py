"""What a seat did, in words."""

import msgspec

from riverboat.game import Action, Hand

__all__ = ["YOU", "Deed", "deed_of", "said_of"]

#: The name of the person at the table.
YOU = "You"


class Deed(msgspec.Struct, frozen=True, gc=False):
    """One move as a sentence without its subject.

    Attributes
    ----------
    street, seat
        Where and by whom.
    kind
        `fold`, `check`, `call`, `bet`, `stand` or `discard`.
    words
        Such as `raises to 30`.
    share
        Size of a bet relative to the pot after a call; 0 for other moves.
    card
        The discarded card, or -1.
    """

    street: int
    seat: int
    kind: str
    words: str
    share: float = 0.0
    card: int = -1


def deed_of(hand: Hand, action: Action, *, own: bool) -> Deed:
    """Say what `action` would mean for the seat to act.

    Parameters
    ----------
    hand
        The hand before the move.
    action
        A legal move.
    own
        Whether the reader may see which card was swapped.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> deed_of(Hand(catalogue("nolimit-100bb"), seed=1), Action("b30"), own=True).words
    'raises to 30'
    """
    seat = hand.actor
    if seat is None:
        raise ValueError("nobody is to act in a hand that is over")
    place = hand.street, seat, action.kind
    if action.kind == "bet":
        return Deed(*place, _bet_words(hand, seat, action.amount), _share(hand, action.amount))
    if action.kind == "call":
        all_in = " all-in" if hand.to_call == hand.stacks[seat] else ""
        return Deed(*place, f"calls {hand.to_call:,}{all_in}")
    if action.kind == "discard":
        toss = hand.spec.streets[hand.street].discard == "toss"
        if toss or own:
            return Deed(*place, "tosses" if toss else "swaps", card=action.card)
        return Deed(*place, "swaps a card")
    words = {"fold": "folds", "check": "checks", "stand": "stands pat"}
    return Deed(*place, words[action.kind])


def _bet_words(hand: Hand, seat: int, amount: int) -> str:
    all_in = " all-in" if amount == hand.bets[seat] + hand.stacks[seat] else ""
    return f"{'raises to' if hand.price else 'bets'} {amount:,}{all_in}"


def _share(hand: Hand, amount: int) -> float:
    """Chips on top of the price, relative to the pot after a call."""
    return (amount - hand.price) / max(hand.pot + hand.to_call, 1)


def said_of(name: str, words: str) -> str:
    """Join a name and what it does.

    Examples
    --------
    >>> said_of("Ann", "calls 20"), said_of("You", "calls 20"), said_of("You", "tosses")
    ('Ann calls 20', 'You call 20', 'You toss')
    """
    if name != YOU:
        return f"{name} {words}"
    verb, blank, rest = words.partition(" ")
    return f"{name} {verb.removesuffix('es' if verb == 'tosses' else 's')}{blank}{rest}"
