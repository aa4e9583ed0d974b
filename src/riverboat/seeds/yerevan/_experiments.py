"""All experiments, step by step; a stopped run goes on with the step that it was at."""

from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.yerevan._algorithms import compare_at_size, compare_exactly
from riverboat.seeds.yerevan._cards import compare_namings
from riverboat.seeds.yerevan._matches import play_limit, rivals_of, train_rivals
from riverboat.seeds.yerevan._results import Found, Setting
from riverboat.seeds.yerevan._training import measure_speed, train_pure

STEPS = ("speed", "training", "equal time", "many buckets", "isomorphism", "rivals", "matches")


def find(run: Reproduction) -> Found:
    """Do all steps."""
    return Found(
        Setting(tuple(rival.name for rival in rivals_of(run))),
        run.step("speed", measure_speed, run),
        run.step("training", train_pure, run),
        run.step("equal time", compare_exactly, run),
        run.step("many buckets", compare_at_size, run),
        run.step("isomorphism", compare_namings, run),
        run.step("rivals", train_rivals, run),
        run.step("matches", play_limit, run),
    )
