"""Several strategies of one game, for stacks of different depth, as one bot.

At the beginning of a hand the strategy is taken whose stacks come nearest to those that count: the
shortest stack, in big blinds. Its amounts are scaled to the table's chips as any strategy's are.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from riverboat.errors import GameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.bots._all_hands import HandStrategies
    from riverboat.bots._blueprint_bot import BlueprintBot
    from riverboat.game import Action, GameSpec, View


def depth_of(spec: GameSpec, stacks: Sequence[int]) -> float:
    """Return the shortest stack in big blinds.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> depth_of(catalogue("nolimit-100bb"), (1000, 750))
    75.0
    """
    return min(stacks) / (spec.big_blind or 1)


class DepthsBot:
    """Plays each hand from the strategy whose stacks are nearest.

    Parameters
    ----------
    bots
        One for each strategy.
    """

    def __init__(self, bots: Sequence[BlueprintBot]) -> None:
        if not bots:
            raise GameError("a set of strategies needs at least one")
        self.bots = tuple(bots)
        self._known: dict[GameSpec, tuple[BlueprintBot, ...]] = {}

    def chosen(self, view: View) -> BlueprintBot:
        """Return the bot that plays a hand."""
        spec = view.spec
        if spec not in self._known:
            self._known[spec] = tuple(
                bot for bot in self.bots if not bot.query.tracker.difference(spec)
            )
        fit = self._known[spec]
        if not fit:
            why = self.bots[0].query.tracker.difference(spec)
            raise GameError(f"none of these strategies plays '{spec.name}': of the first, {why}")
        depth = math.log(depth_of(spec, view.starting_stacks))
        return min(fit, key=lambda bot: abs(depth - math.log(_own_depth(bot))))

    def act(self, view: View) -> str | Action:
        """Choose a move."""
        return self.chosen(view).act(view)

    def strategy(self, view: View) -> dict[str, float]:
        """Return the probability of each move."""
        return self.chosen(view).strategy(view)

    def strategies(self, view: View) -> HandStrategies:
        """Return its play with every hole pair."""
        return self.chosen(view).strategies(view)

    def menu(self, view: View) -> tuple[str, ...]:
        """Return the real actions of its menu."""
        return self.chosen(view).menu(view)

    def build_tables(self, progress: Any = None) -> None:
        """Build the tables of all its strategies."""
        for bot in self.bots:
            bot.build_tables(progress)

    def hand_started(self, view: View) -> None:
        """Hear of a new hand."""
        self.chosen(view).hand_started(view)

    def hand_over(self, view: View) -> None:
        """Hear how a hand ended."""
        self.chosen(view).hand_over(view)


def _own_depth(bot: BlueprintBot) -> float:
    spec = bot.query.tree.spec
    return depth_of(spec, spec.stacks)
