"""A bot's strategy for every hole pair at once: what ranges and responses are made of."""

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
    """What a bot does at one public state with every hole pair."""

    actions: tuple[str, ...]
    """Legal actions, each once."""
    rows: NDArray[np.float64]
    """[1326, actions] probabilities; meaningless of pairs that share a card with the board."""

    def column(self, action: str) -> NDArray[np.float64]:
        """Return how likely an action is with each pair: [1326]; 0 if it is none of these."""
        if action not in self.actions:
            return np.zeros(NUM_HOLES)
        return self.rows[:, self.actions.index(action)]


@runtime_checkable
class RangeBot(Protocol):
    """A bot that can say what it would do with every hand, whatever it holds.

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
        """Return its play with all hole pairs; the view's own cards must not matter."""
        ...


class CardBlind:
    """Base of bots that never look at their cards and play what they would always play."""

    def act(self, view: View) -> str:
        """Choose a move."""
        raise NotImplementedError

    def strategy(self, view: View) -> Mapping[str, float]:
        """Return the probability of each move."""
        return {self.act(view): 1.0}

    def strategies(self, view: View) -> HandStrategies:
        """Return the same for every hole pair."""
        strategy = self.strategy(view)
        row = np.array(list(strategy.values()))
        return HandStrategies(tuple(strategy), np.broadcast_to(row, (NUM_HOLES, len(row))))


def all_strategies(bot: object, view: View) -> HandStrategies:
    """Ask a bot about all hole pairs: at once where it can, else hand by hand.

    Raises
    ------
    GameError
        If it does not tell its strategy at all.
    """
    strategies = getattr(bot, "strategies", None)  # a protocol's test would take longer
    if strategies is not None:
        found: HandStrategies = strategies(view)
        return found
    if not hasattr(bot, "strategy"):
        raise GameError(
            f"{type(bot).__name__} cannot be asked what it does with other hands than its own: a "
            "bot needs a method strategies(view), or strategy(view)"
        )
    return asked_one_by_one(bot, view)


def asked_one_by_one(bot: object, view: View) -> HandStrategies:
    """Ask `strategy(view)` with every hole pair that the board leaves."""
    told = {}
    for index, hole in enumerate(HOLES.tolist()):
        if not set(hole) & set(view.board):
            held = msgspec.structs.replace(view, hole=tuple(hole))
            told[index] = bot.strategy(held)  # type: ignore[attr-defined]  # it was looked for
    actions = tuple(dict.fromkeys(action for row in told.values() for action in row))
    rows = np.zeros((NUM_HOLES, len(actions)))
    for index, row in told.items():
        rows[index] = [row.get(action, 0.0) for action in actions]
    return HandStrategies(actions, rows)


def merged_rows(parts: list[tuple[HandStrategies, NDArray[np.float64] | float]]) -> HandStrategies:
    """Mix strategies by weights, one for all or [1326]; for each pair they add up to 1."""
    actions = tuple(dict.fromkeys(action for part, _ in parts for action in part.actions))
    if all(part.actions == actions for part, _ in parts):
        whole = sum(part.rows.T * weights for part, weights in parts)
        return HandStrategies(actions, np.asarray(whole).T)
    columns = np.zeros((len(actions), NUM_HOLES))  # a column lies together
    for part, weights in parts:
        for action, column in zip(part.actions, part.rows.T, strict=True):
            columns[actions.index(action)] += column * weights
    return HandStrategies(actions, columns.T)
