"""A review: the decisions of one player compared with a strategy, EV losses, and its HTML page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import numpy as np

from riverboat.cards import STREETS
from riverboat.errors import RiverboatError
from riverboat.files import atomic_path, let_go
from riverboat.learn._charts import page_of
from riverboat.learn._grade import OWN_CHOICE, Grade
from riverboat.learn._hands import OwnHand, decisions_of, facts_of, own_hand, player_of, pot_type
from riverboat.report import Columns, Framed, columns_of, how_many, percent
from riverboat.statistics import Estimate, mean_estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from riverboat.game import View
    from riverboat.histories import HandRecord
    from riverboat.learn._grade import Grader

_LET_GO: Final = 10  # hands between releases of memory: AIVAT maps large bucket tables
_MOST_ROWS: Final = 2_000
_NAMES: Final = {
    "result": "as played",
    "all_in": "with all-in EV",
    "aivat": "with AIVAT",
}
_MULTIWAY: Final = "multiway pots (three or more players on the flop) are not graded"


class GradedDecision(msgspec.Struct, frozen=True):
    """One decision of the player. The grade is in chips, `loss_bb` in big blinds."""

    hand: int
    id: str
    street: str
    position: str
    pot_type: str
    pot_bb: float
    line: str
    board: str
    hole: str
    grade: Grade
    loss_bb: float | None
    error_bb: float
    result_bb: float | None
    """Result of the whole hand."""


class ReviewedHand(msgspec.Struct, frozen=True):
    """One hand of the player."""

    hand: int
    id: str
    date: str | None
    position: str
    pot_type: str
    hole: str
    board: str
    line: str
    players: int
    to_the_flop: int
    big_blind: int
    decisions: int
    graded: int
    """Number of graded decisions."""
    multiway: bool
    reason: str
    """Why decisions are not graded; empty if all are."""
    loss_bb: float
    result_bb: float | None
    expected_bb: float | None
    """Result with all-in EV."""
    aivat_bb: float | None
    """Result with AIVAT; None if it cannot be computed."""


class StreetTotal(NamedTuple):
    """EV loss of all decisions on one street."""

    street: str
    decisions: int
    mistakes: int
    """Actions that the strategy takes less than 1 % of the time."""
    loss_bb: float
    error_bb: float
    """Standard error of the sum due to the EVs only, without the sampling of hands."""
    per_100: Estimate
    """EV loss in big blinds per 100 graded hands, with a 95 % confidence interval."""

    def as_dict(self) -> dict[str, Any]:
        """Return the EV loss as JSON values."""
        return {
            "street": self.street,
            "decisions": self.decisions,
            "mistakes": self.mistakes,
            "loss_bb": round(self.loss_bb, 4),
            "error_bb": round(self.error_bb, 4),
            "bb_per_100": self.per_100.as_values(),
        }


@dataclass(frozen=True)
class Review(Framed):
    """The results of a review.

    Attributes
    ----------
    player, strategy
        The player, and the strategy that the decisions are compared with.
    hands, decisions
        In the order of the file.
    refused
        Hands that could not be read or replayed: (line or number, reason).
    """

    player: str
    strategy: str
    hands: tuple[ReviewedHand, ...]
    decisions: tuple[GradedDecision, ...]
    refused: tuple[tuple[int, str], ...] = ()
    streets: tuple[str, ...] = STREETS

    @cached_property
    def graded_hands(self) -> tuple[ReviewedHand, ...]:
        """Hands with a graded decision, or without any decision to grade."""
        return tuple(each for each in self.hands if each.graded and not each.multiway)

    @cached_property
    def costly(self) -> tuple[GradedDecision, ...]:
        """Decisions with an EV loss, biggest mistakes first."""
        losing = [each for each in self.decisions if (each.loss_bb or 0.0) > 0]
        return tuple(sorted(losing, key=lambda each: -(each.loss_bb or 0.0)))

    def totals(self) -> tuple[StreetTotal, ...]:
        """Return the EV loss of each street and of all streets."""
        return tuple(self._total(street) for street in (*self.streets, "all"))

    def _total(self, street: str) -> StreetTotal:
        rows = [
            each
            for each in self.decisions
            if each.loss_bb is not None and street in (each.street, "all")
        ]
        places = {each.hand: place for place, each in enumerate(self.graded_hands)}
        by_hand, errors = np.zeros(len(places)), np.zeros(len(places))
        for row in rows:
            if row.hand in places:
                by_hand[places[row.hand]] += row.loss_bb or 0.0
                errors[places[row.hand]] += row.error_bb**2
        spread = mean_estimate(by_hand)
        own = float(errors.sum()) ** 0.5
        per_hand = spread
        if spread.error is not None and places:
            both = float(np.hypot(spread.error, own / len(places)))
            per_hand = Estimate(spread.mean, both, spread.units)
        mistakes = sum(each.grade.frequency < OWN_CHOICE for each in rows)
        return StreetTotal(
            street, len(rows), mistakes, float(by_hand.sum()), own, per_hand.scaled(100)
        )

    def results(self) -> dict[str, Estimate]:
        """Return winnings in bb/100 hands: as played, with all-in EV and with AIVAT."""
        kinds = {"result": "result_bb", "all_in": "expected_bb", "aivat": "aivat_bb"}
        found = {}
        for name, attribute in kinds.items():
            won = [getattr(each, attribute) for each in self.hands]
            known = np.array([each for each in won if each is not None], np.float64)
            if len(known) and (name != "aivat" or len(known) == len(self.hands)):
                found[name] = mean_estimate(known).scaled(100)
        return found

    def frame_columns(self) -> Columns:
        """Return a row for each decision."""
        return columns_of([decision_row(each) for each in self.decisions])

    def as_dict(self) -> dict[str, Any]:
        """Return the review as JSON values."""
        return {
            "player": self.player,
            "strategy": self.strategy,
            "hands": [msgspec.to_builtins(each) for each in self.hands],
            "decisions": [decision_row(each) for each in self.decisions],
            "refused": [{"place": place, "reason": reason} for place, reason in self.refused],
            "totals": [each.as_dict() for each in self.totals()],
            "results": {name: each.as_values() for name, each in self.results().items()},
        }


def decision_row(each: GradedDecision) -> dict[str, Any]:
    """Return a decision and its grade as JSON values."""
    values: dict[str, Any] = msgspec.to_builtins(each)
    grade: dict[str, Any] = values.pop("grade")
    read_as = grade.pop("line")
    del grade["loss"]
    return values | grade | {"read_as": read_as}


@dataclass(frozen=True)
class _Reviewer:
    """Grades hands one by one."""

    grader: Grader
    player: str
    scorer: Callable[[OwnHand], float | None] | None

    def hand(self, own: OwnHand) -> tuple[ReviewedHand, list[GradedDecision]]:
        """Review one hand."""
        result, blind = own.payoff(), own.big_blind
        facts, multiway = facts_of(own), own.multiway
        won = None if result is None else result / blind
        decisions = [
            self._decision(own, facts, won, *each) for each in decisions_of(own.hand, own.seat)
        ]
        losses = [each.loss_bb for each in decisions if each.loss_bb is not None]
        expected = own.expected()
        aivat = None if self.scorer is None else self.scorer(own)
        reasons = [each.grade.reason for each in decisions if each.grade.reason]
        shown = ReviewedHand(
            **facts,
            big_blind=blind,
            decisions=len(decisions),
            graded=len(losses),
            multiway=multiway,
            reason=reasons[0] if reasons else "",
            loss_bb=round(sum(losses), 6),
            result_bb=won,
            expected_bb=None if expected is None else expected / blind,
            aivat_bb=None if aivat is None else aivat / blind,
        )
        return shown, decisions

    def _decision(
        self, own: OwnHand, facts: dict[str, Any], won: float | None, view: View, did: str
    ) -> GradedDecision:
        if own.multiway:
            grade = Grade(did, reason=_MULTIWAY)
        elif min(view.hole, default=-1) < 0:
            grade = Grade(did, reason="the player's hole cards are unknown")
        else:
            grade = self.grader.grade(view, did)
        blind = own.big_blind
        return GradedDecision(
            own.number,
            facts["id"],
            view.spec.street_names[view.street],
            facts["position"],
            pot_type(view.line),
            view.pot / blind,
            view.line,
            view.board_text,
            view.hole_text,
            grade,
            None if grade.loss is None else round(grade.loss / blind, 6),
            round(grade.error / blind, 6),
            won,
        )


def review_hands(  # noqa: PLR0913 - keyword options
    records: Sequence[HandRecord],
    grader: Grader,
    *,
    player: str = "",
    strategy: str = "",
    refused: Iterable[tuple[int, str]] = (),
    scorer: Callable[[OwnHand], float | None] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Review:
    """Review all hands of a player.

    Parameters
    ----------
    records
        The hands.
    grader
        The strategy.
    player
        The player to review; empty = the hero of the hands.
    strategy
        Name of the strategy, for the page.
    refused
        Hands that could not be read: (line, reason).
    scorer
        Computes the AIVAT result of a hand; see `luck_scorer`.
    progress
        Called with the number of hands done and of all hands.

    Examples
    --------
    >>> from riverboat.blueprint import Blueprint, default_blueprint
    >>> from riverboat.game import Hand
    >>> from riverboat.histories import record_of
    >>> from riverboat.learn import Grader
    >>> blueprint = Blueprint.open(default_blueprint())
    >>> hand = Hand(blueprint.tree.spec, hole=["7c2d", "AhAd"])
    >>> hand.play("f")
    >>> grader = Grader(blueprint.query(threshold=blueprint.threshold))
    >>> found = review_hands([record_of(hand, names=["Ada", "Bob"])], grader, player="Ada")
    >>> found.decisions[0].grade.did, found.decisions[0].loss_bb
    ('f', 0.0)
    """
    name = player_of(records, player) if records else player
    reviewer = _Reviewer(grader, name, scorer)
    hands: list[ReviewedHand] = []
    decisions: list[GradedDecision] = []
    bad = list(refused)
    for number, record in enumerate(records, 1):
        try:
            own = own_hand(number, record, name)
            if own is not None:
                shown, graded = reviewer.hand(own)
                hands.append(shown)
                decisions += graded
        except RiverboatError as error:
            bad.append((number, str(error)))
        if number % _LET_GO == 0:
            let_go()
        if progress is not None:
            progress(number, len(records))
    streets = records[0].spec.street_names if records else STREETS
    return Review(name, strategy, tuple(hands), tuple(decisions), tuple(bad), tuple(streets))


def write_review(path: Path, review: Review, title: str = "Review") -> None:
    """Write the HTML page of a review, atomically."""
    with atomic_path(path) as temporary:
        temporary.write_text(_html(review, title), encoding="utf-8", newline="")


def _html(review: Review, title: str) -> str:
    """Return a review as one self-contained page with filters."""
    rows = review.costly[:_MOST_ROWS]
    ungraded = [each for each in review.hands if not each.graded and each.decisions]
    return page_of(
        "review",
        {"outcome": _outcome, "played": _played},
        review=review,
        title=title,
        rows=rows,
        left_out=len(review.costly) - len(rows),
        filters=_filters(review, rows),
        graded=len(review.graded_hands),
        multiway=sum(each.multiway for each in review.hands),
        ungraded=ungraded[:_MOST_ROWS],
        names=_NAMES,
        how_many=how_many,
    )


def _filters(review: Review, rows: tuple[GradedDecision, ...]) -> dict[str, list[str]]:
    streets = {each.street for each in rows}
    return {
        "street": [street for street in review.streets if street in streets],
        "position": sorted({each.position for each in rows}),
        "pot": sorted({each.pot_type for each in rows}),
        "result": sorted({_outcome(each) for each in rows}),
    }


def _outcome(decision: GradedDecision) -> str:
    won = decision.result_bb
    return "unknown" if won is None else "won" if won > 0 else "lost" if won < 0 else "even"


def _played(grade: Grade) -> str:
    """Return the actions of the strategy with their frequencies, as text."""
    actions = {action: share for action, share in grade.actions.items() if share > 0}
    return ", ".join(f"{action} {percent(share, 0)}" for action, share in actions.items())
