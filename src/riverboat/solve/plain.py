"""Frozen dataclasses of settings as plain dicts that JSON can hold, and back."""

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from riverboat.errors import SolveError
from riverboat.solve.checks import shown

__all__ = ["changed_fields", "known_fields", "set_fields"]


def set_fields(target: object, **values: object) -> None:
    """Set fields of a frozen dataclass while it is made."""
    for name, value in values.items():
        object.__setattr__(target, name, value)


def changed_fields(made: Any) -> dict[str, Any]:
    """Fields that differ from their defaults; tuples as lists, infinities as text."""
    found: dict[str, Any] = {}
    for field in fields(made):
        value = getattr(made, field.name)
        if value == field.default:
            continue
        if is_dataclass(value):
            value = changed_fields(value)
        elif isinstance(value, tuple):
            value = [list(pair) for pair in value]
        elif isinstance(value, float) and math.isinf(value):
            value = str(value)
        found[field.name] = value
    return found


def known_fields(kind: type[Any], values: object, what: str) -> dict[str, Any]:
    """A mapping's values, where all its names are fields."""
    if not isinstance(values, Mapping):
        raise SolveError(f"{shown(values)} is no mapping of the settings of {what}")
    names = [field.name for field in fields(kind)]
    for name in values:
        if name not in names:
            raise SolveError(f"{shown(name)} is no setting of {what}: there are {', '.join(names)}")
    return dict(values)
