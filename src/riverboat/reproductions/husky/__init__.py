"""Husky: a fast engine, heuristic bots and their sweeps, a CFR bot, and Killer.

University of Washington, Computational Physics Journal Club, 2024. The setting and the published
figures are in recipe.toml, the text of the report in report.md.j2.
"""

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions._work import missing_engine
from riverboat.reproductions.husky import _matches, _report, _sweeps
from riverboat.reproductions.husky._recipe import DATA

__all__ = ["REPRODUCTION"]


def _setting(run: ReproductionRun) -> Found:
    """Return the settings of this run for the report."""
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
        "speed": _sweeps.measure_speeds,
        "sweeps": _sweeps.play_sweeps,
        "again": _sweeps.play_again,
        "opponents": _sweeps.play_several,
        "training": _matches.train_both,
        "translation": _matches.play_translation,
        "optimiser": _sweeps.optimise,
        "killer": _matches.play_killer,
        "history": _matches.play_history,
        "chain": _matches.play_chain,
        "engine": _sweeps.sweep_in_engine,
        "raises": _sweeps.play_raises,
        "bots": _matches.play_bots,
        "seats": _matches.play_seats,
    },
    report=_report,
    setting=_setting,
    needs={"engine": missing_engine},
)
