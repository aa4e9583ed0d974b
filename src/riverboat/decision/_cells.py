"""The 169 cells that a matrix of a decision draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ClassCell(NamedTuple):
    """A hand class as a matrix draws it."""

    name: str
    shares: NDArray[np.float64]
    """[actions] probabilities; NaN where untrained or impossible."""
    reach: float
    """NaN where no hole pair of the class can be held."""
    emphasis: float
    """How strongly it is drawn, 0.42 to 1, by reach."""
    few: bool
    """Whether training hardly visited it."""

    @property
    def alive(self) -> bool:
        """Whether any hole pair of the class can be held."""
        return not np.isnan(self.reach)

    @property
    def known(self) -> bool:
        """Whether there is a strategy for it."""
        return not np.isnan(self.shares[0])
