"""The search bot: plays a blueprint first, then re-solves streets at the table."""

from __future__ import annotations

import json
import math
import random
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, cast

from riverboat.bots import (
    BlueprintBot,
    BotKind,
    BotRef,
    BotSettings,
    DepthsBot,
    all_strategies,
    make_bot,
    tell,
)
from riverboat.cards import hole_index
from riverboat.errors import GameError
from riverboat.game import Hand
from riverboat.runs import in_worker, num_cores
from riverboat.search._plan import (
    FLOP_STREET,
    LEAST_FLOP,
    NO_TIME,
    First,
    Plan,
    device_for,
    menus_for,
    say,
    start_card,
)
from riverboat.search._searcher import Search, Searcher, SearchMode
from riverboat.settings import meaning
from riverboat.spots import Device  # noqa: TC001 - settings read it

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.bots import Bot, HandStrategies
    from riverboat.buckets import ProgressCall
    from riverboat.game import Action, GameSpec, View
    from riverboat.search._subgame import SolveFacts

# With less time than this no street can be solved.
LEAST_SECONDS: Final = 0.1
# Share of the time left that a decision may take.
_CLOCK_SHARE: Final = 0.5


class SearchSettings(BotSettings, frozen=True, kw_only=True):
    """Settings of the search bot."""

    file: Annotated[
        str, meaning("strategy file for the streets before search", positional=True)
    ] = ""
    seconds: Annotated[
        float, meaning("time limit per decision in seconds", LEAST_SECONDS, 3600)
    ] = 2.0
    flop_seconds: Annotated[
        float, meaning("time limit per decision on the flop in seconds", LEAST_SECONDS, 3600)
    ] = 5.0
    iterations: Annotated[
        int, meaning("iterations per solve, for repeatable results (0 = use seconds)", 0, 10**6)
    ] = 0
    flop_iterations: Annotated[
        int, meaning("fewest iterations of a flop; with fewer the file plays it", 1, 10**6)
    ] = LEAST_FLOP
    first: Annotated[First, meaning("first searched street (auto = flop)")] = "auto"
    device: Annotated[Device, meaning("solve on cpu, gpu, or auto (GPU except rivers)")] = "cpu"
    even: Annotated[
        float, meaning("fraction of the opponent's range spread uniformly over all hands", 0, 1)
    ] = 0.1
    mode: Annotated[SearchMode, meaning("re-solving: unsafe, or the name of a gadget")] = "unsafe"
    threads: Annotated[int, meaning("threads (0 = one per core; in a match, one)", 0, 256)] = 0
    fallback: Annotated[str, meaning("bot that plays where the strategy file cannot")] = (
        "montecarlo"
    )
    threshold: Annotated[
        float, meaning("leave out rarer bets and folds (-1 = the file's threshold)", -1, 1)
    ] = -1
    log: Annotated[str, meaning("log file: one JSON line per solve, with exploitability")] = ""


