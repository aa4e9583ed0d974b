"""Frozen dataclasses of settings as plain dicts that JSON can hold, and back."""

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from riverboat.errors import SolveError
from riverboat.solve._checks import shown

__all__ = ["all_fields", "changed_fields", "known_fields", "set_fields"]


def set_fields(target: object, **values: object) -> None:
    """Set fields of a frozen dataclass while it is made."""
    for name, value in values.items():
        object.__setattr__(target, name, value)


def changed_fields(made: Any) -> dict[str, Any]:
    """Fields that differ from their defaults; tuples as lists, infinities as text."""
    return {
        field.name: _plain(getattr(made, field.name), changed_fields)
        for field in fields(made)
        if getattr(made, field.name) != field.default
    }


def all_fields(made: Any) -> dict[str, Any]:
    """Every field; tuples as lists, infinities as text."""
    return {field.name: _plain(getattr(made, field.name), all_fields) for field in fields(made)}


def _plain(value: Any, of_inner: Callable[[Any], dict[str, Any]]) -> Any:
    if is_dataclass(value):
        return of_inner(value)
    if isinstance(value, tuple):
        return [list(pair) for pair in value]
    return str(value) if isinstance(value, float) and math.isinf(value) else value


def known_fields(kind: type[Any], values: object, what: str) -> dict[str, Any]:
    """A mapping's values, where all its names are fields."""
    if not isinstance(values, Mapping):
        raise SolveError(f"{shown(values)} is no mapping of the settings of {what}")
    names = [field.name for field in fields(kind)]
    for name in values:
        if name not in names:
            raise SolveError(f"{shown(name)} is no setting of {what}: there are {', '.join(names)}")
    return dict(values)
