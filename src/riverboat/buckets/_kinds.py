"""All kinds of buckets by name, and all rules that they fit."""

import re
from types import MappingProxyType
from typing import Final

from riverboat.buckets._distribution import Distribution
from riverboat.buckets._isomorphism import Lossless
from riverboat.buckets._kind import BucketKind
from riverboat.buckets._percentiles import EquityBins, Percentile, PercentileSquared
from riverboat.buckets._ranks import Suitless
from riverboat.buckets._rule import StreetRule
from riverboat.buckets._semantic import Semantic
from riverboat.errors import AbstractionError

__all__ = ["KINDS", "register_kind", "rule_named"]

_KINDS: Final[dict[str, BucketKind]] = {}
_RULES: Final[dict[str, type[StreetRule]]] = {}

#: By name, in the order in which they were registered.
KINDS: Final = MappingProxyType(_KINDS)


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
    _KINDS[kind.name] = kind
    _RULES.update((rule.name, rule) for rule in kind.rules)


def rule_named(name: object) -> type[StreetRule]:
    """Find the class of rules that a file names."""
    if not isinstance(name, str) or name not in _RULES:
        raise AbstractionError(f"{name!r} is no kind of buckets: {', '.join(sorted(_RULES))} are")
    return _RULES[name]


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
