"""Algorithms by name: what `scheme` of a recipe and `--scheme` take."""

from typing import Any

from riverboat.errors import TrainingError
from riverboat.solve import SCHEMES, Scheme

__all__ = ["as_scheme"]


def as_scheme(named: str | dict[str, Any]) -> Scheme:
    """Return the scheme of a name, of up to three words, or of a table with its fields.

    Examples
    --------
    >>> as_scheme("external-linear").name
    'external linear, linear average'
    >>> as_scheme("external linear").name
    'external linear, uniform average'
    >>> as_scheme({"sampling": "pure"}).name
    'pure cfr, uniform average'
    """
    if not isinstance(named, str):
        return Scheme.from_dict(named)
    if named in SCHEMES:
        return SCHEMES[named]
    words = named.split()
    if not 1 < len(words) <= 3:
        raise TrainingError(
            f"there is no scheme {named!r}: there are {', '.join(SCHEMES)}, or write a sampling, "
            "a regret rule and an averaging, such as 'external linear linear'"
        )
    return Scheme(*words)  # type: ignore[arg-type]  # it checks them
