"""Cardiff: Monte-Carlo CFR to the flop, simulation after it (bachelor's thesis, 2025).

Settings and published figures are in recipe.toml, the text of the report is in report.md.j2.
"""

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions._work import missing_engine
from riverboat.reproductions.cardiff import _matches, _report, _size, _training
from riverboat.reproductions.cardiff._recipe import DATA

__all__ = ["REPRODUCTION"]

REPRODUCTION = Reproduction(
    name="cardiff",
    recipe=DATA,
    steps={
        "training": _training.train_and_measure,
        "cleaning": _training.clean,
        "csv": _matches.play_from_csv,
        "table": _matches.play_table,
        "champion": _matches.play_champion,
        "simulation": _matches.play_simulations,
        "engine": _matches.play_in_engine,
        "reversed": _matches.explain_reversed,
        "streets": _training.measure_streets,
        "size": _size.measure_size,
        "rows": _training.count_rows,
        "precision": _training.compare_precision,
        "ideas": _matches.try_ideas,
    },
    report=_report,
    setting=_training.setting,
    needs={"engine": missing_engine},
)
