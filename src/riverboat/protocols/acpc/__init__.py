"""The protocol of the Annual Computer Poker Competition, version 2.0.0: both sides of it.

`AcpcPlayer` is our bot at a dealer of theirs, `AcpcBot` their player at a table of ours, `deal` a
dealer for players that connect.

>>> from riverboat.game import catalogue
>>> state = read_state("MATCHSTATE:1:7:r300c/c:|TdAs/2c8c3h")
>>> hand_of(catalogue("nolimit-200bb"), state)
<Hand nolimit-200bb: TdAs|???? board 2c8c3h, 'b300c/k', seat 0 to act, pot 600>
"""

from riverboat.protocols.acpc._bot import ENGINE, AcpcBot, DealtMatch, deal, remote
from riverboat.protocols.acpc._player import AcpcPlayer
from riverboat.protocols.acpc._states import MatchState, action_of, hand_of, read_state, state_line

__all__ = [
    "ENGINE",
    "AcpcBot",
    "AcpcPlayer",
    "DealtMatch",
    "MatchState",
    "action_of",
    "deal",
    "hand_of",
    "read_state",
    "remote",
    "state_line",
]
