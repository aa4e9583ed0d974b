"""External-sampling MCCFR (Lanctot, Waugh, Zinkevich & Bowling 2009, section 3.2).

All actions of the traverser, one sampled action of everybody else. With pruning as in
Pluribus (Brown & Sandholm 2019, supplement, algorithm 1): in a share of the traversals,
actions with very negative regret are skipped unless they end the hand or lead to the last
street.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.cfr import F, Walk, draw_action

if TYPE_CHECKING:
    import numpy as np


class External(Walk):
    """A traversal; the average is that of the player after the traverser."""

    def begin(self) -> None:
        self.pruning = (
            self.options.prune_below < 0
            and self.random.uniform() < self.options.prune_probability
        )
        self.walk(0)

    def walk(self, node: int) -> np.float32:
        game = self.game
        if game.is_terminal[node]:
            return game.utility(node, self.deal, self.player)
        entries = game.entries(node, self.deal)
        strategy = self.strategy(entries)
        if game.player[node] == self.player:
            return self.own_node(node, entries, strategy)
        if game.player[node] == (self.player + 1) % game.num_players:
            self.collect(entries, F(self.options.average_weight))
        return self.walk(game.children[node][draw_action(strategy, self.random)])

    def own_node(self, node: int, entries: range, strategy: list[np.float32]) -> np.float32:
        values: dict[int, np.float32] = {}
        mean = F(0)
        for child, entry, probability in zip(
            self.game.children[node], entries, strategy, strict=True
        ):
            if self.pruning and probability == 0 and self.skips(child, entry):
                continue
            values[entry] = self.walk(child)
            mean += probability * values[entry]
        for entry, value in values.items():
            self.regrets[entry] += value - mean
            if self.options.plus:
                self.regrets[entry] = max(self.regrets[entry], F(0))
        return mean

    def skips(self, child: int, entry: int) -> bool:
        last_street = self.game.tree.num_streets - 1
        spared = self.game.is_terminal[child] or self.game.street[child] == last_street
        return not spared and bool(self.regrets[entry] < F(self.options.prune_below))
