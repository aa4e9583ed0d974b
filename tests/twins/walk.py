"""What the sampled walks share.

The walks read like their papers and go through the tree node by node. They keep the kernels'
float32 regrets and the order of additions, and draw from the same random streams, so that walk
and kernel agree to the last bit: regret matching is not continuous, so with rounding errors two
runs would part ways sooner or later, and no tolerance would be right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.plain import Deal, Game, Random

__all__ = ["F", "Options", "Strategy", "Walk", "match_regrets"]

F = np.float32
Strategy = list[np.float32]


@dataclass
class Options:
    """What may differ from one iteration to the next."""

    floor: float = 0.0
    floor_in_average: bool = True
    average_weight: float = 1.0
    epsilon: float = 0.6
    tau: float = 1000.0
    beta: float = 1e6
    average_every: int = 1
    prune_below: float = 0.0
    prune_probability: float = 0.95
    explore: float = 0.0
    explore_weight: float = 0.0
    plus: bool = False
    more_than: int = 0
    last_street: int = 0


def match_regrets(regrets: NDArray[Any], entries: range, floor: float = 0.0) -> Strategy:
    """Positive regrets, normalised; uniform where there are none; each at least `floor`.

    Examples
    --------
    >>> [float(p) for p in match_regrets(np.array([3.0, -1.0, 1.0]), range(3))]
    [0.75, 0.0, 0.25]
    """
    positive = [max(F(regrets[entry]), F(0)) for entry in entries]
    total = F(0)
    for regret in positive:
        total += regret
    if total == 0:
        return [F(1) / F(len(entries))] * len(entries)
    scale = (F(1) - F(floor) * F(len(entries))) / total
    return [regret * scale + F(floor) for regret in positive]


class Walk:
    """One traversal of a sampled scheme; the schemes fill in `walk`."""

    def __init__(
        self, game: Game, options: Options, regrets: NDArray[Any], average: NDArray[Any]
    ) -> None:
        self.game = game
        self.options = options
        self.regrets = regrets
        self.average = average

    def traverse(self, player: int, deal: Deal, random: Random) -> None:
        """Walk the tree for one updating player."""
        self.player = player
        self.deal = deal
        self.random = random
        self.begin()

    def begin(self) -> None:
        """Start at the root."""
        raise NotImplementedError

    def strategy(self, entries: range) -> Strategy:
        """The strategy that is played in the walk."""
        return match_regrets(self.regrets, entries, self.options.floor)

    def collect_own(self) -> None:
        """With three players and more, sometimes collect the average where the traverser comes."""
        if self.game.num_players == 2 or self.options.average_weight <= 0:
            return
        every = self.options.average_every
        if every == 1 or self.random.uniform() * every < 1:
            self.collect_below(0)

    def collect_below(self, node: int) -> None:
        """Collect the traverser's average strategy: all actions of the others, one of his."""
        if self.game.is_terminal[node]:
            return
        children = self.game.children[node]
        if self.game.player[node] == self.player:
            action = self.enter(self.game.entries(node, self.deal))
            children = children[action : action + 1]
        for child in children:
            self.collect_below(child)

    def enter(self, entries: range) -> int:
        """Enter the traverser's strategy into the average; return the action that he takes."""
        raise NotImplementedError

    def collect(self, entries: range, weight: float) -> None:
        """Enter the current strategy into the average."""
        floor = self.options.floor if self.options.floor_in_average else 0.0
        for entry, probability in zip(
            entries, match_regrets(self.regrets, entries, floor), strict=True
        ):
            self.average[entry] += weight * float(probability)
