"""Yerevan: Pure CFR for limit hold'em, with isomorphism and buckets (thesis, 2018).

The setting and the published figures are in recipe.toml, what is said in report.md.j2.
"""

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions.yerevan._experiments import STEPS, find
from riverboat.reproductions.yerevan._pictures import draw
from riverboat.reproductions.yerevan._recipe import DATA

__all__ = ["REPRODUCTION"]

REPRODUCTION = Reproduction("yerevan", DATA, STEPS, find, draw)
