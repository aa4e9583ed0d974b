"""What a rule is fitted from, and how far the work has come."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from riverboat.cards import HandStrength
from riverboat.cards.strength_tables import Street

__all__ = ["AbstractionProgress", "FitTask", "ProgressCall", "no_progress"]


@dataclass(frozen=True, slots=True)
class AbstractionProgress:
    """How far the making of an abstraction, or of its tables, has come."""

    step: str
    """`hand strength`, `fit` or `buckets`."""
    street: Street
    done: int
    total: int


ProgressCall: TypeAlias = Callable[[AbstractionProgress], object]


def no_progress(_: AbstractionProgress) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True)
class FitTask:
    """One street to fit. A fitter is a function that takes this and returns a `StreetRule`.

    Attributes
    ----------
    street
        Which one.
    num_buckets
        How many buckets are wanted; None of kinds that have no choice.
    tables
        Opens the hand-strength tables, and builds them first where they are missing: rules that
        need none never call it.
    seed
        For kinds that draw random numbers.
    progress
        Called now and then.
    """

    street: Street
    num_buckets: int | None
    tables: Callable[[], HandStrength]
    seed: int
    progress: ProgressCall
