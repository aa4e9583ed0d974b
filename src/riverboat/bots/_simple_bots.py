"""Bots that do not look at their cards.

Fish and All-In are husky's (University of Washington, 2024), Fish, Fold and the player that never
calls PyPokerEngine's examples; `random` is that of the definitions. `UniformBot` plays every action
of a strategy's menu with equal probability.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np

from riverboat.bots._all_hands import CardBlind, HandStrategies
from riverboat.bots._moves import give_up, go_along, keep_cards, raise_by
from riverboat.cards import NUM_HOLES
from riverboat.errors import GameError
from riverboat.game import Action, View

if TYPE_CHECKING:
    from riverboat.blueprint import Query
    from riverboat.bots._bot import BotSettings
    from riverboat.game import View


class CheckCall(CardBlind):
    """Checks when that is free, else calls; keeps its cards, or tosses the first if it must.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), seed=1)
    >>> CheckCall().act(hand.view(0))
    'c'
    """

    def act(self, view: View) -> str:
        """Choose a move."""
        for move in view.legal:
            if move in ("k", "c", "s"):
                return move
        return next(move for move in view.legal if Action(move).kind == "discard")


class Fish(CardBlind):
    """Checks or calls always; keeps its cards in discard phases.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> Fish().act(Hand(catalogue("nolimit-100bb"), seed=1).view(0))
    'c'
    """

    def __init__(self, seed: int = 0, settings: BotSettings | None = None) -> None:
        """Take what every bot is given; there is nothing to draw or set."""

    def act(self, view: View) -> str:
        """Choose a move."""
        legal = view.legal
        return keep_cards(view) if legal.stand or legal.discards else self.bet(view)

    def bet(self, view: View) -> str:
        """Choose where there is a bet to make or to answer."""
        return go_along(view)


class AllIn(Fish):
    """Bets all it has at every turn; in limit games it raises while it may.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> AllIn().act(Hand(catalogue("nolimit-100bb"), seed=1).view(0))
    'b1000'
    """

    def bet(self, view: View) -> str:
        """Bet everything."""
        return raise_by(view, "max")


class Fold(Fish):
    """Folds to any bet, and checks where that is free.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> Fold().act(Hand(catalogue("nolimit-100bb"), seed=1).view(0))
    'f'
    """

    def bet(self, view: View) -> str:
        """Give up."""
        return give_up(view)


class RandomBot(CardBlind):
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
            return self._random.choice([move for move in legal if move != "s"])
        moves = [move for move in legal if Action(move).kind != "bet"]
        if legal.raise_to is not None:
            moves.append(f"b{self._random.randint(*legal.raise_to)}")
        return self._random.choice(moves)

    def strategy(self, view: View) -> dict[str, float]:
        """Return the probability of each move, every size of a raise for itself."""
        legal = view.legal
        if legal.discards:
            raise GameError("the strategy of random is not told where cards are discarded")
        strategy = dict.fromkeys((move for move in legal if Action(move).kind != "bet"), 1.0)
        kinds = len(strategy) + (legal.raise_to is not None)
        if legal.raise_to is not None:
            least, most = legal.raise_to
            sizes = (f"b{amount}" for amount in range(least, most + 1))
            strategy |= dict.fromkeys(sizes, 1 / (most - least + 1))
        return {move: share / kinds for move, share in strategy.items()}


class RandomPyPokerEngine:
    """Folds one time in three, else raises to a uniform size; never calls.

    So PyPokerEngine's stock random player is, as cardiff's thesis met it: its ratios are compared
    one by one instead of summed. Where it cannot raise it folds.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("limit"), seed=1).view(0)
    >>> bot = RandomPyPokerEngine(seed=1)
    >>> sorted({bot.act(view) for _ in range(50)})
    ['b20', 'f']
    """

    def __init__(self, seed: int, settings: BotSettings | None = None) -> None:  # noqa: ARG002 - as every bot is made
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


class UniformBot:
    """Draws uniformly from the actions of the tree's decision; the fallback `uniform`.

    It is what CFR plays before its first visit: bets have the sizes of the menu, where the bot
    `random` bets any amount. Where the table is off the tree it plays as `random` does.

    Parameters
    ----------
    query
        Knows the tree and its menu.
    seed
        Of its draws: the same views in the same order get the same answers.

    Examples
    --------
    >>> import numpy as np
    >>> from riverboat.blueprint import EnumeratedBuckets, Query
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.tree import Tree
    >>> class Untrained:
    ...     tree = Tree(catalogue("kuhn"), "min")
    ...     def row(self, node, bucket):
    ...         return None
    >>> bot = UniformBot(Query(Untrained(), EnumeratedBuckets(Untrained.tree)), seed=1)
    >>> bot.strategy(Hand(Untrained.tree.spec, seed=1).view(0))
    {'k': 0.5, 'b1': 0.5}
    """

    def __init__(self, query: Query, seed: int) -> None:
        self.query = query
        self._random = random.Random(seed)  # noqa: S311 - a game, no secret
        self._off_tree = RandomBot(seed)

    def act(self, view: View) -> str:
        """Choose a move."""
        menu = self.query.menu(view)
        if not menu:
            return self._off_tree.act(view)
        actions, chances = zip(*menu, strict=True)
        return str(self._random.choices(actions, chances)[0])

    def strategy(self, view: View) -> dict[str, float]:
        """Return the probability of each move; off the tree its move has probability 1."""
        menu = self.query.menu(view)
        return dict(menu) if menu else {self._off_tree.act(view): 1.0}

    def strategies(self, view: View) -> HandStrategies:
        """Return the same for every hole pair."""
        menu = dict(self.query.menu(view))
        if not menu:
            return self._off_tree.strategies(view)
        row = np.array(list(menu.values()))
        return HandStrategies(tuple(menu), np.broadcast_to(row, (NUM_HOLES, len(row))))
