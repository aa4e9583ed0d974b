"""Spots: a public state with two ranges.

>>> from riverboat.spots import Spot
>>> Spot(board="Ks7h2d", pot=55, stack=975, oop="QQ-22", ip="AK").street
'flop'
"""

from riverboat.spots._from_hand import positions
from riverboat.spots._spot import Spot

__all__ = ["Spot", "positions"]
