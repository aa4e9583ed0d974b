"""What every hand of a player is worth at a node: an answer of `StrategyValues`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["HandValues"]


@dataclass(frozen=True)
class HandValues:
    """What every hand of a player is worth at a node.

    Attributes
    ----------
    values
        [1326] float64, chips; NaN of hands that cannot be there or meet nobody.
    errors
        [1326] float64, standard errors; 0 where exact.
    met
        [1326] float64, reach of the other's hands that each one meets: values times this are
        counterfactual values, sums over the other's hands of reach times chips.
    samples
        Run-outs that were drawn; 0 = exact.
    """

    values: NDArray[np.float64]
    errors: NDArray[np.float64]
    met: NDArray[np.float64]
    samples: int

    @property
    def counterfactual(self) -> NDArray[np.float64]:
        """[1326] float64: sums over the other's hands of reach times chips; 0 where none is met."""
        return np.nan_to_num(self.values) * self.met
