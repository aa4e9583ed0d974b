"""The bot that searches: a blueprint at first, then what it solves at the table."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

from riverboat.blueprint import default_blueprint
from riverboat.bots import (
    BlueprintBot,
    BotKind,
    BotRef,
    BotSettings,
    all_strategies,
    make_bot,
    tell,
)
from riverboat.cards import hole_index
from riverboat.errors import GameError
from riverboat.game import Hand
from riverboat.runs import in_worker, num_cores
from riverboat.search._plan import First, Plan, device_for, menus_for, say, start_card
from riverboat.search._searcher import Search, Searcher, SearchMode
from riverboat.settings import meaning
from riverboat.spots import Device  # noqa: TC001 - settings read it

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.blueprint import Query
    from riverboat.bots import Bot, HandStrategies
    from riverboat.buckets import ProgressCall
    from riverboat.game import Action, GameSpec, View
    from riverboat.search._subgame import SolveFacts

# With less time than this for a decision nothing can be solved.
LEAST_SECONDS: Final = 0.1


class SearchSettings(BotSettings, frozen=True, kw_only=True):
    """Settings of the bot that searches."""

    file: Annotated[
        str, meaning("the strategy file that it plays from before it searches", positional=True)
    ] = ""
    seconds: Annotated[float, meaning("most seconds for a decision", LEAST_SECONDS, 3600)] = 2.0
    iterations: Annotated[
        int, meaning("of a solve, in place of seconds: results repeat; 0 = by seconds", 0, 10**6)
    ] = 0
    first: Annotated[
        First, meaning("the street where search begins; auto = the flop on a GPU, else the turn")
    ] = "auto"
    device: Annotated[
        Device, meaning("what solves: cpu, gpu, or auto, which leaves rivers to the CPU")
    ] = "cpu"
    even: Annotated[
        float, meaning("share of the opponent's range that is spread over all hands", 0, 1)
    ] = 0.1
    mode: Annotated[
        SearchMode, meaning("how a street is solved: unsafe or by a gadget, see docs/searching.md")
    ] = "unsafe"
    threads: Annotated[
        int, meaning("of the solver; 0 = one for each core, in a match one a worker", 0, 256)
    ] = 0
    fallback: Annotated[str, meaning("who plays where the strategy file cannot")] = "montecarlo"
    threshold: Annotated[
        float, meaning("of the file: rarer bets and folds are left out; as trained if -1", -1, 1)
    ] = -1
    log: Annotated[
        str, meaning("file for a JSON line about each solve, with how exploitable it is")
    ] = ""


class SearchBot:
    """Plays what it solves; before that, and where it cannot solve, its strategy file.

    What it solves never depends on its own cards.

    Parameters
    ----------
    seed
        Of its draws.
    settings
        How it searches.

    Attributes
    ----------
    base
        The bot of its strategy file.
    counts
        Decisions of `act`: `search` where it searched, else `blueprint` or `fallback`.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> bot = SearchBot(1, SearchSettings(iterations=5))
    >>> hand = Hand.from_line(catalogue("nolimit-100bb"), "b25c/kk/kk", seed=1)
    >>> found = bot.strategies(hand.view(1))
    >>> found.actions, found.rows.shape
    (('k', 'b17', 'b38', 'b75'), (1326, 4))
    """

    def __init__(self, seed: int, settings: SearchSettings) -> None:
        self.settings = settings
        fallback = BotRef.parse(settings.fallback)
        if fallback.untrusted:  # it would run in the arena's own process
            raise GameError(
                f"fallback={settings.fallback!r} is a Python file: take a built-in or an "
                "installed bot"
            )
        fallback.read_settings()  # a sentence now, not at the table
        if settings.log and not Path(settings.log).parent.is_dir():
            raise GameError(f"log={settings.log}: the folder does not exist")
        kind = BotRef.parse("blueprint").kind
        own = kind.settings(file=settings.file, threshold=settings.threshold)
        base = kind.make(seed, own)
        if not isinstance(base, BlueprintBot):
            raise GameError(f"{settings.file} is no strategy to search from")
        self.base = base
        self.counts: Counter[str] = Counter()
        self._seed = seed
        self._random = random.Random(seed)  # noqa: S311 - a game, no secret
        self._games: dict[GameSpec, _Game] = {}
        self._game: _Game | None = None

    # ---- At the table

    def act(self, view: View) -> str | Action:
        """Choose a move."""
        began = time.perf_counter()
        game = self._at(view.spec)
        plan = self._plan(view, began)
        if plan is None or not game.searches(view):
            self.counts["blueprint" if game.player is self.base else "fallback"] += 1
            return game.player.act(view)
        self.counts["search"] += 1
        strategy = _own_row(game.rows(view, plan), view)
        return self._random.choices(list(strategy), list(strategy.values()))[0]

    def strategy(self, view: View) -> dict[str, float]:
        """Return the probability of each move.

        Where a fallback plays that cannot tell its own strategy, its move has probability 1.
        """
        game = self._at(view.spec)
        if game.searches(view):
            return _own_row(self.strategies(view), view)
        told = getattr(game.player, "strategy", None)
        return {str(game.player.act(view)): 1.0} if told is None else dict(told(view))

    def build_tables(self, progress: ProgressCall | None = None) -> None:
        """Build the tables of cards that make its strategy file fast for all hands, once."""
        self.base.build_tables(progress)

    def strategies(self, view: View) -> HandStrategies:
        """Return its play with every hole pair; the own cards do not count."""
        game = self._at(view.spec)
        if not game.searches(view):
            return all_strategies(game.player, view)
        plan = Plan(self.settings.iterations, time.perf_counter() + self.settings.seconds)
        return game.rows(view, plan)

    def menu(self, view: View) -> tuple[str, ...]:
        """Return the real actions that it considers for the seat to act, whoever that is."""
        game = self._at(view.spec)
        if game.searcher is not None and view.street >= game.searcher.search.first:
            return game.searcher.menu(view)
        return self.base.menu(view)

    def hand_started(self, view: View) -> None:
        """Hear of a new hand: tables that are missing are built before it is asked."""
        tell(self._at(view.spec).player, "hand_started", view)

    def hand_over(self, view: View) -> None:
        """Hear how a hand ended."""
        tell(self._at(view.spec).player, "hand_over", view)

    # ---- What it knows

    @property
    def query(self) -> Query:
        """The strategy that it plays from before it searches."""
        return self.base.query

    @property
    def repeats(self) -> bool:
        """Whether the same question gets the same answer again: not where the clock decides."""
        return self.settings.iterations > 0

    @property
    def solves(self) -> Sequence[SolveFacts]:
        """How the last subgames were solved, the newest last."""
        searcher = self._game.searcher if self._game else None
        return () if searcher is None else tuple(searcher.facts)

    def searcher(self, spec: GameSpec) -> Searcher | None:
        """Return what solves a game's hands; None where search is not for it."""
        return self._at(spec).searcher

    # ---- Games and time

    def _at(self, spec: GameSpec) -> _Game:
        if self._game is None or spec is not self._game.spec:
            if spec not in self._games:
                self._games[spec] = self._new_game(spec)
            self._game = self._games[spec]
        return self._game

    def _new_game(self, spec: GameSpec) -> _Game:
        """Find out who plays a game, and say where it is not as one would expect."""
        misfit = self.base.query.tracker.difference(spec)
        fallback = self.settings.fallback
        player: Bot = make_bot(fallback, self._seed) if misfit else self.base
        if why_not := _why_not(spec):
            who = fallback if misfit else "its strategy file"
            say(f"search is not for {why_not}: in '{spec.name}' {who} plays in its place.")
            return _Game(spec, player, None)
        if misfit:
            say(f"search plays as {fallback} before it solves: of its strategy {misfit}.")
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
            base=(self.base.query.source, self.base.threshold) if known else None,
            budget=(settings.iterations, settings.seconds),
        )
        base = self.base if known else None
        threads = settings.threads or _usual_threads()
        return Searcher(base, search, threads, tell=self._write if settings.log else None)

    def _plan(self, view: View, began: float) -> Plan | None:
        """How long a decision may take: at most half of what the table leaves; None: too short."""
        seconds = self.settings.seconds
        if view.seconds_left is not None and not self.settings.iterations:
            seconds = min(seconds, view.seconds_left / 2)
        return Plan(self.settings.iterations, began + seconds) if seconds >= LEAST_SECONDS else None

    def _write(self, facts: SolveFacts) -> None:
        """Append a line to the log: several processes may, each its whole line at once."""
        with Path(self.settings.log).open("a", encoding="utf-8") as file:
            file.write(json.dumps(facts.as_dict()) + "\n")


