"""Bet menus: sizes by street and depth, rules, and the menus that have a name.

>>> print(find_menu("cardiff"))
min ; cap 3 each
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, get_args

from riverboat.errors import MenuError, did_you_mean
from riverboat.tree._menu_text import (
    MOST_BETS,
    MOST_RAISES,
    MOST_SIZE,
    Recall,
    RuleName,
    SizeUnit,
    StreetText,
    number_text,
    parse_menu,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

# The order of BetSize::Kind in the core.
_KINDS: tuple[SizeUnit, ...] = ("min", "%", "x", "bb", "a", "e")
# The order in which sizes are written.
_WRITTEN: tuple[SizeUnit, ...] = ("min", "bb", "x", "%", "e", "a")
# A menu without a cap stops here all the same: the tree is built by recursion.
_NO_CAP = 255

_Numbers = list[tuple[int, float]]


def _number(value: object, what: str, most: float) -> float:
    """`value` as a float between 0 and `most`, or a sentence."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise MenuError(f"{what} must be a number from 0 to {most:,}, not {value!r}")
    return float(value)


@dataclass(frozen=True, slots=True)
class BetSize:
    """One bet or raise of a menu.

    Parameters
    ----------
    unit
        `min`: the least that the rules allow; `%`: that part of the pot after calling, on top
        of the price; `x`: to that many times the price, or big blinds where there is no bet;
        `bb`: to that many big blinds on this street; `a`: all-in; `e`: the share of the pot that
        puts all chips in with that many bets.
    value
        How many of the unit; nothing for `min` and `a`; nothing for `e` is one bet on each
        street that is left.

    Examples
    --------
    >>> str(BetSize("%", 75))
    '75%'
    """

    unit: SizeUnit
    value: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no size."""
        if self.unit not in get_args(SizeUnit):
            raise MenuError(f"the unit of a bet must be min, %, x, bb, e or a, not {self.unit!r}")
        value = _number(self.value, "the size of a bet", MOST_SIZE)
        good = (value == 0) == (self.unit in ("min", "a"))
        if self.unit == "e":
            good = value.is_integer() and value <= MOST_BETS
        if not good:
            raise MenuError(f"a bet in {self.unit} cannot have the size {self.value!r}")
        object.__setattr__(self, "value", value)

    def __str__(self) -> str:
        return f"{number_text(self.value) if self.value else ''}{self.unit}"

    def numbers(self) -> tuple[int, float]:
        """Return the fields as the core takes them: a share of the pot, not per cent."""
        return _KINDS.index(self.unit), self.value / 100 if self.unit == "%" else self.value


@dataclass(frozen=True, slots=True)
class StreetMenu:
    """The bets of one street.

    Parameters
    ----------
    by_depth
        Sizes once there were 0, 1, .. bets or raises on the street; the last entry serves for
        all greater depths. An entry without sizes offers no bet.
    cap, cap_each
        Most bets and raises on the street, by all and by each seat; None = as many as the game
        allows. The game's own caps hold besides.
    ip
        The same as `by_depth` for the player in position: of two players the one who does not
        open the street. Empty = the same sizes.
    donk
        Sizes of the first bet where who opens the street called last on the one before; None =
        as else.
    """

    by_depth: tuple[tuple[BetSize, ...], ...]
    cap: int | None = None
    cap_each: int | None = None
    ip: tuple[tuple[BetSize, ...], ...] = ()
    donk: tuple[BetSize, ...] | None = None

    def __post_init__(self) -> None:
        """Bring the sizes into one order, so that equal menus are equal."""
        by_depth, ip = _tidy_depths(self.by_depth), _tidy_depths(self.ip)
        if not by_depth:
            raise MenuError("a street of a menu needs the sizes of one depth at least")
        donk = None if self.donk is None else _tidy(self.donk)
        object.__setattr__(self, "by_depth", by_depth)
        object.__setattr__(self, "ip", () if ip == by_depth else ip)
        object.__setattr__(self, "donk", None if donk == by_depth[0] else donk)
        for cap in (self.cap, self.cap_each):
            if cap is not None and (type(cap) is not int or not 0 <= cap <= MOST_RAISES):
                raise MenuError(f"a raise cap must be from 0 to {MOST_RAISES}, not {cap!r}")

    def __str__(self) -> str:
        parts = [_depths_text(self.by_depth)]
        if self.ip:
            parts.append(f"ip {_depths_text(self.ip)}")
        if self.donk is not None:
            parts.append(f"donk {_depths_text((self.donk,))}")
        if self.cap is not None:
            parts.append(f"cap {self.cap}")
        if self.cap_each is not None:
            parts.append(f"cap {self.cap_each} each")
        return " ; ".join(parts)

    def numbers(self) -> tuple[list[_Numbers], list[_Numbers], _Numbers | None, int, int]:
        """Return the fields as the core takes them."""
        return (
            [_numbers(sizes) for sizes in self.by_depth],
            [_numbers(sizes) for sizes in self.ip],
            None if self.donk is None else _numbers(self.donk),
            _NO_CAP if self.cap is None else self.cap,
            _NO_CAP if self.cap_each is None else self.cap_each,
        )


def _numbers(sizes: tuple[BetSize, ...]) -> _Numbers:
    return [size.numbers() for size in sizes]


def _depths_text(depths: tuple[tuple[BetSize, ...], ...]) -> str:
    return " | ".join(", ".join(map(str, sizes)) or "none" for sizes in depths)


def _tidy(sizes: Iterable[BetSize]) -> tuple[BetSize, ...]:
    """Sizes in one order, each once."""
    return tuple(sorted(set(sizes), key=_written_order))


def _tidy_depths(depths: Iterable[Iterable[BetSize]]) -> tuple[tuple[BetSize, ...], ...]:
    tidy = [_tidy(sizes) for sizes in depths]
    while len(tidy) > 1 and tidy[-1] == tidy[-2]:
        tidy.pop()
    return tuple(tidy)


def _written_order(size: BetSize) -> tuple[int, float]:
    if not isinstance(size, BetSize):
        raise MenuError(f"a menu is made of BetSize objects, not {size!r}")
    return _WRITTEN.index(size.unit), size.value


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
            share = _number(getattr(self, rule), f"{rule} of a menu", MOST_SIZE)
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
    return BetMenu(tuple(map(_street, streets)), **rules, recall=recall)


def _street(text: StreetText) -> StreetMenu:
    """A street of what was read."""
    return StreetMenu(
        tuple(map(_sizes, text.by_depth)),
        text.cap,
        text.cap_each,
        tuple(map(_sizes, text.ip)),
        None if text.donk is None else _sizes(text.donk),
    )


def _sizes(sizes: Iterable[tuple[SizeUnit, float]]) -> tuple[BetSize, ...]:
    return tuple(BetSize(*size) for size in sizes)


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
