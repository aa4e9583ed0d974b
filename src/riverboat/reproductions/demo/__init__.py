"""The demo: from nothing to a trained, measured, playable bot."""

from riverboat.reproductions._seed import Seed
from riverboat.reproductions.demo._experiments import STEPS, draw, find
from riverboat.reproductions.demo._recipe import DATA

__all__ = ["SEED"]

SEED = Seed("demo", DATA, STEPS, find, draw)
