"""Spots: a public state with two ranges, solved hand by hand.

>>> from riverboat.spots import Spot
>>> Spot(board="Ks7h2d", pot=55, stack=975, oop="QQ-22", ip="AK").street
'flop'
"""

from riverboat.spots._engine import Engine, Forecast
from riverboat.spots._from_hand import positions
from riverboat.spots._schedule import SCHEDULES, Schedule
from riverboat.spots._spot import Spot

__all__ = ["SCHEDULES", "Engine", "Forecast", "Schedule", "Spot", "positions"]
