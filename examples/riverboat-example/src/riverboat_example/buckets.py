"""A kind of buckets: how many of the two hole cards pair with the board.

0: none, 1: one, 2: both, 3: a pocket pair, 4: a pocket pair and a third card on the board.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets import BucketKind, FitTask, Parameters, StreetRule, dead_holes
from riverboat.cards import HOLES, HandStrength, StreetName, board_cards, board_size

__all__ = ["Matches", "MatchesRule"]


class MatchesRule(StreetRule):
    """The buckets of one street, without fitted parameters."""

    name: ClassVar[str] = "matches"
    needs_tables: ClassVar[bool] = False
    num_buckets = 5

    def __init__(self, street: StreetName) -> None:
        self._street = street

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Return the bucket of one hand."""
        return int(_matches(np.array([hole]), np.array([board], np.uint8))[0, 0])

    def fill(self, tables: HandStrength, begin: int, out: NDArray[Any]) -> None:  # noqa: ARG002 - the interface of rules
        """Write the buckets of canonical boards begin, begin + 1, .. into [boards, 1326]."""
        if self._street == "preflop":
            out[:] = _matches(HOLES, np.zeros((1, 0), np.uint8))
            return
        end = begin + len(out)
        out[:] = _matches(HOLES, board_cards(board_size(self._street))[begin:end])
        out[dead_holes(self._street, begin, end)] = 0

    def parameters(self) -> Parameters:
        """Return the saved parameters."""
        return {"street": self._street}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return no arrays."""
        return {}

    @classmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:  # noqa: ARG003 - the interface of rules
        """Restore the rule."""
        return cls(parameters["street"])


class Matches(BucketKind):
    """The kind of buckets `matches`."""

    name: ClassVar[str] = "matches"
    sentence: ClassVar[str] = "how many of the hole cards pair with the board"
    rules: ClassVar[tuple[type[StreetRule], ...]] = (MatchesRule,)
    counted: ClassVar[bool] = False
    numbers: ClassVar[tuple[int, ...]] = (5, 5, 5, 5)
    fitted: ClassVar[bool] = False

    def fit(self, task: FitTask) -> StreetRule:
        """Return the rule of a street."""
        return MatchesRule(task.street)


def _matches(holes: NDArray[Any], boards: NDArray[Any]) -> NDArray[np.uint8]:
    """Return the buckets of hole pairs [holes, 2] on boards [boards, cards]: [boards, holes]."""
    ranks = holes // 4
    paired = ranks[None, :, :, None] == (boards // 4)[:, None, None, :]
    count = paired.any(axis=-1).sum(axis=-1)  # of the two cards
    buckets = np.where(ranks[:, 0] == ranks[:, 1], 3 + (count > 0), count)
    return buckets.astype(np.uint8)
