"""All kinds of buckets by name, the rules that they fit, and the text of a card abstraction.

Other packages add kinds with an entry point of the group `riverboat.buckets`: a subclass of
`BucketKind`, or an instance.

A text, `percentile 169/200/200/200` or `lossless | distribution 200 recall`, is either one kind for
all streets (with a number of buckets for each street, or a number of streets for kinds with fixed
buckets), or several kinds separated by `|`, each for one street or, with a number of buckets for
each, for several: `distribution 169/200/200 | ochs 200`. It may end in `recall`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, chain
from operator import mul
from typing import Any, Final, NoReturn

from riverboat.buckets._distribution import Distribution
from riverboat.buckets._fixed import Lossless, Suitless
from riverboat.buckets._opponent_clusters import OpponentClusters
from riverboat.buckets._percentiles import EquityBins, Percentile, PercentileSquared
from riverboat.buckets._rule import BucketKind, StreetRule
from riverboat.buckets._semantic import Semantic
from riverboat.cards import NUM_CLASSES, STREETS
from riverboat.errors import AbstractionError, did_you_mean, point_at
from riverboat.files import bounded
from riverboat.settings import PlugIns

_KINDS: Final[dict[str, BucketKind]] = {}
_RULES: Final[dict[str, type[StreetRule]]] = {}


class _Kinds(Mapping[str, BucketKind]):
    """Riverboat's kinds in the order of registration, then those of other packages."""

    def __getitem__(self, name: str) -> BucketKind:
        kind = _KINDS.get(name) or _PLUG_INS.get(name)
        if kind is None or kind.name != name:
            raise KeyError(name)
        return kind

    def __iter__(self) -> Iterator[str]:
        return chain(_KINDS, (kind.name for kind in _PLUG_INS.working()))

    def __len__(self) -> int:
        return sum(1 for _ in self)


#: All kinds by name.
KINDS: Final[Mapping[str, BucketKind]] = _Kinds()


def register_kind(kind: BucketKind) -> None:
    """Register a kind, for texts with its name and files with its rules.

    Raises
    ------
    AbstractionError
        If its name or numbers are invalid, or the name of the kind or of a rule is taken.

    Examples
    --------
    >>> from riverboat.buckets import KINDS
    >>> register_kind(KINDS["percentile"])
    Traceback (most recent call last):
    ...
    riverboat.errors.AbstractionError: a kind of buckets 'percentile' exists already
    """
    _check(kind)
    _KINDS[kind.name] = kind
    _RULES.update((rule.name, rule) for rule in kind.rules)


def _check(kind: BucketKind) -> None:
    """Refuse a kind with an invalid or taken name."""
    if re.fullmatch(r"[a-z][a-z0-9-]*", kind.name) is None or kind.name == "recall":
        raise AbstractionError(
            f"{kind.name!r} cannot be the name of a kind of buckets: use small letters, digits "
            "and hyphens, but not 'recall'"
        )
    if kind.counted == bool(kind.numbers):
        raise AbstractionError(
            f"the kind of buckets '{kind.name}' must have numbers by street if, and only if, it is "
            "not counted"
        )
    if kind.name in _KINDS:
        raise AbstractionError(f"a kind of buckets '{kind.name}' exists already")
    for rule in kind.rules:
        if _RULES.get(rule.name, rule) is not rule:
            raise AbstractionError(f"another rule '{rule.name}' exists already")


def kind_faults() -> tuple[str, ...]:
    """Return a sentence for each kind of another package that cannot be used.

    Examples
    --------
    >>> kind_faults()
    ()
    """
    return _PLUG_INS.faults()


def rule_named(name: object) -> type[StreetRule]:
    """Return the class of a rule by its name in files."""
    if isinstance(name, str) and name in _RULES:
        return _RULES[name]
    others = {rule for kind in _PLUG_INS.working() for rule in kind.rules}
    matches = [rule for rule in others if rule.name == name]
    if not matches:
        listed = ", ".join(sorted({*_RULES, *(rule.name for rule in others)}))
        raise AbstractionError(f"{name!r} is not a kind of buckets: kinds are {listed}")
    if len(matches) > 1:
        raise AbstractionError(f"two packages have a rule {name!r}: uninstall one of them")
    return matches[0]


def _accept(name: str, value: Any, package: str) -> BucketKind:  # noqa: ARG001 - for all plug-ins
    """Return the kind of an entry point: an instance, or one of its class."""
    kind = value() if isinstance(value, type) else value
    if not isinstance(kind, BucketKind):
        raise AbstractionError(f"{value!r} is not a BucketKind")
    if kind.name != name:
        raise AbstractionError(f"the name of its kind is {kind.name!r}")
    _check(kind)
    return kind


_PLUG_INS: Final = PlugIns(
    "riverboat.buckets", "kind of buckets", AbstractionError, _accept, _KINDS.__contains__
)


for _kind in (
    Lossless(),
    Suitless(),
    EquityBins(),
    Percentile(),
    PercentileSquared(),
    Distribution(),
    OpponentClusters(),
    Semantic(),
):
    register_kind(_kind)


# ---- Texts

