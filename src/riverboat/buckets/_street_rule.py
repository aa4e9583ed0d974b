"""How the hands of one street fall into buckets: the face that every card abstraction has.

A rule is *fitted*: it holds all that it needs (limits between buckets, centroids), so that it
answers for one hand without any table, and fills the table of its street row by row. Both ways
end in the same comparison, so that training and play can never disagree.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from numpy.typing import NDArray

from riverboat.cards import HandStrength

__all__ = ["Parameters", "StreetRule"]

#: Plain JSON values that, with the arrays, make the rule again.
Parameters: TypeAlias = dict[str, Any]


class StreetRule(Protocol):
    """The buckets of one street."""

    @property
    def kind(self) -> str:
        """Which rule it is: a key of `riverboat.buckets._rules.RULES`."""
        ...

    @property
    def num_buckets(self) -> int:
        """Every bucket is below."""
        ...

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Bucket of one hand, computed on the fly; the cards are already checked."""
        ...

    def fill(self, tables: HandStrength, begin: int, out: NDArray[Any]) -> None:
        """Write the buckets of canonical boards begin, begin + 1, .. into [boards, 1326].

        Called from several threads at once, for different rows. Cells of holes on the board
        are 0.
        """
        ...

    def parameters(self) -> Parameters:
        """JSON values for the header of a file."""
        ...

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Arrays for the file: limits, centroids; small."""
        ...
