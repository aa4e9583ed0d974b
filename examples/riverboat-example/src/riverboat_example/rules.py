"""A regret rule: regrets are played by exponential weights (Freund & Schapire 1997)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.plain import Cfr, Infoset

__all__ = ["Hedge"]


@dataclass(frozen=True)
class Hedge(Cfr):
    """CFR with another way to play regrets; the rest is CFR's."""

    rate: float = 4.0

    def strategy(self, infoset: Infoset) -> NDArray[np.float64]:
        """Play each action by the exponent of its regret; less sharply as regrets grow."""
        rate = self.rate * np.sqrt(8 * np.log(len(infoset.regrets)) / infoset.step)
        weights = np.exp(rate * (infoset.regrets - infoset.regrets.max()))
        played: NDArray[np.float64] = weights / weights.sum()
        return played
