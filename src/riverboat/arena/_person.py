"""Sessions of a person against bots: cards, seats and stacks of each hand, and the result.

Hands count as independent. A person learns, so strictly they are not; but an interval over sessions
would need about a hundred sessions.
"""

import random
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from riverboat.arena._chair import TimeTally
from riverboat.arena._deal_seed import DealSeed
from riverboat.arena._result import MatchResult
from riverboat.arena._session import HandLog, PlayedHand, SessionResult, sum_hands
from riverboat.arena._settings import MatchSettings
from riverboat.game import GameSpec, Hand
from riverboat.statistics import Estimate, ratio_estimate

_DEALS, _BOTS = 1, 2  # independent streams of a deal seed's numbers


class NextHand(NamedTuple):
    """The next hand: its seed, and the chair and stack of each seat."""

    seed: int
    chairs: tuple[int, ...]
    """The chair of each seat."""
    stacks: tuple[int, ...]
    """The stack of each seat."""
    bought_in: tuple[int, ...]
    """Chairs that had no chips left and bought in again."""


def pots_left(hand: Hand) -> tuple[tuple[int, ...], ...]:
    """Return each seat's share of each pot when the player to act leaves during a hand.

    The player counts as folded, even if checking is free: the other players share each pot that
    they could win, and the first of them gets the odd chips.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> pots_left(Hand.from_line(catalogue("nolimit-100bb"), "ck/", seed=1))
    ((20, 0),)
    """
    pots = []
    for pot in hand.pots():
        others = [seat for seat in pot.eligible if seat != hand.actor]
        chips = [0] * hand.players
        for index, seat in enumerate(others):
            chips[seat] = pot.amount // len(others) + (index < pot.amount % len(others))
        pots.append(tuple(chips))
    return tuple(pots)


def payoffs_of(hand: Hand) -> tuple[int, ...]:
    """Return each seat's result; an unfinished hand is settled by `pots_left`."""
    if hand.settled:
        return hand.payoffs()
    shares = [sum(chips) for chips in zip(*pots_left(hand), strict=True)]
    return tuple(a - b for a, b in zip(shares, hand.contributions, strict=True))


class PersonTable:
    """Cards, seats and stacks at a table with people.

    The button starts at chair 0 and moves to the next chair after each hand.

    Parameters
    ----------
    spec
        The game.
    seed
        Random seed of all cards and bots; not used with a deal seed.
    deal_seed
        Deal seed of all cards and bots; None = use `seed`.
    carry
        Whether stacks carry over from hand to hand; a player without chips buys in again.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> table = PersonTable(catalogue("kuhn"), seed=1)
    >>> [table.deal().chairs for _ in range(2)]
    [(0, 1), (1, 0)]
    """

    def __init__(
        self, spec: GameSpec, seed: int, deal_seed: DealSeed | None = None, *, carry: bool = False
    ) -> None:
        self._spec, self._seed, self._deal_seed, self._carry = spec, seed, deal_seed, carry
        self._deals = random.Random(seed)  # noqa: S311 - of a game without a deal seed
        self._stacks = list(spec.stacks)
        #: Number of hands dealt.
        self.number = 0
        #: The chair of each seat in this hand.
        self.chairs = self._seated()

    def _seated(self) -> tuple[int, ...]:
        """Return the chair of each seat in this hand."""
        count = self._spec.players
        first = self.number - 1 - self._spec.button
        return tuple((seat + first) % count for seat in range(count))

    def bot_seeds(self) -> list[int]:
        """Return the seed of the bot on each chair; a deal seed's reveal nothing about cards."""
        if self._deal_seed is None:
            return [self._seed + chair for chair in range(self._spec.players)]
        return self._deal_seed.numbers(self._spec.players, _BOTS, 0)

    def deal(self) -> NextHand:
        """Move the button and return the next hand."""
        self.number += 1
        chairs = self.chairs = self._seated()
        if not self._carry:
            return NextHand(self._hand_seed(), chairs, self._spec.stacks, ())
        broke = tuple(chair for chair, chips in enumerate(self._stacks) if chips == 0)
        for chair in broke:
            self._stacks[chair] = self._spec.stacks[chairs.index(chair)]
        stacks = tuple(self._stacks[chair] for chair in chairs)
        return NextHand(self._hand_seed(), chairs, stacks, broke)

    def settle(self, hand: Hand) -> None:
        """Update the stacks after a hand that is over, or that a player left."""
        for chair, *chips in zip(self.chairs, hand.starting_stacks, payoffs_of(hand), strict=True):
            self._stacks[chair] = sum(chips)

    def _hand_seed(self) -> int:
        if self._deal_seed is None:
            return self._deals.getrandbits(63)
        return self._deal_seed.numbers(1, _DEALS, self.number)[0]


