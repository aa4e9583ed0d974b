"""Regret rules: how regrets are played, what becomes of them, how strategies are averaged.

A rule is any object with the four methods of `RegretRule`; those of the papers are here, and an
own one usually takes `Cfr` and changes a method. The kernels know the same rules in C++
(core/solve/rules.hpp).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Infoset:
    """What a rule knows of an infoset."""

    regrets: NDArray[np.float64]
    """[actions] cumulative, chips."""
    latest: NDArray[np.float64]
    """[actions] what was last added to them, chips; zero at first."""
    step: int
    """The step that runs, from 1: an iteration, or many where deals are sampled."""


class RegretRule(Protocol):
    """What `Solver` asks of a rule.

    Examples
    --------
    >>> class Hedge(Cfr):
    ...     def strategy(self, infoset):
    ...         weights = np.exp(infoset.regrets - infoset.regrets.max())
    ...         return weights / weights.sum()
    >>> Hedge().strategy(Infoset(np.array([0.0, 1.0]), np.zeros(2), 1)).round(3).tolist()
    [0.269, 0.731]
    """

    def strategy(self, infoset: Infoset) -> NDArray[np.float64]:
        """Return the probabilities of the actions: [actions], they sum to 1."""

    def update(self, infoset: Infoset, change: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the new cumulative regrets when a traversal has found `change`: [actions]."""

    def discount(self, regrets: NDArray[Any], step: int) -> None:
        """Change a part of the table in place at the end of a step, number by number."""

    def average_weight(self, step: int) -> float:
        """Return the weight with which strategies of a step enter the average."""


@dataclass(frozen=True)
class Cfr:
    """Regret matching on plain sums (Zinkevich, Johanson, Bowling & Piccione 2007).

    Parameters
    ----------
    average_power
        Strategies of step t enter the average with weight t^power.
    delay
        Steps that do not enter the average; t counts those after them.

    Examples
    --------
    >>> Cfr().strategy(Infoset(np.array([3.0, -1.0, 1.0]), np.zeros(3), 1)).tolist()
    [0.75, 0.0, 0.25]
    """

    average_power: float = 0.0
    delay: int = 0

    def strategy(self, infoset: Infoset) -> NDArray[np.float64]:
        """Play in proportion to positive regrets; evenly where there are none."""
        return _matched(infoset.regrets)

    def update(self, infoset: Infoset, change: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add up."""
        return infoset.regrets + change

    def discount(self, regrets: NDArray[Any], step: int) -> None:
        """Leave all as it is."""

    def average_weight(self, step: int) -> float:
        """Return a power of the steps after the delay."""
        after = step - self.delay
        return float(after**self.average_power) if after > 0 else 0.0


@dataclass(frozen=True)
class CfrPlus(Cfr):
    """CFR+: regrets never fall below zero (Tammelin 2014)."""

    average_power: float = 1.0

    def update(self, infoset: Infoset, change: NDArray[np.float64]) -> NDArray[np.float64]:
        """Cut off at zero."""
        return np.maximum(infoset.regrets + change, 0.0)


@dataclass(frozen=True)
class PredictivePlus(CfrPlus):
    """PCFR+: play as if the last regret came again (Farina, Kroer & Sandholm 2021)."""

    average_power: float = 2.0

    def strategy(self, infoset: Infoset) -> NDArray[np.float64]:
        """Match the regrets with the last one added once more."""
        return _matched(infoset.regrets + infoset.latest)


@dataclass(frozen=True)
class Dcfr(Cfr):
    """Discounted CFR (Brown & Sandholm 2019): positive and negative regrets shrink each step.

    Parameters
    ----------
    alpha, beta
        Exponents, not factors: what is positive is multiplied by t^alpha / (t^alpha + 1), the
        rest by t^beta / (t^beta + 1).
    """

    average_power: float = 2.0
    alpha: float = 1.5
    beta: float = 0.0

    def discount(self, regrets: NDArray[Any], step: int) -> None:
        """Shrink all regrets."""
        up, down = _factor(step, self.alpha), _factor(step, self.beta)
        regrets *= np.where(regrets > 0, up, down).astype(regrets.dtype)


@dataclass(frozen=True)
class Linear(Dcfr):
    """Linear CFR (Brown & Sandholm 2019): step t counts t times; DCFR with exponents of 1."""

    average_power: float = 1.0
    alpha: float = 1.0
    beta: float = 1.0


def _matched(regrets: NDArray[np.float64]) -> NDArray[np.float64]:
    """Regret matching."""
    positive = np.maximum(regrets, 0.0)
    total = positive.sum()
    return positive * (1 / total) if total > 0 else np.full(len(regrets), 1 / len(regrets))


def _factor(step: int, exponent: float) -> float:
    """t^x / (t^x + 1); an infinite power keeps regrets as they are."""
    power = float(step) ** exponent
    return 1.0 if math.isinf(power) else power / (power + 1)
