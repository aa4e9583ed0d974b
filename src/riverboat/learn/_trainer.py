"""The trainer: asks due questions first, then new ones; grades and saves the answers."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riverboat.errors import ReviewError, RiverboatError
from riverboat.learn._decks import Wanted
from riverboat.statistics import Estimate, mean_estimate, share_estimate

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.learn._decks import Deck, Question
    from riverboat.learn._grade import Grade, RatingName
    from riverboat.learn._history import Answered, History


class Answer(NamedTuple):
    """The grade of an answer."""

    grade: Grade
    rating: RatingName
    loss_bb: float | None
    error_bb: float
    due: datetime
    """When the question is due again."""


class Progress(NamedTuple):
    """Results of the answers of one street, or of all."""

    street: str
    answers: int
    as_strategy: Estimate
    """Fraction of answers that the strategy plays at least 1 % of the time."""
    loss_bb: Estimate
    """Mean EV loss per answer, big blinds."""
    lately: Estimate
    """Mean EV loss over the last 100 answers, big blinds."""

    def as_dict(self) -> dict[str, Any]:
        """Return the results as JSON values."""
        return {
            "street": self.street,
            "answers": self.answers,
            "as_strategy": self.as_strategy.as_values(),
            "loss_bb": self.loss_bb.as_values(),
            "lately_bb": self.lately.as_values(),
        }


class Trainer:
    """Asks questions, grades answers and saves them.

    Parameters
    ----------
    deck
        The source of questions.
    history
        The file of answers.
    wanted
        A filter of questions; None = any.
    seed
        Random seed of new questions; None = random.
    now
        The clock.
    """

    def __init__(
        self,
        deck: Deck,
        history: History,
        wanted: Wanted | None = None,
        seed: int | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.deck, self.history, self.wanted, self._now = deck, history, wanted or Wanted(), now
        self._random = random.Random(seed)  # noqa: S311 - draws questions, no secret

    def ask(self) -> tuple[Question, bool]:
        """Return the next question, and whether it was asked before."""
        for source, line, board, hole in self.history.due(self.deck.name, self._now()):
            try:
                question = self.deck.again(line, board, hole, source)
            except RiverboatError:
                continue  # the strategy has changed, or a solution was deleted
            if self.wanted.takes(question):
                return question, True
        return self.deck.draw(self._random, self.wanted), False

    def answer(self, question: Question, did: str) -> Answer:
        """Grade an answer and save it.

        Raises
        ------
        ReviewError
            If the answer cannot be graded; it is not saved then.
        """
        grade = self.deck.grade(question, did)
        if not grade.graded:
            raise ReviewError(grade.reason)
        rating, blind = grade.rating, question.big_blind
        loss = None if grade.loss is None else round(grade.loss / blind, 6)
        error = round(grade.error / blind, 6)
        answer = did, grade.frequency, loss, error
        due = self.history.add(question, answer, rating, self._now())
        return Answer(grade, rating, loss, error, due)

    def progress(self) -> list[Progress]:
        """Return the results of all answers, by street and in total."""
        return progress_of(self.history.answers())


def progress_of(answers: list[Answered]) -> list[Progress]:
    """Return the results of answers, by street and in total.

    Examples
    --------
    >>> progress_of([])[0].answers
    0
    """
    streets = list(dict.fromkeys(each.street for each in answers))
    rows = [(street, [a for a in answers if a.street == street]) for street in streets]
    return [_progress(street, own) for street, own in (*rows, ("all", answers))]


def _progress(street: str, answers: list[Answered]) -> Progress:
    own = sum(each.rating != "again" for each in answers)
    losses = np.array([each.loss_bb for each in answers if each.loss_bb is not None], float)
    return Progress(
        street,
        len(answers),
        share_estimate(own, len(answers)),
        mean_estimate(losses),
        mean_estimate(losses[-100:]),
    )
