"""Algorithms by name: what `scheme` of a recipe and `--scheme` take."""

from typing import Any

import msgspec

from riverboat.errors import TrainingError
from riverboat.solve import Scheme

__all__ = ["as_scheme"]


def as_scheme(named: str | dict[str, Any]) -> Scheme:
    """Return the scheme of a name, of up to three words, or of a table with its fields.

    Examples
    --------
    >>> as_scheme("external linear").name
    'external linear, uniform average'
    >>> as_scheme({"sampling": "pure"}).name
    'pure cfr, uniform average'
    """
    if isinstance(named, str):
        words = named.split()
        if not 1 <= len(words) <= 3:
            raise TrainingError(
                f"the scheme {named!r} cannot be read: it is a sampling, a regret rule and an "
                "averaging, such as 'external linear linear'"
            )
        return Scheme(*words)  # type: ignore[arg-type]  # it checks them
    fields = Scheme.__dataclass_fields__
    for key in named:
        if key not in fields:
            raise TrainingError(f"a scheme has no {key!r}: it has {', '.join(fields)}")
    try:
        return msgspec.convert(named, Scheme)
    except msgspec.ValidationError as error:
        raise TrainingError(f"the scheme {named} has a wrong value: {error}") from error
