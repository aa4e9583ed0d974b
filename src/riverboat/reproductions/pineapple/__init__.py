"""Pineapple: CFR with average-strategy sampling for hold'em with discards (MIT Pokerbots 2017).

The setting and the published figures are in recipe.toml, the text of the report in report.md.j2.
"""

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions.pineapple import _comparisons, _own_game, _report, _training, _watching
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
        "own game": _own_game.train_own_games,
        "better": _comparisons.improve,
    },
    report=_report,
    setting=_comparisons.setting,
)
