"""Husky: a fast engine, heuristic bots and their sweeps, a CFR bot, and Killer.

University of Washington, Computational Physics Journal Club, 2024. The setting and the published
figures are in recipe.toml, what is said in report.md.j2.
"""

from riverboat.seeds._seed import Seed
from riverboat.seeds.husky._experiments import STEPS, find
from riverboat.seeds.husky._pictures import draw
from riverboat.seeds.husky._recipe import Husky
from riverboat.seeds.husky._results import Found

__all__ = ["SEED"]

SEED = Seed(
    name="husky",
    title="Husky: engine, heuristic bots, a CFR bot and Killer",
    line="thresholds swept against simple bots, a bot that learns while it plays",
    steps=STEPS,
    minutes=(15.0, 2.2),
    memory_bytes=1_500_000_000,
    recipe=Husky,
    found=Found,
    find=find,
    draw=draw,
)
