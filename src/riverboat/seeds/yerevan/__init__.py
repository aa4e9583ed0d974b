"""Yerevan: Pure CFR for limit hold'em, with isomorphism and buckets (thesis, 2018)."""

from collections.abc import Iterator
from functools import partial

from riverboat.report import Section
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._seed import Seed
from riverboat.seeds.yerevan.data import amounts
from riverboat.seeds.yerevan.exact import Exact, compare_exactly
from riverboat.seeds.yerevan.isomorphism import Isomorphism, compare_namings
from riverboat.seeds.yerevan.matches import Played, Rivals, play_limit, train_rivals
from riverboat.seeds.yerevan.same_time import SameTime, compare_at_size
from riverboat.seeds.yerevan.section_algorithms import exact_section, size_section
from riverboat.seeds.yerevan.section_cards import cards_section
from riverboat.seeds.yerevan.section_matches import matches_section
from riverboat.seeds.yerevan.section_results import summary_section, training_section
from riverboat.seeds.yerevan.section_setting import differs_section, setting_section
from riverboat.seeds.yerevan.speed import Speed, measure_speed
from riverboat.seeds.yerevan.training import Training, train_pure

__all__ = ["SEED"]


def _sections(run: Reproduction) -> Iterator[Section]:
    """Do all steps, and yield the report."""
    speed = run.step("speed", Speed, partial(measure_speed, run))
    training = run.step("training", Training, partial(train_pure, run))
    exact = run.step("equal time", Exact, partial(compare_exactly, run))
    same = run.step("many buckets", SameTime, partial(compare_at_size, run))
    cards = run.step("isomorphism", Isomorphism, partial(compare_namings, run))
    rivals = run.step("rivals", Rivals, partial(train_rivals, run))
    played = run.step("matches", Played, partial(play_limit, run))
    yield setting_section(run)
    yield summary_section(training, speed, exact, same, cards)
    yield training_section(run, training, speed)
    yield exact_section(run, exact)
    yield size_section(same, amounts(run).cards)
    yield cards_section(run, cards)
    yield matches_section(run, played, rivals)
    yield differs_section()


SEED = Seed(
    name="yerevan",
    title="Yerevan: Pure CFR for limit hold'em",
    line="a thesis: Pure CFR for two-player limit hold'em with card isomorphism and buckets",
    steps=("speed", "training", "equal time", "many buckets", "isomorphism", "rivals", "matches"),
    minutes=(9.0, 1.7),
    memory_bytes=2_500_000_000,
    sections=_sections,
)
