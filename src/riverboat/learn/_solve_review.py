"""Solves the turn and river decisions of a review, biggest mistakes first."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from riverboat.errors import GpuError, RiverboatError
from riverboat.game import Hand
from riverboat.learn._hands import big_blind_of
from riverboat.learn._solve import (
    SolveBudget,
    can_solve,
    solve_key,
    solve_street,
    solve_together,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riverboat.blueprint import Query
    from riverboat.game import View
    from riverboat.histories import HandRecord
    from riverboat.learn._grade import Grade
    from riverboat.learn._review import GradedDecision, Review
    from riverboat.learn._solve import SolvedStore

#: Number of streets that a GPU solves together.
_TOGETHER: Final = 64


@dataclass(frozen=True, slots=True)
class SolveProgress:
    """Progress, counted in streets of hands."""

    done: int
    total: int
    _before: Review
    _decisions: Sequence[GradedDecision]

    @property
    def review(self) -> Review:
        """The review so far; slow, because each access sums all decisions."""
        return _with(self._before, self._decisions)


class _Street(NamedTuple):
    """The decisions of one hand on one street."""

    places: list[int]
    """Indexes into the decisions of the review."""
    decisions: list[tuple[View, str]]
    """Views and actions."""
    line: str
    """The line to the end of the street."""


def solve_review(
    review: Review,
    records: Sequence[HandRecord],
    query: Query,
    store: SolvedStore,
    budget: SolveBudget | None = None,
) -> Iterator[SolveProgress]:
    """Solve turn and river decisions in heads-up pots; yield after each street of a hand.

    You can stop at any time: the store has everything that is solved.

    Parameters
    ----------
    review, records
        The review and its hands.
    query
        The strategy.
    store
        The store of solved decisions.
    budget
        The budget of each solve.
    """
    solves = _Solves(query, store, budget or SolveBudget())
    decisions = list(review.decisions)
    todo = _streets(review, records)
    for first in range(0, len(todo), _TOGETHER):
        some = [_street(places, decisions, records) for places in todo[first : first + _TOGETHER]]
        solves.ahead([each for each in some if each is not None])
        for done, street in enumerate(some, first + 1):
            if street is not None:
                blind = big_blind_of(street.decisions[0][0].spec)
                grades = solves.grades(street, [decisions[place].grade for place in street.places])
                for place, grade in zip(street.places, grades, strict=True):
                    decisions[place] = _regraded(decisions[place], grade, blind)
            yield SolveProgress(done, len(todo), review, decisions)


@dataclass(frozen=True, slots=True)
class _Solves:
    """Solves streets that the store does not have yet."""

    query: Query
    store: SolvedStore
    budget: SolveBudget

    def ahead(self, streets: Sequence[_Street]) -> None:
        """Solve streets together on a GPU, if there is one, and store the grades."""
        for number in {street.decisions[0][0].street for street in streets}:
            left = [
                street
                for street in streets
                if street.decisions[0][0].street == number and None in self._known(street)
            ]
            with suppress(GpuError):  # `grades` then solves them one by one
                asked = [(street.decisions, street.line) for street in left]
                for place, grades in solve_together(self.query, asked, self.budget):
                    self._keep(left[place], grades)

    def grades(self, street: _Street, before: Sequence[Grade]) -> list[Grade]:
        """Return the grades of a street, stored or solved; unchanged if it cannot be solved."""
        try:
            known = self._known(street)
            found = [each for each in known if each is not None]
            if len(found) < len(known):
                found = solve_street(self.query, street.decisions, street.line, self.budget)
                self._keep(street, found)
        except RiverboatError as error:
            return [
                each if each.graded else msgspec.structs.replace(each, reason=str(error))
                for each in before
            ]
        # Links of the page lead to the line of the strategy, if there is one.
        return [
            msgspec.structs.replace(grade, line=old.line or grade.line)
            for grade, old in zip(found, before, strict=True)
        ]

    def _keys(self, street: _Street) -> list[str]:
        return [solve_key(self.query, *each, street.line, self.budget) for each in street.decisions]

    def _known(self, street: _Street) -> list[Grade | None]:
        """Return the stored grades of a street."""
        return [self.store.get(key) for key in self._keys(street)]

    def _keep(self, street: _Street, grades: Sequence[Grade]) -> None:
        for key, grade in zip(self._keys(street), grades, strict=True):
            self.store.keep(key, grade)


def _streets(review: Review, records: Sequence[HandRecord]) -> list[list[int]]:
    """Group decisions by hand and street, biggest mistakes first, unknown losses before 0."""
    multiway = {each.hand for each in review.hands if each.multiway}
    found: dict[tuple[int, str], list[int]] = {}
    for place, each in enumerate(review.decisions):
        holdem = records[each.hand - 1].spec.deals_as_holdem
        if each.street in ("turn", "river") and holdem and each.hand not in multiway:
            found.setdefault((each.hand, each.street), []).append(place)

    def cost(places: list[int]) -> float:
        losses = [review.decisions[place].loss_bb for place in places]
        return max(1e-9 if loss is None else loss for loss in losses)

    return sorted(found.values(), key=lambda places: -cost(places))


def _street(
    places: list[int], decisions: Sequence[GradedDecision], records: Sequence[HandRecord]
) -> _Street | None:
    """Return the decisions of a street; None if it cannot be solved."""
    record = records[decisions[places[0]].hand - 1]
    own = []
    for place in places:
        hand = Hand(record.spec, cards=record.deal)
        hand.play(decisions[place].line)
        if hand.actor is None or not can_solve(view := hand.view(hand.actor)):
            return None
        own.append((view, decisions[place].grade.did))
    parts = record.hand().line.split("/")[: own[0][0].street + 1]
    return _Street(places, own, "/".join(parts))


def _regraded(decision: GradedDecision, grade: Grade, blind: int) -> GradedDecision:
    loss = None if grade.loss is None else round(grade.loss / blind, 6)
    error = round(grade.error / blind, 6)
    return msgspec.structs.replace(decision, grade=grade, loss_bb=loss, error_bb=error)


def _with(review: Review, decisions: Sequence[GradedDecision]) -> Review:
    """Return the review with other decisions and new sums by hand."""
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
