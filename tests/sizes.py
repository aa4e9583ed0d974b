"""How much of a check is done: a little in the default suite, all of it in the slow one."""

from typing import Any

import pytest

__all__ = ["BUCKETS", "few_or_many", "slowly"]

#: An abstraction of all streets whose tables all workers find built, in the fixture `cache`.
BUCKETS = "equity-bins 3/4/3/4"


def few_or_many(few: int, many: int) -> tuple[Any, ...]:
    """Two sizes of one check, as values of a parameter."""
    return few, *slowly(many)


def slowly(*values: Any) -> tuple[Any, ...]:
    """Values of a parameter, or of several as tuples, that only the slow suite takes."""
    return tuple(
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.slow)
        for value in values
    )