class _Game(NamedTuple):
    """Who plays a game."""

    spec: GameSpec
    player: Bot
    """Of the streets before search, or of all."""
    searcher: Searcher | None

    def searches(self, view: View) -> bool:
        """Whether what a view shows is solved."""
        return self.searcher is not None and view.street >= self.searcher.search.first

    def rows(self, view: View, plan: Plan) -> HandStrategies:
        """What every hand does there."""
        if self.searcher is None:
            raise GameError(f"nothing is searched in '{self.spec.name}'")
        return self.searcher.rows(view, plan)


def _own_row(told: HandStrategies, view: View) -> dict[str, float]:
    row = told.rows[hole_index(*view.hole)]
    return dict(zip(told.actions, row.tolist(), strict=True))


def _why_not(spec: GameSpec) -> str:
    """What about a game cannot be solved; empty if it can."""
    if spec.players != 2:
        return f"tables of {spec.players}"
    if spec.has_discards:
        return "games with discards"
    if not spec.deals_as_holdem or spec.showdown not in ("high", "short-deck"):
        return "games that are not hold'em"
    return ""


def _ask_on_a_flop(bot: BlueprintBot, spec: GameSpec) -> None:
    """Have tables opened, or built where they are missing, before time counts."""
    hand = Hand(spec, board=spec.deck[:3])
    while hand.street == 0 and hand.actor is not None:
        hand.do("c" if hand.to_call else "k")
    if hand.actor is not None:
        bot.strategies(hand.view(hand.actor))


def _usual_threads() -> int:
    """All cores; one in a worker process, as there are others."""
    return 1 if in_worker() else num_cores()


SEARCH: Final = BotKind(
    "search",
    "plays a strategy file to the flop, and solves turn and river at the table",
    "riverboat",
    SearchBot,
    SearchSettings,
    slow=True,
    default_file=default_blueprint,
)
