"""When a question comes again: the FSRS algorithm of the package `fsrs`, untouched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from fsrs import Card, Rating, Scheduler

from riverboat.learn._grade import OWN_CHOICE

if TYPE_CHECKING:
    from datetime import datetime

    from riverboat.learn._grade import Grade

RatingName = Literal["again", "hard", "good"]
_RATINGS: Final = {"again": Rating.Again, "hard": Rating.Hard, "good": Rating.Good}
#: From here on a choice is the strategy's main one.
_MAIN: Final = 0.5


def rating_of(grade: Grade) -> RatingName:
    """Return how well a question was answered.

    `good` is what the strategy does in at least half of the cases, `hard` what it does, too, and
    `again` what it does not do.

    Examples
    --------
    >>> from riverboat.learn import Grade
    >>> [rating_of(Grade("c", True, frequency=share)) for share in (0.8, 0.2, 0.0)]
    ['good', 'hard', 'again']
    """
    if grade.frequency >= _MAIN:
        return "good"
    return "hard" if grade.frequency >= OWN_CHOICE else "again"


def next_card(card: str, rating: RatingName, now: datetime) -> tuple[str, datetime]:
    """Return a question's memory after an answer, and when it is due.

    Parameters
    ----------
    card
        The memory as text; empty of a new question.
    rating, now
        How well, and when it was answered; UTC.
    """
    before = Card.from_json(card) if card else Card(card_id=1, due=now)
    after, _ = Scheduler(enable_fuzzing=False).review_card(before, _RATINGS[rating], now)
    return after.to_json(), after.due
