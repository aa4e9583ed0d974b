"""The bot that plays at random.

It is `random` of the definitions: fold, call and raise are equally likely. It is
not PyPokerEngine's stock player, which never calls.
"""

import random

from riverboat.game import View

__all__ = ["RandomBot"]


class RandomBot:
    """Folds, checks or calls, and raises with equal probability, whatever its cards.

    The size of a raise is uniform between the least and the greatest. It folds only
    when there is something to call. In a discard phase it keeps its cards every second
    time where it may, and otherwise gives any of them away.

    Parameters
    ----------
    seed
        Of all its choices: the same views in the same order get the same answers.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("limit"), seed=1)
    >>> bot = RandomBot(seed=3)
    >>> sorted({bot.act(hand.view(0)) for _ in range(100)})
    ['b20', 'c', 'f']
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a game, no secret

    def act(self, view: View) -> str:
        """Choose a move."""
        legal = view.legal
        if legal.discards:
            if legal.stand and self._random.random() < 0.5:
                return "s"
            return self._random.choice([move for move in legal if move.startswith("d")])
        moves = [move for move in legal if not move.startswith("b")]
        if legal.raise_to is not None:
            moves.append(f"b{self._random.randint(*legal.raise_to)}")
        return self._random.choice(moves)
