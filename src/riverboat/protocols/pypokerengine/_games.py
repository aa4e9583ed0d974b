"""Games as the engine itself runs them: stacks are carried on until one player has all chips."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riverboat.bots import make_bot
from riverboat.protocols.pypokerengine._match import seeded_random
from riverboat.protocols.pypokerengine._player import as_player
from riverboat.protocols.pypokerengine._table import Rules, need_engine
from riverboat.statistics import Estimate, mean_estimate

try:
    from pypokerengine.api.game import setup_config, start_poker
except ImportError:  # need_engine says so
    setup_config = start_poker = None

if TYPE_CHECKING:
    from collections.abc import Sequence


def play_games(
    bots: Sequence[str], games: int, rounds: int, rules: Rules | None = None, seed: int = 1
) -> Estimate:
    """Play games by the engine's own loop and return the share that the first bot won.

    Parameters
    ----------
    bots
        Names as `make_bot` takes them; places move on by one with every game.
    games
        How many; bots are made anew for each.
    rounds
        Most hands of a game; then who has most chips has won, and ties are shared.
    rules
        Chips at the beginning, and the small blind.
    seed
        Of bots and cards.

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
