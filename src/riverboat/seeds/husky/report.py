"""The report: setting, summary, details, and what differs."""

from collections.abc import Iterator

from riverboat.report import Section
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.husky.cfr_report import cfr_section, translation_section
from riverboat.seeds.husky.closing import differences_section
from riverboat.seeds.husky.data import husky
from riverboat.seeds.husky.killer import play_killer
from riverboat.seeds.husky.killer_report import killer_section
from riverboat.seeds.husky.opponents import play_opponents
from riverboat.seeds.husky.opponents_report import opponents_section
from riverboat.seeds.husky.seats import play_seats
from riverboat.seeds.husky.speed import measure_speeds
from riverboat.seeds.husky.speed_report import speed_section
from riverboat.seeds.husky.summary import setting_section, summary_section
from riverboat.seeds.husky.sweep_report import claim_section, sweep_section
from riverboat.seeds.husky.sweeps import Swept, play_again, play_sweeps
from riverboat.seeds.husky.table import play_table
from riverboat.seeds.husky.table_report import bots_section, seats_section
from riverboat.seeds.husky.training import train_both
from riverboat.seeds.husky.translation import play_translation

__all__ = ["sections"]


def sections(run: Reproduction) -> Iterator[Section]:
    """Do all steps, then tell what was found."""
    speeds = measure_speeds(run)
    grids = play_sweeps(run)
    again = play_again(run, grids)
    swept = [Swept.of(grid, pair) for grid, pair in zip(grids, again.sweeps, strict=True)]
    many = play_opponents(run)
    both = train_both(run)
    translated = play_translation(run, both)
    learnt = play_killer(run)
    ranking = play_table(run, both)
    seated = play_seats(run)
    yield setting_section(run)
    yield summary_section(speeds, swept, many, learnt)
    yield speed_section(run, speeds)
    for plan, each in zip(husky().sweeps, swept, strict=True):
        yield sweep_section(run, plan, each)
    yield claim_section(again.claim)
    yield opponents_section(run, many)
    yield cfr_section(both)
    yield translation_section(run, translated)
    yield killer_section(run, learnt)
    yield bots_section(run, swept, ranking)
    yield seats_section(run, seated)
    yield differences_section()
