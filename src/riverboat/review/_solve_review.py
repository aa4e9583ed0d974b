"""A review's decisions on turn and river, solved street by street, the dearest first."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from riverboat.errors import GpuError, RiverboatError
from riverboat.game import Hand
from riverboat.review._hands import big_blind_of
from riverboat.review._solve import (
    SolveBudget,
    can_solve,
    solve_key,
    solve_street,
    solve_together,
)
from riverboat.spots import gpu_notice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riverboat.blueprint import Query
    from riverboat.game import View
    from riverboat.histories import HandRecord
    from riverboat.review._grade import Grade
    from riverboat.review._review import Decision, Review
    from riverboat.review._solve import SolvedStore

__all__ = ["SolveProgress", "solve_review"]

#: Streets that a graphics card solves at once.
_TOGETHER: Final = 64


@dataclass(frozen=True, slots=True)
class SolveProgress:
    """How far it is, in streets of hands."""

    done: int
    total: int
    _before: Review
    _decisions: Sequence[Decision]

    @property
    def review(self) -> Review:
        """The review as it stands: summed up anew, so ask for it now and then."""
        return _with(self._before, self._decisions)


class _Street(NamedTuple):
    """The decisions of one hand on one street."""

    places: list[int]
    """Among the review's decisions."""
    views: list[View]
    line: str
    """What was played to its end."""


def solve_review(
    review: Review,
    records: Sequence[HandRecord],
    query: Query,
    store: SolvedStore,
    budget: SolveBudget | None = None,
) -> Iterator[SolveProgress]:
    """Solve the decisions of heads-up pots on turn and river; yield after each street of a hand.

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
    todo = _streets(review, records)
    for done, places in enumerate(todo, 1):
        if done % _TOGETHER == 1:
            ahead = todo[done - 1 : done - 1 + _TOGETHER]
            _solve_ahead(ahead, decisions, records, query, store, limit)
        record = records[decisions[places[0]].hand - 1]
        street = _street(places, decisions, record)
        if street is not None:
            blind = big_blind_of(record.spec)
            grades = _solved(street, decisions, query, store, limit)
            for place, grade in zip(places, grades, strict=True):
                decisions[place] = _regraded(decisions[place], grade, blind)
        yield SolveProgress(done, len(todo), review, decisions)


def _streets(review: Review, records: Sequence[HandRecord]) -> list[list[int]]:
    """Places of decisions by hand and street, the dearest first; the unknown before the free."""
    apart = {each.hand for each in review.hands if each.multiway}
    found: dict[tuple[int, str], list[int]] = {}
    for place, each in enumerate(review.decisions):
        holdem = records[each.hand - 1].spec.deals_as_holdem
        if each.street in ("turn", "river") and holdem and each.hand not in apart:
            found.setdefault((each.hand, each.street), []).append(place)

    def cost(places: list[int]) -> float:
        losses = [review.decisions[place].loss_bb for place in places]
        return max(1e-9 if loss is None else loss for loss in losses)

    return sorted(found.values(), key=lambda places: -cost(places))


def _street(places: list[int], decisions: Sequence[Decision], record: HandRecord) -> _Street | None:
    """What was seen and played; None of a street that is no spot."""
    views = []
    for place in places:
        hand = Hand(record.spec, cards=record.deal)
        hand.play(decisions[place].line)
        if hand.actor is None:
            return None
        views.append(hand.view(hand.actor))
    if not all(map(can_solve, views)):
        return None
    parts = record.hand().line.split("/")[: views[0].street + 1]
    return _Street(places, views, "/".join(parts))


def _solve_ahead(  # noqa: PLR0913, PLR0917 - all that `solve_review` has
    todo: Sequence[list[int]],
    decisions: Sequence[Decision],
    records: Sequence[HandRecord],
    query: Query,
    store: SolvedStore,
    budget: SolveBudget,
) -> None:
    """Have a graphics card solve streets at once, if one is there: the store has them then."""
    if gpu_notice():
        return
    found = [_street(places, decisions, records[decisions[places[0]].hand - 1]) for places in todo]
    for number in (2, 3):
        left = [
            (keys, made, each.line)
            for each in found
            if each is not None and each.views[0].street == number
            for made in [_made(each, decisions)]
            for keys in [[solve_key(query, *one, each.line, budget) for one in made]]
            if any(store.get(key) is None for key in keys)
        ]
        asked = [(made, line) for _, made, line in left]
        with suppress(GpuError):  # then they are solved one by one
            for place, grades in solve_together(query, asked, budget):
                for key, grade in zip(left[place][0], grades, strict=True):
                    store.keep(key, grade)


def _made(street: _Street, decisions: Sequence[Decision]) -> list[tuple[View, str]]:
    """What was seen, and what was done."""
    did = [decisions[place].grade.did for place in street.places]
    return list(zip(street.views, did, strict=True))


def _solved(
    street: _Street,
    decisions: Sequence[Decision],
    query: Query,
    store: SolvedStore,
    budget: SolveBudget,
) -> list[Grade]:
    """Grades of a street, from the store or solved; as they were where it cannot be solved."""
    before = [decisions[place].grade for place in street.places]
    made = _made(street, decisions)
    try:
        keys = [solve_key(query, *each, street.line, budget) for each in made]
        found = [store.get(key) for key in keys]
        grades = [each for each in found if each is not None]
        if len(grades) < len(keys):
            grades = solve_street(query, made, street.line, budget)
            for key, grade in zip(keys, grades, strict=True):
                store.keep(key, grade)
    except RiverboatError as told:
        return [
            each if each.graded else msgspec.structs.replace(each, reason=str(told))
            for each in before
        ]
    # Where the strategy has a line of its own for it, that is where it is looked up.
    return [
        msgspec.structs.replace(grade, line=old.line or grade.line)
        for grade, old in zip(grades, before, strict=True)
    ]


def _regraded(decision: Decision, grade: Grade, blind: int) -> Decision:
    loss = None if grade.loss is None else round(grade.loss / blind, 6)
    error = round(grade.error / blind, 6)
    return msgspec.structs.replace(decision, grade=grade, loss_bb=loss, error_bb=error)


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
    return replace(review, hands=hands, decisions=tuple(decisions))
