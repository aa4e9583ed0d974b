"""Pineapple: CFR with average-strategy sampling for hold'em with discards (MIT Pokerbots 2017).

The setting and the published figures are in recipe.toml, the text of the report in report.md.j2.
"""

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions.pineapple import (
    _backup_map,
    _comparisons,
    _other_games,
    _report,
    _training,
    _watching,
)
from riverboat.reproductions.pineapple._training import DATA

__all__ = ["REPRODUCTION"]

REPRODUCTION = Reproduction(
    name="pineapple",
    recipe=DATA,
    steps={
        "training": _training.train,
        "matches": _comparisons.play_matches,
        "watching": _watching.watch,
        "readings": _watching.read_bets,
        "swaps": _comparisons.time_swaps,
        "settings": _comparisons.compare_settings,
        "samplings": _comparisons.compare_samplings,
        "exact": _comparisons.measure_exactly,
        "others": _other_games.train_other_games,
        "better": _comparisons.improve,
        "map": _backup_map.play_map,
    },
    report=_report,
    setting=_comparisons.setting,
)
