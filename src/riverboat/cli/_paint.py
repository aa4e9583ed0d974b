"""Cards and moves in the colours used everywhere.

A four-colour deck: clubs green, diamonds blue, hearts red, spades in the colour of
the text. Fold is blue, check and call green, bets go from amber over red to purple
by their size relative to the pot. Everything can be read without colours too.
"""

from collections.abc import Iterable

from rich.text import Text

from riverboat.cards import card_symbol, card_text
from riverboat.cli._deeds import Deed, said_of
from riverboat.cli._output import console

__all__ = ["cards_painted", "deed_painted", "move_style"]

_SUIT_STYLES = ("bold green3", "bold dodger_blue1", "bold red1", "bold")
_MOVE_STYLES = {"fold": "dodger_blue1", "check": "green3", "call": "green3"}
# Colour of a bet up to this share of the pot.
_BET_STYLES = ((0.4, "gold3"), (0.8, "dark_orange"), (1.2, "red1"), (float("inf"), "medium_purple"))


def _card(card: int) -> Text:
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
    return Text(" ").join(_card(card) for card in cards)


def move_style(kind: str, share: float = 0.0) -> str:
    """Return the style of a move; `share` is the size of a bet relative to the pot.

    Examples
    --------
    >>> move_style("fold"), move_style("bet", 0.5)
    ('dodger_blue1', 'dark_orange')
    """
    if kind == "bet":
        return next(style for limit, style in _BET_STYLES if share <= limit)
    return _MOVE_STYLES.get(kind, "")


def deed_painted(deed: Deed, name: str) -> Text:
    """Draw what a seat did, with its name.

    Examples
    --------
    >>> deed_painted(Deed(0, 1, "call", "calls 20"), "Ann").plain
    'Ann calls 20'
    """
    text = Text(said_of(name, deed.words))
    text.stylize(move_style(deed.kind, deed.share), len(name) + 1)
    return text if deed.card < 0 else Text.assemble(text, " ", _card(deed.card))
