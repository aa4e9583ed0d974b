"""The five seeds, reproduced: recipes as data, and reports of what was computed.

>>> from riverboat.recipes import SEEDS
>>> SEEDS
('cardiff', 'pineapple', 'yerevan', 'husky', 'caltech')
"""

from riverboat.recipes.html import html_page
from riverboat.recipes.markdown import markdown
from riverboat.recipes.report import (
    Compared,
    Comparison,
    Part,
    Picture,
    Report,
    Section,
    Table,
    Text,
)
from riverboat.recipes.reproduce import SEEDS, find_seed, reproduce, write_report
from riverboat.recipes.run import Effort, Run, Standing
from riverboat.recipes.seed import Seed

__all__ = [
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
    "markdown",
    "reproduce",
    "write_report",
]
