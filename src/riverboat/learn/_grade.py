"""What a strategy would have done at a decision, and what the choice that was made cost.

The cost of a choice is what the strategy itself is worth there less what the choice is worth, both
players playing the strategy from there on. A choice that the strategy makes, too, at least once in
a hundred times, costs nothing: in a solved game its choices are worth the same, and where they are
not, that is the strategy's error. So who plays as the strategy does loses nothing, and who deviates
against it loses, in the mean, the sum of the costs.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec
import numpy as np

from riverboat.blueprint import EnumeratedBuckets, without_rare
from riverboat.cards import hole_index
from riverboat.errors import RiverboatError
from riverboat.game import Hand, actions_of
from riverboat.translation import real_actions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.blueprint import Answer, Query
    from riverboat.evaluate import ActionValues
    from riverboat.game import View
    from riverboat.translation import Place

GradeSource = Literal["exact", "bucket", "drawn", "solved", ""]
RatingName = Literal["again", "hard", "good"]
#: What a strategy does at least so often is its own choice; less is a rest of its training.
OWN_CHOICE: Final = 0.01
#: From here on a choice is the strategy's main one.
_MAIN: Final = 0.5
_TWO: Final = 2
_MOST_PLACES: Final = 8  # where a hand has many bets between two sizes, the likeliest
_DRAWN: Final = 60  # run-outs, where there is no table: a third of a second


class Grade(msgspec.Struct, frozen=True):
    """A choice beside the strategy.

    Attributes
    ----------
    did
        What was done.
    graded
        Whether the strategy knows the decision; else `reason` says why not.
    frequency
        How often the strategy does that.
    actions
        How often it does what, by real actions.
    values
        What each is worth, chips, a fold 0; empty where it was not asked.
    loss
        Chips that the choice cost; None where that is not known.
    error
        Standard error of that.
    source
        `exact`: by this hand itself; `bucket`: the mean over hands that the strategy plays alike;
        `drawn`: by drawn run-outs; `solved`: by a solved spot.
    exact
        Whether the line is the strategy's own, with the same chips.
    line
        The strategy's line that the decision is read as.
    """

    did: str
    graded: bool = False
    reason: str = ""
    frequency: float = 0.0
    actions: dict[str, float] = {}
    values: dict[str, float] = {}
    loss: float | None = None
    error: float = 0.0
    source: GradeSource = ""
    exact: bool = False
    line: str = ""

    @property
    def rating(self) -> RatingName:
        """How well a question was answered.

        `good` is what the strategy does in at least half of the cases, `hard` what it does, too,
        and `again` what it does not do.

        Examples
        --------
        >>> [Grade("c", True, frequency=share).rating for share in (0.8, 0.2, 0.0)]
        ['good', 'hard', 'again']
        """
        if self.frequency >= _MAIN:
            return "good"
        return "hard" if self.frequency >= OWN_CHOICE else "again"


class _Worth(NamedTuple):
    """What the menu's actions are worth, chips of the tree, and errors against the strategy."""

    values: NDArray[np.float64]
    errors: NDArray[np.float64]
    source: GradeSource


