"""The demo: from nothing to a trained, measured, playable bot."""

from riverboat.seeds._seed import Seed
from riverboat.seeds.demo._experiments import STEPS, draw, find
from riverboat.seeds.demo._recipe import DATA

__all__ = ["SEED"]

SEED = Seed("demo", DATA, STEPS, find, draw)
