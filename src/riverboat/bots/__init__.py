"""Who decides at the table: the seeds' bots by name, and the face that all bots share.

>>> from riverboat.bots import make_bot
>>> from riverboat.game import Hand, catalogue
>>> hand = Hand(catalogue("nolimit-100bb"), seed=1)
>>> bots = [make_bot("fish", seed=0), make_bot("shark:low=0,high=1", seed=1)]
>>> while hand.actor is not None:
...     hand.do(bots[hand.actor].act(hand.view(hand.actor)))
>>> hand.line
'ck/kk/kk/kk'
"""

from riverboat.bots import names as _names  # fills the registry
from riverboat.bots.bot import Bot, Listener, StrategyBot, tell_hand_over, tell_hand_started
from riverboat.bots.check_call import CheckCall
from riverboat.bots.random_bot import RandomBot
from riverboat.bots.registry import (
    BotKind,
    all_bots,
    bot_names,
    file_of,
    find_bot,
    make_bot,
    register,
    split_bots,
)
from riverboat.bots.settings import Parameter, Settings
from riverboat.bots.win_rate import WinRate

__all__ = [
    "Bot",
    "BotKind",
    "CheckCall",
    "Listener",
    "Parameter",
    "RandomBot",
    "Settings",
    "StrategyBot",
    "WinRate",
    "all_bots",
    "bot_names",
    "file_of",
    "find_bot",
    "make_bot",
    "register",
    "split_bots",
    "tell_hand_over",
    "tell_hand_started",
]

del _names
