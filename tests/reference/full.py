"""Full-width CFR with alternating updates, deal by deal.

CFR: Zinkevich et al. 2007. CFR+: Tammelin 2014. Linear CFR and DCFR: Brown & Sandholm 2019.
PCFR+: Farina, Kroer & Sandholm 2021 (the prediction is the last regret).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reference.cfr import Game
    from reference.deals import Deal
    from riverboat.solve import RegretRule


@dataclass
class Rule:
    """A regret rule; alpha and beta are DCFR's exponents."""

    name: RegretRule
    alpha: float = 1.5
    beta: float = 0.0

    def factors(self, t: float) -> tuple[float, float]:
        """What positive and negative regrets are multiplied by after iteration t."""
        if self.name == "linear":
            return t / (t + 1), t / (t + 1)
        if self.name == "dcfr":
            return t**self.alpha / (t**self.alpha + 1), t**self.beta / (t**self.beta + 1)
        return 1.0, 1.0

    def updated(self, regret: float, change: float, t: int) -> float:
        """The new cumulative regret."""
        if self.name in {"cfr+", "predictive+"}:
            return max(regret + change, 0.0)
        positive, negative = self.factors(t)
        return (regret + change) * (positive if regret + change > 0 else negative)


class Full:
    """Tables of a run, in float64."""

    def __init__(self, game: Game, rule: Rule) -> None:
        self.game = game
        self.rule = rule
        self.regrets: NDArray[np.float64] = np.zeros(game.num_entries)
        self.average: NDArray[np.float64] = np.zeros(game.num_entries)
        self.prediction: NDArray[np.float64] = np.zeros(game.num_entries)

    def iterate(self, t: int, average_weight: float) -> None:
        """Iteration t = 1, 2, ..: a traversal for each player in turn."""
        for player in range(2):
            self.player = player
            self.average_weight = average_weight
            self.change = np.zeros(self.game.num_entries)
            self.touched: set[int] = set()
            for deal, weight in zip(self.game.deals, self.game.weights, strict=True):
                self.walk(0, deal, 1.0, weight, weight)
            for entry in self.touched:
                self.regrets[entry] = self.rule.updated(self.regrets[entry], self.change[entry], t)
                self.prediction[entry] = self.change[entry]

    def strategy(self, entries: range) -> list[float]:
        """Regret matching; with the prediction added, if the rule has one."""
        predicts = self.rule.name == "predictive+"
        positive = [
            max(self.regrets[entry] + predicts * self.prediction[entry], 0.0) for entry in entries
        ]
        total = sum(positive)
        if total == 0:
            return [1 / len(entries)] * len(entries)
        return [regret * (1 / total) for regret in positive]

    def walk(self, node: int, deal: Deal, own: float, other: float, chance: float) -> float:
        """Return the counterfactual value: utility times the reach of chance and the other."""
        game = self.game
        if game.is_terminal[node]:
            return other * float(game.utility(node, deal, self.player))
        entries = game.entries(node, deal)
        strategy = self.strategy(entries)
        children = game.children[node]
        if game.player[node] != self.player:
            return sum(
                self.walk(child, deal, own, other * probability, chance)
                for child, probability in zip(children, strategy, strict=True)
            )
        values = [
            self.walk(child, deal, own * probability, other, chance)
            for child, probability in zip(children, strategy, strict=True)
        ]
        mean = sum(p * value for p, value in zip(strategy, values, strict=True))
        for entry, value, probability in zip(entries, values, strategy, strict=True):
            self.touched.add(entry)
            self.change[entry] += value - mean
            self.average[entry] += self.average_weight * chance * own * probability
        return mean