class SearchBot:
    """Plays re-solved strategies; before search, and where it cannot solve, its strategy file.

    A solve never depends on the bot's own cards.

    Parameters
    ----------
    seed
        Random seed.
    settings
        Settings of the search.

    Attributes
    ----------
    base
        The bot of its strategy file.
    counts
        Decisions of `act` by `search`, `blueprint` and `fallback`.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> bot = SearchBot(1, SearchSettings(iterations=5))
    >>> hand = Hand.from_line(catalogue("nolimit-100bb"), "b25c/kk/kk", seed=1)
    >>> strategies = bot.strategies(hand.view(1))
    >>> strategies.actions, strategies.rows.shape
    (('k', 'b17', 'b38', 'b75'), (1326, 4))
    """

    def __init__(self, seed: int, settings: SearchSettings) -> None:
        self.settings = settings
        fallback = BotRef.parse(settings.fallback)
        if fallback.untrusted:  # it would run in the arena's process
            raise GameError(
                f"fallback={settings.fallback!r} is a Python file: take a built-in or an "
                "installed bot"
            )
        fallback.read_settings()  # errors now, not at the table
        if settings.log and not Path(settings.log).parent.is_dir():
            raise GameError(f"log={settings.log}: the folder does not exist")
        kind = BotRef.parse("blueprint").kind
        own = kind.settings(file=settings.file, threshold=settings.threshold)
        self.base = cast("BlueprintBot | DepthsBot", kind.make(seed, own))
        self.counts: Counter[str] = Counter()
        self._flops: Counter[bool] = Counter()
        self._seed = seed
        self._random = random.Random(seed)  # noqa: S311 - not for security
        self._games: dict[GameSpec, _Game] = {}
        self._game: _Game | None = None

    # ---- At the table

    def act(self, view: View) -> str | Action:
        """Choose a move."""
        began = time.perf_counter()
        game = self._at(view.spec)
        plan = self._plan(view, began) if game.searches(view) else None
        rows = None if plan is None else game.searched(view, plan)
        self._count(view, game, searched=rows is not None)
        if rows is None:
            return game.player.act(view)
        strategy = _own_row(rows, view)
        return self._random.choices(list(strategy), list(strategy.values()))[0]

    def _count(self, view: View, game: _Game, *, searched: bool) -> None:
        """Count a decision by who made it."""
        other = "blueprint" if game.player is self.base else "fallback"
        self.counts["search" if searched else other] += 1
        self._flops[searched] += view.street == FLOP_STREET

    def strategy(self, view: View) -> dict[str, float]:
        """Return the probability of each action.

        If the fallback plays and has no `strategy`, its action has probability 1.
        """
        game = self._at(view.spec)
        if game.searches(view):
            return _own_row(self.strategies(view), view)
        strategy = getattr(game.player, "strategy", None)
        return {str(game.player.act(view)): 1.0} if strategy is None else dict(strategy(view))

    def build_tables(
        self, progress: ProgressCall | None = None, spec: GameSpec | None = None
    ) -> None:
        """Build the card tables that make queries of all hands fast, once."""
        if spec is None or not self.base.difference(spec):
            self.base.build_tables(progress, spec)

    def strategies(self, view: View) -> HandStrategies:
        """Return the strategy of every hole pair; the own cards do not matter."""
        game = self._at(view.spec)
        if not game.searches(view):
            return all_strategies(game.player, view)
        return game.rows(view, self.full_plan(view))

    def full_plan(self, view: View) -> Plan:
        """Return the limits of a decision without a clock."""
        return Plan(self.settings.iterations, time.perf_counter() + self._seconds(view))

    def search_seconds(self, view: View) -> float:
        """Return the time on the clock that a search of a decision needs; 0 without a new solve.

        A clock for a whole match (`riverboat.protocols.client.TimeBank`) asks for it.
        """
        game = self._at(view.spec)
        if game.searcher is None or not game.searches(view) or self.settings.iterations:
            return 0.0
        return self._seconds(view) / _CLOCK_SHARE if game.searcher.needs_solve(view) else 0.0

    def menu(self, view: View) -> tuple[str, ...]:
        """Return the real actions that search considers for the seat to act."""
        game = self._at(view.spec)
        if game.searcher is not None and view.street >= game.searcher.search.first:
            return game.searcher.menu(view)
        return self.base.menu(view)

    def hand_started(self, view: View) -> None:
        """Start a hand; missing tables are built before the first decision."""
        tell(self._at(view.spec).player, "hand_started", view)

    def hand_over(self, view: View) -> None:
        """End a hand."""
        tell(self._at(view.spec).player, "hand_over", view)

    # ---- Properties

    @property
    def repeats(self) -> bool:
        """Whether results repeat: not with a time limit."""
        return self.settings.iterations > 0

    @property
    def flop_share(self) -> float:
        """Share of the decisions of `act` on the flop that were searched; nan without any."""
        return self._flops[True] / self._flops.total() if self._flops.total() else math.nan

    @property
    def solves(self) -> Sequence[SolveFacts]:
        """Facts of the last solves, the newest last."""
        searcher = self._game.searcher if self._game else None
        return () if searcher is None else tuple(searcher.facts)

    def searcher(self, spec: GameSpec) -> Searcher | None:
        """Return the searcher of a game; None if search does not support it."""
        return self._at(spec).searcher

    # ---- Games and time

    def _at(self, spec: GameSpec) -> _Game:
        if self._game is None or spec is not self._game.spec:
            if spec not in self._games:
                self._games[spec] = self._new_game(spec)
            self._game = self._games[spec]
        return self._game

    def _new_game(self, spec: GameSpec) -> _Game:
        """Choose the players of a game; warn if search or the strategy file cannot play it."""
        misfit = self.base.difference(spec)
        fallback = self.settings.fallback
        player: Bot = make_bot(fallback, self._seed) if misfit else self.base
        if why_not := _why_not(spec):
            who = fallback if misfit else "its strategy file"
            say(f"search does not support {why_not}: in '{spec.name}' {who} plays instead.")
            return _Game(spec, player, None)
        if misfit:
            say(f"search plays as {fallback} before it solves: in its strategy file {misfit}.")
        else:
            _ask_on_a_flop(self.base, spec)
        return _Game(spec, player, self._new_searcher(spec, known=not misfit))

    def _new_searcher(self, spec: GameSpec, *, known: bool) -> Searcher:
        settings = self.settings
        device = device_for(settings.device)
        if device != "cpu":
            start_card()
        menus = menus_for(spec.betting, settings.first, device)
        search = Search(
            **menus._asdict(),
            device=device,
            even=settings.even,
            mode=settings.mode,
            base=(*self.base.sources, settings.threshold) if known else None,
            budget=(settings.iterations, settings.seconds, settings.flop_seconds),
            least_flop=settings.flop_iterations,
        )
        base = self.base if known else None
        threads = settings.threads or _usual_threads()
        return Searcher(base, search, threads, tell=self._write if settings.log else None)

    def _seconds(self, view: View) -> float:
        settings = self.settings
        return settings.flop_seconds if view.street == FLOP_STREET else settings.seconds

    def _plan(self, view: View, began: float) -> Plan | None:
        """Limits of a decision on a searched street; None if the file plays the street.

        A decision takes at most half of the time left.
        """
        seconds = self._seconds(view)
        if view.seconds_left is None or self.settings.iterations:
            return Plan(self.settings.iterations, began + seconds)
        seconds = min(seconds, _CLOCK_SHARE * view.seconds_left)
        if seconds >= LEAST_SECONDS:
            return Plan(0, began + seconds)
        searcher = self._at(view.spec).searcher
        if searcher is not None and searcher.knows(view):
            return NO_TIME
        if searcher is not None:
            searcher.skip(view)
        return None

    def _write(self, facts: SolveFacts) -> None:
        """Append a line to the log in one write, so that several processes may share it."""
        with Path(self.settings.log).open("a", encoding="utf-8") as file:
            file.write(json.dumps(facts.as_dict()) + "\n")


