"""Regret rules: strategies from regrets, updates and discounts of regrets, weights of averages.

A rule is any object with the four methods of `RegretRule`. This module has the rules of the papers;
your own rule is usually a subclass of `Cfr` with one method changed. The kernels have the same
rules in C++ (core/solve/rules.hpp).
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
    """The regrets of one information set."""

    regrets: NDArray[np.float64]
    """[actions] cumulative regrets, chips."""
    latest: NDArray[np.float64]
    """[actions] latest change of the regrets, chips; zero at first."""
    step: int
    """Number of the current step, from 1: one iteration, or many if deals are sampled."""


class RegretRule(Protocol):
    """The interface of a regret rule.

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
        """Return the probabilities of the actions, [actions], with sum 1."""

    def update(self, infoset: Infoset, change: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the cumulative regrets after the `change` of a traversal, [actions]."""

    def discount(self, regrets: NDArray[Any], step: int) -> None:
        """Discount a part of the regret table in place, elementwise, at the end of a step."""

    def average_weight(self, step: int) -> float:
        """Return the weight of a step's strategies in the average."""


@dataclass(frozen=True)
class Cfr:
    """CFR: regret matching on sums of regrets (Zinkevich, Johanson, Bowling & Piccione 2007).

    Parameters
    ----------
    average_power
        The average weights the strategies of step t by t^power.
    delay
        Number of first steps that the average ignores; t counts the steps after them.

    Examples
    --------
    >>> Cfr().strategy(Infoset(np.array([3.0, -1.0, 1.0]), np.zeros(3), 1)).tolist()
    [0.75, 0.0, 0.25]
    """

    average_power: float = 0.0
    delay: int = 0

    def strategy(self, infoset: Infoset) -> NDArray[np.float64]:
        """Return probabilities proportional to positive regrets; uniform without any."""
        return _matched(infoset.regrets)

    def update(self, infoset: Infoset, change: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add the change."""
        return infoset.regrets + change

    def discount(self, regrets: NDArray[Any], step: int) -> None:
        """Change nothing."""

    def average_weight(self, step: int) -> float:
        """Return a power of the steps after the delay."""
        after = step - self.delay
        return float(after**self.average_power) if after > 0 else 0.0


@dataclass(frozen=True)
class CfrPlus(Cfr):
    """CFR+: regrets never fall below zero (Tammelin 2014)."""

    average_power: float = 1.0

    def update(self, infoset: Infoset, change: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add the change, and clip at zero."""
        return np.maximum(infoset.regrets + change, 0.0)


@dataclass(frozen=True)
class PredictivePlus(CfrPlus):
    """PCFR+: predicts that the latest regret repeats (Farina, Kroer & Sandholm 2021)."""

    average_power: float = 2.0

    def strategy(self, infoset: Infoset) -> NDArray[np.float64]:
        """Apply regret matching to the regrets plus the latest change."""
        return _matched(infoset.regrets + infoset.latest)


@dataclass(frozen=True)
class Dcfr(Cfr):
    """Discounted CFR (Brown & Sandholm 2019): positive and negative regrets shrink each step.

    Parameters
    ----------
    alpha, beta
        Exponents, not factors: positive regrets are multiplied by t^alpha / (t^alpha + 1), the
        others by t^beta / (t^beta + 1).
    """

    average_power: float = 2.0
    alpha: float = 1.5
    beta: float = 0.0

    def discount(self, regrets: NDArray[Any], step: int) -> None:
        """Multiply all regrets by their factors."""
        up, down = _factor(step, self.alpha), _factor(step, self.beta)
        regrets *= np.where(regrets > 0, up, down).astype(regrets.dtype)


@dataclass(frozen=True)
class Linear(Dcfr):
    """Linear CFR (Brown & Sandholm 2019): step t has weight t; DCFR with exponents of 1."""

    average_power: float = 1.0
    alpha: float = 1.0
    beta: float = 1.0


def _matched(regrets: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the strategy of regret matching."""
    positive = np.maximum(regrets, 0.0)
    total = positive.sum()
    return positive * (1 / total) if total > 0 else np.full(len(regrets), 1 / len(regrets))


def _factor(step: int, exponent: float) -> float:
    """Return t^x / (t^x + 1), which is 1 for an infinite power."""
    power = float(step) ** exponent
    return 1.0 if math.isinf(power) else power / (power + 1)
