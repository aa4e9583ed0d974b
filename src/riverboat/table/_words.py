"""What happens at a table, in words."""

from collections.abc import Sequence
from itertools import combinations

from riverboat.cards import describe_strength, evaluate
from riverboat.game import View
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


def chair_names(bots: Sequence[str]) -> tuple[str, ...]:
    """Name the person and the bots beside him so that no two are called the same.

    Examples
    --------
    >>> chair_names(["shark", "shark"])
    ('You', 'Ann (shark)', 'Bob (shark)')
    """
    pairs = zip(_NAMES, bots, strict=False)
    return (YOU, *(f"{name} ({bot})" for name, bot in pairs))


def words_of(act: Acted) -> str:
    """Say what a seat did, without its name and without a card that it gave away.

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


def hand_in_words(view: View, hole: Sequence[int]) -> str:
    """Say what a hand is worth on the board; nothing where it cannot be said.

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
