"""Menus by name: those of the five studies that Riverboat repeats, and our own.

>>> print(find_menu("cardiff"))
min ; cap 3 each
"""

from __future__ import annotations

from riverboat.errors import MenuError, did_you_mean
from riverboat.tree._menu import BetMenu

__all__ = ["find_menu", "menu_names"]

_MENUS = {
    # Our own: 11,324 decisions in no-limit hold'em of 100 big blinds.
    "laptop": "2.5x, 100%, a ; cap 3 / 50%, 100%, a | 100%, a ; cap 3",
    # Fold, call, pot, all-in.
    "fcpa": "100%, a",
    # Fold, call and the least raise; three raises a seat and street.
    "cardiff": "min ; cap 3 each",
    # Half pot, pot and all-in, then two rounds of raises of pot and all-in. Its rule "only
    # all-in once half the pot exceeds 60 % of a stack" is a half-pot bet that leaves less than
    # 22.2 % of the new pot behind.
    "pineapple": "50%, 100%, a | 100%, a ; cap 3 ; force 22.2%",
    # Limit hold'em: the game's own sizes and caps.
    "yerevan": "min",
    # Uncapped it has millions of decisions: two raises a street.
    "caltech": ("1bb, 2bb, 4bb, 8bb, 16bb ; cap 2 / 30%, 50%, 70%, 100%, 150%, 200% ; cap 2"),
}


def menu_names() -> tuple[str, ...]:
    """Return the names of all named menus."""
    return tuple(_MENUS)


def find_menu(text: str | BetMenu) -> BetMenu:
    """Return the menu of that name, or the one that the text describes.

    Parameters
    ----------
    text
        One of `menu_names()`, or the text of a menu; a menu is returned as it is.

    Examples
    --------
    >>> print(find_menu("fcpa"))
    100%, a
    >>> print(find_menu("a / min"))
    a / min
    """
    if isinstance(text, BetMenu):
        return text
    if isinstance(text, str) and text.strip().lower() in _MENUS:
        return BetMenu.parse(_MENUS[text.strip().lower()])
    try:
        return BetMenu.parse(text)
    except MenuError as error:
        # A single word was probably meant as a name.
        if isinstance(text, str) and text.strip().isalpha():
            names, near = ", ".join(_MENUS), did_you_mean(text, _MENUS)
            raise MenuError(f"{error}\nmenus with a name are {names}{near}") from None
        raise
