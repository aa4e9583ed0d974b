"""Cardiff: Monte-Carlo CFR to the flop, simulation after it (bachelor's thesis, 2025).

The setting and the published figures are in recipe.toml, what is said in report.md.j2.
"""

from riverboat.seeds._seed import Seed
from riverboat.seeds.cardiff._experiments import STEPS, find
from riverboat.seeds.cardiff._pictures import draw
from riverboat.seeds.cardiff._recipe import Cardiff
from riverboat.seeds.cardiff._results import Found

__all__ = ["SEED"]

#: `riverboat reproduce cardiff`.
SEED = Seed(
    name="cardiff",
    title="Cardiff: Monte-Carlo CFR to the flop, simulation after it",
    line="chance-sampled CFR on a two-street toy game, a CSV strategy, seven bots at a table",
    steps=STEPS,
    minutes=(10.0, 2.2),
    memory_bytes=2_500_000_000,
    recipe=Cardiff,
    found=Found,
    find=find,
    draw=draw,
)
