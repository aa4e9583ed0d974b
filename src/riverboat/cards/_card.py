"""Cards as small integers, and their text.

A card is an int 0..51 = 4 * rank + suit: rank 0 is the deuce and 12 the ace, the suits are
clubs, diamonds, hearts, spades. Its text is the rank, then the suit: `Ah`. Upper and lower case,
`10h` and the suit symbols of copied text, `A♥` or `A♡`, are read too. `core/cards/text.cpp` reads
the same text and raises the same errors.
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
_SELECTORS = "\ufe0e\ufe0f"  # phones add these to a suit symbol to choose its font
_LETTERS = str.maketrans(SUIT_SYMBOLS + _OUTLINED, SUITS * 2, _SELECTORS)
# Every accepted spelling. Not str.upper(): it would turn the Kelvin sign into a king.
_CARDS = {
    rank + suit: card
    for card, text in enumerate(_TEXTS)
    for rank in {text[0], text[0].lower(), text[0].replace("T", "10")}
    for suit in (text[1], text[1].upper(), SUIT_SYMBOLS[card & 3], _OUTLINED[card & 3])
}
_SEPARATORS = frozenset(" ,\t\n\r" + _SELECTORS)
# Control characters as repr writes them: an error message must not control the terminal.
_CONTROLS = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160))}


def parse_card(text: str) -> int:
    """Read one card: rank and suit of either case, such as `Ah`.

    A ten is `T` or `10`, and a suit may be a symbol. Raises CardError unless the text is one card.

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
    """Read cards in their order, with or without separators: `AhKd`, `Ah Kd` or `A♥,10♦`.

    Raises CardError if a part of the text is not a card, or a card appears twice.

    Examples
    --------
    >>> parse_cards("AhKd"), parse_cards("")
    ([50, 45], [])
    """
    if not isinstance(text, str):
        raise CardError(f"{text!r} is not text: write cards like 'AhKd'")
    bounded(text, "a text of cards", CardError)
    if not _is_unicode(text):
        raise CardError(f"{text[:40]!r} is not valid Unicode text")
    cards: list[int] = []
    at = 0
    while at < len(text):
        if text[at] in _SEPARATORS:
            at += 1
            continue
        length = 3 if text.startswith("10", at) else 2
        cards.append(parse_card(text[at : at + length]))
        at += length
    _refuse_duplicates(cards, text)
    return cards


#: Accepted forms of cards: text, or a list of numbers and texts.
CardsLike = str | Iterable[SupportsIndex | str]


def as_cards(cards: CardsLike) -> list[int]:
    """Convert cards of any accepted form to a list of different ints.

    Raises CardError if an item is not a card, or a card appears twice.

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
    _refuse_duplicates(result, given)
    return result


def card_text(card: SupportsIndex) -> str:
    """Return a card as text: rank and suit.

    Examples
    --------
    >>> card_text(50)
    'Ah'
    """
    return _TEXTS[_checked(card)]


def cards_text(cards: Iterable[SupportsIndex], separator: str = "") -> str:
    """Return cards as text.

    Examples
    --------
    >>> cards_text([50, 45]), cards_text([50, 45], separator=" ")
    ('AhKd', 'Ah Kd')
    """
    return separator.join([card_text(card) for card in cards])


def card_symbol(card: SupportsIndex) -> str:
    """Return a card with its suit symbol; `parse_card` reads it too.

    Examples
    --------
    >>> card_symbol(50)
    'A♥'
    """
    return _SYMBOLS[_checked(card)]


def letters_for_signs(text: str) -> str:
    """Replace suit symbols by letters.

    Examples
    --------
    >>> letters_for_signs("A♥K♡")
    'AhKh'
    """
    return text.translate(_LETTERS)


def _checked(card: SupportsIndex) -> int:
    """Return the card as a plain int: arithmetic on NumPy's uint8 would overflow."""
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
    """Return whether the text is free of lone surrogates, which cannot be encoded."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse_text(text: str) -> NoReturn:
    if not isinstance(text, str):
        raise CardError(f"{text!r} is not the text of a card: write it like 'Ah'")
    if not _is_unicode(text):
        raise CardError(f"{text[:40]!r} is not a card: it is not valid Unicode text")
    raise CardError(
        f"'{text[:40].translate(_CONTROLS)}' is not a card: ranks are {RANKS}, suits {SUITS}"
    )


def _refuse_duplicates(cards: list[int], given: object) -> None:
    """Raise if a card appears twice."""
    if len(set(cards)) == len(cards):
        return
    duplicate = next(card for at, card in enumerate(cards) if card in cards[:at])
    raise CardError(f"the card {card_text(duplicate)} appears twice in {given!r:.200}")
