"""Reproductions of five source documents: recipes as data, reports of what was computed.

>>> from riverboat.reproductions import NAMES
>>> NAMES
('cardiff', 'pineapple', 'yerevan', 'husky', 'caltech')
"""

from riverboat.reproductions._reproduction import (
    NAMES,
    Reproduction,
    Results,
    find_reproduction,
    reproduce,
)
from riverboat.reproductions._run import Effort, Found, ReproductionRun, StepProgress
from riverboat.reproductions._work import HUSKY_GAMES, HUSKY_ROUNDS, husky_game

__all__ = [
    "HUSKY_GAMES",
    "HUSKY_ROUNDS",
    "NAMES",
    "Effort",
    "Found",
    "Reproduction",
    "ReproductionRun",
    "Results",
    "StepProgress",
    "find_reproduction",
    "husky_game",
    "reproduce",
]
