"""Compares an action with a strategy, and computes its EV loss.

The EV loss of an action is the EV of the strategy at the decision minus the EV of the action, if
both players play the strategy afterwards. An action that the strategy takes at least 1 % of the
time has an EV loss of 0: in an equilibrium all actions of a mixed strategy have the same EV, and
any difference is an error of the strategy. So playing exactly like the strategy loses 0; against
the strategy itself, the expected loss of a player is the sum of the EV losses.
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
#: Actions at least this frequent belong to the strategy; rarer ones are residue of training.
OWN_CHOICE: Final = 0.01
#: Minimum frequency for the rating `good`.
_MAIN: Final = 0.5
_TWO: Final = 2
_MOST_PLACES: Final = 8  # maximum readings of a line with many off-tree bets, most likely first
_DRAWN: Final = 60  # runouts sampled if there is no table; takes a third of a second


class Grade(msgspec.Struct, frozen=True):
    """An action compared with the strategy.

    Attributes
    ----------
    did
        The action that was taken.
    graded
        Whether the action could be graded; if not, see `reason`.
    frequency
        Frequency of this action in the strategy.
    actions
        Frequency of each action in the strategy, as actions at the table.
    values
        EV of each action in chips, a fold being 0; empty if not computed.
    loss
        EV loss in chips; None if unknown.
    error
        Standard error of the EV loss.
    source
        Source of the EVs: `exact`: this hand; `bucket`: mean over the bucket of the hand;
        `drawn`: sampled runouts; `solved`: a solved spot.
    exact
        Whether the line is in the strategy's tree, with the same chips.
    line
        The line of the tree to which the decision is translated.
    limited
        Whether a solve ended at its time limit, so that another run gives other numbers.
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
    limited: bool = False

    @property
    def rating(self) -> RatingName:
        """The rating of an answer, for spaced repetition.

        `good`: the strategy takes the action at least 50 % of the time; `hard`: less often, but at
        least 1 %; `again`: never.

        Examples
        --------
        >>> [Grade("c", True, frequency=share).rating for share in (0.8, 0.2, 0.0)]
        ['good', 'hard', 'again']
        """
        if self.frequency >= _MAIN:
            return "good"
        return "hard" if self.frequency >= OWN_CHOICE else "again"


class _Values(NamedTuple):
    """EVs of the tree's actions in chips of the tree, and errors of the EV losses."""

    values: NDArray[np.float64]
    errors: NDArray[np.float64]
    source: GradeSource


