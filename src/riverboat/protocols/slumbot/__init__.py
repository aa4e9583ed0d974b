"""Slumbot's HTTP API: a client, and a local server with the same API.

>>> hand_of("b300c/kk/", ["Ah", "Kd"], 1, ["2c", "7d", "9h", "Ts"]).pot
600
"""

from riverboat.protocols.slumbot._api import Api, LostAnswerError
from riverboat.protocols.slumbot._player import PlayedHand, SlumbotResult, hand_of, play, summed
from riverboat.protocols.slumbot._server import SlumbotServer

__all__ = [
    "Api",
    "LostAnswerError",
    "PlayedHand",
    "SlumbotResult",
    "SlumbotServer",
    "hand_of",
    "play",
    "summed",
]
