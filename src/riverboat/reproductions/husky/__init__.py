"""Husky: a fast engine, heuristic bots and their sweeps, a CFR bot, and Killer.

University of Washington, Computational Physics Journal Club, 2024. The setting and the published
figures are in recipe.toml, what is said in report.md.j2.
"""

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions.husky._experiments import STEPS, find
from riverboat.reproductions.husky._pictures import draw
from riverboat.reproductions.husky._recipe import DATA

__all__ = ["REPRODUCTION"]

REPRODUCTION = Reproduction("husky", DATA, STEPS, find, draw)
