"""The rules of poker: one state machine for every variant and any number of seats.

>>> from riverboat.game import Hand, catalogue
>>> hand = Hand(catalogue("nolimit-100bb"), seed=1)
>>> hand.bet_to(25)
>>> hand.call()
>>> hand.line, hand.pot, hand.actor
('b25c', 50, 1)
"""

from riverboat._core import Action
from riverboat.game._acpc import read_acpc_game, seat_of_position, write_acpc_game
from riverboat.game._catalogue import (
    catalogue,
    catalogue_names,
    find_game,
    game_from_table,
    game_names,
)
from riverboat.game._hand import Hand, actions_of, line_prefixes, parse_line
from riverboat.game._simulate import SimulationReport, simulate
from riverboat.game._spec import HOLDEM_STREETS, Betting, GameSpec, Rake, Street
from riverboat.game._view import LegalActions, Pot, View, position_names

__all__ = [
    "HOLDEM_STREETS",
    "Action",
    "Betting",
    "GameSpec",
    "Hand",
    "LegalActions",
    "Pot",
    "Rake",
    "SimulationReport",
    "Street",
    "View",
    "actions_of",
    "catalogue",
    "catalogue_names",
    "find_game",
    "game_from_table",
    "game_names",
    "line_prefixes",
    "parse_line",
    "position_names",
    "read_acpc_game",
    "seat_of_position",
    "simulate",
    "write_acpc_game",
]
