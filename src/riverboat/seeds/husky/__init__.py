"""Husky: a fast engine, heuristic bots and their sweeps, a CFR bot, and Killer.

University of Washington, Computational Physics Journal Club, 2024. The setting and the published
figures are in recipe.toml, what is said in report.md.j2.
"""

from riverboat.seeds._seed import Seed
from riverboat.seeds.husky._experiments import STEPS, find
from riverboat.seeds.husky._pictures import draw
from riverboat.seeds.husky._recipe import DATA

__all__ = ["SEED"]

SEED = Seed("husky", DATA, STEPS, find, draw)
