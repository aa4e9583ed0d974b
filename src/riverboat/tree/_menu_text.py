"""Bet sizes, and the sizes of a street; `riverboat.tree._menu_reader` has their grammar."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, get_args

from riverboat.errors import MenuError

if TYPE_CHECKING:
    from collections.abc import Iterable

SizeUnit = Literal["min", "%", "x", "bb", "e", "a"]
RuleName = Literal["add", "force", "force_called", "near"]
Recall = Literal["line", "raises"]
Limp = Literal["anyone", "sb", "never"]

MOST_BETS = 20
MOST_RAISES = 250
MOST_PLAYERS = 10
LEAST_TO_FLOP = 2
FLOP_RULE = f"flop must be a number of players from {LEAST_TO_FLOP} to {MOST_PLAYERS}"
MOST_SIZE = 1_000_000

# The order of BetSize::Kind in the core.
_KINDS: tuple[SizeUnit, ...] = ("min", "%", "x", "bb", "a", "e")
# The order in which sizes are written.
_WRITTEN: tuple[SizeUnit, ...] = ("min", "bb", "x", "%", "e", "a")
# Limit for menus without a cap: the tree is built by recursion.
_NO_CAP = 255

_Numbers = list[tuple[int, float]]
_Sized = _Numbers | None
_StreetNumbers = tuple[list[_Numbers], list[_Numbers], _Sized, _Sized, int, int, int, int]


def checked_number(value: object, what: str, most: float) -> float:
    """Return `value` as a float from 0 to `most`, or raise MenuError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise MenuError(f"{what} must be a number from 0 to {most:,}, not {value!r}")
    return float(value)


@dataclass(frozen=True, slots=True)
class BetSize:
    """One bet or raise of a menu.

    Parameters
    ----------
    unit
        `min`: the minimum bet or raise; `%`: percentage of the pot after calling, on top of the
        price; `x`: to a multiple of the price, or of the big blind if there is no bet; `bb`: to a
        number of big blinds on this street; `a`: all-in; `e`: the share of the pot that puts all
        chips in with a number of bets.
    value
        The number for the unit; 0 for `min` and `a`; 0 for `e` means one bet on each remaining
        street.

    Examples
    --------
    >>> str(BetSize("%", 75))
    '75%'
    """

    unit: SizeUnit
    value: float = 0.0

    def __post_init__(self) -> None:
        """Refuse invalid sizes."""
        if self.unit not in get_args(SizeUnit):
            raise MenuError(f"the unit of a bet must be min, %, x, bb, e or a, not {self.unit!r}")
        value = checked_number(self.value, "the size of a bet", MOST_SIZE)
        good = (value == 0) == (self.unit in ("min", "a"))
        if self.unit == "e":
            good = value.is_integer() and value <= MOST_BETS
        if not good:
            raise MenuError(f"a bet in {self.unit} cannot have the size {self.value!r}")
        object.__setattr__(self, "value", value)

    def __str__(self) -> str:
        return f"{number_text(self.value) if self.value else ''}{self.unit}"

    def numbers(self) -> tuple[int, float]:
        """Return the fields for the core: a share of the pot, not a percentage."""
        return _KINDS.index(self.unit), self.value / 100 if self.unit == "%" else self.value


