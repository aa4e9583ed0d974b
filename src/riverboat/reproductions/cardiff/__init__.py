"""Cardiff: Monte-Carlo CFR to the flop, simulation after it (bachelor's thesis, 2025).

The setting and the published figures are in recipe.toml, the text of the report in report.md.j2.
"""

from riverboat.reproductions._reproduction import Reproduction
from riverboat.reproductions._work import missing_engine
from riverboat.reproductions.cardiff._matches import (
    explain_reversed,
    play_champion,
    play_from_csv,
    play_in_engine,
    play_simulations,
    play_table,
    try_ideas,
)
from riverboat.reproductions.cardiff._recipe import DATA
from riverboat.reproductions.cardiff._report import WORDS, draw
from riverboat.reproductions.cardiff._training import (
    clean,
    compare_precision,
    count_rows,
    measure_streets,
    setting,
    train_and_measure,
)

__all__ = ["REPRODUCTION"]

REPRODUCTION = Reproduction(
    name="cardiff",
    recipe=DATA,
    steps={
        "training": train_and_measure,
        "cleaning": clean,
        "csv": play_from_csv,
        "table": play_table,
        "champion": play_champion,
        "simulation": play_simulations,
        "engine": play_in_engine,
        "reversed": explain_reversed,
        "streets": measure_streets,
        "rows": count_rows,
        "precision": compare_precision,
        "ideas": try_ideas,
    },
    draw=draw,
    setting=setting,
    needs={"engine": missing_engine},
    words=WORDS,
)
