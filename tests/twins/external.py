"""External-sampling MCCFR (Lanctot, Waugh, Zinkevich & Bowling 2009, section 3.2).

All actions of the traverser, one sampled action of everybody else. With pruning after
Pluribus (Brown & Sandholm 2019, supplement, algorithm 1): in a share of the traversals,
actions with very negative regret are skipped unless they end the hand or lead to the last
street. Such actions are sampled, then, and what is found below them when they are walked is
divided by the probability of that. With side walks (`Explore`) another action of somebody else
is sometimes walked, too: what is found below it enters the tables with a small weight, and its
value goes nowhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twins.walk import F, Walk

if TYPE_CHECKING:
    import numpy as np

    from riverboat.plain import Game

__all__ = ["ExternalWalk", "collecting_interval"]


def collecting_interval(game: Game) -> int:
    """Sizes of a collecting walk over those of a traversal, under uniform play.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.plain import Game, plain_deals
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> game = Game(tree, plain_deals(tree))
    >>> collecting_interval(game)
    1
    """
    if game.num_players == 2:
        return 1
    sizes = {"traversal": 0.0, "collecting": 0.0}
    for player in range(game.num_players):
        for node in range(len(game.player)):
            if game.is_terminal[node]:
                continue
            own, others = uniform_reach(game, node, player)
            sizes["traversal"] += others
            sizes["collecting"] += own
    return max(1, round(sizes["collecting"] / sizes["traversal"]))


def uniform_reach(game: Game, node: int, player: int) -> tuple[float, float]:
    """Reach of the player and of the others when all play uniformly."""
    own, others = 1.0, 1.0
    while node:
        node = int(game.tree.parent[node])
        share = 1 / len(game.children[node])
        if game.player[node] == player:
            own *= share
        else:
            others *= share
    return own, others


class ExternalWalk(Walk):
    """A traversal, which also collects the average strategy of the other of two players.

    With more players a walk of its own collects the traverser's, as in Pluribus: all actions
    of the others, so that he is met as often as he himself would come there. One traversal in
    `average_every` has such a walk, by chance.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.plain import Game, Random, plain_deals
    >>> from twins.walk import Options
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> game = Game(tree, plain_deals(tree))
    >>> import numpy as np
    >>> regrets, average = np.zeros(24, np.float32), np.zeros(24, np.float64)
    >>> walk = ExternalWalk(game, Options(), regrets, average)
    >>> walk.traverse(0, game.deals[0], Random(1))
    >>> bool(regrets.any())
    True
    """

    def begin(self) -> None:
        """Walk from the root."""
        self.may_prune = self.options.prune_below < 0
        self.pruning = self.may_prune and self.random.uniform() < self.options.prune_probability
        self.walk(0, F(1))
        self.collect_own()

    def walk(self, node: int, scale: np.float32) -> np.float32:
        """Return the sampled counterfactual value; `scale` is that of what enters the tables."""
        game = self.game
        if game.is_terminal[node]:
            return game.utility(node, self.deal, self.player)
        entries = game.entries(node, self.deal)
        strategy = self.strategy(entries)
        if game.player[node] == self.player:
            return self.own_node(node, entries, strategy, scale)
        if game.num_players == 2:
            self.collect(entries, self.options.average_weight * float(scale))
        action = self.random.draw(strategy)
        if self.options.explore > 0 and self.random.uniform() < F(self.options.explore):
            self.walk_aside(node, action, scale)
        return self.walk(game.children[node][action], scale)

    def walk_aside(self, node: int, taken: int, scale: np.float32) -> None:
        """Walk one of the other actions of somebody else, drawn evenly from all."""
        children = self.game.children[node]
        action = int(self.random.uniform() * len(children))
        if action != taken and not self.game.is_terminal[children[action]]:
            self.walk(children[action], scale * F(self.options.explore_weight))

    def own_node(
        self, node: int, entries: range, strategy: list[np.float32], scale: np.float32
    ) -> np.float32:
        """Walk all actions, and add what each would have won more than the mixture."""
        rare_scale = F(1) / (F(1) - F(self.options.prune_probability))
        values: dict[int, tuple[np.float32, np.float32]] = {}
        mean = F(0)
        for child, entry, probability in zip(
            self.game.children[node], entries, strategy, strict=True
        ):
            rare = self.may_prune and probability == 0 and self.skips(child, entry)
            if rare and self.pruning:
                continue
            child_scale = rare_scale if rare else scale
            value = self.walk_action(child, child_scale)
            values[entry] = value, child_scale
            mean += probability * value
        for entry, (value, child_scale) in values.items():
            self.regrets[entry] += child_scale * (value - mean)
            if self.options.plus:
                self.regrets[entry] = max(self.regrets[entry], F(0))
        return mean

    def walk_action(self, child: int, scale: np.float32) -> np.float32:
        """Walk an action of the traverser."""
        return self.walk(child, scale)

    def enter(self, entries: range) -> int:
        """Collect the mixture, and draw from it."""
        self.collect(entries, self.options.average_weight)
        return self.random.draw(self.strategy(entries))

    def skips(self, child: int, entry: int) -> bool:
        """Whether a traversal that prunes leaves the action out."""
        last_street = self.game.tree.num_streets - 1
        spared = self.game.is_terminal[child] or self.game.street[child] == last_street
        return not spared and bool(self.regrets[entry] < F(self.options.prune_below))
