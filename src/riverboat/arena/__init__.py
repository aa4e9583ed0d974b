"""Who wins, by how much, and how surely.

>>> from riverboat.arena import play_match
>>> result = play_match(["random", "checkcall"], "leduc", hands=4000, seed=1)
>>> low, high = result.mbb_per_hand().interval  # thousandths of an ante a hand
>>> low < result.mbb_per_hand().mean < high
True
"""

from riverboat.arena.ledger import Entry, Ledger, ledger_path
from riverboat.arena.match import Match, MatchProgress, play_match, play_matches
from riverboat.arena.person import PersonLog
from riverboat.arena.power_law import PowerLaw, fit_power_law
from riverboat.arena.ratings import Rating, bradley_terry
from riverboat.arena.result import MatchResult
from riverboat.arena.sequence import ConfidenceSequence
from riverboat.arena.session import PlayedHand
from riverboat.arena.settings import BotMaker, MatchSettings
from riverboat.arena.statistics import Estimate, Share
from riverboat.arena.sweep import Point, Sweep
from riverboat.arena.tournament import Standing, TournamentResult, pairings

__all__ = [
    "BotMaker",
    "ConfidenceSequence",
    "Entry",
    "Estimate",
    "Ledger",
    "Match",
    "MatchProgress",
    "MatchResult",
    "MatchSettings",
    "PersonLog",
    "PlayedHand",
    "Point",
    "PowerLaw",
    "Rating",
    "Share",
    "Standing",
    "Sweep",
    "TournamentResult",
    "bradley_terry",
    "fit_power_law",
    "ledger_path",
    "pairings",
    "play_match",
    "play_matches",
]
