"""Pineapple: CFR with average-strategy sampling for hold'em with discards (MIT Pokerbots 2017).

The setting and the published figures are in recipe.toml, the text of the report in report.md.j2.
"""

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions.pineapple._comparisons import (
    compare_samplings,
    compare_settings,
    improve,
    measure_exactly,
    play_matches,
    setting,
    time_swaps,
)
from riverboat.reproductions.pineapple._own_game import train_own_games
from riverboat.reproductions.pineapple._report import WORDS, draw
from riverboat.reproductions.pineapple._training import DATA, train
from riverboat.reproductions.pineapple._watching import read_bets, watch

__all__ = ["REPRODUCTION"]

REPRODUCTION = Reproduction(
    name="pineapple",
    recipe=DATA,
    steps={
        "training": train,
        "matches": play_matches,
        "watching": watch,
        "readings": read_bets,
        "swaps": time_swaps,
        "settings": compare_settings,
        "samplings": compare_samplings,
        "exact": measure_exactly,
        "own game": train_own_games,
        "better": improve,
    },
    draw=draw,
    setting=setting,
    words=WORDS,
)