class PersonLog:
    """Log of the hands of a person against bots.

    Parameters
    ----------
    spec
        The game.
    names
        Names of the person and the bots, in order of chairs.
    seed
        Seed of the session.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> log = PersonLog(catalogue("kuhn"), ["You", "fish"], seed=1)
    >>> log.add(Hand.from_line(catalogue("kuhn"), "b1f", seed=1), seated=(0, 1))
    >>> log.result(seconds=2.0).chips_per_hand().mean
    1.0
    """

    def __init__(self, spec: GameSpec, names: Sequence[str], seed: int) -> None:
        self._spec, self._names, self._seed = spec, tuple(names), seed
        # A server has hundreds of sessions for hours, so a hand takes about thirty bytes.
        self._won = array("q")  # [hands, chairs] chips
        self._expected: dict[int, tuple[float, ...]] = {}  # all-in EV of each chair
        self._ends = array("b")
        self._seated: list[tuple[int, ...]] = []
        self._seatings: dict[tuple[int, ...], tuple[int, ...]] = {}  # shares equal tuples
        self._hands: list[PlayedHand] = []

    def add(self, hand: Hand, seated: tuple[int, ...], seed: int | None = None) -> None:
        """Count a hand; `seated` has the chair of each seat. With a seed, keep the whole hand."""
        number, log = len(self._ends), HandLog()
        if hand.settled:
            log.expect(hand, seed=number)
        payoffs = payoffs_of(hand)
        log.add(hand, number, seated, payoffs)
        seats = sorted(range(len(seated)), key=seated.__getitem__)
        self._won.extend(payoffs[seat] for seat in seats)
        for expected in log.expected.values():
            self._expected[number] = tuple(float(expected[seat]) for seat in seats)
        self._ends.append(log.ends[0])
        self._seated.append(self._seatings.setdefault(seated, seated))
        if seed is not None:
            stacks, line = hand.starting_stacks, hand.full_line
            self._hands.append(PlayedHand(number, 0, seed, seated, stacks, line))

    def per_hand(self, chair: int) -> tuple[Estimate, Estimate | None]:
        """Return chips per hand as played, and with all-in EV (None without all-in hands).

        `result` has the same numbers, but is slower.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> log = PersonLog(catalogue("kuhn"), ["You", "fish"], seed=1)
        >>> log.add(Hand.from_line(catalogue("kuhn"), "b1f", seed=1), seated=(1, 0))
        >>> log.per_hand(0)[0].mean
        -1.0
        """
        ones = np.ones(len(self._ends), np.int64)
        chips = np.array(self._won[chair :: len(self._names)], np.float64)
        won = ratio_estimate(chips, ones)
        if not self._expected:
            return won, None
        chips[list(self._expected)] = [payoffs[chair] for payoffs in self._expected.values()]
        return won, ratio_estimate(chips, ones)

    def result(self, seconds: float) -> MatchResult:
        """Return the result, with intervals, of at least one hand."""
        hands, chairs = len(self._ends), len(self._names)
        settings = MatchSettings(
            self._names, self._spec, hands=hands, seed=self._seed, duplicate=False
        )
        session = SessionResult(
            session=0,
            learns=(False,) * chairs,
            wins=np.zeros((hands, chairs)),
            times=(TimeTally(),) * chairs,
            errors=(Counter[str](),) * chairs,
            said=({},) * chairs,
            **sum_hands(settings, self._log(), hands),
        )
        return MatchResult(settings, (session,), seconds)

    def _log(self) -> HandLog:
        """Return the log with results by seat, as in a match."""
        chairs = len(self._names)
        payoffs = [
            tuple(self._won[chairs * number + chair] for chair in seated)
            for number, seated in enumerate(self._seated)
        ]
        expected = {
            number: tuple(chips[chair] for chair in self._seated[number])
            for number, chips in self._expected.items()
        }
        deals, ends = list(range(len(self._ends))), self._ends.tolist()
        return HandLog(deals, payoffs, expected, ends, self._seated, self._hands)
