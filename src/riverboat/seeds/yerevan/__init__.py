"""Yerevan: Pure CFR for limit hold'em, with isomorphism and buckets (thesis, 2018).

The setting and the published figures are in recipe.toml, what is said in report.md.j2.
"""

from riverboat.seeds._seed import Seed
from riverboat.seeds.yerevan._experiments import STEPS, find
from riverboat.seeds.yerevan._pictures import draw
from riverboat.seeds.yerevan._recipe import Yerevan
from riverboat.seeds.yerevan._results import Found

__all__ = ["SEED"]

SEED = Seed(
    name="yerevan",
    title="Yerevan: Pure CFR for limit hold'em",
    line="a thesis: Pure CFR for two-player limit hold'em with card isomorphism and buckets",
    steps=STEPS,
    minutes=(9.0, 1.7),
    memory_bytes=2_500_000_000,
    recipe=Yerevan,
    found=Found,
    find=find,
    draw=draw,
)
