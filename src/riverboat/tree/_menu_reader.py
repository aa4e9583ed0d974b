"""The text of a bet menu.

`/` separates streets, and the last one also applies to all later streets. On a street `|` separates
the sizes of the first bet, of the first raise, and so on; the last ones also apply to all later
raises. Commas or blanks separate sizes:

=============  ==============================================================================
`min`          the minimum bet or raise
`50%`          half the pot after calling, on top of the price
`2.5x`         to 2.5 times the price; 2.5 big blinds where there is no bet
`8bb`          to 8 big blinds on this street
`e`            geometric: the share of the pot with which one bet on each remaining street,
               including this one, puts all chips in; `2e`: two bets, `3e`: three. Each re-raise
               leaves one bet fewer
`a`            all-in (also `allin` and `all-in`)
`none`         no bet: only fold, check and call; without other sizes
=============  ==============================================================================

After a semicolon, at the end of a street:

====================  =======================================================================
`ip 33% | 3x`         sizes of the player in position; the sizes before it are then those of the
                      player out of position
`donk 50%`            donk bet: first bet of the player out of position, after calling the last bet
                      of the street before
`cap 3`               at most three bets and raises on the street (blinds do not count)
`cap 3 each`          at most three per seat
`sb 3x`               first bets of the small blind before the flop (three or more players)
`limp never`          nobody calls the big blind before there is a raise; `limp sb`: only the
                      small blind does (three or more players)
`flop 3`              at most three players enter: the next may raise or fold. Who has put in more
                      than the big blind may always call (three or more players)
====================  =======================================================================

and, for all streets, at the end of the menu:

====================  =======================================================================
`add 150%`            adds all-in if it is at most 150 % of the pot (above the price)
`force 20%`           a bet that would leave less than 20 % of the pot behind becomes all-in
`force 15% called`    a bet that would leave at most 15 % of the pot behind after a call becomes
                      all-in
`near 10%`            of two sizes whose pots differ by at most 10 % removes the smaller: from the
                      largest bet x down, y is removed if (pot + x) / (pot + y) <= 1.1
`recall raises`       information sets remember only on how many earlier streets each seat raised,
                      and which of the offered raises was the last on this street, instead of the
                      whole line. Sampled schemes only
====================  =======================================================================

Example: `2.5x, 100%, a ; cap 3 / 50%, 100%, a | 100%, a ; cap 3` opens to 2.5 big blinds, pot or
all-in before the flop. On later streets bets are half the pot, the pot or all-in, raises are the
pot or all-in. Each street has at most three bets and raises. Upper and lower case are the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, cast, get_args

from riverboat.errors import MenuError, point_at
from riverboat.files import bounded
from riverboat.tree._menu_text import (
    FLOP_RULE,
    LEAST_TO_FLOP,
    MOST_BETS,
    MOST_PLAYERS,
    MOST_RAISES,
    MOST_SIZE,
    BetSize,
    RuleName,
    StreetMenu,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riverboat.tree._menu_text import Limp, Recall, SizeUnit

_ALLOWED = (
    "sizes are min, 50%, 2.5x, 8bb, e (geometric), a (all-in) or none, with | between first bet "
    "and raises and / between streets; a street may end in ; ip 33% | 3x, ; donk 50%, ; cap 3 or "
    "; cap 3 each, the first one in ; sb 3x, ; limp never, ; limp sb or ; flop 3, the menu in "
    "; add 150%, ; force 20%, ; force 15% called, ; near 10% or ; recall raises"
)
_CLAUSES = (
    "ip, donk, cap 3, cap 3 each, on the first street sb, limp or flop, or at the end of the menu "
    "add, force, near or recall raises"
)
_FIRST = ("sb", "limp", "flop")  # clauses of the first street

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


def parse_menu(text: str) -> tuple[list[StreetMenu], dict[RuleName, float], Recall]:
    """Read the text of a menu: its streets, the percentages of its rules, and the recall.

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
    """Parser over the tokens of one text."""

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
                self.refuse(self.now, f"a semicolon must be followed by {_CLAUSES}")
            if self.first_rule is not None:
                what = "it applies to all streets and must be at the end of the menu"
                self.refuse(self.first_rule, what)

    def street(self) -> StreetMenu:
        by_depth = self.depths()
        clauses: dict[str, Any] = {}
        while self.skip(";"):
            start = self.now
            if self.skip("recall"):
                self.recall_clause(start)
                continue
            name, value = self.clause()
            if name in clauses or name in self.rules:
                self.refuse(start, f"{name.replace('_', ' ')} appears a second time")
            if name in get_args(RuleName):
                self.rules[cast("RuleName", name)] = value
                self.first_rule = self.first_rule or start
            elif name in _FIRST and "/" in self.text[: start.start]:
                self.refuse(start, f"{name} is for the first street")
            else:
                clauses[name] = value
        return StreetMenu(by_depth, **clauses)

    def recall_clause(self, start: _Token) -> None:
        if not self.skip("raises"):
            self.refuse(
                self.now, "recall must be followed by raises; the default is the whole line"
            )
        if self.recall == "raises":
            self.refuse(start, "recall appears a second time")
        self.recall, self.first_rule = "raises", self.first_rule or start

    def depths(self) -> tuple[_Sizes, ...]:
        by_depth = [self.sizes()]
        while self.skip("|"):
            by_depth.append(self.sizes())
        return tuple(by_depth)

    def sizes(self) -> _Sizes:
        if self.now.text in _ENDS:
            self.refuse(self.now, "sizes are missing here; write none for no bet")
        if self.skip("none"):
            if self.now.text not in _ENDS:
                self.refuse(self.now, "none cannot be combined with sizes")
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
            self.refuse(token, f"e needs a whole number of bets from 1 to {MOST_BETS}")
        if not 0 < value <= MOST_SIZE:
            self.refuse(token, f"a size must be more than 0 and at most {MOST_SIZE:,}")
        return value

    def clause(self) -> tuple[str, Any]:
        """Read a clause after a semicolon: its name, and its sizes or number."""
        token = self.take()
        if token.word == "ip":
            return "ip", self.depths()
        if token.word in {"donk", "sb"}:
            return token.word, self.sizes()
        if token.word in _RULES:
            return self.rule(token)
        if token.word in {"limp", "flop"}:
            return token.word, self.entry(token.word)
        if token.word != "cap":
            self.refuse(token, f"a semicolon must be followed by {_CLAUSES}")
        count = self.take()
        if not _COUNT.fullmatch(count.text) or int(count.text) > MOST_RAISES:
            self.refuse(count, f"cap needs a whole number from 0 to {MOST_RAISES}")
        return "cap_each" if self.skip("each") else "cap", int(count.text)

    def entry(self, rule: str) -> Limp | int:
        """Read who may limp, or how many players may see the flop."""
        token = self.take()
        if rule == "limp":
            if token.word not in {"sb", "never"}:
                self.refuse(token, "limp must be followed by never or sb")
            return cast("Limp", token.word)
        players = int(token.text) if _COUNT.fullmatch(token.text) else 0
        if not LEAST_TO_FLOP <= players <= MOST_PLAYERS:
            self.refuse(token, FLOP_RULE)
        return players

    def rule(self, token: _Token) -> tuple[RuleName, float]:
        size, name = self.take(), _RULES[token.word]
        match = _SIZE.fullmatch(size.text)
        if match is None or match[2] != "%":
            self.refuse(
                size, f"{token.word} needs a percentage of the pot, such as {token.word} 20%"
            )
        value = self.value(size, match)
        return "force_called" if token.word == "force" and self.skip("called") else name, value

    def refuse(self, token: _Token, reason: str) -> NoReturn:
        """Raise MenuError that points at the token."""
        sentence = point_at(self.text, token.start, token.text, "the bet menu", reason)
        raise MenuError(f"{sentence}\n{_ALLOWED}") from None


def _guess(word: str) -> str:
    """Return what is probably wrong with a token that cannot be read."""
    if re.fullmatch(_NUMBER, word, re.ASCII):
        return "a number needs a unit: % of the pot, x the price, or bb"
    if word in ("each", "called"):
        return "write each after cap 3" if word == "each" else "write called after force 15%"
    if word in ("ip", "donk", "cap", "recall", *_FIRST, *_RULES):
        return "a semicolon is missing before it"
    if word == "none":
        return "none cannot be combined with sizes"
    if re.fullmatch(r"-[0-9.]+(%|x|bb|e)", word):
        return "a size must be more than 0"
    return "it is not a size"
