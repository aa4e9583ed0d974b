"""All kinds of buckets by name, and all rules that they fit.

Other packages add theirs with an entry point of the group `riverboat.buckets`: a subclass of
`BucketKind`, or an instance.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

from riverboat.buckets._distribution import Distribution
from riverboat.buckets._fixed import Lossless, Suitless
from riverboat.buckets._percentiles import EquityBins, Percentile, PercentileSquared
from riverboat.buckets._rule import BucketKind, StreetRule
from riverboat.buckets._semantic import Semantic
from riverboat.errors import AbstractionError
from riverboat.settings import PlugIns

_KINDS: Final[dict[str, BucketKind]] = {}
_RULES: Final[dict[str, type[StreetRule]]] = {}


class _Kinds(Mapping[str, BucketKind]):
    """Our kinds in the order in which they were registered, then those of other packages."""

    def __getitem__(self, name: str) -> BucketKind:
        kind = _KINDS.get(name) or _PLUG_INS.get(name)
        if kind is None or kind.name != name:
            raise KeyError(name)
        return kind

    def __iter__(self) -> Iterator[str]:
        return chain(_KINDS, (kind.name for kind in _PLUG_INS.working()))

    def __len__(self) -> int:
        return sum(1 for _ in self)


#: By name.
KINDS: Final[Mapping[str, BucketKind]] = _Kinds()


def register_kind(kind: BucketKind) -> None:
    """Make a kind known, so that texts can name it and files with its rules can be read.

    Raises
    ------
    AbstractionError
        If it has no good name or numbers, or its name or that of a rule is taken.

    Examples
    --------
    >>> from riverboat.buckets import KINDS
    >>> register_kind(KINDS["percentile"])
    Traceback (most recent call last):
    ...
    riverboat.errors.AbstractionError: there is a kind of buckets 'percentile' already
    """
    _check(kind)
    _KINDS[kind.name] = kind
    _RULES.update((rule.name, rule) for rule in kind.rules)


def _check(kind: BucketKind) -> None:
    """Refuse a kind that texts could not name or files not restore."""
    if re.fullmatch(r"[a-z][a-z0-9-]*", kind.name) is None or kind.name == "recall":
        raise AbstractionError(
            f"{kind.name!r} cannot name a kind of buckets: take small letters, digits and "
            "hyphens, but not 'recall'"
        )
    if kind.counted == bool(kind.numbers):
        raise AbstractionError(
            f"the kind of buckets '{kind.name}' says its numbers by street if, and only if, it is "
            "not counted"
        )
    if kind.name in _KINDS:
        raise AbstractionError(f"there is a kind of buckets '{kind.name}' already")
    for rule in kind.rules:
        if _RULES.get(rule.name, rule) is not rule:
            raise AbstractionError(f"there is another rule '{rule.name}' already")


def kind_faults() -> tuple[str, ...]:
    """Return a sentence for each kind of another package that cannot be used.

    Examples
    --------
    >>> kind_faults()
    ()
    """
    return _PLUG_INS.faults()


def rule_named(name: object) -> type[StreetRule]:
    """Find the class of rules that a file names."""
    if isinstance(name, str) and name in _RULES:
        return _RULES[name]
    others = {rule for kind in _PLUG_INS.working() for rule in kind.rules}
    found = [rule for rule in others if rule.name == name]
    if not found:
        listed = ", ".join(sorted({*_RULES, *(rule.name for rule in others)}))
        raise AbstractionError(f"{name!r} is no kind of buckets: {listed} are")
    if len(found) > 1:
        raise AbstractionError(f"two packages have a rule {name!r}: keep one of them")
    return found[0]


def _accept(name: str, found: Any, package: str) -> BucketKind:  # noqa: ARG001 - for all plug-ins
    """Take a kind, or make one of its class."""
    kind = found() if isinstance(found, type) else found
    if not isinstance(kind, BucketKind):
        raise AbstractionError(f"{found!r} is no BucketKind")
    if kind.name != name:
        raise AbstractionError(f"it calls itself {kind.name!r}")
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
    Semantic(),
):
    register_kind(_kind)
