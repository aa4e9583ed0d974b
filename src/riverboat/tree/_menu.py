"""Bet menus: which bets a solver may consider, of the many that the rules allow.

A menu says sizes by street and by *depth*, the number of bets and raises there were on the
street already (blinds do not count), and how many bets and raises a street may have. The text
of a menu is described in `riverboat.tree._menu_text`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from riverboat.errors import MenuError
from riverboat.tree._menu_text import MOST_RAISES, MOST_SIZE, SizeUnit, number_text, parse_streets

__all__ = ["BetMenu", "BetSize", "StreetMenu"]

# The order of BetSize::Kind in the core.
_KINDS: tuple[SizeUnit, ...] = ("min", "%", "x", "bb", "a")
# The order in which sizes are written.
_WRITTEN: tuple[SizeUnit, ...] = ("min", "bb", "x", "%", "a")
# A menu without a cap stops here all the same: the tree is built by recursion.
_NO_CAP = 255


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
        `bb`: to that many big blinds on this street; `a`: all-in.
    value
        How many of the unit; nothing for `min` and `a`.

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
            raise MenuError(f"the unit of a bet must be min, %, x, bb or a, not {self.unit!r}")
        value = _number(self.value, "the size of a bet", MOST_SIZE)
        if (value == 0) != (self.unit in ("min", "a")):
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
    """

    by_depth: tuple[tuple[BetSize, ...], ...]
    cap: int | None = None
    cap_each: int | None = None

    def __post_init__(self) -> None:
        """Bring the sizes into one order, so that equal menus are equal."""
        depths = [tuple(sorted(set(sizes), key=_written_order)) for sizes in self.by_depth]
        if not depths:
            raise MenuError("a street of a menu needs the sizes of one depth at least")
        while len(depths) > 1 and depths[-1] == depths[-2]:
            depths.pop()
        object.__setattr__(self, "by_depth", tuple(depths))
        for cap in (self.cap, self.cap_each):
            if cap is not None and (type(cap) is not int or not 0 <= cap <= MOST_RAISES):
                raise MenuError(f"a raise cap must be from 0 to {MOST_RAISES}, not {cap!r}")

    def __str__(self) -> str:
        text = " | ".join(", ".join(map(str, sizes)) or "none" for sizes in self.by_depth)
        if self.cap is not None:
            text += f" ; cap {self.cap}"
        return text if self.cap_each is None else f"{text} ; cap {self.cap_each} each"

    def numbers(self) -> tuple[list[list[tuple[int, float]]], int, int]:
        """Return the fields as the core takes them."""
        return (
            [[size.numbers() for size in sizes] for sizes in self.by_depth],
            _NO_CAP if self.cap is None else self.cap,
            _NO_CAP if self.cap_each is None else self.cap_each,
        )


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
    merge
        A bet that would leave less than this many per cent of the pot behind becomes all-in.

    Examples
    --------
    >>> menu = BetMenu.parse("2.5x, 100%, a; cap 3 / 50% 100% a | 100% a; cap 3")
    >>> print(menu)
    2.5x, 100%, a ; cap 3 / 50%, 100%, a | 100%, a ; cap 3
    >>> menu.streets[1].by_depth[1]
    (BetSize(unit='%', value=100.0), BetSize(unit='a', value=0.0))
    """

    streets: tuple[StreetMenu, ...]
    merge: float = 0.0

    def __post_init__(self) -> None:
        """Tidy lists into tuples and refuse what is no menu."""
        streets = list(self.streets)
        if not streets or not all(isinstance(street, StreetMenu) for street in streets):
            raise MenuError(f"a menu is made of StreetMenu objects, not {self.streets!r}")
        while len(streets) > 1 and streets[-1] == streets[-2]:
            streets.pop()
        object.__setattr__(self, "streets", tuple(streets))
        object.__setattr__(self, "merge", _number(self.merge, "what merges", MOST_SIZE))

    @classmethod
    def parse(cls, text: str) -> BetMenu:
        """Read a menu from text (the grammar is in `riverboat.tree._menu_text`).

        Raises MenuError that points at what cannot be read.

        Examples
        --------
        >>> BetMenu.parse("min; cap 3 each") == BetMenu.parse("MIN ; cap 3 each / min ; cap 3 each")
        True
        """
        streets, merge = parse_streets(text)
        return cls(
            tuple(
                StreetMenu(
                    tuple(tuple(BetSize(*size) for size in sizes) for sizes in street.by_depth),
                    street.cap,
                    street.cap_each,
                )
                for street in streets
            ),
            merge,
        )

    def __str__(self) -> str:
        text = " / ".join(map(str, self.streets))
        return f"{text} ; merge {number_text(self.merge)}%" if self.merge else text
