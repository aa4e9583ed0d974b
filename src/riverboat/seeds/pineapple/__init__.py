"""Pineapple: CFR with average-strategy sampling for hold'em with discards (MIT Pokerbots 2017).

The setting and the published figures are in recipe.toml, what is said in report.md.j2.
"""

from riverboat.seeds._seed import Seed
from riverboat.seeds.pineapple._experiments import STEPS, find
from riverboat.seeds.pineapple._pictures import draw
from riverboat.seeds.pineapple._recipe import Pineapple
from riverboat.seeds.pineapple._results import Found

__all__ = ["SEED"]

SEED = Seed(
    name="pineapple",
    title="Pineapple: hold'em with discards, average-strategy sampling",
    line="MIT Pokerbots 2017: CFR for hold'em with discards, which lost to its own backup bot",
    steps=STEPS,
    minutes=(8.0, 2.0),
    memory_bytes=2_000_000_000,
    recipe=Pineapple,
    found=Found,
    find=find,
    draw=draw,
)
