"""After a hand: what the bot would have done in the user's seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from riverboat.bots import BotRef, StrategyBot, make_bot
from riverboat.cards import cards_text
from riverboat.errors import RiverboatError
from riverboat.histories import record_of
from riverboat.learn import (
    Grade,
    SolveBudget,
    SolvedStore,
    bot_grader,
    decisions_of,
    review_hands,
    seat_grader,
    solve_review,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.bots import Bot
    from riverboat.game import GameSpec, Hand, View

_TWO: Final = 2
_DEFAULT: Final = "blueprint"
_BUDGET: Final = SolveBudget(turn_seconds=3.0, river_seconds=1.0)


class Choice(msgspec.Struct, frozen=True):
    """A decision of the user, compared with the bot."""

    street: str
    line: str
    board: str
    hole: str
    did: str
    by: str
    actions: dict[str, float]
    """The bot's probability of each action; empty if the bot cannot say it."""
    values: dict[str, float]
    """EV of each action in chips; empty if unknown, or if the action cost nothing."""
    loss: float | None
    """EV loss of the user's action in chips; None if unknown."""
    error: float
    """Standard error of the EV loss; 0 if it is exact."""
    reason: str
    """Why there are no probabilities."""
    pot: int
    to_call: int
    best: str
    """The action with the largest EV; empty if unknown."""
    tree_line: str
    """The line of the strategy's tree, for Study; empty if there is none."""


def in_my_seat(name: str, hand: Hand, seat: int) -> list[Choice]:
    """Compare the user's decisions in a finished hand with a bot, or with the default strategy.

    Parameters
    ----------
    name
        The bot. One that searches, and one without a strategy file, is replaced by the default
        strategy if that plays the game: it can grade, and answers at once. With three or more
        players the six-max strategy grades, if there is one.
    hand, seat
        The hand, and the user's seat.
    """
    decisions = decisions_of(hand, seat)
    if not decisions:
        return []
    if hand.players > _TWO:
        return _many_players(hand, seat, decisions)
    name = _judge(name, hand.spec)
    bot = make_bot(name, 0)
    return [_choice(bot, name, view, did) for view, did in decisions]


def _judge(name: str, spec: GameSpec) -> str:
    """Return the bot with which decisions are compared."""
    if spec.has_swaps:
        return name
    slow = BotRef.parse(name).name == "search"
    if not slow and bot_grader(name, spec) is not None:
        return name
    return _DEFAULT if seat_grader(_DEFAULT, spec) is not None else name


def _many_players(hand: Hand, seat: int, decisions: Sequence[tuple[View, str]]) -> list[Choice]:
    """Grade decisions by the six-max strategy; turns and rivers of two players are solved."""
    grader = seat_grader(_DEFAULT, hand.spec)
    if grader is None:
        reason = f"no installed strategy plays this table of {hand.players} players"
        grades = [Grade(did, reason=reason) for _, did in decisions]
    else:
        names = [f"seat {each}" for each in range(hand.players)]
        records = [record_of(hand, names=names)]
        review = review_hands(records, grader, player=names[seat])
        for step in solve_review(review, records, grader.query, SolvedStore(), _BUDGET):
            review = step.review
        grades = [each.grade for each in review.decisions]
    pairs = zip(decisions, grades, strict=True)
    return [_of_grade(_DEFAULT, view, grade, grade.actions) for (view, _), grade in pairs]


def _choice(bot: Bot, name: str, view: View, did: str) -> Choice:
    """Compare a decision with a bot; a grade needs its strategy file."""
    grader = None if view.spec.has_swaps else bot_grader(name, view.spec)
    try:
        grade = Grade(did) if grader is None else grader.grade(view, did)
        if grader is not None and not grade.graded:
            return _of_grade(name, view, grade, grade.actions)
        if isinstance(bot, StrategyBot):
            actions = {str(action): share for action, share in bot.strategy(view).items()}
            return _of_grade(name, view, grade, actions)
        reason = f"{name} does not report action probabilities"
    except RiverboatError as error:
        reason = str(error)
    return _of_grade(name, view, Grade(did, reason=reason), {})


def _of_grade(by: str, view: View, grade: Grade, actions: dict[str, float]) -> Choice:
    """Return a graded decision; one that is not graded has a reason."""
    best = max(grade.values, key=lambda action: grade.values[action], default="")
    return Choice(
        street=view.spec.street_names[view.street],
        line=view.line,
        board=cards_text(view.board),
        hole=cards_text(view.hole),
        did=grade.did,
        by=by,
        actions=actions,
        values=grade.values,
        loss=grade.loss if grade.graded else None,
        error=round(grade.error, 3),
        reason="" if grade.graded else grade.reason,
        pot=view.pot,
        to_call=view.to_call,
        best=best,
        tree_line=grade.line,
    )
