"""What a rule is fitted from, and how far the work has come."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from riverboat.cards import BuildProgress, HandStrength, StreetName

__all__ = ["AbstractionProgress", "FitTask", "Opener", "ProgressCall", "no_progress"]


@dataclass(frozen=True, slots=True)
class AbstractionProgress:
    """How far the making of an abstraction, or of its tables, has come."""

    step: str
    """`hand strength`, `fit` or `buckets`."""
    street: StreetName
    done: int
    total: int


ProgressCall: TypeAlias = Callable[[AbstractionProgress], object]


def no_progress(_: AbstractionProgress) -> None:
    """Say nothing."""


class Opener:
    """Opens the hand-strength tables when they are first asked for.

    Parameters
    ----------
    tables
        If they are open already.
    progress
        Called while they are built.
    folder
        Where they are; the user's cache folder by default.
    """

    def __init__(
        self, tables: HandStrength | None, progress: ProgressCall, folder: Path | None = None
    ) -> None:
        self._tables = tables
        self._progress = progress
        self._folder = folder

    def __call__(self) -> HandStrength:
        """Open them, once."""
        if self._tables is None:
            self._tables = HandStrength(self._folder, self._report)
        return self._tables

    def _report(self, report: BuildProgress) -> None:
        self._progress(
            AbstractionProgress("hand strength", report.street, report.done, report.total)
        )


@dataclass(frozen=True, slots=True)
class FitTask:
    """One street to fit: what `BucketKind.fit` takes.

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

    street: StreetName
    num_buckets: int | None
    tables: Callable[[], HandStrength]
    seed: int
    progress: ProgressCall