class Grader:
    """Grades decisions by a strategy file.

    Parameters
    ----------
    query
        The strategy, as it is asked at real tables, thresholds included.
    table
        What its actions are worth by bucket (`riverboat.evaluate.action_values`), of the same
        threshold. Without it run-outs are drawn for each decision, which takes long.

    Examples
    --------
    >>> from riverboat.blueprint import Blueprint, default_blueprint
    >>> blueprint = Blueprint.open(default_blueprint())
    >>> grader = Grader(blueprint.query(threshold=blueprint.threshold))
    >>> hand = Hand(blueprint.tree.spec, hole=["7c2d", "AhAd"])
    >>> grade = grader.grade(hand.view(0), "f")
    >>> grade.frequency > 0.5, grade.loss
    (True, 0.0)
    """

    def __init__(self, query: Query, table: ActionValues | None = None) -> None:
        self.query, self.table = query, table
        self._last = query.tree.num_streets - 1

    def grade(self, view: View, did: str, *, values: bool = False) -> Grade:
        """Grade what a seat did.

        Parameters
        ----------
        view
            What the seat saw; it is to act.
        did
            As text, a legal action.
        values
            Whether to say what all actions are worth, also where the choice is the strategy's.
        """
        known = self.query.tree.spec.betting
        if view.spec.betting != known:
            return Grade(
                did, reason=f"the strategy plays {known}, and this hand is {view.spec.betting}"
            )
        try:
            read = self._answers(view)
        except RiverboatError as told:
            return Grade(did, reason=str(told))
        if not read:
            return Grade(did, reason=self._reason(view))
        grades = [
            (self._graded(view, did, answer, place, values), share) for answer, place, share in read
        ]
        return grades[0][0] if len(grades) == 1 else _joined(grades)

    @property
    def values_at_hand(self) -> bool:
        """Whether what actions are worth is looked up, or worked out at once."""
        return self.table is not None or isinstance(self.query.buckets, EnumeratedBuckets)

    def _answers(self, view: View) -> list[tuple[Answer, Place, float]]:
        """What the strategy says for each way in which the bets so far may be read."""
        found = []
        for place, share in self._places(view):
            if place.node < 0 or place.committed:
                continue
            bucket = self.query.buckets.find(view, place.node)
            if bucket is None:
                continue
            answer = self.query.answer(view, place, bucket)
            if answer.status == "trained":
                found.append((answer, place, share))
        return found

    def _reason(self, view: View) -> str:
        answer = self.query.strategy(view)
        return answer.reason or "the strategy was never trained here"

    def _places(self, view: View) -> list[tuple[Place, float]]:
        """Where a table is in the tree: more than one place if bets lie between two sizes."""
        tracker = self.query.tracker
        now = tracker.find(view)
        if now.exact or now.node < 0:
            return [(now, 1.0)]
        hand = Hand(view.spec, stacks=view.starting_stacks)
        places = {tracker.start(view.spec, view.starting_stacks): 1.0}
        for action in actions_of(view.line):
            after: dict[Place, float] = {}
            for place, share in places.items():
                for reached, part in tracker.readings(place, hand, action):
                    after[reached] = after.get(reached, 0.0) + share * part
            likely = sorted(after.items(), key=lambda each: -each[1])[:_MOST_PLACES]
            places = dict(likely)
            hand.do(action)
        seat, street = view.seat, view.street
        return [
            (tracker.aligned(place, seat, street) if place.node >= 0 else place, share)
            for place, share in places.items()
        ]

    def _graded(self, view: View, did: str, answer: Answer, place: Place, values: bool) -> Grade:
        shares = self._menu_shares(place, answer)
        reading = self._reading(view, place, did)
        told = {action: round(share, 6) for action, share in answer.actions}
        if reading is None:
            reason = f"the strategy has nothing like {did} here"
            return Grade(did, reason=reason, actions=told, exact=answer.exact, line=answer.line)
        frequency = sum(part * shares[index] for index, part in reading.items())
        off = {index: part for index, part in reading.items() if shares[index] < OWN_CHOICE}
        known = Grade(
            did, True, "", frequency, told, loss=0.0, exact=answer.exact, line=answer.line
        )
        if not off and not values:
            return known
        return self._with_values(view, answer, (shares, off), known)

    def _with_values(
        self,
        view: View,
        answer: Answer,
        parts: tuple[list[float], dict[int, float]],
        known: Grade,
    ) -> Grade:
        """The same with what actions are worth."""
        shares, off = parts
        worth = self._worth(view, answer)
        if worth is None or np.isnan(worth.values).any():
            reason = "" if not off else "what actions are worth is not known here"
            return msgspec.structs.replace(known, reason=reason, loss=None if off else 0.0)
        scale = self._scale(view, answer)
        own = float(np.dot(shares, worth.values))
        loss = sum(part * (own - worth.values[index]) for index, part in off.items()) * scale
        error = sum(part * worth.errors[index] for index, part in off.items()) * scale
        return msgspec.structs.replace(
            known,
            values=self._real_values(view, answer, worth.values * scale),
            loss=round(float(loss), 6) if math.isfinite(error) else None,
            error=round(float(error), 6) if math.isfinite(error) else 0.0,
            source=worth.source,
        )

    def _menu_shares(self, place: Place, answer: Answer) -> list[float]:
        """How often each action of the menu is taken."""
        names = self.query.tracker.nodes[place.node].actions
        row = self.query.source.row(place.node, answer.bucket)
        if row is None:
            return [1 / len(names)] * len(names)
        shares = dict(zip(names, row.tolist(), strict=True))
        if place.as_none and "f" in shares:  # a bet that counts as none is called
            shares["c"] += shares["f"]
            shares["f"] = 0.0
        return list(without_rare(shares, self.query.threshold).values())

    def _reading(self, view: View, place: Place, did: str) -> dict[int, float] | None:
        """Which actions of the menu a choice is read as, with shares; None if it is like none."""
        tracker = self.query.tracker
        children = tracker.nodes[place.node].children
        order = {child: index for index, child in enumerate(children.values())}
        if place.exact and did in children:
            return {order[children[did]]: 1.0}
        hand = Hand(view.spec, stacks=view.starting_stacks)
        hand.play(view.line)
        found: dict[int, float] = {}
        for after, share in tracker.readings(place, hand, did):
            if after.node not in order:
                return None
            index = order[after.node]
            found[index] = found.get(index, 0.0) + share
        return found

    def _worth(self, view: View, answer: Answer) -> _Worth | None:
        """What the menu's actions are worth to the own hand."""
        spec = self.query.tree.spec
        if spec.players != _TWO or spec.has_discards:
            return None
        if isinstance(self.query.buckets, EnumeratedBuckets):
            values = self.query.bucket_values.actions(answer.node).action_values[answer.bucket]
            return _Worth(values, np.zeros_like(values), "exact")
        if self.table is not None and view.street < self._last:
            values, errors = self.table.actions(answer.node, answer.bucket)
            pot = float(self.query.tree.contributions[answer.node].sum())
            spread = float(self.table.spread[view.street]) * pot
            return _Worth(values, np.hypot(errors, spread), "bucket")
        found = self.query.all_values.actions(answer.node, view.board, samples=_DRAWN)
        own = found.pair(hole_index(*view.hole))
        errors = np.hypot(own.action_errors, own.error)
        return _Worth(own.action_values, errors, "drawn" if found.samples else "exact")

    def _scale(self, view: View, answer: Answer) -> float:
        """Chips of the table for one of the tree: by the pot where it is not the tree's own."""
        if answer.exact:
            return self.query.tracker.scale
        return view.pot / float(self.query.tree.contributions[answer.node].sum())

    def _real_values(
        self, view: View, answer: Answer, values: NDArray[np.float64]
    ) -> dict[str, float]:
        """What real actions are worth: those of the menu that are one at the table, the best."""
        told: dict[str, float] = {}
        for action, value in zip(self._real_names(view, answer), values.tolist(), strict=True):
            told[action] = round(max(told.get(action, -math.inf), value), 3)
        return told

    def _real_names(self, view: View, answer: Answer) -> tuple[str, ...]:
        menu = self.query.tracker.nodes[answer.node]
        if answer.exact:
            return menu.actions
        return real_actions(self.query.tree.spec, menu, view, "", self.query.tracker.scale)


