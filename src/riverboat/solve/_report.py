"""What a run tells while it goes on, and what it calls now and then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.solve._solver import Solver

__all__ = ["Checkpoint", "Report"]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Something to do with the solver at intervals, such as saving its tables."""

    save: Callable[[Solver], object]
    """Called between slices: tables and `iterations` belong together then."""
    seconds: float = 60.0
    """Time between calls."""


@dataclass(frozen=True, slots=True)
class Report:
    """How a run stands."""

    iterations: int
    """Finished in all, those before a resumption too."""
    seconds: float
    """Spent iterating in all."""
    iterations_per_second: float
    """Since the last report."""
    nodes: int
    """Decision nodes entered in all."""
    infosets: int
    visited: int
    """Infosets with a regret or an average."""
    averaged: int
    """Infosets with an average: the others play uniformly."""
    average_regret: float
    """Mean over infosets of the largest positive regret an iteration, in chips."""
    memory_bytes: int
    """Of the tables."""
