"""Yerevan: Pure CFR for limit hold'em, with isomorphism and buckets (thesis, 2018).

The setting and the published figures are in recipe.toml, the text of the report in report.md.j2.
"""

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions.yerevan._cards import compare_namings
from riverboat.reproductions.yerevan._experiments import (
    compare_at_size,
    compare_exactly,
    compare_three_handed,
    play_limit,
    setting,
    train_rivals,
)
from riverboat.reproductions.yerevan._report import WORDS, draw
from riverboat.reproductions.yerevan._training import DATA, measure_speed, train_pure

__all__ = ["REPRODUCTION"]

REPRODUCTION = Reproduction(
    name="yerevan",
    recipe=DATA,
    steps={
        "speed": measure_speed,
        "training": train_pure,
        "equal time": compare_exactly,
        "many buckets": compare_at_size,
        "three players": compare_three_handed,
        "isomorphism": compare_namings,
        "rivals": train_rivals,
        "matches": play_limit,
    },
    draw=draw,
    setting=setting,
    words=WORDS,
)
