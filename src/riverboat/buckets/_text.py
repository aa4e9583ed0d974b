"""Card abstractions as text: `percentile 169/200/200/200`, `lossless | distribution 200 recall`.

A text is either one kind for all streets (with a number of buckets for each street, or the
number of streets of kinds that have no such choice), or one kind for each street with `|`
between them. It may end in `recall`.
"""

import re
from dataclasses import dataclass
from itertools import accumulate
from operator import mul
from typing import Final, NoReturn

from riverboat.buckets._kinds import KINDS
from riverboat.buckets._rule import BucketKind
from riverboat.cards import NUM_CLASSES, STREETS
from riverboat.errors import AbstractionError, did_you_mean, point_at
from riverboat.files import bounded

MOST_BUCKETS: Final = 65_536
_LONGEST: Final = 1000  # characters
_TOKEN: Final = re.compile(r"[^\s|/]+|[|/]")
_ALLOWED: Final = (
    "write percentile 169/200/200/200 with buckets by street, lossless 2 with a number of streets, "
    "or one kind a street with | between them, and recall at the end for perfect recall"
)


@dataclass(frozen=True, slots=True)
class StreetBuckets:
    """What the text says about one street."""

    kind: str
    num_buckets: int | None = None

    def __str__(self) -> str:
        return self.kind if self.num_buckets is None else f"{self.kind} {self.num_buckets}"


@dataclass(frozen=True, slots=True)
class AbstractionText:
    """A text that was read; `str` gives the canonical one."""

    streets: tuple[StreetBuckets, ...]
    recall: bool = False

    def __str__(self) -> str:
        return self._kinds() + " recall" * self.recall

    @property
    def num_buckets(self) -> tuple[int, ...]:
        """Buckets by street, at most: equal hands may leave some empty. Nothing is fitted.

        Examples
        --------
        >>> parse_abstraction("lossless | percentile 50 recall").num_buckets
        (169, 8450)
        """
        own = [
            street.num_buckets or KINDS[street.kind].numbers[index]
            for index, street in enumerate(self.streets)
        ]
        if not self.recall:
            return tuple(own)
        return tuple(accumulate(own, mul))

    def _kinds(self) -> str:
        first, count = self.streets[0], len(self.streets)
        if any(street.kind != first.kind for street in self.streets):
            return " | ".join(map(str, self.streets))
        if KINDS[first.kind].counted:
            return f"{first.kind} {'/'.join(str(street.num_buckets) for street in self.streets)}"
        return first.kind if count == len(KINDS[first.kind].numbers) else f"{first.kind} {count}"


def parse_abstraction(text: str | AbstractionText) -> AbstractionText:
    """Read the text of a card abstraction; nothing is fitted. One that was read is returned.

    Raises
    ------
    AbstractionError
        If it cannot be read; the sentence points at the bad token.

    Examples
    --------
    >>> str(parse_abstraction("percentile 169 | percentile 50"))
    'percentile 169/50'
    >>> str(parse_abstraction("Lossless|percentile 50 recall"))
    'lossless | percentile 50 recall'
    """
    if isinstance(text, AbstractionText):
        return text
    return _Parser(bounded(text, "a card abstraction", AbstractionError, _LONGEST)).whole()


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int


class _Parser:
    """Reads tokens from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = [_Token(match[0].lower(), match.start()) for match in _TOKEN.finditer(text)]
        self.recall = bool(found) and found[-1].text == "recall"
        self.tokens = [*(found[:-1] if self.recall else found), _Token("", len(text.rstrip()))]
        self.place = 0

    @property
    def now(self) -> _Token:
        return self.tokens[self.place]

    def take(self) -> _Token:
        token = self.now
        self.place += bool(token.text)
        return token

    def whole(self) -> AbstractionText:
        mixed = any(token.text == "|" for token in self.tokens)
        streets = self.mixed() if mixed else self.alike()
        if self.now.text:
            self.refuse(self.now, "nothing stands here")
        return AbstractionText(tuple(streets), self.recall)

    def alike(self) -> list[StreetBuckets]:
        """One kind for all streets."""
        kind = self.kind()
        if not kind.counted:
            count = len(kind.numbers)
            if self.now.text:
                count = self.number(count, "the number of streets")
            return [StreetBuckets(kind.name)] * count
        streets = [self.counted(kind, 0)]
        while self.now.text == "/":
            slash = self.take()
            if len(streets) == len(STREETS):
                self.refuse(slash, "there are four streets at most")
            streets.append(self.counted(kind, len(streets)))
        return streets

    def mixed(self) -> list[StreetBuckets]:
        """A kind for each street."""
        streets: list[StreetBuckets] = []
        while True:
            streets.append(self.single(len(streets)))
            if self.now.text not in ("", "|"):
                self.refuse(self.now, "with | between streets each has one kind and one number")
            bar = self.take()
            if not bar.text:
                return streets
            if len(streets) == len(STREETS):
                self.refuse(bar, "there are four streets at most")

    def single(self, street: int) -> StreetBuckets:
        """The kind of one street."""
        token, kind = self.now, self.kind()
        if kind.counted:
            return self.counted(kind, street)
        if street >= len(kind.numbers):
            self.refuse(token, f"it has no buckets on the {STREETS[street]}")
        return StreetBuckets(kind.name)

    def kind(self) -> BucketKind:
        token = self.take()
        if token.text not in KINDS:
            near = did_you_mean(token.text, KINDS)
            what = "recall stands at the end" if token.text == "recall" else f"it is no kind{near}"
            self.refuse(token, what if token.text else "a kind is missing here")
        return KINDS[token.text]

    def counted(self, kind: BucketKind, street: int) -> StreetBuckets:
        most = NUM_CLASSES if street == 0 else MOST_BUCKETS
        name = STREETS[street]
        return StreetBuckets(kind.name, self.number(most, f"the number of {name} buckets"))

    def number(self, most: int, what: str) -> int:
        token = self.take()
        good = re.fullmatch(r"[0-9]{1,9}", token.text) is not None
        if not good or not 1 <= int(token.text) <= most:
            self.refuse(token, f"{what} is from 1 to {most:,}")
        return int(token.text)

    def refuse(self, token: _Token, reason: str) -> NoReturn:
        """Raise a sentence that names the token and draws a line under it."""
        sentence = point_at(self.text, token.start, token.text, "the card abstraction", reason)
        raise AbstractionError(f"{sentence}\nkinds are {', '.join(KINDS)}; {_ALLOWED}") from None
