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
)
from riverboat.seeds._freeze_outs import HUSKY_GAMES, HUSKY_ROUNDS, husky_game
from riverboat.seeds._reproduce import SEEDS, find_seed, reproduce, write_report
from riverboat.seeds._run import Effort, Run, Standing
from riverboat.seeds._seed import Seed

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
    "Run",
    "Section",
    "Seed",
    "Standing",
    "Table",
    "Text",
    "find_seed",
    "html_page",
    "husky_game",
    "markdown",
    "reproduce",
    "write_report",
]
