"""Husky: a fast engine, heuristic bots and their sweeps, a CFR bot, and Killer.

University of Washington, Computational Physics Journal Club, 2024.
"""

from riverboat.seeds._seed import Seed
from riverboat.seeds.husky.data import NAME
from riverboat.seeds.husky.report import sections

__all__ = ["SEED"]

SEED = Seed(
    name=NAME,
    title="Husky: engine, heuristic bots, a CFR bot and Killer",
    line="thresholds swept against simple bots, a bot that learns while it plays",
    steps=(
        "speed",
        "sweeps",
        "again",
        "opponents",
        "training",
        "translation",
        "killer",
        "bots",
        "seats",
    ),
    minutes=(15.0, 2.2),
    memory_bytes=1_500_000_000,
    sections=sections,
)
