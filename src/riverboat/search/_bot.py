"""The bot that searches: a blueprint before the turn, then what it solves at the table."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Annotated

from riverboat.bots import BotKind, BotSettings, find_bot, make_bot
from riverboat.cards import hole_index
from riverboat.search._searcher import Search, Searcher
from riverboat.search._subgame import Budget
from riverboat.settings import meaning
from riverboat.work import num_cores

if TYPE_CHECKING:
    from riverboat.bots import Bot, HandStrategies
    from riverboat.game import Action, GameSpec, View

__all__ = ["SEARCH", "SearchBot", "SearchSettings"]

#: Bet menus of a solve, by betting and by the street where it begins.
_MENUS = {
    "no-limit": {2: "50%, 100%, a | a ; force 15% called", 3: "33%, 75%, 150%, a | 3x, a"},
    "pot-limit": {2: "50%, 100% | 100%", 3: "33%, 66%, 100% | 100%"},
    "fixed-limit": {2: "min ; cap 4", 3: "min ; cap 4"},
}


class SearchSettings(BotSettings, frozen=True, kw_only=True):
    """Settings of the bot that searches."""

    file: Annotated[str, meaning("the strategy file before the turn", positional=True)] = ""
    seconds: Annotated[float, meaning("seconds that a solve may take", 0.01, 3600)] = 2.0
    iterations: Annotated[int, meaning("of a solve, in place of seconds; 0 = by seconds", 0)] = 0
    first: Annotated[str, meaning("the street that it searches first: turn or river")] = "turn"
    even: Annotated[float, meaning("share of ranges spread over all hands", 0, 1)] = 0.1
    threads: Annotated[int, meaning("of the solver; 0 = one for each core", 0, 256)] = 0


class SearchBot:
    """Plays what it solves; before that, and with three or more seats, its blueprint.

    Parameters
    ----------
    seed
        Of its draws.
    settings
        How it searches.
    """

    def __init__(self, seed: int, settings: SearchSettings) -> None:
        self.settings = settings
        self.base: Bot = make_bot(f"blueprint:{settings.file}" if settings.file else "blueprint", seed)
        self._random = random.Random(seed)  # noqa: S311 - a game, no secret
        self._searcher: Searcher | None = None
        self._spec: GameSpec | None = None

    def act(self, view: View) -> str | Action:
        """Choose a move."""
        if not self.searches(view):
            return self.base.act(view)
        strategy = self.strategy(view)
        return self._random.choices(list(strategy), list(strategy.values()))[0]

    def strategy(self, view: View) -> dict[str, float]:
        """Return the probability of each move."""
        if not self.searches(view):
            return dict(self.base.strategy(view))
        found = self.strategies(view)
        row = found.rows[hole_index(*view.hole)]
        return dict(zip(found.actions, row.tolist(), strict=True))

    def strategies(self, view: View) -> HandStrategies:
        """Return its play with every hole pair."""
        return self.searcher(view.spec).rows(view)

    def searches(self, view: View) -> bool:
        """Whether it solves what a view shows."""
        return len(view.starting_stacks) == 2 and view.street >= self.searcher(view.spec).search.first

    def searcher(self, spec: GameSpec) -> Searcher:
        """Return what solves a game's hands."""
        if self._searcher is None or spec is not self._spec:
            self._spec = spec
            self._searcher = Searcher(self.base, self._search(spec))
        return self._searcher

    def _search(self, spec: GameSpec) -> Search:
        settings = self.settings
        menus = dict(_MENUS[spec.betting])
        if settings.first == "river":
            del menus[2]
        budget = Budget(settings.iterations or None, settings.seconds)
        return Search(menus, budget, settings.even, settings.threads or num_cores())


SEARCH = BotKind(
    "search",
    "plays a strategy file to the flop, and solves turn and river at the table",
    "riverboat",
    SearchBot,
    SearchSettings,
)