MOST_BUCKETS: Final = 65_536
_LONGEST: Final = 1000  # characters
_TOKEN: Final = re.compile(r"[^\s|/]+|[|/]")
_ALLOWED: Final = (
    "write percentile 169/200/200/200 with buckets by street, lossless 2 with a number of streets, "
    "or kinds separated by |, each for one street or with buckets for several, and recall at the "
    "end for perfect recall"
)


@dataclass(frozen=True, slots=True)
class StreetBuckets:
    """Kind and number of buckets of one street."""

    kind: str
    num_buckets: int | None = None

    def __str__(self) -> str:
        return self.kind if self.num_buckets is None else f"{self.kind} {self.num_buckets}"


@dataclass(frozen=True, slots=True)
class AbstractionText:
    """A parsed text; `str` returns the canonical one."""

    streets: tuple[StreetBuckets, ...]
    recall: bool = False

    def __str__(self) -> str:
        return self._kinds() + " recall" * self.recall

    @property
    def num_buckets(self) -> tuple[int, ...]:
        """Maximum number of buckets by street: hands of equal strength may leave some empty.

        Examples
        --------
        >>> parse_abstraction("lossless | percentile 50 recall").num_buckets
        (169, 8450)
        """
        counts = [
            street.num_buckets or KINDS[street.kind].numbers[index]
            for index, street in enumerate(self.streets)
        ]
        if not self.recall:
            return tuple(counts)
        return tuple(accumulate(counts, mul))

    def _kinds(self) -> str:
        first, count = self.streets[0], len(self.streets)
        if any(street.kind != first.kind for street in self.streets):
            return " | ".join(map(str, self.streets))
        if KINDS[first.kind].counted:
            return f"{first.kind} {'/'.join(str(street.num_buckets) for street in self.streets)}"
        return first.kind if count == len(KINDS[first.kind].numbers) else f"{first.kind} {count}"


def parse_abstraction(text: str | AbstractionText) -> AbstractionText:
    """Read the text of a card abstraction, without fitting it; a parsed text is returned.

    Raises
    ------
    AbstractionError
        If the text cannot be read; the message points at the bad token.

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
        tokens = [_Token(match[0].lower(), match.start()) for match in _TOKEN.finditer(text)]
        self.recall = bool(tokens) and tokens[-1].text == "recall"
        self.tokens = [*(tokens[:-1] if self.recall else tokens), _Token("", len(text.rstrip()))]
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
        streets = self.mixed() if mixed else self.uniform()
        if self.now.text:
            self.refuse(self.now, "the text must end here")
        return AbstractionText(tuple(streets), self.recall)

    def uniform(self) -> list[StreetBuckets]:
        """Read one kind for all streets."""
        kind = self.kind()
        if not kind.counted:
            count = len(kind.numbers)
            if self.now.text:
                count = self.number(count, "the number of streets")
            return [StreetBuckets(kind.name)] * count
        return self.counted(kind, 0)

    def mixed(self) -> list[StreetBuckets]:
        """Read kinds between |."""
        streets: list[StreetBuckets] = []
        while True:
            streets += self.part(len(streets))
            if self.now.text not in ("", "|"):
                self.refuse(self.now, "each part between | has one kind and its numbers")
            bar = self.take()
            if not bar.text:
                return streets
            self.check_more(bar, len(streets))

    def part(self, street: int) -> list[StreetBuckets]:
        """Read one kind from a street on: for one street, or with numbers for several."""
        token, kind = self.now, self.kind()
        if kind.counted:
            return self.counted(kind, street)
        if street >= len(kind.numbers):
            self.refuse(token, f"it has no buckets on the {STREETS[street]}")
        return [StreetBuckets(kind.name)]

    def counted(self, kind: BucketKind, street: int) -> list[StreetBuckets]:
        """Read numbers of buckets separated by /, from a street on."""
        streets = [self.one_counted(kind, street)]
        while self.now.text == "/":
            slash = self.take()
            self.check_more(slash, street + len(streets))
            streets.append(self.one_counted(kind, street + len(streets)))
        return streets

    def check_more(self, token: _Token, count: int) -> None:
        """Refuse a token after the last street."""
        if count == len(STREETS):
            self.refuse(token, "there are four streets at most")

    def kind(self) -> BucketKind:
        token = self.take()
        if token.text not in KINDS:
            near = did_you_mean(token.text, KINDS)
            what = (
                "recall must be at the end" if token.text == "recall" else f"it is not a kind{near}"
            )
            self.refuse(token, what if token.text else "a kind is missing here")
        return KINDS[token.text]

    def one_counted(self, kind: BucketKind, street: int) -> StreetBuckets:
        most = NUM_CLASSES if street == 0 else MOST_BUCKETS
        name = STREETS[street]
        return StreetBuckets(kind.name, self.number(most, f"the number of {name} buckets"))

    def number(self, most: int, what: str) -> int:
        token = self.take()
        good = re.fullmatch(r"[0-9]{1,9}", token.text) is not None
        if not good or not 1 <= int(token.text) <= most:
            self.refuse(token, f"{what} must be from 1 to {most:,}")
        return int(token.text)

    def refuse(self, token: _Token, reason: str) -> NoReturn:
        """Raise AbstractionError that points at the token."""
        sentence = point_at(self.text, token.start, token.text, "the card abstraction", reason)
        raise AbstractionError(f"{sentence}\nkinds are {', '.join(KINDS)}; {_ALLOWED}") from None
