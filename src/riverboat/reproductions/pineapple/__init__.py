"""Pineapple: CFR with average-strategy sampling for hold'em with discards (MIT Pokerbots 2017).

The setting and the published figures are in recipe.toml, what is said in report.md.j2.
"""

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions.pineapple._experiments import STEPS, find
from riverboat.reproductions.pineapple._pictures import draw
from riverboat.reproductions.pineapple._recipe import DATA

__all__ = ["REPRODUCTION"]

REPRODUCTION = Reproduction("pineapple", DATA, STEPS, find, draw)
