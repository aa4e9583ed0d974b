"""Pineapple: CFR with average-strategy sampling for hold'em with discards (MIT Pokerbots 2017)."""

from collections.abc import Iterator

from riverboat.report import Section
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._seed import Seed
from riverboat.seeds.pineapple.all_in_section import all_in_section
from riverboat.seeds.pineapple.better import improve
from riverboat.seeds.pineapple.better_section import better_section
from riverboat.seeds.pineapple.closing import closing
from riverboat.seeds.pineapple.comparisons import (
    exact_section,
    samplings_section,
    settings_section,
)
from riverboat.seeds.pineapple.details import against_backup, discards, reached
from riverboat.seeds.pineapple.exact import measure_exactly
from riverboat.seeds.pineapple.matches import play_matches
from riverboat.seeds.pineapple.opening import setting, summary
from riverboat.seeds.pineapple.readings import read_bets
from riverboat.seeds.pineapple.samplings import compare_samplings
from riverboat.seeds.pineapple.settings import compare_settings
from riverboat.seeds.pineapple.swaps import time_swaps
from riverboat.seeds.pineapple.training import train
from riverboat.seeds.pineapple.watch import watch

__all__ = ["SEED"]


def _sections(run: Reproduction) -> Iterator[Section]:
    """Do all steps, then yield the report."""
    training = train(run)
    matches = play_matches(run, training)
    watching = watch(run, training)
    readings = read_bets(run, training)
    swaps = time_swaps(run)
    settings = compare_settings(run, training)
    samplings = compare_samplings(run)
    exact = measure_exactly(run)
    better = improve(run, training)
    yield setting(run)
    yield summary(training, matches, watching, swaps)
    yield reached(run, training, watching)
    yield against_backup(run, matches, training, readings)
    yield all_in_section(run, training, watching)
    yield samplings_section(run, samplings)
    yield exact_section(run, exact)
    yield settings_section(settings)
    yield discards(swaps, watching)
    yield better_section(run, better, matches)
    yield closing(matches)


SEED = Seed(
    name="pineapple",
    title="Pineapple: hold'em with discards, average-strategy sampling",
    line="MIT Pokerbots 2017: CFR for hold'em with discards, which lost to its own backup bot",
    steps=(
        "training", "matches", "watching", "readings", "swaps", "settings", "samplings", "exact",
        "better",
    ),
    minutes=(8.0, 2.0),
    memory_bytes=2_000_000_000,
    sections=_sections,
)  # fmt: skip
