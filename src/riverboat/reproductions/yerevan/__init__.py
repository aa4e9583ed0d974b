"""Yerevan: Pure CFR for limit hold'em, with isomorphism and buckets (thesis, 2018).

The setting and the published figures are in recipe.toml, the text of the report in report.md.j2.
"""

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions.yerevan import _as_written, _cards, _experiments, _report, _training
from riverboat.reproductions.yerevan._training import DATA

__all__ = ["REPRODUCTION"]

REPRODUCTION = Reproduction(
    name="yerevan",
    recipe=DATA,
    steps={
        "speed": _training.measure_speed,
        "training": _training.train_pure,
        "equal time": _experiments.compare_exactly,
        "as written": _as_written.compare_as_written,
        "many buckets": _experiments.compare_at_size,
        "three players": _experiments.compare_three_handed,
        "isomorphism": _cards.compare_namings,
        "rivals": _experiments.train_rivals,
        "matches": _experiments.play_limit,
    },
    report=_report,
    setting=_experiments.setting,
)
