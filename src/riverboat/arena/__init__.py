"""Who wins, by how much, and how surely.

>>> from riverboat.arena import play_match
>>> result = play_match(["random", "checkcall"], "leduc", hands=4000, seed=1)
>>> low, high = result.mbb_per_hand().interval  # thousandths of an ante a hand
>>> low < result.mbb_per_hand().mean < high
True
"""

from riverboat.arena._aivat import strategy_files
from riverboat.arena._chair import (
    ILLEGAL,
    Chair,
    begin_hand,
    end_hand,
    play_hand,
    safe_move,
)
from riverboat.arena._deal_seed import DealSeed, Dealt
from riverboat.arena._ledger import Entry, Ledger
from riverboat.arena._match import (
    Match,
    finish_matches,
    play_match,
    play_matches,
)
from riverboat.arena._person import PersonLog, PersonTable, payoffs_of, pots_left
from riverboat.arena._plots import (
    check_plot_path,
    check_sweep_plot,
    plot_cross_table,
    plot_match,
    plot_sweeps,
)
from riverboat.arena._ratings import bradley_terry
from riverboat.arena._result import MatchResult, unit_of
from riverboat.arena._run_outs import expected_payoffs
from riverboat.arena._session import (
    HandLog,
    PlayedHand,
    SessionResult,
    fewer_seats,
    make_player,
    refuse_chairs,
    sum_up,
)
from riverboat.arena._settings import (
    MOST_HANDS,
    BotMaker,
    MatchSettings,
    bot_name,
    is_outside,
    with_deal_seed,
)
from riverboat.arena._sweep import (
    Point,
    Sweep,
    SweepPoints,
    as_good_as_best,
    best_point,
    parse_grid,
    point_values,
)
from riverboat.arena._tables import build_tables, missing_tables
from riverboat.arena._tournament import Standing, TournamentResult, pairings
from riverboat.arena._verdict import Verdict
from riverboat.statistics import ConfidenceSequence, Estimate, PowerLaw, fit_power_law

__all__ = [
    "ILLEGAL",
    "MOST_HANDS",
    "BotMaker",
    "Chair",
    "ConfidenceSequence",
    "DealSeed",
    "Dealt",
    "Entry",
    "Estimate",
    "HandLog",
    "Ledger",
    "Match",
    "MatchResult",
    "MatchSettings",
    "PersonLog",
    "PersonTable",
    "PlayedHand",
    "Point",
    "PowerLaw",
    "SessionResult",
    "Standing",
    "Sweep",
    "SweepPoints",
    "TournamentResult",
    "Verdict",
    "as_good_as_best",
    "begin_hand",
    "best_point",
    "bot_name",
    "bradley_terry",
    "build_tables",
    "check_plot_path",
    "check_sweep_plot",
    "end_hand",
    "expected_payoffs",
    "fewer_seats",
    "finish_matches",
    "fit_power_law",
    "is_outside",
    "make_player",
    "missing_tables",
    "pairings",
    "parse_grid",
    "payoffs_of",
    "play_hand",
    "play_match",
    "play_matches",
    "plot_cross_table",
    "plot_match",
    "plot_sweeps",
    "point_values",
    "pots_left",
    "refuse_chairs",
    "safe_move",
    "strategy_files",
    "sum_up",
    "unit_of",
    "with_deal_seed",
]
