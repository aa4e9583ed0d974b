"""Cards as small integers, and their text.

A card is an int 0..51 = 4 * rank + suit: rank 0 is the deuce and 12 the ace, the suits are
clubs, diamonds, hearts, spades. Text is rank then suit, `Ah`; letters of either case are read,
and so are `10h` and the signs of the suits, `A♥` or `A♡`, as people copy them. The kernels in
`core/cards/text.cpp` read the same text and refuse it in the same words.
"""

from collections.abc import Iterable
from typing import NoReturn, SupportsIndex

from riverboat.errors import CardError
from riverboat.files import bounded

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"
NUM_CARDS = 52

_TEXTS = tuple(rank + suit for rank in RANKS for suit in SUITS)
_SYMBOLS = tuple(rank + symbol for rank in RANKS for symbol in SUIT_SYMBOLS)
_OUTLINED = "♧♢♡♤"
_SELECTORS = "\ufe0e\ufe0f"  # what phones put behind a sign to choose its picture
_LETTERS = str.maketrans(SUIT_SYMBOLS + _OUTLINED, SUITS * 2, _SELECTORS)
# Every accepted spelling. A table, not str.upper(): the Kelvin sign must not become a king.
_CARDS = {
    rank + suit: card
    for card, text in enumerate(_TEXTS)
    for rank in {text[0], text[0].lower(), text[0].replace("T", "10")}
    for suit in (text[1], text[1].upper(), SUIT_SYMBOLS[card & 3], _OUTLINED[card & 3])
}
_SEPARATORS = frozenset(" ,\t\n\r" + _SELECTORS)
# Control characters as repr writes them, so that a sentence cannot steer the terminal.
_CONTROLS = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160))}


def parse_card(text: str) -> int:
    """Read one card: rank and suit of either case, such as `Ah`.

    A ten is `T` or `10`, and a suit may be a sign. CardError if the text is not exactly one card.

    Examples
    --------
    >>> parse_card("2c"), parse_card("Ah"), parse_card("as")
    (0, 50, 51)
    >>> parse_card("10s") == parse_card("T♠") == parse_card("Ts")
    True
    """
    card = _CARDS.get(text.rstrip(_SELECTORS)) if isinstance(text, str) else None
    if card is None:
        _refuse_text(text)
    return card


def parse_cards(text: str) -> list[int]:
    """Read cards that stand one after the other, in their order: `AhKd`, `Ah Kd` or `A♥,10♦`.

    CardError if a part of the text is not a card, or a card stands twice.

    Examples
    --------
    >>> parse_cards("AhKd"), parse_cards("")
    ([50, 45], [])
    """
    if not isinstance(text, str):
        raise CardError(f"{text!r} is not text: write cards like 'AhKd'")
    bounded(text, "a text of cards", CardError)
    if not _is_unicode(text):
        raise CardError(f"{text[:40]!r} is not text in Unicode")
    cards: list[int] = []
    at = 0
    while at < len(text):
        if text[at] in _SEPARATORS:
            at += 1
            continue
        length = 3 if text.startswith("10", at) else 2
        cards.append(parse_card(text[at : at + length]))
        at += length
    _refuse_twins(cards, text)
    return cards


#: Cards in any form that people give them in: text, or numbers and texts one by one.
CardsLike = str | Iterable[SupportsIndex | str]


def as_cards(cards: CardsLike) -> list[int]:
    """Return cards in any form that people give them in, as a list of different ints.

    CardError if one is not a card, or a card stands twice.

    Examples
    --------
    >>> as_cards("AhKd") == as_cards(["Ah", 45]) == [50, 45]
    True
    """
    if isinstance(cards, str):
        return parse_cards(cards)
    if not isinstance(cards, Iterable):
        raise CardError(f"{cards!r} is not cards: give text like 'AhKd' or a list of cards")
    given = list(cards)
    result = [parse_card(card) if isinstance(card, str) else _checked(card) for card in given]
    _refuse_twins(result, given)
    return result


def card_text(card: SupportsIndex) -> str:
    """Write a card: rank and suit.

    Examples
    --------
    >>> card_text(50)
    'Ah'
    """
    return _TEXTS[_checked(card)]


def cards_text(cards: Iterable[SupportsIndex], separator: str = "") -> str:
    """Write cards one after the other.

    Examples
    --------
    >>> cards_text([50, 45]), cards_text([50, 45], separator=" ")
    ('AhKd', 'Ah Kd')
    """
    return separator.join([card_text(card) for card in cards])


def card_symbol(card: SupportsIndex) -> str:
    """Write a card with the sign of its suit, which `parse_card` reads, too.

    Examples
    --------
    >>> card_symbol(50)
    'A♥'
    """
    return _SYMBOLS[_checked(card)]


def letters_for_signs(text: str) -> str:
    """Write a text's suit signs as letters.

    Examples
    --------
    >>> letters_for_signs("A♥K♡")
    'AhKh'
    """
    return text.translate(_LETTERS)


def _checked(card: SupportsIndex) -> int:
    """Give the card as a plain int: arithmetic on NumPy's uint8 would overflow."""
    try:
        number = card.__index__()
    except (AttributeError, TypeError):
        number = -1
    if not 0 <= number < NUM_CARDS:
        raise CardError(
            f"{card!r} is not a card: cards are numbers 0 to {NUM_CARDS - 1} or text like 'Ah'"
        )
    return number


def _is_unicode(text: str) -> bool:
    """Tell whether the text has no half of a surrogate pair, which no file or screen can take."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse_text(text: str) -> NoReturn:
    if not isinstance(text, str):
        raise CardError(f"{text!r} is not the text of a card: write it like 'Ah'")
    if not _is_unicode(text):
        raise CardError(f"{text[:40]!r} is not a card: it is not text in Unicode")
    raise CardError(
        f"'{text[:40].translate(_CONTROLS)}' is not a card: ranks are {RANKS}, suits {SUITS}"
    )


def _refuse_twins(cards: list[int], given: object) -> None:
    """Raise if a card stands twice in what was given."""
    if len(set(cards)) == len(cards):
        return
    twin = next(card for at, card in enumerate(cards) if card in cards[:at])
    raise CardError(f"the card {card_text(twin)} stands twice in {given!r:.200}")
