"""Caltech: multithreaded external sampling, a floor that decays, starting weights, an ensemble.

Lin, "Multithread Monte Carlo Counterfactual Regret Minimization for Texas Heads Up No Limit
Poker". The setting and the published figures are in recipe.toml.
"""

from collections.abc import Iterator

from riverboat.report import Section
from riverboat.seeds._run import Run
from riverboat.seeds._seed import Seed
from riverboat.seeds.caltech.choices_section import choices_section
from riverboat.seeds.caltech.differs import differs_section
from riverboat.seeds.caltech.ensemble_section import ensemble_section
from riverboat.seeds.caltech.fitting import Workshop
from riverboat.seeds.caltech.found import STEPS, find
from riverboat.seeds.caltech.summary import setting_section, summary_section
from riverboat.seeds.caltech.threads_section import threads_section
from riverboat.seeds.caltech.variant_sections import bot_section, members_section, probe_section

__all__ = ["SEED"]


def _sections(run: Run) -> Iterator[Section]:
    shop = Workshop(run)
    found = find(shop)
    yield setting_section(shop)
    yield summary_section(shop, found)
    yield threads_section(shop, found)
    yield choices_section(shop, found)
    yield ensemble_section(shop, found)
    yield bot_section(shop, found)
    yield members_section(shop, found)
    yield probe_section(shop, found)
    yield differs_section(shop, found)


SEED = Seed(
    name="caltech",
    title="Caltech: threads, exploration decay, starting weights and an ensemble of four",
    line="external-sampling MCCFR for no-limit hold'em, tested against six variants of itself",
    steps=STEPS,
    minutes=(18.0, 1.5),
    memory_bytes=3_000_000_000,
    sections=_sections,
)
