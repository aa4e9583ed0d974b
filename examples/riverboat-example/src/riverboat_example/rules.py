"""A regret rule: strategies by exponential weights of regrets (Freund & Schapire 1997)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.plain import Cfr, Infoset

__all__ = ["Hedge"]


@dataclass(frozen=True)
class Hedge(Cfr):
    """CFR with exponential weights instead of regret matching."""

    rate: float = 4.0

    def strategy(self, infoset: Infoset) -> NDArray[np.float64]:
        """Return exponential weights of the regrets; the rate decreases with the steps."""
        rate = self.rate * np.sqrt(8 * np.log(len(infoset.regrets)) / infoset.step)
        weights = np.exp(rate * (infoset.regrets - infoset.regrets.max()))
        strategy: NDArray[np.float64] = weights / weights.sum()
        return strategy
