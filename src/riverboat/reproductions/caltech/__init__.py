"""Caltech: multithreaded external sampling, a floor that decays, starting weights, an ensemble.

Lin, "Multithread Monte Carlo Counterfactual Regret Minimization for Texas Heads Up No Limit
Poker". Settings and published figures are in recipe.toml, the text of the report is in
report.md.j2.
"""

from functools import partial

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions.caltech import _experiments, _report, _training
from riverboat.reproductions.caltech._training import BOT, CAPPED, DATA

__all__ = ["REPRODUCTION"]

REPRODUCTION = Reproduction(
    name="caltech",
    recipe=DATA,
    steps={
        "outcomes": _experiments.count_outcomes,
        "speed": _training.measure_speed,
        "threads": _experiments.measure_forks,
        **{fit.name: partial(_training.fit_strategy, fit) for fit in DATA.fit},
        "one-thread": _training.fit_one_thread,
        BOT: _training.combine_members,
        CAPPED: _training.fit_capped,
        "variants": _experiments.play_variants,
        "strengths": _experiments.play_strengths,
        "duels": _experiments.play_duels,
        "default": _experiments.play_default,
    },
    report=_report,
    setting=_experiments.setting,
)
