"""The bot that plays from a trained strategy, with another bot for where there is none.

With a style it plays a variant of the strategy (Caltech's six). With `num_streets=2` and a
Monte-Carlo bot behind it, it plays a blueprint up to the flop, and by win rates from samples after
it and wherever the blueprint is untrained.

A bet between two sizes of the menu is read as one of them by a coin. The coins are the bot's own:
they come from its seed, anew for each hand that it is told of, and within a hand the same question
gets the same coin.
"""

from __future__ import annotations

import random
import secrets
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from riverboat.bots._all_hands import asked_one_by_one
from riverboat.bots._blueprint_ranges import BlueprintRanges
from riverboat.bots._bot import tell
from riverboat.bots._simple_bots import UniformBot
from riverboat.bots._styles import mean_strength
from riverboat.errors import GameError

if TYPE_CHECKING:
    from riverboat.blueprint import Answer, Query, StrategyValues
    from riverboat.bots._all_hands import HandStrategies
    from riverboat.bots._bot import Bot
    from riverboat.bots._styles import Style
    from riverboat.buckets import ProgressCall
    from riverboat.game import Action, GameSpec, View


class BlueprintBot:
    """Plays from a strategy.

    Where the table has left the tree because everybody is all-in there, it goes on as a player
    of the tree would: it checks or calls. At its first decision in a game of another kind than
    the strategy's it raises GameError, which says how they differ.

    Parameters
    ----------
    query
        The strategy, as it is asked at real tables; the bot draws for itself, whatever its seed.
    fallback
        Decides where the strategy is untrained or the table is off its tree.
    seed
        Of its draws, also between two readings of a bet: the same views in the same order get
        the same answers. None draws from the system's randomness.
    style
        Bends the strategy.
    num_streets
        Play only so many streets from the strategy; all that it has by default.
    threshold
        Bets and folds that are rarer are checks or calls: `riverboat.blueprint.without_rare`.

    Attributes
    ----------
    counts
        Decisions of `act` by how they came about: `trained`, `untrained`, `off-tree`, and `later`
        for streets that it leaves to the fallback.

    Examples
    --------
    >>> import numpy as np
    >>> from riverboat.blueprint import EnumeratedBuckets, Query
    >>> from riverboat.bots import make_bot
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.tree import Tree
    >>> class Bettor:
    ...     tree = Tree(catalogue("kuhn"), "min")
    ...     def row(self, node, bucket):
    ...         return np.array([0, 1], np.float32)
    >>> query = Query(Bettor(), EnumeratedBuckets(Bettor.tree))
    >>> bot = BlueprintBot(query, make_bot("checkcall", seed=0), seed=1)
    >>> bot.act(Hand(Bettor.tree.spec, seed=1).view(0)), dict(bot.counts)
    ('b1', {'trained': 1})
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what it plays from, and how
        self,
        query: Query,
        fallback: Bot,
        seed: int | None,
        style: Style | None = None,
        num_streets: int | None = None,
        threshold: float = 0.0,
    ) -> None:
        seed = secrets.randbits(64) if seed is None else seed
        self._random = random.Random(seed)  # noqa: S311 - a game, no secret
        self._coins = random.Random(f"coins of {seed}")  # noqa: S311 - as above
        self.query = query.seeded(self._coins.getrandbits(64))
        if isinstance(fallback, UniformBot):
            fallback.query = self.query  # one hand, one reading
        self.fallback, self.style, self.threshold = fallback, style, threshold
        self.num_streets = query.tree.num_streets if num_streets is None else num_streets
        self.counts: Counter[str] = Counter()
        self._spec: GameSpec | None = None
        if style is not None:
            _check_style(style, query.tree.spec)

    def act(self, view: View) -> str | Action:
        """Choose a move."""
        answer = self._ask(view)
        self.counts["later" if answer is None else answer.status] += 1
        if answer is None or answer.status != "trained":
            if answer is not None and answer.committed:
                return "k" if view.legal.check else "c"
            return self.fallback.act(view)
        strategy = self._styled(view, answer)
        return self._random.choices(list(strategy), list(strategy.values()))[0]

    def strategy(self, view: View) -> dict[str, float]:
        """Return the probability of each move.

        Where the fallback decides and cannot tell its own strategy, its move has probability 1.
        """
        answer = self._ask(view)
        if answer is not None and answer.status == "trained":
            return self._styled(view, answer)
        if answer is not None and answer.committed:
            return {"k" if view.legal.check else "c": 1.0}
        told = getattr(self.fallback, "strategy", None)
        return {str(self.fallback.act(view)): 1.0} if told is None else dict(told(view))

    def strategies(self, view: View) -> HandStrategies:
        """Return its play with every hole pair, the coins of translation mixed.

        `strategy` reads a bet off the menu by a coin that depends on the own cards; here both
        outcomes count, each by its probability. With a style every hand is asked for itself.
        """
        if self.style is not None:
            return asked_one_by_one(self, view)
        self._check_game(view)
        return self._ranges(view)

    def menu(self, view: View) -> tuple[str, ...]:
        """Return the real actions of its menu for the seat that is to act, whoever that is."""
        return tuple(action for action, _ in self.query.menu(view))

    def build_tables(self, progress: ProgressCall | None = None) -> None:
        """Build the tables of its buckets where they are missing: `strategies` reads whole rows."""
        build = getattr(self.query.buckets, "build_tables", None)
        if build is not None:
            build() if progress is None else build(progress)

    @cached_property
    def values(self) -> StrategyValues:
        """What its strategy is worth to all hands, as it plays it but for a style."""
        return self.query.values_as_played(self.threshold)

    @cached_property
    def _ranges(self) -> BlueprintRanges:
        from riverboat.blueprint import AllHands  # noqa: PLC0415 - as below

        hands = AllHands(self.query, self.threshold)
        return BlueprintRanges(hands, self.query.tracker, self.fallback, self.num_streets)

    def hand_started(self, view: View) -> None:
        """Hear of a new hand, which has coins of its own; the fallback may want to know."""
        self.query.tracker.reseed(self._coins.getrandbits(64))
        tell(self.fallback, "hand_started", view)

    def hand_over(self, view: View) -> None:
        """Hear how a hand ended; the fallback may want to know."""
        tell(self.fallback, "hand_over", view)

    def _ask(self, view: View) -> Answer | None:
        """The strategy's answer; None on streets that it does not play."""
        self._check_game(view)
        return self.query.strategy(view) if view.street < self.num_streets else None

    def _check_game(self, view: View) -> None:
        if view.spec is not self._spec:
            if difference := self.query.tracker.difference(view.spec):
                raise GameError(f"this strategy does not play '{view.spec.name}': {difference}")
            self._spec = view.spec

    def _styled(self, view: View, answer: Answer) -> dict[str, float]:
        strategy = dict(answer.actions)
        if self.style is not None:
            strategy = self.style(view, strategy)
        if not self.threshold:
            return strategy
        from riverboat.blueprint import without_rare  # noqa: PLC0415 - slow, and the query has it

        return without_rare(strategy, self.threshold)


def _check_style(style: Style, spec: GameSpec) -> None:
    """Refuse to weigh hands by win rates in games that have none."""
    by_strength = style.name == "tight-aggressive" and style.win_rate is mean_strength
    if by_strength and not spec.has_holdem_cards:
        raise GameError(
            f"the style tight-aggressive goes by win rates of hold'em hands, which '{spec.name}' "
            "does not have: choose another style"
        )
