"""Cards as text: a four-colour deck, and letters where the terminal has no suits.

Clubs are green, diamonds blue, hearts red, spades in the colour of the text.
"""

from collections.abc import Iterable

from rich.text import Text

from riverboat.cards import card_symbol, card_text
from riverboat.cli._output import console

_SUIT_STYLES = ("bold green3", "bold dodger_blue1", "bold red1", "bold")


def card_painted(card: int) -> Text:
    """Draw a card, `??` for one that is not known."""
    if card < 0:
        return Text("??", "dim")
    # A terminal that cannot show the suits gets letters.
    shown = card_symbol(card) if console.encoding.startswith("utf") else card_text(card)
    return Text(shown, _SUIT_STYLES[card % 4])


def cards_painted(cards: Iterable[int]) -> Text:
    """Draw cards, `??` for unknown ones.

    Examples
    --------
    >>> cards_painted([50, -1]).plain in ("A♥ ??", "Ah ??")
    True
    """
    return Text(" ").join(card_painted(card) for card in cards)


def hole_painted(hole: Iterable[int]) -> Text:
    """Draw somebody's own cards, the highest rank first as everywhere.

    Examples
    --------
    >>> hole_painted([18, 50]).plain in ("A♥ 6♥", "Ah 6h")
    True
    """
    return cards_painted(sorted(hole, reverse=True))
