"""Spots to train on: drawn from a strategy or from solutions, graded, and asked again in time.

>>> import random
>>> from riverboat.review import bot_grader
>>> deck = StrategyDeck("default", bot_grader("blueprint"))
>>> question = deck.draw(random.Random(1), Wanted(street="preflop"))
>>> question.street, len(question.options) > 2
('preflop', True)
"""

from riverboat.drill._decks import Deck, Question, SolutionDeck, StrategyDeck, Wanted, open_deck
from riverboat.drill._history import Answered, History, history_path
from riverboat.drill._schedule import rating_of
from riverboat.drill._trainer import Answer, Progress, Trainer, progress_of

__all__ = [
    "Answer",
    "Answered",
    "Deck",
    "History",
    "Progress",
    "Question",
    "SolutionDeck",
    "StrategyDeck",
    "Trainer",
    "Wanted",
    "history_path",
    "open_deck",
    "progress_of",
    "rating_of",
]
