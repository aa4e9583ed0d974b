"""Search: re-solve flop, turn and river at the table, each from the start of the street.

>>> from riverboat.bots import make_bot
>>> from riverboat.game import Hand, catalogue
>>> bot = make_bot("search:iterations=5", seed=1)
>>> hand = Hand.from_line(catalogue("nolimit-100bb"), "b25c/kk/kk", seed=1)
>>> sum(bot.strategy(hand.view(1)).values()).__round__(6)
1.0
>>> bot.solves[-1].street, bot.solves[-1].iterations
('river', 20)
"""

from riverboat.search._analysis import analyse
from riverboat.search._bot import SEARCH, SearchBot, SearchSettings
from riverboat.search._plan import Plan
from riverboat.search._searcher import Search, Searcher
from riverboat.search._subgame import Pool, Subgame

__all__ = [
    "SEARCH",
    "Plan",
    "Pool",
    "Search",
    "SearchBot",
    "SearchSettings",
    "Searcher",
    "Subgame",
    "analyse",
]
