"""Cardiff: Monte-Carlo CFR to the flop, simulation after it (bachelor's thesis, 2025).

The setting and the published figures are in recipe.toml, what is said in report.md.j2.
"""

from riverboat.reproductions._seed import Seed
from riverboat.reproductions.cardiff._experiments import STEPS, find
from riverboat.reproductions.cardiff._pictures import draw
from riverboat.reproductions.cardiff._recipe import DATA

__all__ = ["SEED"]

#: `riverboat reproduce cardiff`.
SEED = Seed("cardiff", DATA, STEPS, find, draw)
