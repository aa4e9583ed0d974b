"""Tables of people and bots, independent of any user interface.

A terminal, a web page or a protocol asks `Session` whose turn it is, shows that seat its view, and
plays its move; the bots of the table play by themselves.

>>> from riverboat.table import Session, words_of
>>> session = Session("nolimit-100bb", [None, "checkcall"], seed=1)
>>> session.deal()
>>> session.waiting, session.view.to_call
(0, 5)
>>> session.play("b30")
>>> [words_of(event) for event in session.news if event.kind == "call"]
['calls 20']
"""

from riverboat.table._bots import USUAL_OPPONENTS, usual_opponents
from riverboat.table._events import Acted, BoardDealt, Dealt, Shown, TableEvent, Won, act_of
from riverboat.table._records import HistoryFile, Replay
from riverboat.table._session import Session
from riverboat.table._words import (
    YOU,
    chair_names,
    hand_in_words,
    pot_share_to,
    price_to,
    read_move,
    said_of,
    words_of,
)

__all__ = [
    "USUAL_OPPONENTS",
    "YOU",
    "Acted",
    "BoardDealt",
    "Dealt",
    "HistoryFile",
    "Replay",
    "Session",
    "Shown",
    "TableEvent",
    "Won",
    "act_of",
    "chair_names",
    "hand_in_words",
    "pot_share_to",
    "price_to",
    "read_move",
    "said_of",
    "usual_opponents",
    "words_of",
]
