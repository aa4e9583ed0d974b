"""The demo: from nothing to a trained, measured, playable bot."""

from riverboat.seeds._seed import Seed
from riverboat.seeds.demo._experiments import STEPS, find
from riverboat.seeds.demo._pictures import draw
from riverboat.seeds.demo._recipe import Demo
from riverboat.seeds.demo._results import Found

__all__ = ["SEED"]

SEED = Seed(
    name="demo",
    title="A no-limit hold'em bot, from nothing",
    line="builds tables and buckets, trains the default bot, measures it",
    steps=STEPS,
    minutes=(4.0, 1.0),
    memory_bytes=1_500_000_000,
    recipe=Demo,
    found=Found,
    find=find,
    draw=draw,
)
