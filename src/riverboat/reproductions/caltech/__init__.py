"""Caltech: multithreaded external sampling, a floor that decays, starting weights, an ensemble.

Lin, "Multithread Monte Carlo Counterfactual Regret Minimization for Texas Heads Up No Limit
Poker". The setting and the published figures are in recipe.toml, the text of the report in
report.md.j2.
"""

from functools import partial

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions.caltech._author import count_outcomes, fit_keyed, measure_forks
from riverboat.reproductions.caltech._matches import (
    play_default,
    play_duels,
    play_variants,
    setting,
)
from riverboat.reproductions.caltech._report import WORDS, draw
from riverboat.reproductions.caltech._training import (
    BOT,
    DATA,
    KEYED,
    combine_members,
    fit_one_thread,
    fit_strategy,
    measure_speed,
)

__all__ = ["REPRODUCTION"]

REPRODUCTION = Reproduction(
    name="caltech",
    recipe=DATA,
    steps={
        "speed": measure_speed,
        **{fit.name: partial(fit_strategy, fit) for fit in DATA.fit},
        "one-thread": fit_one_thread,
        BOT: combine_members,
        "outcomes": count_outcomes,
        "threads": measure_forks,
        KEYED: fit_keyed,
        "variants": play_variants,
        "duels": play_duels,
        "default": play_default,
    },
    draw=draw,
    setting=setting,
    words=WORDS,
)
