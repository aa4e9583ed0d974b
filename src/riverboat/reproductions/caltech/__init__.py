"""Caltech: multithreaded external sampling, a floor that decays, starting weights, an ensemble.

Lin, "Multithread Monte Carlo Counterfactual Regret Minimization for Texas Heads Up No Limit
Poker". The setting and the published figures are in recipe.toml, what is said in report.md.j2.
"""

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions.caltech._experiments import STEPS, find
from riverboat.reproductions.caltech._pictures import draw
from riverboat.reproductions.caltech._recipe import DATA

__all__ = ["REPRODUCTION"]

REPRODUCTION = Reproduction("caltech", DATA, STEPS, find, draw)
