"""A bot's strategy for every hole pair, for range updates, LBR and AIVAT."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import msgspec
import numpy as np

from riverboat.cards import HOLES, NUM_HOLES
from riverboat.errors import GameError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from riverboat.game import View


class HandStrategies(NamedTuple):
    """A bot's strategy with every hole pair at one public state."""

    actions: tuple[str, ...]
    """Different legal actions."""
    rows: NDArray[np.float64]
    """[1326, actions] probabilities; undefined for pairs that share a card with the board."""

    def column(self, action: str) -> NDArray[np.float64]:
        """Return the probability of an action with each pair, [1326]; 0 for other actions."""
        if action not in self.actions:
            return np.zeros(NUM_HOLES)
        return self.rows[:, self.actions.index(action)]


@runtime_checkable
class RangeBot(Protocol):
    """A bot that gives its strategy with every hand, not only with the one that it holds.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    >>> bot = make_bot("fold", seed=0)
    >>> isinstance(bot, RangeBot), bot.strategies(view).actions
    (True, ('f',))
    """

    def strategies(self, view: View) -> HandStrategies:
        """Return the strategy with all hole pairs, independent of the view's hole cards."""
        ...


class CardBlind:
    """Base class of bots that never look at their cards."""

    def act(self, view: View) -> str:
        """Choose a move."""
        raise NotImplementedError

    def strategy(self, view: View) -> Mapping[str, float]:
        """Return the probability of each move."""
        return {self.act(view): 1.0}

    def strategies(self, view: View) -> HandStrategies:
        """Return the same strategy for every hole pair."""
        strategy = self.strategy(view)
        row = np.array(list(strategy.values()))
        return HandStrategies(tuple(strategy), np.broadcast_to(row, (NUM_HOLES, len(row))))


def all_strategies(bot: object, view: View) -> HandStrategies:
    """Return a bot's strategy with all hole pairs: from `strategies`, or else hand by hand.

    Raises
    ------
    GameError
        If the bot does not give its strategy.
    """
    strategies = getattr(bot, "strategies", None)  # faster than isinstance with a protocol
    if strategies is not None:
        answer: HandStrategies = strategies(view)
        return answer
    if not hasattr(bot, "strategy"):
        raise GameError(
            f"{type(bot).__name__} does not give its strategy with other hands than its own: it "
            "needs a method strategies(view) or strategy(view)"
        )
    return strategies_hand_by_hand(bot, view)


def strategies_hand_by_hand(bot: object, view: View) -> HandStrategies:
    """Call `strategy(view)` with every hole pair that shares no card with the board."""
    by_hole = {}
    for index, hole in enumerate(HOLES.tolist()):
        if not set(hole) & set(view.board):
            held = msgspec.structs.replace(view, hole=tuple(hole))
            by_hole[index] = bot.strategy(held)  # type: ignore[attr-defined]  # callers check it
    actions = tuple(dict.fromkeys(action for row in by_hole.values() for action in row))
    rows = np.zeros((NUM_HOLES, len(actions)))
    for index, row in by_hole.items():
        rows[index] = [row.get(action, 0.0) for action in actions]
    return HandStrategies(actions, rows)


def merged_rows(parts: list[tuple[HandStrategies, NDArray[np.float64] | float]]) -> HandStrategies:
    """Return the weighted mean of strategies; weights are scalars or [1326] and sum to 1."""
    actions = tuple(dict.fromkeys(action for part, _ in parts for action in part.actions))
    if all(part.actions == actions for part, _ in parts):
        whole = sum(part.rows.T * weights for part, weights in parts)
        return HandStrategies(actions, np.asarray(whole).T)
    columns = np.zeros((len(actions), NUM_HOLES))  # columns are contiguous
    for part, weights in parts:
        for action, column in zip(part.actions, part.rows.T, strict=True):
            columns[actions.index(action)] += column * weights
    return HandStrategies(actions, columns.T)
