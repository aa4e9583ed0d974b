"""All experiments, step by step; a stopped run goes on with the step that it was at."""

from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Trained
from riverboat.seeds.yerevan._algorithms import compare_at_size, compare_exactly
from riverboat.seeds.yerevan._cards import compare_namings
from riverboat.seeds.yerevan._matches import play_limit, rivals_of, train_rivals
from riverboat.seeds.yerevan._results import (
    Exact,
    Found,
    Isomorphism,
    Played,
    SameTime,
    Setting,
    Speed,
    Training,
)
from riverboat.seeds.yerevan._training import measure_speed, train_pure

__all__ = ["STEPS", "find"]

STEPS = ("speed", "training", "equal time", "many buckets", "isomorphism", "rivals", "matches")


def find(run: Reproduction) -> Found:
    """Do all steps."""
    return Found(
        Setting(tuple(rival.name for rival in rivals_of(run))),
        run.step("speed", Speed, lambda: measure_speed(run)),
        run.step("training", Training, lambda: train_pure(run)),
        run.step("equal time", Exact, lambda: compare_exactly(run)),
        run.step("many buckets", SameTime, lambda: compare_at_size(run)),
        run.step("isomorphism", Isomorphism, lambda: compare_namings(run)),
        run.step("rivals", dict[str, Trained], lambda: train_rivals(run)),
        run.step("matches", Played, lambda: play_limit(run)),
    )
