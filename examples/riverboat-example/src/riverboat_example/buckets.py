"""A kind of buckets: which of the two hole cards the board pairs.

0: none, 1: one of them, 2: both, 3: they are a pair, 4: a pair, and a third on the board.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets import BucketKind, FitTask, Parameters, StreetRule, dead_holes
from riverboat.cards import HOLES, HandStrength, StreetName, board_cards, board_size

__all__ = ["Matches", "MatchesRule"]


class MatchesRule(StreetRule):
    """The buckets of one street; they follow from the cards alone."""

    name: ClassVar[str] = "matches"
    needs_tables: ClassVar[bool] = False
    num_buckets = 5

    def __init__(self, street: StreetName) -> None:
        self._street = street

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Bucket of one hand."""
        return int(_matches(np.array([hole]), np.array([board], np.uint8))[0, 0])

    def fill(self, tables: HandStrength, begin: int, out: NDArray[Any]) -> None:  # noqa: ARG002 - the face of rules
        """Write the buckets of canonical boards begin, begin + 1, .. into [boards, 1326]."""
        if self._street == "preflop":
            out[:] = _matches(HOLES, np.zeros((1, 0), np.uint8))
            return
        end = begin + len(out)
        out[:] = _matches(HOLES, board_cards(board_size(self._street))[begin:end])
        out[dead_holes(self._street, begin, end)] = 0

    def parameters(self) -> Parameters:
        """Return what is saved."""
        return {"street": self._street}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """None."""
        return {}

    @classmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:  # noqa: ARG003 - the face of rules
        """Make it from what was saved."""
        return cls(parameters["street"])


class Matches(BucketKind):
    """What the text `matches` means."""

    name: ClassVar[str] = "matches"
    sentence: ClassVar[str] = "which of the hole cards the board pairs"
    rules: ClassVar[tuple[type[StreetRule], ...]] = (MatchesRule,)
    counted: ClassVar[bool] = False
    numbers: ClassVar[tuple[int, ...]] = (5, 5, 5, 5)
    fitted: ClassVar[bool] = False

    def fit(self, task: FitTask) -> StreetRule:
        """There is nothing to fit."""
        return MatchesRule(task.street)


def _matches(holes: NDArray[Any], boards: NDArray[Any]) -> NDArray[np.uint8]:
    """Buckets of holes [holes, 2] on boards [boards, cards], as [boards, holes]."""
    ranks = holes // 4
    paired = ranks[None, :, :, None] == (boards // 4)[:, None, None, :]
    count = paired.any(axis=-1).sum(axis=-1)  # of the two cards
    buckets = np.where(ranks[:, 0] == ranks[:, 1], 3 + (count > 0), count)
    return buckets.astype(np.uint8)
