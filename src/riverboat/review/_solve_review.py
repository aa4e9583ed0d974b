"""A review's decisions on turn and river, solved one after the other, the dearest first."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from riverboat.errors import GpuError
from riverboat.game import Hand
from riverboat.review._solve import (
    SolveBudget,
    can_solve,
    solve_decision,
    solve_key,
    solve_together,
    solved_or_not,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riverboat.blueprint import Query
    from riverboat.game import View
    from riverboat.histories import HandRecord
    from riverboat.review._grade import Grade
    from riverboat.review._review import Decision, Review
    from riverboat.review._solve import SolvedStore

__all__ = ["SolveProgress", "solve_review"]

#: Decisions that a graphics card solves at once.
_TOGETHER: Final = 64


class SolveProgress(NamedTuple):
    """How far it is, and the review as it stands."""

    done: int
    total: int
    review: Review


def solve_review(
    review: Review,
    records: Sequence[HandRecord],
    query: Query,
    store: SolvedStore,
    budget: SolveBudget | None = None,
) -> Iterator[SolveProgress]:
    """Solve the decisions of heads-up pots on turn and river; yield after each.

    Whoever stops keeps what is solved: the store has it when it is asked again.

    Parameters
    ----------
    review, records
        What was reviewed, and the hands themselves.
    query
        The strategy.
    store
        Where solved decisions are kept.
    budget
        Of each solve.
    """
    limit = budget or SolveBudget()
    decisions = list(review.decisions)
    found = {place: _view(decisions[place], records) for place in _order(decisions)}
    todo = [(place, view) for place, view in found.items() if view is not None]
    for done, (place, view) in enumerate(todo, 1):
        if done % _TOGETHER == 1:
            some = todo[done - 1 : done - 1 + _TOGETHER]
            asked = [(seen, decisions[each].grade.did) for each, seen in some]
            _solve_ahead(asked, query, store, limit)
        decision = decisions[place]
        grade = _solved(decision, view, query, store, limit)
        blind = _blind(records[decision.hand - 1])
        loss = None if grade.loss is None else round(grade.loss / blind, 6)
        decisions[place] = msgspec.structs.replace(
            decision, grade=grade, loss_bb=loss, error_bb=round(grade.error / blind, 6)
        )
        if done == len(todo) or not done % 10:
            yield SolveProgress(done, len(todo), _with(review, decisions))
        else:
            yield SolveProgress(done, len(todo), review)


def _solve_ahead(
    asked: Sequence[tuple[View, str]], query: Query, store: SolvedStore, budget: SolveBudget
) -> None:
    """Have a graphics card solve decisions at once, if one is there: the store has them then."""
    keys = [solve_key(query, view, did, budget) for view, did in asked]
    for street in {view.street for view, _ in asked}:
        left = [
            (key, each)
            for key, each in zip(keys, asked, strict=True)
            if each[0].street == street and not store.has(key)
        ]
        with suppress(GpuError):  # then they are solved one by one
            for place, grade in solve_together(query, [each for _, each in left], budget):
                store.keep(left[place][0], grade)


def _solved(
    decision: Decision, view: View, query: Query, store: SolvedStore, budget: SolveBudget
) -> Grade:
    did = decision.grade.did
    key = solve_key(query, view, did, budget)

    def find() -> Grade:
        return store.get(key, lambda: solve_decision(query, view, did, budget))

    return solved_or_not(find, decision.grade)


def _order(decisions: Sequence[Decision]) -> list[int]:
    """Places by what they cost, the dearest first; those that are not known before the free."""
    costs = [1e-9 if each.loss_bb is None else each.loss_bb for each in decisions]
    return sorted(range(len(decisions)), key=lambda place: -costs[place])


def _view(decision: Decision, records: Sequence[HandRecord]) -> View | None:
    """What was seen at a decision that can be solved; None of others."""
    record = records[decision.hand - 1]
    if decision.street not in ("turn", "river") or record.spec.players != 2:
        return None
    hand = Hand(record.spec, cards=record.deal)
    hand.play(decision.line)
    view = None if hand.actor is None else hand.view(hand.actor)
    return view if view is not None and can_solve(view) else None


def _blind(record: HandRecord) -> int:
    return max(*record.spec.blinds, *record.spec.antes, 1)


def _with(review: Review, decisions: Sequence[Decision]) -> Review:
    """The review with other grades, hands summed up again."""
    sums: dict[int, list[float]] = {}
    for each in decisions:
        if each.loss_bb is not None:
            sums.setdefault(each.hand, []).append(each.loss_bb)
    hands = tuple(
        msgspec.structs.replace(
            each,
            loss_bb=round(sum(sums.get(each.hand, ())), 6),
            graded=len(sums.get(each.hand, ())),
        )
        for each in review.hands
    )
    return replace(review, hands=tuple(hands), decisions=tuple(decisions))
