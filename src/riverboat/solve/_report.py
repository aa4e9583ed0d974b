"""What a run tells while it goes on."""

from dataclasses import dataclass

from riverboat.report import FramedRow

__all__ = ["SolverReport"]


@dataclass(frozen=True, slots=True)
class SolverReport(FramedRow):
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
    exploitability: float | None = None
    """Chips a hand, where it was measured: see `Marks`."""
