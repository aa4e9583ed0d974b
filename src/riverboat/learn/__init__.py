"""Studying: opening charts, reviews of hands played, and a trainer that asks again in time.

>>> from riverboat.blueprint import Blueprint, default_blueprint
>>> charts = preflop_charts(Blueprint.open(default_blueprint()))
>>> charts[0].title, charts[0].actions
('SB, open', ('f', 'c', 'b25', 'b60', 'b1000'))
"""

from riverboat.learn._chart_files import (
    CHART_FILES,
    ChartBook,
    charts_csv,
    charts_html,
    charts_text,
    write_charts,
)
from riverboat.learn._charts import Chart, position_names, preflop_charts
from riverboat.learn._decks import Deck, Question, SolutionDeck, StrategyDeck, Wanted, open_deck
from riverboat.learn._grade import OWN_CHOICE, Grade, Grader
from riverboat.learn._hands import decisions_of, player_of, pot_type
from riverboat.learn._history import History
from riverboat.learn._luck import aivat_scorer, known_bot, luck_scorer
from riverboat.learn._review import (
    GradedDecision,
    Review,
    review_hands,
)
from riverboat.learn._review_page import review_html, write_review
from riverboat.learn._schedule import rating_of
from riverboat.learn._seat import bot_grader, file_grader, seat_grader
from riverboat.learn._solve import (
    SolveBudget,
    SolvedStore,
    can_solve,
    solve_decision,
    solve_street,
)
from riverboat.learn._solve_review import SolveProgress, solve_review
from riverboat.learn._sources import Source, ledger_hands, read_hands
from riverboat.learn._trainer import Answer, Progress, Trainer, progress_of

__all__ = [
    "CHART_FILES",
    "OWN_CHOICE",
    "Answer",
    "Chart",
    "ChartBook",
    "Deck",
    "Grade",
    "GradedDecision",
    "Grader",
    "History",
    "Progress",
    "Question",
    "Review",
    "SolutionDeck",
    "SolveBudget",
    "SolveProgress",
    "SolvedStore",
    "Source",
    "StrategyDeck",
    "Trainer",
    "Wanted",
    "aivat_scorer",
    "bot_grader",
    "can_solve",
    "charts_csv",
    "charts_html",
    "charts_text",
    "decisions_of",
    "file_grader",
    "known_bot",
    "ledger_hands",
    "luck_scorer",
    "open_deck",
    "player_of",
    "position_names",
    "pot_type",
    "preflop_charts",
    "progress_of",
    "rating_of",
    "read_hands",
    "review_hands",
    "review_html",
    "seat_grader",
    "solve_decision",
    "solve_review",
    "solve_street",
    "write_charts",
    "write_review",
]
