"""The common part of all clients of other engines: a bot, a link, a loop.

A *dialect* implements one protocol as lines in and lines out, without a connection. `join` sends
and receives them over a link, writes a transcript, and reconnects if the server allows it. A
`Player` is our bot there: it always sends a legal move, and counts the bot's failures.

>>> from riverboat.bots import make_bot
>>> from riverboat.game import Hand, catalogue
>>> player = Player(make_bot("fish", seed=1))
>>> str(player.decide(Hand(catalogue("nolimit-100bb"), seed=1).view(0)))
'c'
"""

from riverboat.protocols.client._deal import DealtMatch, deal_match
from riverboat.protocols.client._link import (
    LineLink,
    Link,
    Program,
    accept,
    connect,
    listen,
    program_file,
)
from riverboat.protocols.client._loop import Dialect, Joined, Transcript, join, read_transcript
from riverboat.protocols.client._player import Player, final_view, nearest_bet, nearest_move
from riverboat.protocols.client._time_bank import TimeBank

__all__ = [
    "DealtMatch",
    "Dialect",
    "Joined",
    "LineLink",
    "Link",
    "Player",
    "Program",
    "TimeBank",
    "Transcript",
    "accept",
    "connect",
    "deal_match",
    "final_view",
    "join",
    "listen",
    "nearest_bet",
    "nearest_move",
    "program_file",
    "read_transcript",
]
