"""The demo: from nothing to a trained, measured, playable bot."""

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions.demo._experiments import STEPS, draw, find
from riverboat.reproductions.demo._recipe import DATA

__all__ = ["REPRODUCTION"]

REPRODUCTION = Reproduction("demo", DATA, STEPS, find, draw)