@dataclass(frozen=True, slots=True)
class StreetMenu:
    """The bets of one street.

    Parameters
    ----------
    by_depth
        Sizes after 0, 1, .. bets or raises on the street; the last entry also applies to all
        greater depths. An empty entry offers no bet.
    cap, cap_each
        Maximum number of bets and raises on the street, by all seats together and by each seat;
        None = no limit. The game's caps apply too.
    ip
        Like `by_depth`, for the player in position (with two players). Empty = the same sizes.
    donk
        Sizes of donk bets: first bets of the player out of position after calling the last bet of
        the street before. None = as other first bets.
    sb
        Sizes of the small blind's first bets. None = as other first bets. Like `limp` and `flop`
        for the first street and three or more players.
    limp
        Who may call the big blind before there is a raise: `anyone`, `sb` (the small blind) or
        `never`.
    flop
        At most this many players enter the pot by a call: the next one may only raise or fold.
        Who has put in more than the big blind may always call. None = no limit.
    """

    by_depth: tuple[tuple[BetSize, ...], ...]
    cap: int | None = None
    cap_each: int | None = None
    ip: tuple[tuple[BetSize, ...], ...] = ()
    donk: tuple[BetSize, ...] | None = None
    sb: tuple[BetSize, ...] | None = None
    limp: Limp = "anyone"
    flop: int | None = None

    def __post_init__(self) -> None:
        """Sort the sizes, so that menus with the same sizes are equal."""
        by_depth, ip = _tidy_depths(self.by_depth), _tidy_depths(self.ip)
        if not by_depth:
            raise MenuError("a street of a menu needs the sizes of at least one depth")
        donk = None if self.donk is None else _tidy(self.donk)
        object.__setattr__(self, "by_depth", by_depth)
        object.__setattr__(self, "ip", () if ip == by_depth else ip)
        object.__setattr__(self, "donk", None if donk == by_depth[0] else donk)
        sb = None if self.sb is None else _tidy(self.sb)
        object.__setattr__(self, "sb", None if sb == by_depth[0] else sb)
        for cap in (self.cap, self.cap_each):
            if cap is not None and (type(cap) is not int or not 0 <= cap <= MOST_RAISES):
                raise MenuError(f"a raise cap must be from 0 to {MOST_RAISES}, not {cap!r}")
        if self.limp not in get_args(Limp):
            raise MenuError(f"limp must be anyone, sb or never, not {self.limp!r}")
        allowed = range(LEAST_TO_FLOP, MOST_PLAYERS + 1)
        if self.flop is not None and (type(self.flop) is not int or self.flop not in allowed):
            raise MenuError(f"{FLOP_RULE}, not {self.flop!r}")

    def __str__(self) -> str:
        parts = [_depths_text(self.by_depth)]
        if self.ip:
            parts.append(f"ip {_depths_text(self.ip)}")
        if self.donk is not None:
            parts.append(f"donk {_depths_text((self.donk,))}")
        if self.sb is not None:
            parts.append(f"sb {_depths_text((self.sb,))}")
        if self.cap is not None:
            parts.append(f"cap {self.cap}")
        if self.cap_each is not None:
            parts.append(f"cap {self.cap_each} each")
        if self.limp != "anyone":
            parts.append(f"limp {self.limp}")
        if self.flop is not None:
            parts.append(f"flop {self.flop}")
        return " ; ".join(parts)

    @property
    def for_many(self) -> bool:
        """Whether the street has rules of the first street, for three or more players."""
        return self.sb is not None or self.limp != "anyone" or self.flop is not None

    def numbers(self) -> _StreetNumbers:
        """Return the fields for the core."""
        return (
            [_numbers(sizes) for sizes in self.by_depth],
            [_numbers(sizes) for sizes in self.ip],
            None if self.donk is None else _numbers(self.donk),
            None if self.sb is None else _numbers(self.sb),
            _NO_CAP if self.cap is None else self.cap,
            _NO_CAP if self.cap_each is None else self.cap_each,
            get_args(Limp).index(self.limp),
            MOST_PLAYERS if self.flop is None else self.flop,
        )


def _numbers(sizes: tuple[BetSize, ...]) -> _Numbers:
    return [size.numbers() for size in sizes]


def _depths_text(depths: tuple[tuple[BetSize, ...], ...]) -> str:
    return " | ".join(", ".join(map(str, sizes)) or "none" for sizes in depths)


def _tidy(sizes: Iterable[BetSize]) -> tuple[BetSize, ...]:
    """Return the sizes in order, without duplicates."""
    return tuple(sorted(set(sizes), key=_written_order))


def _tidy_depths(depths: Iterable[Iterable[BetSize]]) -> tuple[tuple[BetSize, ...], ...]:
    tidy = [_tidy(sizes) for sizes in depths]
    while len(tidy) > 1 and tidy[-1] == tidy[-2]:
        tidy.pop()
    return tuple(tidy)


def _written_order(size: BetSize) -> tuple[int, float]:
    if not isinstance(size, BetSize):
        raise MenuError(f"a menu consists of BetSize objects, not {size!r}")
    return _WRITTEN.index(size.unit), size.value


def number_text(value: float) -> str:
    """Return a number as text, without `.0` and without an exponent.

    Examples
    --------
    >>> number_text(50.0), number_text(2.5), number_text(1e-5)
    ('50', '2.5', '0.00001')
    """
    return f"{Decimal(repr(value)):f}".removesuffix(".0")
