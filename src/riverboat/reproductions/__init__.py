"""Reproductions of five source documents: recipes as data, reports of what was computed.

>>> from riverboat.reproductions import NAMES
>>> NAMES
('cardiff', 'pineapple', 'yerevan', 'husky', 'caltech')
"""

from riverboat.reproductions._document import document_sections
from riverboat.reproductions._freeze_outs import HUSKY_GAMES, HUSKY_ROUNDS, husky_game
from riverboat.reproductions._reproduce import NAMES, find_reproduction, reproduce
from riverboat.reproductions._reproduction import (
    Reproduction,
    Results,
    read_results,
    report_sections,
)
from riverboat.reproductions._run import Effort, ReproductionRun, StepProgress

__all__ = [
    "HUSKY_GAMES",
    "HUSKY_ROUNDS",
    "NAMES",
    "Effort",
    "Reproduction",
    "ReproductionRun",
    "Results",
    "StepProgress",
    "document_sections",
    "find_reproduction",
    "husky_game",
    "read_results",
    "report_sections",
    "reproduce",
]
