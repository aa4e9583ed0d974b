"""The text of a bet menu.

Streets stand between `/`, and the last one serves for all later streets too. On a street the
sizes of the first bet, of the first raise, and so on stand between `|`, and the last ones serve
for all later raises. Sizes stand between commas or blanks:

=============  ==============================================================================
`min`          the least bet or raise that the rules allow
`50%`          half the pot after calling, on top of the price
`2.5x`         to 2.5 times the price; 2.5 big blinds where there is no bet
`8bb`          to 8 big blinds on this street
`a`            all-in (`allin` and `all-in` are read, too)
`none`         no bet: fold, check and call only; stands alone
=============  ==============================================================================

After a semicolon, at the end of a street:

=============  ==============================================================================
`cap 3`        at most three bets and raises on the street (blinds do not count)
`cap 3 each`   at most three by each seat
`merge 20%`    a bet that would leave less than 20 % of the pot behind becomes all-in; for the
               whole menu, so only at its end
=============  ==============================================================================

So `2.5x, 100%, a ; cap 3 / 50%, 100%, a | 100%, a ; cap 3` opens to 2.5 big blinds, pot or
all-in before the flop; on later streets bets are half the pot, the pot or all-in and raises the
pot or all-in; no street has more than three of them. Letters may be of either case.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn

from riverboat.errors import MenuError
from riverboat.limits import bounded

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MOST_RAISES", "MOST_SIZE", "SizeUnit", "StreetText", "number_text", "parse_streets"]

SizeUnit = Literal["min", "%", "x", "bb", "a"]

MOST_RAISES = 250
MOST_SIZE = 1_000_000

_ALLOWED = (
    "sizes are min, 50%, 2.5x, 8bb, a (all-in) or none, with | between first bet and raises and "
    "/ between streets; a street may end in ; cap 3 or ; cap 3 each, the menu in ; merge 20%"
)

_NUMBER = r"[0-9]++(?:\.[0-9]*+)?|\.[0-9]++"
# Separators, words with their numbers, or anything else up to the next separator.
_TOKEN = re.compile(
    rf"[/|;]|(?:{_NUMBER})\s*(?:%|x|bb)(?![^\s,/|;])|[^\s,/|;]+", re.IGNORECASE | re.ASCII
)
_SIZE = re.compile(rf"({_NUMBER})\s*(%|x|bb)", re.IGNORECASE | re.ASCII)
_COUNT = re.compile(r"[0-9]{1,9}", re.ASCII)
_UNITS: dict[str, SizeUnit] = {"%": "%", "x": "x", "bb": "bb"}
_WORDS: dict[str, SizeUnit] = {"min": "min", "a": "a", "allin": "a", "all-in": "a"}


class StreetText(NamedTuple):
    """One street as read: (unit, value) of each size by depth, and the caps."""

    by_depth: list[list[tuple[SizeUnit, float]]]
    cap: int | None
    cap_each: int | None


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


def parse_streets(text: str) -> tuple[list[StreetText], float]:
    """Read the text of a menu: its streets, and the per cent below which bets merge.

    Raises MenuError that points at the first token that cannot be read.

    Examples
    --------
    >>> parse_streets("min; cap 3 / a; merge 20%")
    ([StreetText(by_depth=[[('min', 0.0)]], cap=3, cap_each=None), \
StreetText(by_depth=[[('a', 0.0)]], cap=None, cap_each=None)], 20.0)
    """
    return _Reader(bounded(text, "a bet menu", MenuError)).menu()


class _Reader:
    """Walks over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [_Token(match[0], match.start()) for match in _TOKEN.finditer(text)]
        self.end = _Token("", len(text.rstrip()))
        self.place = 0
        self.merge: _Token | None = None  # the word, once it was seen

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

    def menu(self) -> tuple[list[StreetText], float]:
        streets = []
        while True:
            street, merge = self.street()
            streets.append(street)
            if not self.now.text:
                return streets, merge
            if not self.skip("/"):
                self.refuse(
                    self.now, "after a semicolon stands only cap 3, cap 3 each or merge 20%"
                )
            if self.merge is not None:
                self.refuse(self.merge, "it goes for all streets and stands at the end of the menu")

    def street(self) -> tuple[StreetText, float]:
        by_depth = [self.sizes()]
        while self.skip("|"):
            by_depth.append(self.sizes())
        found: dict[str, float] = {}
        while self.skip(";"):
            start = self.now
            name, value = self.suffix()
            if name in found:
                self.refuse(start, f"{name} stands here a second time")
            found[name] = value
        caps = [int(found[name]) if name in found else None for name in ("cap", "cap each")]
        return StreetText(by_depth, *caps), found.get("merge", 0.0)

    def sizes(self) -> list[tuple[SizeUnit, float]]:
        if self.now.text in ("", "/", "|", ";"):
            self.refuse(self.now, "sizes are missing here; write none where no bet is wanted")
        if self.skip("none"):
            if self.now.text not in ("", "/", "|", ";"):
                self.refuse(self.now, "none stands alone")
            return []
        return list(self.size_list())

    def size_list(self) -> Iterator[tuple[SizeUnit, float]]:
        while self.now.text not in ("", "/", "|", ";"):
            token = self.take()
            if token.word in _WORDS:
                yield _WORDS[token.word], 0.0
            elif match := _SIZE.fullmatch(token.text):
                yield _UNITS[match[2].lower()], self.value(token, match[1])
            else:
                self.refuse(token, _guess(token.word))

    def value(self, token: _Token, number: str) -> float:
        value = float(number)
        if not 0 < value <= MOST_SIZE:
            self.refuse(token, f"a size is more than 0 and at most {MOST_SIZE:,}")
        return value

    def suffix(self) -> tuple[str, float]:
        """Read what stands after a semicolon: its name and number."""
        token = self.take()
        if token.word == "merge":
            self.merge = token
            size = self.take()
            match = _SIZE.fullmatch(size.text)
            if match is None or match[2] != "%":
                self.refuse(size, "merge takes per cent of the pot, such as merge 20%")
            return "merge", self.value(size, match[1])
        if token.word != "cap":
            self.refuse(token, "after a semicolon stands cap 3, cap 3 each or merge 20%")
        count = self.take()
        if not _COUNT.fullmatch(count.text) or int(count.text) > MOST_RAISES:
            self.refuse(count, f"cap takes a whole number from 0 to {MOST_RAISES}")
        return "cap each" if self.skip("each") else "cap", int(count.text)

    def refuse(self, token: _Token, reason: str) -> NoReturn:
        """Raise a sentence that names the token and draws a line under it."""
        text, start = self.text, token.start
        begin, end = max(0, start - 36), min(len(text), start + 36)
        before, after = "…" * (begin > 0), "…" * (end < len(text))
        # One column for each character, so that the carets stand where they should.
        shown = "".join(char if char.isprintable() else " " for char in text[begin:end])
        indent = " " * (len(before) + start - begin)
        carets = "^" * max(1, min(len(token.text), end - start))
        named = f"{_clipped(token.text)} at character {start + 1}" if token.text else "the end"
        raise MenuError(
            f"{named} of the bet menu cannot be read: {reason}\n"
            f"    {before}{shown}{after}\n    {indent}{carets}\n{_ALLOWED}"
        ) from None


def _guess(word: str) -> str:
    """Say what is probably wrong with a token that no rule fits."""
    if re.fullmatch(_NUMBER, word, re.ASCII):
        return "a number needs a unit: % of the pot, x the price, or bb"
    if word in ("cap", "merge", "each"):
        return "a semicolon is missing before it" if word != "each" else "each follows cap 3"
    if word == "none":
        return "none stands alone"
    if re.fullmatch(r"-[0-9.]+(%|x|bb)", word):
        return "a size is more than 0"
    return "it is no size"


def _clipped(text: str) -> str:
    """Quote a text, but not a whole page of it."""
    return ascii(text if len(text) <= 36 else text[:35] + "…")
