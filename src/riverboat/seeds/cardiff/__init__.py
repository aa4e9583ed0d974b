"""Cardiff: Monte-Carlo CFR to the flop, simulation after it (bachelor's thesis, 2025).

The setting and the published figures are in recipe.toml, what is said in report.md.j2.
"""

from riverboat.seeds._seed import Seed
from riverboat.seeds.cardiff._experiments import STEPS, find
from riverboat.seeds.cardiff._pictures import draw
from riverboat.seeds.cardiff._recipe import DATA

__all__ = ["SEED"]

#: `riverboat reproduce cardiff`.
SEED = Seed("cardiff", DATA, STEPS, find, draw)
