"""Bet menus: streets, rules for all of them, and the menus that have a name.

>>> print(find_menu("cardiff"))
min ; cap 3 each
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import get_args

from riverboat.errors import MenuError, did_you_mean
from riverboat.tree._menu_text import (
    MOST_SIZE,
    Recall,
    RuleName,
    StreetMenu,
    checked_number,
    number_text,
    parse_menu,
)


@dataclass(frozen=True, slots=True)
class BetMenu:
    """A bet menu; `BetMenu.parse` reads one from text and `str` writes it.

    Parameters
    ----------
    streets
        One entry for each street; the last one serves for all later streets.
    force, force_called
        A bet that would leave less than `force` per cent of the pot behind becomes all-in; so
        does one that would leave at most `force_called` per cent of the pot once it is called.
    add
        All-in is offered besides where it is at most this many per cent of the pot after
        calling, above the price; 0 = not.
    near
        From the largest bet x down, a smaller one y goes where (pot + x) / (pot + y) is at most
        1 and this many per cent, with the pot after calling; 0 = none.
    recall
        What infosets keep of the betting: the whole line; or of earlier streets only on how many
        each seat raised, and of this one which of the offered raises was the last (the key of the
        caltech seed). For sampled schemes.

    Examples
    --------
    >>> menu = BetMenu.parse("2.5x, 100%, a; cap 3 / 50% 100% a | 100% a; cap 3")
    >>> print(menu)
    2.5x, 100%, a ; cap 3 / 50%, 100%, a | 100%, a ; cap 3
    >>> menu.streets[1].by_depth[1]
    (BetSize(unit='%', value=100.0), BetSize(unit='a', value=0.0))
    """

    streets: tuple[StreetMenu, ...]
    force: float = 0.0
    force_called: float = 0.0
    add: float = 0.0
    near: float = 0.0
    recall: Recall = "line"

    def __post_init__(self) -> None:
        """Tidy lists into tuples and refuse what is no menu."""
        streets = list(self.streets)
        if not streets or not all(isinstance(street, StreetMenu) for street in streets):
            raise MenuError(f"a menu is made of StreetMenu objects, not {self.streets!r}")
        while len(streets) > 1 and streets[-1] == streets[-2]:
            streets.pop()
        object.__setattr__(self, "streets", tuple(streets))
        for rule in get_args(RuleName):
            share = checked_number(getattr(self, rule), f"{rule} of a menu", MOST_SIZE)
            object.__setattr__(self, rule, share)
        if self.recall not in get_args(Recall):
            raise MenuError(f"a menu recalls the line or raises, not {self.recall!r}")

    @classmethod
    def parse(cls, text: str) -> BetMenu:
        """Read a menu from text (the grammar is in `riverboat.tree._menu_text`).

        Raises MenuError that points at what cannot be read.

        Examples
        --------
        >>> BetMenu.parse("min; cap 3 each") == BetMenu.parse("MIN ; cap 3 each / min ; cap 3 each")
        True
        """
        return _parsed(text) if isinstance(text, str) else _parsed.__wrapped__(text)

    def __str__(self) -> str:
        parts = [" / ".join(map(str, self.streets))]
        parts += [f"{rule} {number_text(share)}%" for rule, share in self._shares() if share]
        if self.force_called:
            parts.append(f"force {number_text(self.force_called)}% called")
        if self.recall != "line":
            parts.append(f"recall {self.recall}")
        return " ; ".join(parts)

    def _shares(self) -> tuple[tuple[str, float], ...]:
        return ("add", self.add), ("near", self.near), ("force", self.force)

    def rule_numbers(self) -> tuple[float, float, float, float, bool]:
        """Return the rules as the core takes them: shares, not per cent."""
        shares = self.force / 100, self.force_called / 100, self.add / 100, self.near / 100
        return *shares, self.recall == "raises"


@lru_cache(maxsize=64)
def _parsed(text: str) -> BetMenu:
    """Read a menu; the same text is read once."""
    streets, rules, recall = parse_menu(text)
    return BetMenu(tuple(streets), **rules, recall=recall)


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
