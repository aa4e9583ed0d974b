"""Who decides at the table: for now the two simplest bots and the face they share.

>>> from riverboat.bots import make_bot
>>> from riverboat.game import Hand, catalogue
>>> hand = Hand(catalogue("kuhn"), seed=1)
>>> bot = make_bot("checkcall", seed=0)
>>> while hand.actor is not None:
...     hand.do(bot.act(hand.view(hand.actor)))
>>> hand.line
'kk'
"""

from riverboat.bots.bot import Bot
from riverboat.bots.check_call import CheckCall
from riverboat.bots.names import bot_names, make_bot
from riverboat.bots.random_bot import RandomBot

__all__ = ["Bot", "CheckCall", "RandomBot", "bot_names", "make_bot"]
