"""Before the flop: a bucket for each of the 169 starting classes."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets._rule import Parameters, StreetRule
from riverboat.cards import HOLE_CLASS, NUM_CLASSES, HandStrength, hole_index
from riverboat.errors import AbstractionError

__all__ = ["ClassesRule"]


class ClassesRule(StreetRule):
    """The bucket of a hand is that of its starting class; the lossless one has 169.

    Parameters
    ----------
    buckets
        [169] whole numbers, by starting class; every number up to the greatest occurs.

    Examples
    --------
    >>> ClassesRule(range(169)).num_buckets
    169
    """

    name: ClassVar[str] = "classes"
    needs_tables: ClassVar[bool] = False

    def __init__(self, buckets: Sequence[int] | NDArray[Any]) -> None:
        given = np.asarray(buckets)
        if given.shape != (NUM_CLASSES,) or given.dtype.kind not in "iu":
            raise AbstractionError(
                f"starting classes have {NUM_CLASSES} buckets, one for each, "
                f"not {given.shape} {given.dtype}"
            )
        self._num_buckets = int(given.max()) + 1
        if not np.array_equal(np.unique(given), np.arange(self._num_buckets)):
            raise AbstractionError("the buckets of starting classes are 0, 1, .. without a gap")
        self._buckets = given.astype(np.uint16)

    @classmethod
    def lossless(cls) -> Self:
        """Keep every class apart."""
        return cls(range(NUM_CLASSES))

    @property
    def num_buckets(self) -> int:
        """At most 169."""
        return self._num_buckets

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:  # noqa: ARG002 - there is no board yet
        """Bucket of one hand."""
        return int(self._buckets[HOLE_CLASS[hole_index(hole[0], hole[1])]])

    def fill(self, tables: HandStrength | None, begin: int, out: NDArray[Any]) -> None:  # noqa: ARG002 - the protocol of rules
        """Write the only row."""
        out[:] = self._buckets[HOLE_CLASS]

    def parameters(self) -> Parameters:
        """None."""
        return {}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return the buckets by starting class."""
        return {"buckets": self._buckets}

    @classmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:  # noqa: ARG003 - the protocol of rules
        """Make it from what was saved."""
        return cls(arrays["buckets"])
