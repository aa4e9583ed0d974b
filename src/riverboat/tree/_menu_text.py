"""Bet sizes, the sizes of a street, and the text of a bet menu.

Streets stand between `/`, and the last one serves for all later streets too. On a street the
sizes of the first bet, of the first raise, and so on stand between `|`, and the last ones serve
for all later raises. Sizes stand between commas or blanks:

=============  ==============================================================================
`min`          the least bet or raise that the rules allow
`50%`          half the pot after calling, on top of the price
`2.5x`         to 2.5 times the price; 2.5 big blinds where there is no bet
`8bb`          to 8 big blinds on this street
`e`            geometric: as many bets of one share of the pot as streets are left, this one
               included, put all chips in; `2e` two bets, `3e` three. Counts one bet fewer for each
               re-raise
`a`            all-in (`allin` and `all-in` are read, too)
`none`         no bet: fold, check and call only; stands alone
=============  ==============================================================================

After a semicolon, at the end of a street:

====================  =======================================================================
`ip 33% | 3x`         sizes of the player in position, who does not open the street; those
                      before are then the other's
`donk 50%`            first bet of the player out of position where he called last on the street
                      before
`cap 3`               at most three bets and raises on the street (blinds do not count)
`cap 3 each`          at most three by each seat
====================  =======================================================================

and, for all streets, at the end of the menu:

====================  =======================================================================
`add 150%`            all-in besides, where it is at most 150 % of the pot (above the price)
`force 20%`           a bet that would leave less than 20 % of the pot behind becomes all-in
`force 15% called`    a bet that would leave at most 15 % of the pot once it is called becomes
                      all-in
`near 10%`            of two sizes that make pots at most 10 % apart the smaller goes: from the
                      largest bet x down, y goes where (pot + x) / (pot + y) <= 1.1
`recall raises`       of the line of play an infoset keeps only on how many earlier streets each
                      seat raised, and of this street which of the offered raises was the last; else
                      the whole line. Sampled schemes only
====================  =======================================================================

So `2.5x, 100%, a ; cap 3 / 50%, 100%, a | 100%, a ; cap 3` opens to 2.5 big blinds, pot or
all-in before the flop; on later streets bets are half the pot, the pot or all-in and raises the
pot or all-in; no street has more than three of them. Letters may be of either case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, cast, get_args

from riverboat.errors import MenuError, point_at
from riverboat.files import bounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SizeUnit = Literal["min", "%", "x", "bb", "e", "a"]
RuleName = Literal["add", "force", "force_called", "near"]
Recall = Literal["line", "raises"]

MOST_BETS = 20
MOST_RAISES = 250
MOST_SIZE = 1_000_000

# The order of BetSize::Kind in the core.
_KINDS: tuple[SizeUnit, ...] = ("min", "%", "x", "bb", "a", "e")
# The order in which sizes are written.
_WRITTEN: tuple[SizeUnit, ...] = ("min", "bb", "x", "%", "e", "a")
# A menu without a cap stops here all the same: the tree is built by recursion.
_NO_CAP = 255

_Numbers = list[tuple[int, float]]


def checked_number(value: object, what: str, most: float) -> float:
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


# Reading.

_ALLOWED = (
    "sizes are min, 50%, 2.5x, 8bb, e (geometric), a (all-in) or none, with | between first bet "
    "and raises and / between streets; a street may end in ; ip 33% | 3x, ; donk 50%, ; cap 3 or "
    "; cap 3 each, the menu in ; add 150%, ; force 20%, ; force 15% called, ; near 10% or "
    "; recall raises"
)
_CLAUSES = (
    "ip, donk, cap 3, cap 3 each, or at the end of the menu add, force, near or recall raises"
)

_NUMBER = r"[0-9]++(?:\.[0-9]*+)?|\.[0-9]++"
# Separators, words with their numbers, or anything else up to the next separator.
_TOKEN = re.compile(
    rf"[/|;]|(?:{_NUMBER})\s*(?:%|x|bb|e)(?![^\s,/|;])|[^\s,/|;]+", re.IGNORECASE | re.ASCII
)
_SIZE = re.compile(rf"({_NUMBER})\s*(%|x|bb|e)", re.IGNORECASE | re.ASCII)
_COUNT = re.compile(r"[0-9]{1,9}", re.ASCII)
_UNITS: dict[str, SizeUnit] = {"%": "%", "x": "x", "bb": "bb", "e": "e"}
_WORDS: dict[str, SizeUnit] = {"min": "min", "e": "e", "a": "a", "allin": "a", "all-in": "a"}
_RULES: dict[str, RuleName] = {"add": "add", "force": "force", "near": "near"}
_ENDS = ("", "/", "|", ";")

_Sizes = tuple[BetSize, ...]


class _Token(NamedTuple):
    text: str
    start: int

    @property
    def word(self) -> str:
        return self.text.lower()


def number_text(value: float) -> str:
    """Write a number as people do: no `.0`, and no exponent.

    Examples
    --------
    >>> number_text(50.0), number_text(2.5), number_text(1e-5)
    ('50', '2.5', '0.00001')
    """
    return f"{Decimal(repr(value)):f}".removesuffix(".0")


def parse_menu(text: str) -> tuple[list[StreetMenu], dict[RuleName, float], Recall]:
    """Read the text of a menu: its streets, the per cent of its rules, what infosets recall.

    Raises MenuError that points at the first token that cannot be read.

    Examples
    --------
    >>> streets, rules, _ = parse_menu("min; cap 3 / a ; donk 50% ; force 20%")
    >>> print(streets[1])
    a ; donk 50%
    >>> streets[0].cap, rules
    (3, {'force': 20.0})
    """
    return _Reader(bounded(text, "a bet menu", MenuError)).menu()


class _Reader:
    """Walks over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [_Token(match[0], match.start()) for match in _TOKEN.finditer(text)]
        self.end = _Token("", len(text.rstrip()))
        self.place = 0
        self.rules: dict[RuleName, float] = {}
        self.recall: Recall = "line"
        self.first_rule: _Token | None = None

    @property
    def now(self) -> _Token:
        return self.tokens[self.place] if self.place < len(self.tokens) else self.end

    def take(self) -> _Token:
        token = self.now
        self.place += 1
        return token

    def skip(self, word: str) -> bool:
        """Take the next token if it is this one."""
        found = self.now.word == word
        self.place += found
        return found

    def menu(self) -> tuple[list[StreetMenu], dict[RuleName, float], Recall]:
        streets = []
        while True:
            streets.append(self.street())
            if not self.now.text:
                return streets, self.rules, self.recall
            if not self.skip("/"):
                self.refuse(self.now, f"after a semicolon stands only {_CLAUSES}")
            if self.first_rule is not None:
                what = "it goes for all streets and stands at the end of the menu"
                self.refuse(self.first_rule, what)

    def street(self) -> StreetMenu:
        by_depth = self.depths()
        found: dict[str, Any] = {}
        while self.skip(";"):
            start = self.now
            if self.skip("recall"):
                self.recall_clause(start)
                continue
            name, value = self.clause()
            if name in found or name in self.rules:
                self.refuse(start, f"{name.replace('_', ' ')} stands here a second time")
            if name in get_args(RuleName):
                self.rules[cast("RuleName", name)] = value
                self.first_rule = self.first_rule or start
            else:
                found[name] = value
        return StreetMenu(by_depth, **found)

    def recall_clause(self, start: _Token) -> None:
        if not self.skip("raises"):
            self.refuse(self.now, "recall takes raises; without it the whole line is kept")
        if self.recall == "raises":
            self.refuse(start, "recall stands here a second time")
        self.recall, self.first_rule = "raises", self.first_rule or start

    def depths(self) -> tuple[_Sizes, ...]:
        by_depth = [self.sizes()]
        while self.skip("|"):
            by_depth.append(self.sizes())
        return tuple(by_depth)

    def sizes(self) -> _Sizes:
        if self.now.text in _ENDS:
            self.refuse(self.now, "sizes are missing here; write none where no bet is wanted")
        if self.skip("none"):
            if self.now.text not in _ENDS:
                self.refuse(self.now, "none stands alone")
            return ()
        return tuple(self.size_list())

    def size_list(self) -> Iterator[BetSize]:
        while self.now.text not in _ENDS:
            token = self.take()
            if token.word in _WORDS:
                yield BetSize(_WORDS[token.word])
            elif match := _SIZE.fullmatch(token.text):
                yield BetSize(_UNITS[match[2].lower()], self.value(token, match))
            else:
                self.refuse(token, _guess(token.word))

    def value(self, token: _Token, match: re.Match[str]) -> float:
        value = float(match[1])
        if match[2].lower() == "e" and not (value.is_integer() and 1 <= value <= MOST_BETS):
            self.refuse(token, f"e takes a whole number of bets from 1 to {MOST_BETS}")
        if not 0 < value <= MOST_SIZE:
            self.refuse(token, f"a size is more than 0 and at most {MOST_SIZE:,}")
        return value

    def clause(self) -> tuple[str, Any]:
        """Read what stands after a semicolon: its name, and its sizes or number."""
        token = self.take()
        if token.word == "ip":
            return "ip", self.depths()
        if token.word == "donk":
            return "donk", self.sizes()
        if token.word in _RULES:
            return self.rule(token)
        if token.word != "cap":
            self.refuse(token, f"after a semicolon stands {_CLAUSES}")
        count = self.take()
        if not _COUNT.fullmatch(count.text) or int(count.text) > MOST_RAISES:
            self.refuse(count, f"cap takes a whole number from 0 to {MOST_RAISES}")
        return "cap_each" if self.skip("each") else "cap", int(count.text)

    def rule(self, token: _Token) -> tuple[RuleName, float]:
        size, name = self.take(), _RULES[token.word]
        match = _SIZE.fullmatch(size.text)
        if match is None or match[2] != "%":
            self.refuse(size, f"{token.word} takes per cent of the pot, such as {token.word} 20%")
        value = self.value(size, match)
        return "force_called" if token.word == "force" and self.skip("called") else name, value

    def refuse(self, token: _Token, reason: str) -> NoReturn:
        """Raise a sentence that names the token and draws a line under it."""
        sentence = point_at(self.text, token.start, token.text, "the bet menu", reason)
        raise MenuError(f"{sentence}\n{_ALLOWED}") from None


def _guess(word: str) -> str:
    """Say what is probably wrong with a token that no rule fits."""
    if re.fullmatch(_NUMBER, word, re.ASCII):
        return "a number needs a unit: % of the pot, x the price, or bb"
    if word in ("each", "called"):
        return "each follows cap 3" if word == "each" else "called follows force 15%"
    if word in ("ip", "donk", "cap", "recall", *_RULES):
        return "a semicolon is missing before it"
    if word == "none":
        return "none stands alone"
    if re.fullmatch(r"-[0-9.]+(%|x|bb|e)", word):
        return "a size is more than 0"
    return "it is no size"
