"""All experiments, step by step; a stopped run goes on with the step that it was at."""

from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions.husky._matches import play_bots, play_chain, play_killer, play_seats
from riverboat.reproductions.husky._recipe import DATA
from riverboat.reproductions.husky._results import Found, Setting
from riverboat.reproductions.husky._speed import measure_speeds
from riverboat.reproductions.husky._sweeps import (
    play_again,
    play_raises,
    play_several,
    play_sweeps,
    spread_of_optimum,
    sweep_in_engine,
)
from riverboat.reproductions.husky._translation import play_translation, train_both

STEPS = (
    "speed", "sweeps", "again", "opponents", "training", "translation", "killer", "history",
    "chain", "engine", "raises", "bots", "seats",
)  # fmt: skip


def find(run: ReproductionRun) -> Found:
    """Do all steps."""
    speeds = run.step("speed", measure_speeds, run)
    sweeps = run.step("sweeps", play_sweeps, run)
    again = run.step("again", play_again, run, sweeps)
    several = run.step("opponents", play_several, run)
    trained = run.step("training", train_both, run)
    games = int(DATA.published["games_a_point"].value)
    single = [plan.key for plan in DATA.sweeps if len(plan.optimum) == 1]
    return Found(
        _setting(run),
        speeds,
        sweeps,
        again,
        {key: spread_of_optimum(sweeps[key].games, games, run.seed) for key in single},
        several,
        trained,
        run.step("translation", play_translation, run, trained),
        run.step("killer", play_killer, run, DATA.killer.bot),
        run.step("history", play_killer, run, DATA.killer.history),
        run.step("chain", play_chain, run),
        sweep_in_engine(run),
        run.step("raises", play_raises, run),
        run.step("bots", play_bots, run, trained),
        run.step("seats", play_seats, run),
    )


def _setting(run: ReproductionRun) -> Setting:
    amounts = DATA.amounts(run)
    seats = amounts.speed_seats
    tables = tuple(len(names) for names in amounts.seated)
    return Setting(min(seats), max(seats), amounts.several.counts, tables)
