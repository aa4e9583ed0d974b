"""Hands beside a strategy: what it would have done, and what each choice cost.

>>> from riverboat.blueprint import Blueprint, default_blueprint
>>> from riverboat.game import Hand
>>> blueprint = Blueprint.open(default_blueprint())
>>> grader = Grader(blueprint.query(threshold=blueprint.threshold))
>>> grader.grade(Hand(blueprint.tree.spec, hole=["AhAd", "7c2d"]).view(0), "b25").loss
0.0
"""

from riverboat.review._grade import OWN_CHOICE, Grade, Grader, GradeSource
from riverboat.review._hands import OwnHand, decisions_of, player_of, pot_type
from riverboat.review._luck import aivat_scorer, known_bot, luck_scorer
from riverboat.review._page import review_html, write_review
from riverboat.review._review import (
    Decision,
    Review,
    ReviewedHand,
    StreetTotal,
    review_hands,
)
from riverboat.review._seat import bot_grader, file_grader, seat_grader
from riverboat.review._solve import (
    SolveBudget,
    SolvedStore,
    can_solve,
    solve_decision,
    solve_street,
)
from riverboat.review._solve_review import SolveProgress, solve_review
from riverboat.review._sources import Source, ledger_hands, read_hands

__all__ = [
    "OWN_CHOICE",
    "Decision",
    "Grade",
    "GradeSource",
    "Grader",
    "OwnHand",
    "Review",
    "ReviewedHand",
    "SolveBudget",
    "SolveProgress",
    "SolvedStore",
    "Source",
    "StreetTotal",
    "aivat_scorer",
    "bot_grader",
    "can_solve",
    "decisions_of",
    "file_grader",
    "known_bot",
    "ledger_hands",
    "luck_scorer",
    "player_of",
    "pot_type",
    "read_hands",
    "review_hands",
    "review_html",
    "seat_grader",
    "solve_decision",
    "solve_review",
    "solve_street",
    "write_review",
]
