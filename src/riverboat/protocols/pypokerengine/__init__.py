"""PyPokerEngine: its players at our tables, our bots as its players, and matches in its engine.

Its rules differ from `riverboat.game`: see docs/pypokerengine.md. Only matches need the package
itself: `pip install 'riverboat[pypokerengine]'`.

>>> from riverboat.bots import make_bot
>>> from riverboat.protocols.pypokerengine import as_bot, as_player
>>> player = as_player(make_bot("fish", seed=1))  # a BasePokerPlayer
>>> bot = as_bot(player)  # and a bot again
>>> from riverboat.game import Hand, catalogue
>>> bot.act(Hand(catalogue("nolimit-100bb"), seed=1).view(0))
'c'
"""

from riverboat.protocols.pypokerengine._bot import ENGINE, PlayerBot, as_bot
from riverboat.protocols.pypokerengine._match import (
    match_settings,
    play_games,
    play_pypokerengine,
    play_sessions,
)
from riverboat.protocols.pypokerengine._player import BotPlayer, StockRandom, as_player
from riverboat.protocols.pypokerengine._rules import engine_game
from riverboat.protocols.pypokerengine._table import Rules, need_engine

__all__ = [
    "ENGINE",
    "BotPlayer",
    "PlayerBot",
    "Rules",
    "StockRandom",
    "as_bot",
    "as_player",
    "engine_game",
    "match_settings",
    "need_engine",
    "play_games",
    "play_pypokerengine",
    "play_sessions",
]