class _Game(NamedTuple):
    """Player and searcher of a game."""

    spec: GameSpec
    player: Bot
    """Plays the streets before search, or all."""
    searcher: Searcher | None

    def searches(self, view: View) -> bool:
        """Whether a view's street is searched."""
        return self.searcher is not None and view.street >= self.searcher.search.first

    def rows(self, view: View, plan: Plan) -> HandStrategies:
        """Return the strategy of every hand."""
        if self.searcher is None:
            raise GameError(f"search does not support '{self.spec.name}'")
        return self.searcher.rows(view, plan)

    def searched(self, view: View, plan: Plan) -> HandStrategies | None:
        """Return the strategy of every hand by search; None if there is no time for it."""
        return None if self.searcher is None else self.searcher.searched(view, plan)


def _own_row(strategies: HandStrategies, view: View) -> dict[str, float]:
    row = strategies.rows[hole_index(*view.hole)]
    return dict(zip(strategies.actions, row.tolist(), strict=True))


def _why_not(spec: GameSpec) -> str:
    """Why search does not support a game; empty if it does."""
    if spec.players != 2:
        return f"tables of {spec.players}"
    if spec.has_discards:
        return "games with discards"
    if not spec.deals_as_holdem or spec.showdown not in ("high", "short-deck"):
        return "games that are not hold'em"
    return ""


def _ask_on_a_flop(bot: BlueprintBot | DepthsBot, spec: GameSpec) -> None:
    """Open or build the tables before the clock runs."""
    hand = Hand(spec, board=spec.deck[:3])
    while hand.street == 0 and hand.actor is not None:
        hand.do("c" if hand.to_call else "k")
    if hand.actor is not None:
        bot.strategies(hand.view(hand.actor))


def _usual_threads() -> int:
    """All cores; one in a worker process, because other workers use the others."""
    return 1 if in_worker() else num_cores()


SEARCH: Final = BotKind(
    "search",
    "plays a strategy file before the flop, then re-solves each street",
    "riverboat",
    SearchBot,
    SearchSettings,
    slow=True,
    default_files=BotRef.parse("blueprint").kind.default_files,
)
