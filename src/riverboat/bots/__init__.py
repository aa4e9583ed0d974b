"""Bots: those of the source documents by name, trained bots, and the interface of all bots.

>>> from riverboat.bots import make_bot
>>> from riverboat.game import Hand, catalogue
>>> hand = Hand(catalogue("nolimit-100bb"), seed=1)
>>> bots = [make_bot("fish", seed=0), make_bot("shark:low=0,high=1", seed=1)]
>>> while hand.actor is not None:
...     hand.do(bots[hand.actor].act(hand.view(hand.actor)))
>>> hand.line
'ck/kk/kk/kk'
"""

from riverboat.bots._all_hands import HandStrategies, RangeBot, all_strategies
from riverboat.bots._backup import BackupSettings
from riverboat.bots._blueprint_bot import BlueprintBot
from riverboat.bots._bot import Bot, BotSettings, StrategyBot, tell
from riverboat.bots._built_in import register_built_in
from riverboat.bots._conformance import GAMES, ConformanceReport, GameCheck, check_bot
from riverboat.bots._depths_bot import DepthsBot, depth_of
from riverboat.bots._equity_bots import EquityBot, SharkSettings
from riverboat.bots._learning_bots import Killer
from riverboat.bots._moves import give_up, go_along, raise_pot_share, raise_to
from riverboat.bots._outside import BotError, OutsideBot, sit, try_to_sit
from riverboat.bots._prints import prints_file
from riverboat.bots._python_files import load_class
from riverboat.bots._ref import BotRef, make_bot, named_bot, split_bots
from riverboat.bots._registry import BotKind, Engine, all_bots, bot_faults, bot_names, register
from riverboat.bots._simple_bots import RandomBot, UniformBot
from riverboat.bots._styles import Style
from riverboat.bots._swap import GAIN, discard
from riverboat.bots._win_rate import WinRate, hand_strength

__all__ = [
    "GAIN",
    "GAMES",
    "BackupSettings",
    "BlueprintBot",
    "Bot",
    "BotError",
    "BotKind",
    "BotRef",
    "BotSettings",
    "ConformanceReport",
    "DepthsBot",
    "Engine",
    "EquityBot",
    "GameCheck",
    "HandStrategies",
    "Killer",
    "OutsideBot",
    "RandomBot",
    "RangeBot",
    "SharkSettings",
    "StrategyBot",
    "Style",
    "UniformBot",
    "WinRate",
    "all_bots",
    "all_strategies",
    "bot_faults",
    "bot_names",
    "check_bot",
    "depth_of",
    "discard",
    "give_up",
    "go_along",
    "hand_strength",
    "load_class",
    "make_bot",
    "named_bot",
    "prints_file",
    "raise_pot_share",
    "raise_to",
    "register",
    "sit",
    "split_bots",
    "tell",
    "try_to_sit",
]

register_built_in()
del register_built_in