class Grader:
    """Grades decisions with a strategy file.

    Parameters
    ----------
    query
        The strategy as played, with its threshold.
    table
        EV of each action by bucket (`riverboat.evaluate.action_values`), of the same threshold.
        Without it, runouts are sampled for each decision, which is slow.

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
        """Grade an action.

        Parameters
        ----------
        view
            The view of the seat to act.
        did
            A legal action as text.
        values
            Whether to compute the EVs of all actions even if the EV loss is 0.
        """
        known = self.query.tree.spec.betting
        if view.spec.betting != known:
            return Grade(
                did, reason=f"the strategy is for {known}, and this hand is {view.spec.betting}"
            )
        try:
            read = self._answers(view)
        except RiverboatError as error:
            return Grade(did, reason=str(error))
        if not read:
            return Grade(did, reason=self._reason(view))
        grades = [
            (self._graded(view, did, answer, place, values), share) for answer, place, share in read
        ]
        return grades[0][0] if len(grades) == 1 else _joined(grades)

    @property
    def values_at_hand(self) -> bool:
        """Whether EVs of actions are available at once, from a table or an enumeration."""
        return self.table is not None or isinstance(self.query.buckets, EnumeratedBuckets)

    def _answers(self, view: View) -> list[tuple[Answer, Place, float]]:
        """Return the strategy for each reading of the line, with the probability of the reading."""
        answers = []
        for place, share in self._places(view):
            if place.node < 0 or place.committed:
                continue
            bucket = self.query.buckets.find(view, place.node)
            if bucket is None:
                continue
            answer = self.query.answer(view, place, bucket)
            if answer.status == "trained":
                answers.append((answer, place, share))
        return answers

    def _reason(self, view: View) -> str:
        answer = self.query.strategy(view)
        return answer.reason or "the strategy was not trained at this decision"

    def _places(self, view: View) -> list[tuple[Place, float]]:
        """Return the places of a line in the tree; several if a bet is between two sizes."""
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
        actions = {action: round(share, 6) for action, share in answer.actions}
        if reading is None:
            reason = f"the strategy has no action like {did} here"
            return Grade(did, reason=reason, actions=actions, exact=answer.exact, line=answer.line)
        frequency = sum(part * shares[index] for index, part in reading.items())
        off = {index: part for index, part in reading.items() if shares[index] < OWN_CHOICE}
        known = Grade(
            did, True, "", frequency, actions, loss=0.0, exact=answer.exact, line=answer.line
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
        """Add the EVs of actions and the EV loss to a grade."""
        shares, off = parts
        found = self._values(view, answer)
        if found is None or np.isnan(found.values).any():
            reason = "" if not off else "the EVs of actions are not known here"
            return msgspec.structs.replace(known, reason=reason, loss=None if off else 0.0)
        scale = self._scale(view, answer)
        own = float(np.dot(shares, found.values))
        loss = sum(part * (own - found.values[index]) for index, part in off.items()) * scale
        error = sum(part * found.errors[index] for index, part in off.items()) * scale
        return msgspec.structs.replace(
            known,
            values=self._real_values(view, answer, found.values * scale),
            loss=round(float(loss), 6) if math.isfinite(error) else None,
            error=round(float(error), 6) if math.isfinite(error) else 0.0,
            source=found.source,
        )

    def _menu_shares(self, place: Place, answer: Answer) -> list[float]:
        """Return the frequency of each action of the tree."""
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
        """Read an action as actions of the tree, with probabilities; None if it matches none."""
        tracker = self.query.tracker
        children = tracker.nodes[place.node].children
        order = {child: index for index, child in enumerate(children.values())}
        if place.exact and did in children:
            return {order[children[did]]: 1.0}
        hand = Hand(view.spec, stacks=view.starting_stacks)
        hand.play(view.line)
        parts: dict[int, float] = {}
        for after, share in tracker.readings(place, hand, did):
            if after.node not in order:
                return None
            index = order[after.node]
            parts[index] = parts.get(index, 0.0) + share
        return parts

    def _values(self, view: View, answer: Answer) -> _Values | None:
        """Return the EVs of the tree's actions with the player's hand; None if unknown."""
        spec = self.query.tree.spec
        if spec.players != _TWO or spec.has_discards:
            return None
        if isinstance(self.query.buckets, EnumeratedBuckets):
            values = self.query.bucket_values.actions(answer.node).action_values[answer.bucket]
            return _Values(values, np.zeros_like(values), "exact")
        if self.table is not None and view.street < self._last:
            values, errors = self.table.actions(answer.node, answer.bucket)
            pot = float(self.query.tree.contributions[answer.node].sum())
            spread = float(self.table.spread[view.street]) * pot
            return _Values(values, np.hypot(errors, spread), "bucket")
        found = self.query.all_values.actions(answer.node, view.board, samples=_DRAWN)
        own = found.pair(hole_index(*view.hole))
        errors = np.hypot(own.action_errors, own.error)
        return _Values(own.action_values, errors, "drawn" if found.samples else "exact")

    def _scale(self, view: View, answer: Answer) -> float:
        """Return chips at the table per chip of the tree; off-tree, the ratio of the pots."""
        if answer.exact:
            return self.query.tracker.scale
        return view.pot / float(self.query.tree.contributions[answer.node].sum())

    def _real_values(
        self, view: View, answer: Answer, values: NDArray[np.float64]
    ) -> dict[str, float]:
        """Return EVs by action at the table; of actions that become the same one, the best EV."""
        best: dict[str, float] = {}
        for action, value in zip(self._real_names(view, answer), values.tolist(), strict=True):
            best[action] = round(max(best.get(action, -math.inf), value), 3)
        return best

    def _real_names(self, view: View, answer: Answer) -> tuple[str, ...]:
        menu = self.query.tracker.nodes[answer.node]
        if answer.exact:
            return menu.actions
        return real_actions(self.query.tree.spec, menu, view, "", self.query.tracker.scale)


def _joined(grades: list[tuple[Grade, float]]) -> Grade:
    """Join the grades of several readings; an action of the strategy in any of them loses 0."""
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
    """Average numbers by action over readings; missing actions count as 0."""
    sums: dict[str, float] = {}
    for numbers, share in parts:
        for action, number in numbers.items():
            sums[action] = sums.get(action, 0.0) + share * number
    return {action: round(number, 6) for action, number in sums.items()}
