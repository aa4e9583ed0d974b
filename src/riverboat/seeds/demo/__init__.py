"""The demo: from nothing to a trained, measured, playable bot."""

from collections.abc import Iterable

from riverboat.report import Section
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._seed import Seed
from riverboat.seeds.demo.steps import build_cards, play_bots, train_default
from riverboat.seeds.demo.view import cards_section, matches_section, training_section

__all__ = ["SEED"]


def _sections(run: Reproduction) -> Iterable[Section]:
    cards, setup = build_cards(run)
    yield cards_section(cards)
    yield training_section(run, train_default(run, setup))
    yield matches_section(run, play_bots(run))


SEED = Seed(
    name="demo",
    title="A no-limit hold'em bot, from nothing",
    line="builds tables and buckets, trains the default bot, measures it",
    steps=("cards", "training", "matches"),
    minutes=(4.0, 1.0),
    memory_bytes=1_500_000_000,
    sections=_sections,
)
