"""Husky: a fast engine, heuristic bots and their sweeps, a CFR bot, and Killer.

University of Washington, Computational Physics Journal Club, 2024. The setting and the published
figures are in recipe.toml, the text of the report in report.md.j2.
"""

from functools import partial

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions._rows import Found
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions._work import missing_engine
from riverboat.reproductions.husky._matches import (
    play_bots,
    play_chain,
    play_killer,
    play_seats,
    play_translation,
    train_both,
)
from riverboat.reproductions.husky._recipe import DATA
from riverboat.reproductions.husky._report import WORDS, draw
from riverboat.reproductions.husky._sweeps import (
    measure_speeds,
    play_again,
    play_raises,
    play_several,
    play_sweeps,
    sweep_in_engine,
)

__all__ = ["REPRODUCTION"]


def _setting(run: ReproductionRun) -> Found:
    """Return what this run played."""
    amounts = DATA.amounts(run)
    return Found(
        fewest_seats=min(amounts.speed_seats),
        most_seats=max(amounts.speed_seats),
        opponents=amounts.several.counts,
        tables=tuple(len(names) for names in amounts.seated),
    )


REPRODUCTION = Reproduction(
    name="husky",
    recipe=DATA,
    steps={
        "speed": measure_speeds,
        "sweeps": play_sweeps,
        "again": play_again,
        "opponents": play_several,
        "training": train_both,
        "translation": play_translation,
        "killer": partial(play_killer, DATA.killer.bot),
        "history": partial(play_killer, DATA.killer.history),
        "chain": play_chain,
        "engine": sweep_in_engine,
        "raises": play_raises,
        "bots": play_bots,
        "seats": play_seats,
    },
    draw=draw,
    setting=_setting,
    needs={"engine": missing_engine},
    words=WORDS,
)
