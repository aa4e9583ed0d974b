"""Bet menus: sizes by street, rules for all streets, and named menus.

>>> print(find_menu("cardiff"))
min ; cap 3 each
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import get_args

from riverboat.errors import MenuError, did_you_mean
from riverboat.tree._menu_reader import parse_menu
from riverboat.tree._menu_text import (
    MOST_SIZE,
    Recall,
    RuleName,
    StreetMenu,
    checked_number,
    number_text,
)


@dataclass(frozen=True, slots=True)
class BetMenu:
    """A bet menu; `BetMenu.parse` reads it from text, `str` writes it.

    Parameters
    ----------
    streets
        One entry per street; the last one also applies to all later streets.
    force, force_called
        A bet that would leave less than `force` per cent of the pot behind becomes all-in, and so
        does a bet that would leave at most `force_called` per cent of the pot after a call.
    add
        Adds all-in if it is at most this percentage of the pot after calling, above the price;
        0 = never.
    near
        From the largest bet x down, removes a smaller bet y if (pot + x) / (pot + y), with the pot
        after calling, is at most 1 plus this percentage; 0 = removes none.
    recall
        What information sets remember of the betting. `line`: the whole line of play. `raises`: of
        earlier streets only on how many each seat raised, and of this street which of the offered
        raises was the last (as in the Caltech source document). For sampled schemes.

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
        """Convert lists to tuples and refuse invalid menus."""
        streets = list(self.streets)
        if not streets or not all(isinstance(street, StreetMenu) for street in streets):
            raise MenuError(f"a menu consists of StreetMenu objects, not {self.streets!r}")
        while len(streets) > 1 and streets[-1] == streets[-2]:
            streets.pop()
        if any(street.for_many for street in streets[1:]):
            raise MenuError("sb, limp and flop are for the first street of a menu")
        object.__setattr__(self, "streets", tuple(streets))
        for rule in get_args(RuleName):
            share = checked_number(getattr(self, rule), f"{rule} of a menu", MOST_SIZE)
            object.__setattr__(self, rule, share)
        if self.recall not in get_args(Recall):
            raise MenuError(f"recall must be line or raises, not {self.recall!r}")

    @classmethod
    def parse(cls, text: str) -> BetMenu:
        """Read a menu from text (the grammar is in `riverboat.tree._menu_reader`).

        Raises MenuError that points at the first error.

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
        """Return the rules for the core: shares, not percentages."""
        shares = self.force / 100, self.force_called / 100, self.add / 100, self.near / 100
        return *shares, self.recall == "raises"


@lru_cache(maxsize=64)
def _parsed(text: str) -> BetMenu:
    """Read a menu, cached by text."""
    streets, rules, recall = parse_menu(text)
    return BetMenu(tuple(streets), **rules, recall=recall)


_MENUS = {
    # 11,324 decisions in no-limit hold'em with 100 big blinds.
    "laptop": "2.5x, 100%, a ; cap 3 / 50%, 100%, a | 100%, a ; cap 3",
    # Fold, call, pot, all-in.
    "fcpa": "100%, a",
    # Fold, call and the minimum raise; three raises per seat and street.
    "cardiff": "min ; cap 3 each",
    # Half pot, pot and all-in, then two raises of pot and all-in. The source document's rule "only
    # all-in once half the pot exceeds 60 % of a stack" means: a half-pot bet would leave less than
    # 22.2 % of the new pot behind.
    "pineapple": "50%, 100%, a | 100%, a ; cap 3 ; force 22.2%",
    # Limit hold'em: the game's sizes and caps.
    "yerevan": "min",
    # Two raises per street: without a cap it has millions of decisions.
    "caltech": ("1bb, 2bb, 4bb, 8bb, 16bb ; cap 2 / 30%, 50%, 70%, 100%, 150%, 200% ; cap 2"),
}


def menu_names() -> tuple[str, ...]:
    """Return the names of all named menus."""
    return tuple(_MENUS)


def find_menu(text: str | BetMenu) -> BetMenu:
    """Return the menu of a name, or the menu that the text describes.

    Parameters
    ----------
    text
        One of `menu_names()`, or the text of a menu; a menu is returned unchanged.

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
