"""Numbers that people give, checked: plain Python numbers come out, or a sentence."""

import numbers
import operator
from contextlib import suppress
from math import isfinite
from typing import Annotated, Final, SupportsIndex, cast

from msgspec import Meta

from riverboat.errors import SolveError
from riverboat.settings import allowed, shown

MOST_ITERATIONS: Final = 2**62


def whole_number(name: str, value: object, least: int, most: int) -> int:
    """Return a whole number within bounds, NumPy's too; anything else is refused.

    Examples
    --------
    >>> whole_number("threads", 2.5, 1, 1024)
    Traceback (most recent call last):
    ...
    riverboat.errors.SolveError: threads=2.5 is not possible: it is a whole number from 1 to 1,024
    """
    number = None
    if type(value) is not bool:
        with suppress(TypeError):
            number = operator.index(cast("SupportsIndex", value))
    if number is None or not least <= number <= most:
        raise _refused(name, value, Annotated[int, Meta(ge=least, le=most)])
    return number


def real_number(name: str, value: object, least: float, most: float) -> float:
    """Return a number within bounds as a float; anything else, and NaN, is refused.

    Examples
    --------
    >>> real_number("tau", float("nan"), 0, 1e18)
    Traceback (most recent call last):
    ...
    riverboat.errors.SolveError: tau=nan is not possible: it is a number from 0 to 1e+18
    """
    number = float("nan")
    if type(value) is not bool and isinstance(value, numbers.Real):
        with suppress(OverflowError):
            number = float(value)
    if not least <= number <= most:
        bound = most if isfinite(most) else None
        raise _refused(name, value, Annotated[float, Meta(ge=least, le=bound)])
    return number


def _refused(name: str, value: object, kind: object) -> SolveError:
    """Say it as settings do."""
    return SolveError(f"{name}={shown(value)} is not possible: it is {allowed(kind)}")
