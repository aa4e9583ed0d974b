"""The five seeds, reproduced: recipes as data, and reports of what was computed.

>>> from riverboat.seeds import SEEDS
>>> SEEDS
('cardiff', 'pineapple', 'yerevan', 'husky', 'caltech')
"""

from riverboat.seeds._document import document_sections
from riverboat.seeds._freeze_outs import HUSKY_GAMES, HUSKY_ROUNDS, husky_game
from riverboat.seeds._reproduce import SEEDS, find_seed, reproduce
from riverboat.seeds._reproduction import Effort, Reproduction, StepProgress
from riverboat.seeds._seed import Results, Seed, read_results, report_sections

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
