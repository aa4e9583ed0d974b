"""What every table of other people has in common: a bot, a wire, a loop.

A *dialect* knows one protocol and no wire: lines come in, lines go out. `join` carries them over a
link, keeps a record of what was said, and connects again where the other side allows it. A
`Player` is our bot there: whatever it does, what goes out is allowed, and wrongs are counted.

>>> from riverboat.bots import make_bot
>>> from riverboat.game import Hand, catalogue
>>> player = Player(make_bot("fish", seed=1))
>>> str(player.decide(Hand(catalogue("nolimit-100bb"), seed=1).view(0)))
'c'
"""

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
from riverboat.protocols.client._player import (
    Player,
    TimeBank,
    final_view,
    nearest_bet,
    nearest_move,
)

__all__ = [
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
    "final_view",
    "join",
    "listen",
    "nearest_bet",
    "nearest_move",
    "program_file",
    "read_transcript",
]
