"""Learning tools: preflop charts, reviews of hand histories, and a spaced-repetition trainer.

>>> from riverboat.blueprint import Blueprint, default_blueprint
>>> charts = preflop_charts(Blueprint.open(default_blueprint()))
>>> charts[0].title, charts[0].actions
('SB, open', ('f', 'c', 'b25', 'b60', 'b1000'))
"""

from riverboat.learn._bots import (
    bot_grader,
    file_grader,
    known_bot,
    luck_needs_table,
    luck_scorer,
    results_without_luck,
    seat_grader,
)
from riverboat.learn._charts import (
    CHART_FILES,
    Chart,
    ChartBook,
    charts_html,
    preflop_charts,
    write_charts,
)
from riverboat.learn._decks import Deck, Question, SolutionDeck, StrategyDeck, Wanted, open_deck
from riverboat.learn._grade import OWN_CHOICE, Grade, Grader
from riverboat.learn._hands import Source, decisions_of, read_hands
from riverboat.learn._history import History
from riverboat.learn._push_fold import PushFold, push_fold_depth, solve_push_fold
from riverboat.learn._review import GradedDecision, Review, review_hands, write_review
from riverboat.learn._solve import SolveBudget, SolvedStore
from riverboat.learn._solve_review import SolveProgress, solve_review
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
    "PushFold",
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
    "bot_grader",
    "charts_html",
    "decisions_of",
    "file_grader",
    "known_bot",
    "luck_needs_table",
    "luck_scorer",
    "open_deck",
    "preflop_charts",
    "progress_of",
    "push_fold_depth",
    "read_hands",
    "results_without_luck",
    "review_hands",
    "seat_grader",
    "solve_push_fold",
    "solve_review",
    "write_charts",
    "write_review",
]
