"""What rules share that have nothing to fit: their street is all that is saved of them."""

from collections.abc import Mapping
from typing import Any, Self

from numpy.typing import NDArray

from riverboat.buckets._fitting import FitTask
from riverboat.buckets._street_rule import Parameters
from riverboat.buckets._streets import AFTER_PREFLOP, street_named
from riverboat.cards import StreetName, board_size

__all__ = ["UnfittedRule"]


class UnfittedRule:
    """One street after the flop, whose buckets follow from the cards alone.

    Parameters
    ----------
    street
        `flop`, `turn` or `river`.
    """

    def __init__(self, street: StreetName) -> None:
        self._street = street_named(street, AFTER_PREFLOP)
        self._board = board_size(self._street)

    @classmethod
    def fit(cls, task: FitTask) -> Self:
        """There is nothing to fit."""
        return cls(task.street)

    def parameters(self) -> Parameters:
        """Return the street."""
        return {"street": self._street}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """None."""
        return {}

    @classmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:  # noqa: ARG003 - the protocol of rules
        """Make it from what was saved."""
        return cls(street_named(parameters["street"]))
