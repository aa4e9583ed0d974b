"""Moves as people type them, and events in words.

A move such as `half` or `2/3` becomes a bet of that share of the pot; the rules check whether it is
allowed.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from riverboat.cards import describe_strength, evaluate
from riverboat.errors import IllegalActionError
from riverboat.game import Action, Hand, View
from riverboat.table._events import Acted

#: The name of the person at the table.
YOU = "You"

_NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")
_VERBS = {
    "fold": "folds",
    "check": "checks",
    "call": "calls",
    "bet": "bets",
    "raise": "raises to",
    "stand": "stands pat",
    "swap": "swaps",
    "toss": "tosses",
}
_WORDS = {
    **dict.fromkeys(("k", "x", "check"), "k"),
    **dict.fromkeys(("c", "call"), "c"),
    **dict.fromkeys(("f", "fold"), "f"),
    **dict.fromkeys(("s", "stand", "stand pat", "pat", "keep"), "s"),
}
_SHARES = {"half": Fraction(1, 2), "third": Fraction(1, 3), "pot": Fraction(1)}
_ALL_IN = ("allin", "all-in", "all in", "a", "shove")
_BET = re.compile(r"(?:bet|raise|b|r)\s*(?:to\s*)?", re.ASCII)
_DISCARD = re.compile(r"(?:discard|swap|toss|d)\s*(\S.*)?", re.ASCII | re.IGNORECASE)
_FRACTION = re.compile(r"(\d{1,6})\s*/\s*(\d{1,6})", re.ASCII)
_PERCENT = re.compile(r"(\d{1,6})\s*%", re.ASCII)
_NUMBER = re.compile(r"\d{1,15}", re.ASCII)
_EXAMPLES = "bet a size such as 30, 3bb, 2.5x, half, 75% or all-in"
_MULTIPLE = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)\s*(bb|x)", re.ASCII)


def pot_share_to(view: View, share: Fraction) -> int:
    """Return the bet or raise that adds `share` of the pot after a call, in chips on this street.

    Halves are rounded up.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    >>> pot_share_to(view, Fraction(1))  # call 5 more, then raise by 20
    30
    """
    called = view.bets[view.seat] + view.to_call
    return called + int(share * (view.pot + view.to_call) + Fraction(1, 2))


def price_to(view: View, times: Fraction) -> int:
    """Return the raise to a multiple of the current price, or of the big blind without one.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    >>> price_to(view, Fraction(5, 2))
    25
    """
    price = view.bets[view.seat] + view.to_call
    return int(times * (price or view.spec.big_blind) + Fraction(1, 2))


def _multiple(text: str, view: View) -> int | None:
    """Read a size such as `3bb` or `2.5x`; None if it is something else."""
    match = _MULTIPLE.fullmatch(text)
    if match is None or not view.spec.big_blind:
        return None
    times = Fraction(match[1])
    if match[2] == "x":
        return price_to(view, times)
    return int(times * view.spec.big_blind + Fraction(1, 2))


def _share(text: str) -> Fraction | None:
    """Read a share of the pot, such as `half`, `2/3` or `75%`."""
    if text in _SHARES:
        return _SHARES[text]
    if match := _FRACTION.fullmatch(text):
        over, under = int(match[1]), int(match[2])
        return Fraction(over, under) if over and under else None
    if match := _PERCENT.fullmatch(text):
        return Fraction(int(match[1]), 100) or None
    return None


def _size(text: str, view: View) -> str | None:
    """Read the size of a bet and return the move; None if it is not a size."""
    share = _share(text)
    if share is not None:
        return f"b{pot_share_to(view, share)}"
    if (multiple := _multiple(text, view)) is not None:
        return f"b{multiple}"
    plain = text.replace(",", "")
    if _NUMBER.fullmatch(plain):
        return f"b{int(plain)}"
    if text == "min" and view.legal.raise_to is not None:
        return f"b{view.legal.raise_to[0]}"
    if text in _ALL_IN:
        stack = view.stacks[view.seat]
        if view.legal.call == stack:
            return "c"
        return f"b{view.bets[view.seat] + stack}"
    if text in ("min", ""):  # the rules then explain why there is no raise
        return f"b{view.bets[view.seat] + view.to_call + 1}"
    return None


def _spelled(text: str, view: View) -> str | None:
    """Return the move of a text in the notation of the rules; None if it is not a move."""
    lower = " ".join(text.lower().split())
    if lower in _WORDS:
        return _WORDS[lower]
    size = _size(lower, view) if lower else None
    if size is None and (match := _BET.match(lower)):
        amount = lower[match.end() :]
        if not amount and view.legal.raise_to is not None:
            raise IllegalActionError(_how_much(lower, *view.legal.raise_to))
        size = _size(amount, view)
    if size is None and (discard := _DISCARD.fullmatch(text)):
        # "?" is an unknown card in the rules; people know their own cards.
        card = (discard[1] or "").replace("?", "")
        return "d" + card[:1].upper() + card[1:].lower()
    return size


def _how_much(typed: str, least: int, most: int) -> str:
    """Return the error message for a bet without an amount."""
    amounts = f"{least:,} to {most:,}" if least < most else f"{least:,}"
    return f"{typed} needs an amount: {amounts}, as in b{least}; or min, half, pot, allin"


def read_move(text: str, hand: Hand) -> Action:
    """Read a move that the person to act has typed.

    Parameters
    ----------
    text
        `k`, `c`, `f`, `s`, `d Ah`, `b30`, `30`, `3bb`, `2.5x`, `min`, `half`, `2/3`, `75%`,
        `pot`, `allin` or one of their longer spellings.
    hand
        The hand; it is not changed.

    Raises
    ------
    IllegalActionError
        If the text is not a move, or the rules do not allow it.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), seed=1)
    >>> read_move("pot", hand), read_move("all in", hand), read_move("2.5bb", hand)
    (Action('b30'), Action('b1000'), Action('b25'))
    """
    if hand.actor is None:
        raise IllegalActionError("the hand is over: no move is possible")
    typed = " ".join(text.split())[:40]
    spelled = _spelled(text.strip(), hand.view(hand.actor))
    if spelled is None:
        raise IllegalActionError(f"{typed!r} is not a move: {_EXAMPLES}")
    try:
        hand.verify(spelled)
    except IllegalActionError as error:
        raise IllegalActionError(_for_person(typed, spelled, str(error), hand.actor)) from None
    return Action(spelled)


def _for_person(typed: str, spelled: str, sentence: str, seat: int) -> str:
    """Rewrite an error message of the rules in terms of the typed text."""
    message, joint, reason = sentence.partition(" is not allowed: ")
    if not joint:
        return message if typed == spelled else f"{typed!r} is not a move here"
    short = typed if typed == spelled else f"{typed} ({spelled})"
    return f"{short} is not allowed: {reason.replace(f'seat {seat}', 'you')}"


def chair_names(bots: Sequence[str]) -> tuple[str, ...]:
    """Return distinct names for the person and the bots.

    Examples
    --------
    >>> chair_names(["shark", "shark"])
    ('You', 'Ann (shark)', 'Bob (shark)')
    """
    pairs = zip(_NAMES, bots, strict=False)
    return (YOU, *(f"{name} ({bot})" for name, bot in pairs))


def words_of(act: Acted) -> str:
    """Return an action in words, without the name and the discarded card.

    Examples
    --------
    >>> words_of(Acted(0, 1, "raise", 1_000, all_in=True)), words_of(Acted(1, 0, "swap"))
    ('raises to 1,000 all-in', 'swaps a card')
    """
    if act.kind == "swap" and act.card < 0:
        return "swaps a card"
    amount = f" {act.amount:,}" if act.amount else ""
    return f"{_VERBS[act.kind]}{amount}{' all-in' if act.all_in else ''}"


def said_of(name: str, words: str) -> str:
    """Join a name and an action in words.

    Examples
    --------
    >>> said_of("Ann", "calls 20"), said_of("You", "calls 20"), said_of("You", "tosses")
    ('Ann calls 20', 'You call 20', 'You toss')
    """
    if name != YOU:
        return f"{name} {words}"
    verb, blank, rest = words.partition(" ")
    return f"{name} {verb.removesuffix('es' if verb == 'tosses' else 's')}{blank}{rest}"


def hand_in_words(view: View, hole: Sequence[int]) -> str:
    """Describe the strength of a hand on the board; empty if it is unknown.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["AhKd", None], board="As7c2d")
    >>> hand.play("ck")
    >>> hand_in_words(hand.view(0), hand.hole_cards(0))
    'pair of aces, king, seven and deuce kickers'
    """
    cards = [*hole, *view.board]
    if not hole or min(cards) < 0:
        return ""
    if view.spec.showdown == "leduc":
        paired = view.board and hole[0] // 4 == view.board[0] // 4
        return "a pair" if paired else ""
    if view.spec.showdown == "one-card" or not 5 <= len(cards) <= 9:
        return ""
    short_deck = view.spec.showdown == "short-deck"
    # The evaluator takes seven cards; tossed cards can make the board longer.
    best = max(evaluate(list(some), short_deck) for some in combinations(cards, min(7, len(cards))))
    return describe_strength(best, short_deck=short_deck)
