"""The five seeds, reproduced: recipes as data, and reports of what was computed.

>>> from riverboat.reproductions import SEEDS
>>> SEEDS
('cardiff', 'pineapple', 'yerevan', 'husky', 'caltech')
"""

from riverboat.reproductions._document import document_sections
from riverboat.reproductions._freeze_outs import HUSKY_GAMES, HUSKY_ROUNDS, husky_game
from riverboat.reproductions._reproduce import SEEDS, find_seed, reproduce
from riverboat.reproductions._reproduction import Effort, Reproduction, StepProgress
from riverboat.reproductions._seed import Results, Seed, read_results, report_sections

__all__ = [
    "HUSKY_GAMES",
    "HUSKY_ROUNDS",
    "SEEDS",
    "Effort",
    "Reproduction",
    "Results",
    "Seed",
    "StepProgress",
    "document_sections",
    "find_seed",
    "husky_game",
    "read_results",
    "report_sections",
    "reproduce",
]
