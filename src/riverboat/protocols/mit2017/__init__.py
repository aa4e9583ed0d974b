"""MIT Pokerbots 2017: hold'em with discards, as lines over TCP: both sides of it.

`Mit2017Player` is our bot in that engine, `remote` its player at our table.

>>> from riverboat.bots import make_bot
>>> from riverboat.protocols.client import Player
>>> ours = Mit2017Player(Player(make_bot("fish", seed=1)))
>>> ours.hear("NEWGAME us them 200 2 100 20.0"), ours.hear("NEWHAND 1 true As Kd 0 0 20.0")
((), ())
>>> ours.hear("GETACTION 3 0 2 POST:1:us POST:2:them 3 FOLD CALL RAISE:4:200 19.9")
('CALL',)
"""

from riverboat.protocols.mit2017._bot import MatchFacts, Mit2017Bot, remote
from riverboat.protocols.mit2017._player import Mit2017Player

__all__ = ["MatchFacts", "Mit2017Bot", "Mit2017Player", "remote"]
