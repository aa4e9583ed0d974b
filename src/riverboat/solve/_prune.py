"""Skipping of actions with very negative regret."""

from dataclasses import dataclass
from typing import Final

from riverboat.errors import SolveError
from riverboat.solve._checks import MOST_ITERATIONS, real_number, whole_number
from riverboat.solve._plain import set_fields

__all__ = ["Prune"]

_LEAST_REGRET: Final = -1e30  # float32 holds it and what is added to it


@dataclass(frozen=True, slots=True)
class Prune:
    """Skipping of actions with very negative regret (Pluribus, Brown & Sandholm 2019)."""

    below: float
    """Regret below which an action is skipped, in chips; negative."""
    probability: float = 0.95
    """Share of the traversals that skip; below 1, or what is skipped would never return."""
    after: int = 0
    """First iteration that may skip."""

    def __post_init__(self) -> None:
        below = real_number("below", self.below, _LEAST_REGRET, -_LEAST_REGRET)
        if below >= 0:
            raise SolveError(f"below={below:g}: pruning takes a negative regret")
        probability = real_number("probability", self.probability, 0.0, 1.0)
        if probability > 0.999:
            raise SolveError(
                f"probability={probability:g}: at most 0.999 of the traversals can skip, "
                "for what is always skipped never returns"
            )
        set_fields(self, below=below, probability=probability)
        set_fields(self, after=whole_number("after", self.after, 0, MOST_ITERATIONS))
