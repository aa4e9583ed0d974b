"""Sizes of checks: small in the default suite, full in the slow suite."""

from typing import Any

import pytest

__all__ = ["BUCKETS", "few_or_many", "slowly"]

#: An abstraction of all streets whose tables the fixture `cache` provides to all workers.
BUCKETS = "equity-bins 3/4/3/4"


def few_or_many(few: int, many: int) -> tuple[Any, ...]:
    """Return two sizes of one check, as values of a parameter."""
    return few, *slowly(many)


def slowly(*values: Any) -> tuple[Any, ...]:
    """Return parameter values, or tuples of several, that only the slow suite uses."""
    return tuple(
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.slow)
        for value in values
    )
