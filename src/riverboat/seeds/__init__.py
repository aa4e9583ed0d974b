"""The five seeds, reproduced: recipes as data, and reports of what was computed.

>>> from riverboat.seeds import SEEDS
>>> SEEDS
('cardiff', 'pineapple', 'yerevan', 'husky', 'caltech')
"""

from riverboat.report import (
    Compared,
    Comparison,
    Part,
    Picture,
    Report,
    Section,
    Table,
    Text,
    html_page,
    markdown,
    write_report,
)
from riverboat.seeds._freeze_outs import HUSKY_GAMES, HUSKY_ROUNDS, husky_game
from riverboat.seeds._reproduce import SEEDS, find_seed, reproduce
from riverboat.seeds._reproduction import Effort, Reproduction, StepProgress
from riverboat.seeds._seed import Results, Seed, read_results, report_sections

__all__ = [
    "HUSKY_GAMES",
    "HUSKY_ROUNDS",
    "SEEDS",
    "Compared",
    "Comparison",
    "Effort",
    "Part",
    "Picture",
    "Report",
    "Reproduction",
    "Results",
    "Section",
    "Seed",
    "StepProgress",
    "Table",
    "Text",
    "find_seed",
    "html_page",
    "husky_game",
    "markdown",
    "read_results",
    "report_sections",
    "reproduce",
    "write_report",
]
