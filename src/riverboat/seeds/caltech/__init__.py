"""Caltech: multithreaded external sampling, a floor that decays, starting weights, an ensemble.

Lin, "Multithread Monte Carlo Counterfactual Regret Minimization for Texas Heads Up No Limit
Poker". The setting and the published figures are in recipe.toml, what is said in report.md.j2.
"""

from riverboat.seeds._seed import Seed
from riverboat.seeds.caltech._experiments import STEPS, find
from riverboat.seeds.caltech._pictures import draw
from riverboat.seeds.caltech._recipe import Caltech
from riverboat.seeds.caltech._results import Found

__all__ = ["SEED"]

SEED = Seed(
    name="caltech",
    title="Caltech: threads, exploration decay, starting weights and an ensemble of four",
    line="external-sampling MCCFR for no-limit hold'em, tested against six variants of itself",
    steps=STEPS,
    minutes=(18.0, 1.5),
    memory_bytes=3_000_000_000,
    recipe=Caltech,
    found=Found,
    find=find,
    draw=draw,
)
