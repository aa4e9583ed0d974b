"""The stock random player of PyPokerEngine, as cardiff's thesis met it.

Its ratios are compared one by one instead of summed, so it never calls: it folds
one time in three and else raises by any size. Where it cannot raise it folds.
"""

import random

from riverboat.bots._moves import give_up, keep_cards
from riverboat.bots._settings import Settings
from riverboat.game import View

__all__ = ["RandomPyPokerEngine"]


class RandomPyPokerEngine:
    """Folds one time in three, else raises to a uniform size; never calls.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("limit"), seed=1).view(0)
    >>> bot = RandomPyPokerEngine(seed=1)
    >>> sorted({bot.act(view) for _ in range(50)})
    ['b20', 'f']
    """

    def __init__(self, seed: int, settings: Settings | None = None) -> None:  # noqa: ARG002 - as every bot is made
        self._random = random.Random(seed)  # noqa: S311 - a game, no secret

    def act(self, view: View) -> str:
        """Choose a move."""
        legal = view.legal
        if legal.stand or legal.discards:
            return keep_cards(view)
        raises = self._random.random() >= 1 / 3
        if not raises or legal.raise_to is None:
            return give_up(view)
        return f"b{self._random.randint(*legal.raise_to)}"
