"""Cardiff: Monte-Carlo CFR to the flop, simulation after it (bachelor's thesis, 2025).

The setting and the published figures are in recipe.toml, what is said in report.md.j2.
"""

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions.cardiff._experiments import STEPS, find
from riverboat.reproductions.cardiff._pictures import draw
from riverboat.reproductions.cardiff._recipe import DATA

__all__ = ["REPRODUCTION"]

#: `riverboat reproduce cardiff`.
REPRODUCTION = Reproduction("cardiff", DATA, STEPS, find, draw)
