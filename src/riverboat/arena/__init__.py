"""Matches, tournaments and sweeps of bots, with confidence intervals.

>>> from riverboat.arena import play_match
>>> result = play_match(["random", "checkcall"], "leduc", hands=4000, seed=1)
>>> low, high = result.mbb_per_hand().interval  # thousandths of an ante per hand
>>> low < result.mbb_per_hand().mean < high
True
"""

from riverboat.arena._aivat import strategy_files
from riverboat.arena._chair import Chair, play_hand, safe_move
from riverboat.arena._deal_seed import DealSeed, Dealt
from riverboat.arena._ledger import Entry, Ledger
from riverboat.arena._match import Match, finish_matches, play_match, play_matches
from riverboat.arena._person import PersonLog, PersonTable, payoffs_of, pots_left
from riverboat.arena._plots import (
    check_plot_path,
    check_sweep_plot,
    plot_cross_table,
    plot_match,
    plot_sweeps,
)
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
from riverboat.arena._settings import MOST_HANDS, BotMaker, MatchSettings, bot_name, is_outside
from riverboat.arena._sweep import Sweep, SweepPoints, parse_grid
from riverboat.arena._tables import build_tables, missing_tables
from riverboat.arena._tournament import Standing, TournamentResult, pairings
from riverboat.arena._verdict import Verdict

__all__ = [
    "MOST_HANDS",
    "BotMaker",
    "Chair",
    "DealSeed",
    "Dealt",
    "Entry",
    "HandLog",
    "Ledger",
    "Match",
    "MatchResult",
    "MatchSettings",
    "PersonLog",
    "PersonTable",
    "PlayedHand",
    "SessionResult",
    "Standing",
    "Sweep",
    "SweepPoints",
    "TournamentResult",
    "Verdict",
    "bot_name",
    "build_tables",
    "check_plot_path",
    "check_sweep_plot",
    "expected_payoffs",
    "fewer_seats",
    "finish_matches",
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
    "pots_left",
    "refuse_chairs",
    "safe_move",
    "strategy_files",
    "sum_up",
    "unit_of",
]
