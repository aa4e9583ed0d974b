"""The bot that plays from a trained strategy, with a fallback where there is none.

With a style it plays a variant of the strategy (Caltech's six). With `num_streets=2` and the
fallback `montecarlo` it plays a blueprint up to the flop, and by sampled win rates on turn and
river and wherever the blueprint is untrained.

A bet between two sizes of the menu is read as one of them at random. These draws come from the
bot's seed, with a new seed for each hand; within a hand the same question gets the same reading.
"""

from __future__ import annotations

import random
import secrets
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from riverboat.bots._all_hands import strategies_hand_by_hand
from riverboat.bots._blueprint_ranges import BlueprintRanges
from riverboat.bots._bot import tell
from riverboat.bots._early_seats import note, tightened
from riverboat.bots._simple_bots import UniformBot
from riverboat.bots._styles import mean_strength
from riverboat.bots._swap import discard
from riverboat.cards import hole_index
from riverboat.errors import GameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.blueprint import Answer, Query, StrategyValues
    from riverboat.bots._all_hands import HandStrategies
    from riverboat.bots._bot import Bot
    from riverboat.bots._styles import Style
    from riverboat.buckets import ProgressCall
    from riverboat.game import Action, GameSpec, View


class BlueprintBot:
    """Plays from a strategy.

    If the hand is off-tree because all players are all-in in the tree, the bot checks or calls. At
    its first decision in a game that the strategy does not play, it raises a `GameError` that names
    the difference.

    Parameters
    ----------
    query
        The strategy; the bot replaces its seed.
    fallback
        Decides where the strategy is untrained or the hand is off-tree.
    seed
        Seed of its draws, including readings of bets: the same views in the same order get the same
        moves. None = a random seed.
    style
        Changes the strategy.
    num_streets
        Number of streets to play from the strategy; all by default.
    threshold
        Rarer bets and folds become checks or calls: `riverboat.blueprint.without_rare`.

    Attributes
    ----------
    counts
        Decisions of `act` by kind: `trained`, `untrained`, `off-tree`, `later` for streets of the
        fallback, and `by rule` for swaps that are not in the tree.

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

    def __init__(  # noqa: PLR0913, PLR0917 - the docstring names them
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
            fallback.query = self.query  # both read bets alike
        self.fallback, self.style, self.threshold = fallback, style, threshold
        self.num_streets = query.tree.num_streets if num_streets is None else num_streets
        self.counts: Counter[str] = Counter()
        self._spec: GameSpec | None = None
        if style is not None:
            _check_style(style, query.tree.spec)

    def act(self, view: View) -> str | Action:
        """Choose a move."""
        answer = self._ask(view)
        if early := self._early(view):
            self.counts["trained"] += 1
            return self._random.choices(list(early), list(early.values()))[0]
        if self.query.swaps_by_rule(view):
            self.counts["by rule"] += 1
            return self._swap(view)
        self.counts["later" if answer is None else answer.status] += 1
        if answer is None or answer.status != "trained":
            if answer is not None and answer.committed:
                return "k" if view.legal.check else "c"
            return self.fallback.act(view)
        strategy = self._styled(view, answer)
        return self._random.choices(list(strategy), list(strategy.values()))[0]

    def strategy(self, view: View) -> dict[str, float]:
        """Return the probability of each move.

        If the fallback decides and does not give its strategy, its move has probability 1.
        """
        answer = self._ask(view)
        if early := self._early(view):
            return early
        if self.query.swaps_by_rule(view):
            return {self._swap(view): 1.0}
        if answer is not None and answer.status == "trained":
            return self._styled(view, answer)
        if answer is not None and answer.committed:
            return {"k" if view.legal.check else "c": 1.0}
        strategy = getattr(self.fallback, "strategy", None)
        return {str(self.fallback.act(view)): 1.0} if strategy is None else dict(strategy(view))

    def strategies(self, view: View) -> HandStrategies:
        """Return the strategy with every hole pair, averaged over readings of bets.

        `strategy` reads a bet off the menu at random; here both readings count by their
        probability. With a style, `strategy` is called for every hand.
        """
        if self.style is not None:
            return strategies_hand_by_hand(self, view)
        self._check_game(view)
        found = self._ranges(view)
        seats = self.query.tracker.early_seats(view)
        return tightened(found, seats) if seats else found

    def menu(self, view: View) -> tuple[str, ...]:
        """Return the real actions of the bet menu for the seat to act."""
        return tuple(action for action, _ in self.query.menu(view))

    def at(self, spec: GameSpec, stacks: Sequence[int] | None = None) -> BlueprintBot:  # noqa: ARG002 - as DepthsBot
        """Return this bot: it plays all stack depths from one file."""
        return self

    @property
    def sources(self) -> tuple[object, ...]:
        """What the bot plays from: the strategy."""
        return (self.query.source, self.threshold)

    def difference(self, spec: GameSpec) -> str:
        """Return why the strategy does not play a game; empty if it does."""
        return self.query.difference(spec)

    def build_tables(
        self,
        progress: ProgressCall | None = None,
        spec: GameSpec | None = None,  # noqa: ARG002 - as DepthsBot
    ) -> None:
        """Build missing bucket tables, which `strategies` needs to be fast."""
        build = getattr(self.query.buckets, "build_tables", None)
        if build is not None:
            build() if progress is None else build(progress)

    @cached_property
    def values(self) -> StrategyValues:
        """The EV of its strategy for all hands, as played but without a style."""
        return self.query.values_as_played(self.threshold)

    @cached_property
    def _ranges(self) -> BlueprintRanges:
        from riverboat.blueprint import AllHands  # noqa: PLC0415 - as below

        hands = AllHands(self.query, self.threshold)
        return BlueprintRanges(hands, self.query.tracker, self.fallback, self.num_streets)

    def hand_started(self, view: View) -> None:
        """Start a hand with new random readings; call the fallback's hook."""
        self.query.tracker.reseed(self._coins.getrandbits(64))
        tell(self.fallback, "hand_started", view)

    def hand_over(self, view: View) -> None:
        """End a hand; call the fallback's hook."""
        tell(self.fallback, "hand_over", view)

    def _ask(self, view: View) -> Answer | None:
        """Return the strategy's answer; None on streets of the fallback."""
        self._check_game(view)
        return self.query.strategy(view) if view.street < self.num_streets else None

    def _early(self, view: View) -> dict[str, float]:
        """Return the strategy of a seat before the tree's first one; empty for other seats."""
        seats = self.query.tracker.early_seats(view)
        if not seats or view.street >= self.num_streets:
            return {}
        note(view.spec.players, self.query.tree.num_players)
        found = tightened(self._ranges(view), seats)
        row = found.rows[hole_index(*view.hole)].tolist()
        return dict(zip(found.actions, row, strict=True))

    def _swap(self, view: View) -> str:
        """Swap a card by the rule with which the strategy was trained."""
        return discard(view, self.query.swap_gain or 0.0)

    def _check_game(self, view: View) -> None:
        if view.spec is not self._spec:
            if difference := self.difference(view.spec):
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
    """Refuse a style that needs hold'em win rates in other games."""
    by_strength = style.name == "tight-aggressive" and style.win_rate is mean_strength
    if by_strength and not spec.has_holdem_cards:
        raise GameError(
            f"the style tight-aggressive needs win rates of hold'em hands, and '{spec.name}' is "
            "another game: choose another style"
        )
