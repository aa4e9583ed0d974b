"""Bots that do not look at their cards.

Fish and All-In are husky's (University of Washington, 2024). Fish, Fold and the player that never
calls are PyPokerEngine's examples. `UniformBot` plays every action of a strategy's bet menu with
equal probability.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np

from riverboat.bots._all_hands import CardBlind, HandStrategies
from riverboat.bots._moves import give_up, go_along, keep_cards, raise_by
from riverboat.cards import NUM_HOLES
from riverboat.errors import GameError
from riverboat.game import Action, LegalActions, View

if TYPE_CHECKING:
    from riverboat.blueprint import Query
    from riverboat.bots._bot import BotSettings


class CheckCall(CardBlind):
    """Checks if that is free, else calls; keeps its cards, or discards the first if it must.

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
    """Always checks or calls; keeps its cards in discard phases.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> Fish().act(Hand(catalogue("nolimit-100bb"), seed=1).view(0))
    'c'
    """

    def __init__(self, seed: int = 0, settings: BotSettings | None = None) -> None:
        """Ignore seed and settings, which every bot gets."""

    def act(self, view: View) -> str:
        """Choose a move."""
        legal = view.legal
        return keep_cards(view) if legal.stand or legal.discards else self.bet(view)

    def bet(self, view: View) -> str:
        """Choose a move other than a discard."""
        return go_along(view)


class AllIn(Fish):
    """Goes all-in at every decision; in limit games it raises if that is legal.

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
    """Folds to any bet, and checks if that is free.

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

    The size of a raise is uniform between minimum and maximum. The bot folds only to a bet. In a
    discard phase it keeps its cards half of the time if that is legal, and otherwise discards any.

    Parameters
    ----------
    seed
        Seed of all choices: the same views in the same order get the same moves.

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
        moves = _without_bets(legal)
        if legal.raise_to is not None:
            moves.append(f"b{self._random.randint(*legal.raise_to)}")
        return self._random.choice(moves)

    def strategy(self, view: View) -> dict[str, float]:
        """Return the probability of each move, with every raise size as a move of its own."""
        legal = view.legal
        if legal.discards:
            raise GameError("the bot random does not give its strategy in discard phases")
        strategy = dict.fromkeys(_without_bets(legal), 1.0)
        kinds = len(strategy) + (legal.raise_to is not None)
        if legal.raise_to is not None:
            least, most = legal.raise_to
            sizes = (f"b{amount}" for amount in range(least, most + 1))
            strategy |= dict.fromkeys(sizes, 1 / (most - least + 1))
        return {move: share / kinds for move, share in strategy.items()}


def _without_bets(legal: LegalActions) -> list[str]:
    """Return the legal moves but bets, raises and discards."""
    letters = {"f": legal.fold, "k": legal.check, "c": legal.call, "s": legal.stand}
    return [letter for letter, allowed in letters.items() if allowed]


class RandomPyPokerEngine:
    """Folds a third of the time, else raises to a uniform size; never calls.

    This is PyPokerEngine's random player, as cardiff's thesis used it: its code compares the ratios
    one by one instead of summing them. If it cannot raise, it folds.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("limit"), seed=1).view(0)
    >>> bot = RandomPyPokerEngine(seed=1)
    >>> sorted({bot.act(view) for _ in range(50)})
    ['b20', 'f']
    """

    def __init__(self, seed: int, settings: BotSettings | None = None) -> None:  # noqa: ARG002 - every bot gets settings
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

    This is how CFR plays before its first visit. Bets have the sizes of the bet menu, while the bot
    `random` bets any amount. Off the tree it plays like `random`.

    Parameters
    ----------
    query
        Gives the actions of the tree.
    seed
        Seed of its draws: the same views in the same order get the same moves.

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
        """Return the probability of each move; off the tree, the drawn move has probability 1."""
        menu = self.query.menu(view)
        return dict(menu) if menu else {self._off_tree.act(view): 1.0}

    def strategies(self, view: View) -> HandStrategies:
        """Return the same for every hole pair."""
        menu = dict(self.query.menu(view))
        if not menu:
            return self._off_tree.strategies(view)
        row = np.array(list(menu.values()))
        return HandStrategies(tuple(menu), np.broadcast_to(row, (NUM_HOLES, len(row))))
