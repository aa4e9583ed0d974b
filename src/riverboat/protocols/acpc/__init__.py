"""The protocol of the Annual Computer Poker Competition, version 2.0.0: both sides of it.

`AcpcPlayer` is our bot at a dealer of theirs, `AcpcBot` their player at a table of ours, `deal` a
dealer for players that connect.

>>> from riverboat.bots import make_bot
>>> from riverboat.game import catalogue
>>> from riverboat.protocols.client import Player
>>> ours = AcpcPlayer(Player(make_bot("fish", seed=1)), catalogue("nolimit-200bb"))
>>> ours.hear("MATCHSTATE:1:7:r300c/c:|TdAs/2c8c3h")
('MATCHSTATE:1:7:r300c/c:|TdAs/2c8c3h:c',)
"""

from riverboat.protocols.acpc._bot import ENGINE, AcpcBot, deal, remote
from riverboat.protocols.acpc._player import AcpcPlayer

__all__ = [
    "ENGINE",
    "AcpcBot",
    "AcpcPlayer",
    "deal",
    "remote",
]
