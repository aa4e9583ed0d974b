"""All rules by kind; a card abstraction as JSON and arrays, and back.

What is saved travels in the header of a blueprint: it is all that is needed to find the bucket
of any hand on a machine that has built no table.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets._card_abstraction import CardAbstraction
from riverboat.buckets._kinds import load
from riverboat.buckets._street_rule import StreetRule
from riverboat.cards import STREETS
from riverboat.errors import AbstractionError

__all__ = ["NEED_NO_TABLES", "RULES", "VERSION", "restore_abstraction", "save_abstraction"]

#: Raised whenever a saved rule would mean other buckets; other versions are refused.
VERSION: Final = 1

#: Where the class of each kind is; it is imported when first used. Each class has a method
#: `restore(parameters, arrays)` that undoes `StreetRule.parameters` and `arrays`.
RULES: Final[dict[str, str]] = {
    "classes": "riverboat.buckets._classes:ClassesRule",
    "distribution": "riverboat.buckets._distribution:DistributionRule",
    "isomorphism": "riverboat.buckets._isomorphism:IsomorphismRule",
    "limits": "riverboat.buckets._limits:LimitsRule",
    "ranks": "riverboat.buckets._ranks:RanksRule",
    "semantic": "riverboat.buckets._semantic:SemanticRule",
}

#: Kinds whose tables are filled without the hand-strength tables.
NEED_NO_TABLES: Final = frozenset({"classes", "isomorphism", "ranks", "semantic"})


def save_abstraction(
    abstraction: CardAbstraction,
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Turn an abstraction into plain JSON values and small arrays.

    Returns
    -------
    values
        For the header of a file.
    arrays
        By name, such as `flop.limits`.

    Examples
    --------
    >>> from riverboat.buckets import make_abstraction
    >>> values, arrays = save_abstraction(make_abstraction("suitless 2"))
    >>> values["name"], sorted(arrays)
    ('suitless 2', ['preflop.buckets'])
    """
    values = {
        "version": VERSION,
        "name": abstraction.name,
        "recall": abstraction.recall,
        "streets": [
            {"kind": rule.kind, "parameters": rule.parameters()} for rule in abstraction.rules
        ],
    }
    arrays = {
        f"{street}.{name}": np.ascontiguousarray(array)
        for street, rule in zip(STREETS, abstraction.rules, strict=False)
        for name, array in rule.arrays().items()
    }
    return values, arrays


def restore_abstraction(
    values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> CardAbstraction:
    """Make an abstraction from what `save_abstraction` returned.

    Parameters
    ----------
    values
        The JSON values.
    arrays
        By name; those that are not the abstraction's are left alone.

    Raises
    ------
    AbstractionError
        If it is of another version, of an unknown kind, or if something is missing.

    Examples
    --------
    >>> from riverboat.buckets import make_abstraction
    >>> restore_abstraction(*save_abstraction(make_abstraction("suitless 2"))).num_buckets
    (169, 76895)
    """
    version = values.get("version")
    if version != VERSION:
        raise AbstractionError(
            f"the card abstraction is of version {version!r}, and this Riverboat reads {VERSION}"
        )
    name, recall, streets = (values.get(key) for key in ("name", "recall", "streets"))
    if not isinstance(name, str) or not isinstance(recall, bool) or not isinstance(streets, list):
        raise AbstractionError("the card abstraction lacks its name, recall or streets")
    if not 1 <= len(streets) <= len(STREETS):
        raise AbstractionError(f"a card abstraction has 1 to 4 streets, not {len(streets)}")
    rules = tuple(
        _restored(saved, _under(street, arrays))
        for street, saved in zip(STREETS, streets, strict=False)
    )
    return CardAbstraction(name, rules, recall)


def _under(street: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Arrays of one street, without its name."""
    prefix = f"{street}."
    return {name.removeprefix(prefix): arrays[name] for name in arrays if name.startswith(prefix)}


def _restored(saved: Any, arrays: dict[str, NDArray[Any]]) -> StreetRule:
    kind = saved.get("kind") if isinstance(saved, Mapping) else saved
    if kind not in RULES:
        raise AbstractionError(f"{kind!r} is no kind of buckets: {', '.join(RULES)} are")
    try:
        rule: StreetRule = load(RULES[kind]).restore(saved["parameters"], arrays)
    except (KeyError, TypeError, IndexError) as error:
        raise AbstractionError(f"the saved {kind} buckets are not whole: {error}") from error
    return rule