def _joined(grades: list[tuple[Grade, float]]) -> Grade:
    """One grade of several readings: what the strategy does in any of them costs nothing."""
    known = [(grade, share) for grade, share in grades if grade.graded]
    if not known:
        return grades[0][0]
    total = sum(share for _, share in known)
    parts = [(grade, share / total) for grade, share in known]
    likeliest = max(parts, key=lambda each: each[1])[0]
    actions, values = (_mixed([(getattr(g, name), w) for g, w in parts]) for name in _MAPS)
    frequency = sum(grade.frequency * share for grade, share in parts)
    loss: float | None = 0.0
    error = 0.0
    if frequency < OWN_CHOICE:
        unknown = any(grade.loss is None for grade, _ in parts)
        loss = None if unknown else sum((grade.loss or 0.0) * share for grade, share in parts)
        error = sum(grade.error * share for grade, share in parts)
    return msgspec.structs.replace(
        likeliest, frequency=frequency, actions=actions, values=values, loss=loss, error=error
    )


_MAPS: Final = ("actions", "values")


def _mixed(parts: list[tuple[dict[str, float], float]]) -> dict[str, float]:
    """Numbers by action, mixed; an action counts by the readings that have it."""
    sums: dict[str, float] = {}
    for told, share in parts:
        for action, number in told.items():
            sums[action] = sums.get(action, 0.0) + share * number
    return {action: round(number, 6) for action, number in sums.items()}
