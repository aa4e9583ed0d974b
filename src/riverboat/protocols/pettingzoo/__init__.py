"""Poker as a PettingZoo environment, for reinforcement learning with any library.

The environment needs `pip install 'riverboat[pettingzoo]'`. Moves and observations are plain arrays
and need no extra (docs/pettingzoo.md):

>>> from riverboat.game import Hand, catalogue
>>> from riverboat.protocols.pettingzoo import ActionMenu
>>> ActionMenu(catalogue("nolimit-100bb")).moves(Hand(catalogue("nolimit-100bb"), seed=1).view(0))
('f', 'c', 'b20', None, 'b30', 'b1000')
"""

from riverboat.protocols.pettingzoo._arrays import ActionMenu, Encoder, Field
from riverboat.protocols.pettingzoo._env import PokerEnv

__all__ = ["ActionMenu", "Encoder", "Field", "PokerEnv"]
