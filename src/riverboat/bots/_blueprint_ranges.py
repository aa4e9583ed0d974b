"""The strategy of a blueprint bot for every hole pair at a public state.

Action translation reads a bet off the menu as one of two sizes at random, and no opponent sees
which. So a hand can be at several places of the tree, each with a probability for every hole pair:
that of the random readings, times the reach of the bot's own actions from those places. The
strategy with a pair is the mean over the places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from riverboat.bots._all_hands import HandStrategies, all_strategies, merged_rows
from riverboat.bots._simple_bots import UniformBot
from riverboat.cards import NUM_HOLES
from riverboat.game import Hand, line_prefixes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.blueprint import AllHands
    from riverboat.bots._bot import Bot
    from riverboat.game import GameSpec, View
    from riverboat.translation import Place, Tracker

# Number of cached public states: those of some hands, about 50 MB.
_MOST_STATES: Final = 1024

_Key = tuple[object, ...]


class _Reading(NamedTuple):
    """One possible place of a hand in the tree."""

    place: Place
    prior: float
    """Probability of the random readings."""
    reach: NDArray[np.float64]
    """[1326] reach of the bot's own actions."""


class _State(NamedTuple):
    """A public state: the hand so far without cards, and its possible places in the tree."""

    hand: Hand
    readings: tuple[_Reading, ...]


class BlueprintRanges:
    """Computes the strategy of a blueprint bot for all hole pairs.

    Parameters
    ----------
    hands
        The strategy.
    tracker
        Translates bets.
    fallback
        Decides where the strategy is untrained or the hand is off-tree.
    num_streets
        Number of streets that are played from the strategy.
    """

    def __init__(self, hands: AllHands, tracker: Tracker, fallback: Bot, num_streets: int) -> None:
        self._hands, self._tracker = hands, tracker
        self._fallback, self._num_streets = fallback, num_streets
        self._spec: GameSpec | None = None
        self._states: dict[_Key, _State] = {}
        self._answers: dict[_Key, tuple[HandStrategies, ...]] = {}

    def __call__(self, view: View) -> HandStrategies:
        """Return the bot's strategy with every hole pair."""
        if view.spec is not self._spec or len(self._states) > _MOST_STATES:
            self._spec = view.spec
            self._states.clear()
            self._answers.clear()
        state = self._state(view)
        parts = self._parts(state, view, view.board)
        if len(parts) == 1:
            return parts[0]
        return merged_rows(list(zip(parts, _shares(state.readings), strict=True)))

    def _state(self, view: View) -> _State:
        """Return the state of a view, from the longest cached line on action by action."""
        new: list[tuple[_Key, str]] = []
        state = None
        for action, line in reversed(list(line_prefixes(view.line))):
            key = _key(view, line)
            state = self._states.get(key)
            if state is not None:
                break
            new.append((key, action))
        state = state or self._start(view)
        for key, action in reversed(new):
            state = self._states[key] = self._after(state, action, view)
        return state

    def _start(self, view: View) -> _State:
        place = self._tracker.start(view.spec, view.starting_stacks, view.seat)
        hand = Hand(view.spec, stacks=view.starting_stacks)
        return _State(hand, (_Reading(place, 1.0, np.ones(NUM_HOLES)),))

    def _after(self, state: _State, action: str, view: View) -> _State:
        hand = state.hand
        own = hand.actor == view.seat
        parts: tuple[HandStrategies, ...] = ()
        if own:
            board = view.board[: view.spec.board_sizes[hand.street]]
            parts = self._parts(state, hand.view(view.seat), board)
        by_place: dict[Place, _Reading] = {}
        for index, reading in enumerate(state.readings):
            reach = reading.reach * parts[index].column(action) if own else reading.reach
            for place, share in self._tracker.readings(reading.place, hand, action):
                new = _Reading(place, reading.prior * share, reach)
                by_place[place] = _joined(by_place[place], new) if place in by_place else new
        following = hand.clone()
        following.do(action)
        readings = tuple(by_place.values())
        if own:  # drop places where the bot never makes this action, unless it is all of them
            readings = tuple(reading for reading in readings if reading.reach.any()) or readings
        return _State(following, readings)

    def _parts(
        self, state: _State, view: View, board: tuple[int, ...]
    ) -> tuple[HandStrategies, ...]:
        """Return the strategy at each place."""
        key = (view.seat, view.starting_stacks, view.line, board)
        parts = self._answers.get(key)
        if parts is None:
            rows = (self._rows(reading, view, board) for reading in state.readings)
            parts = self._answers[key] = tuple(rows)
        return parts

    def _rows(self, reading: _Reading, view: View, board: tuple[int, ...]) -> HandStrategies:
        place = reading.place
        if place.node >= 0 and not place.exact:
            place = self._tracker.aligned(place, view.seat, view.street)
        if view.street >= self._num_streets:
            return self._left_to_fallback(view, board)
        if place.committed:
            passive = "k" if view.legal.check else "c"
            return HandStrategies((passive,), np.ones((NUM_HOLES, 1)))
        if place.node < 0:
            return self._left_to_fallback(view, board)
        answer = self._hands.rows(view, place, board)
        rows = HandStrategies(answer.actions, answer.strategy)
        # Pairs without reach need no answer; a fallback may be slow.
        if answer.trained is None or not reading.reach[~answer.trained].any():
            return rows
        untrained = self._untrained(view, place, board)
        trained = answer.trained.astype(np.float64)
        return merged_rows([(rows, trained), (untrained, 1 - trained)])

    def _untrained(self, view: View, place: Place, board: tuple[int, ...]) -> HandStrategies:
        if not isinstance(self._fallback, UniformBot):
            return self._left_to_fallback(view, board)
        actions, row = self._hands.uniform(view, place)
        return HandStrategies(actions, np.broadcast_to(row, (NUM_HOLES, len(row))))

    def _left_to_fallback(self, view: View, board: tuple[int, ...]) -> HandStrategies:
        import msgspec  # noqa: PLC0415 - rare

        return all_strategies(self._fallback, msgspec.structs.replace(view, board=board))


def _key(view: View, line: str) -> _Key:
    """Return the key of the readings after `line`, the first part of the view's line."""
    board = view.board[: view.spec.board_sizes[line.count("/")]]
    return (view.seat, view.starting_stacks, line, board)


def _joined(one: _Reading, other: _Reading) -> _Reading:
    """Merge two readings of the same place."""
    prior = one.prior + other.prior
    if one.reach is other.reach:
        return one._replace(prior=prior)
    reach = (one.prior * one.reach + other.prior * other.reach) / prior
    return _Reading(one.place, prior, reach)


def _shares(readings: tuple[_Reading, ...]) -> list[NDArray[np.float64] | float]:
    """Return the probability of each place, [1326] each; pairs without reach get the priors."""
    prior = sum(reading.prior for reading in readings)
    if all(reading.reach is readings[0].reach for reading in readings):
        return [reading.prior / prior for reading in readings]
    reaches = [reading.prior * reading.reach for reading in readings]
    total = sum(reaches, np.zeros(NUM_HOLES))
    reached = total > 0
    scale = np.where(reached, total, 1.0)
    pairs = zip(readings, reaches, strict=True)
    return [np.where(reached, reach / scale, reading.prior / prior) for reading, reach in pairs]
