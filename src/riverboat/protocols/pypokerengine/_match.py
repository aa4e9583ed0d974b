"""Matches in the real engine, with stacks reset, every seat order, and the arena's statistics.

Sessions, seeds and cards are those of `riverboat.arena`. The same seed deals the same cards, so
results by the rules of poker and by the engine's rules can be compared hand by hand. `play_games`
plays as the engine does: stacks carry over until one player has all chips.
"""

from __future__ import annotations

import random
import time
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from riverboat.arena import (
    Dealt,
    HandLog,
    Match,
    MatchResult,
    MatchSettings,
    SessionResult,
    make_player,
    refuse_chairs,
    sum_up,
)
from riverboat.bots import OutsideBot, make_bot
from riverboat.game import Hand
from riverboat.protocols.pypokerengine._player import as_player
from riverboat.protocols.pypokerengine._rules import engine_game
from riverboat.protocols.pypokerengine._table import EngineTable, Rules, need_engine, seat_player
from riverboat.runs import hidden_memory
from riverboat.statistics import Estimate, mean_estimate

try:
    from pypokerengine.api.game import setup_config, start_poker
except ImportError:  # need_engine raises the error
    setup_config = start_poker = None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from riverboat.arena import Chair

    Maker = str | Callable[[int], Any]


def play_pypokerengine(
    bots: Sequence[Maker],
    hands: int,
    *,
    rules: Rules | None = None,
    progress: Callable[[], object] = lambda: None,
    **settings: Any,
) -> MatchResult:
    """Play a match inside the real PyPokerEngine, with stacks reset before every hand.

    Parameters
    ----------
    bots
        Two to ten bots: names or files as `make_bot` reads them, or functions that create a
        Riverboat bot or a `BasePokerPlayer` from a seed.
    hands
        Total number; every deal is played in every seat order.
    rules
        Chips: stack 1000, small blind 5 and no ante by default, as in Cardiff's thesis.
    progress
        Called after each deal that was played in all seat orders.
    **settings
        Other fields of `MatchSettings`: `seed`, `deal_seed`, `duplicate`, `session`,
        `time_limit`, `keep_going`.

    Returns
    -------
    MatchResult
        Seat 0 is the small blind. Payoffs are what the engine paid, by its own evaluator.

    Raises
    ------
    ArenaError
        If the engine is not installed, the match is not possible, or a bot fails in more than
        half of its decisions and `keep_going` is not set.
    """
    chosen = match_settings(bots, hands, rules or Rules(), **settings)
    start = time.perf_counter()
    sessions = tuple(play_sessions(chosen, rules or Rules(), progress))
    dealt = Dealt.in_one_run(chosen.deal_seed, len(sessions))
    return MatchResult(chosen, sessions, time.perf_counter() - start, dealt=dealt)


def match_settings(
    bots: Sequence[Maker], hands: int, rules: Rules, **settings: Any
) -> MatchSettings:
    """Return the settings of a match, with a deal seed if an outside bot plays."""
    need_engine()
    game = engine_game(len(bots), rules.stack, rules.small_blind, rules.ante)
    # No all-in EV: Riverboat's evaluator differs from the engine's.
    chosen = MatchSettings(bots=tuple(bots), game=game, hands=hands, correct=False, **settings)
    return chosen.with_deal_seed()


def play_sessions(
    settings: MatchSettings, rules: Rules, progress: Callable[[], object] = lambda: None
) -> Iterator[SessionResult]:
    """Play the sessions of a match one after the other, until a bot fails most decisions."""
    match = Match(settings)
    with nullcontext() if settings.deal_seed is None else hidden_memory():
        for session in range(settings.num_sessions):
            result = _play_session(settings, rules, session, progress)
            match.add(result)
            match.refuse_failing()
            yield result


def _play_session(
    settings: MatchSettings, rules: Rules, session: int, progress: Callable[[], object]
) -> SessionResult:
    log = HandLog()
    chairs = []
    for rotation in range(settings.rotations):
        last = rotation == settings.rotations - 1
        tell = progress if last else lambda: None
        chairs.append(_Rotation(settings, rules, session, rotation).play(log, tell))
    num_deals = len(settings.deal_seeds(session))
    return sum_up(settings, session, log, np.zeros((num_deals, len(settings.bots))), chairs)


class _Rotation:
    """The deals of a session in one seat order, with fresh bots."""

    def __init__(self, settings: MatchSettings, rules: Rules, session: int, rotation: int) -> None:
        self._settings, self._rules = settings, rules
        self._rotation = rotation
        self._deal_seeds = settings.deal_seeds(session)
        self._bot_seeds = settings.bot_seeds(session, rotation)
        self._table_seed = settings.table_seed(session, rotation)

    def play(self, log: HandLog, progress: Callable[[], object]) -> list[Chair]:
        """Play all deals; return the bots' chairs."""
        settings = self._settings
        bots = [
            make_player(maker, seed, settings)
            for maker, seed in zip(settings.bots, self._bot_seeds, strict=True)
        ]
        try:
            seated = [seat_player(bot, settings.time_limit) for bot in bots]
            with seeded_random(self._table_seed):
                players = [player for player, _ in seated]
                named = list(zip(settings.names, players, strict=True))
                table = EngineTable(named, self._rules, settings.session_length)
                for deal, seed in enumerate(self._deal_seeds):
                    self._play_deal(table, deal, seed, log)
                    refuse_chairs(settings, [chair for _, chair in seated])
                    progress()
        finally:
            for bot in bots:
                if isinstance(bot, OutsideBot):
                    bot.close()
        return [chair for _, chair in seated]

    def _play_deal(self, table: EngineTable, deal: int, seed: int, log: HandLog) -> None:
        """Play one hand; deal and rotation determine the small blind."""
        count = len(self._settings.bots)
        small_blind = (deal + self._rotation) % count
        won = table.play(small_blind, Hand(self._settings.spec, seed=seed).deal)
        order = tuple((small_blind + seat) % count for seat in range(count))
        log.deals.append(deal)
        log.payoffs.append(tuple(won[chair] for chair in order))
        log.seated.append(order)
        log.ends.append(table.end)


@contextmanager
def seeded_random(seed: int) -> Iterator[None]:
    """Seed Python's `random`, which the engine and its players use, within a block."""
    before = random.getstate()
    random.seed(seed)
    try:
        yield
    finally:
        random.setstate(before)


def play_games(
    bots: Sequence[str], games: int, rounds: int, rules: Rules | None = None, seed: int = 1
) -> Estimate:
    """Play games by the engine's own loop and return the share of games that the first bot won.

    Parameters
    ----------
    bots
        Names as `make_bot` reads them; places shift by one with every game.
    games
        Number of games; each game creates new bots.
    rounds
        Maximum hands of a game; then the player with most chips wins, and ties are shared.
    rules
        Starting stack and small blind, chips.
    seed
        Random seed of bots and cards.

    Raises
    ------
    ArenaError
        If the engine is not installed.
    """
    need_engine()
    chips, won = rules or Rules(), np.zeros(games)
    with seeded_random(seed):
        for game in range(games):
            config = setup_config(rounds, chips.stack, chips.small_blind, chips.ante)
            for place in range(len(bots)):
                bot = (place + game) % len(bots)
                player = as_player(make_bot(bots[bot], seed + len(bots) * game + bot))
                config.register_player(str(bot), player)
            ended = start_poker(config, verbose=0)["players"]
            stacks = {int(seat["name"]): seat["stack"] for seat in ended}
            winners = [bot for bot, stack in stacks.items() if stack == max(stacks.values())]
            won[game] = (0 in winners) / len(winners)
    return mean_estimate(won)
