"""How the hands of one street fall into buckets: the face that every card abstraction has.

A rule is *fitted*: it holds all that it needs (limits between buckets, centroids), so that it
answers for one hand without any table, and fills the table of its street row by row. Both ways
end in the same comparison, so that training and play can never disagree.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self, TypeAlias

from numpy.typing import NDArray

from riverboat.buckets._streets import AFTER_PREFLOP, street_named
from riverboat.cards import HandStrength, StreetName, board_size

__all__ = ["FixedRule", "Parameters", "StreetRule"]

#: Plain JSON values that, with the arrays, make the rule again.
Parameters: TypeAlias = dict[str, Any]


class StreetRule(ABC):
    """The buckets of one street.

    Attributes
    ----------
    name
        What files say; it names the class that restores the rule.
    needs_tables
        Whether `fill` looks at the hand-strength tables. Rules that do not are as fast on the
        fly as from a table.
    """

    name: ClassVar[str]
    needs_tables: ClassVar[bool] = True

    @property
    @abstractmethod
    def num_buckets(self) -> int:
        """Every bucket is below."""

    @abstractmethod
    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Bucket of one hand, computed on the fly; the cards are already checked."""

    @abstractmethod
    def fill(self, tables: HandStrength, begin: int, out: NDArray[Any]) -> None:
        """Write the buckets of canonical boards begin, begin + 1, .. into [boards, 1326].

        Called from several threads at once, for different rows. Cells of holes on the board
        are 0.
        """

    @abstractmethod
    def parameters(self) -> Parameters:
        """JSON values for the header of a file."""

    @abstractmethod
    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Arrays for the file: limits, centroids; small."""

    @classmethod
    @abstractmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Make the rule from what `parameters` and `arrays` returned."""


class FixedRule(StreetRule):
    """One street after the flop whose buckets follow from the cards alone.

    Parameters
    ----------
    street
        `flop`, `turn` or `river`: all that is saved.
    """

    needs_tables: ClassVar[bool] = False

    def __init__(self, street: StreetName) -> None:
        self._street = street_named(street, AFTER_PREFLOP)
        self._board = board_size(self._street)

    def parameters(self) -> Parameters:
        """Return the street."""
        return {"street": self._street}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """None."""
        return {}

    @classmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:  # noqa: ARG003 - the face of rules
        """Make it from what was saved."""
        return cls(street_named(parameters["street"]))
