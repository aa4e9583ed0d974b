"""A person's session: who is dealt what, hand after hand, and what came of it, as of a match.

Hands count as independent. Strictly they are not, since a person learns; but nobody plays the
hundred sessions that an interval over sessions would need.
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

_DEALS, _BOTS = 1, 2  # streams of a deal seed's numbers that never meet


class NextHand(NamedTuple):
    """A hand that is to be dealt."""

    seed: int
    chairs: tuple[int, ...]
    """By seat."""
    stacks: tuple[int, ...]
    """By seat."""
    bought_in: tuple[int, ...]
    """Chairs that had no chips left."""


def pots_left(hand: Hand) -> tuple[tuple[int, ...], ...]:
    """Return what each seat takes of each pot when the one to act leaves a hand that is not over.

    It counts as folded, also where the rules know no fold because checking is free: the others
    share each pot that they could win, odd chips to the first.

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
    """Return what each seat won or lost; of a hand that is not over, as `pots_left` says."""
    if hand.settled:
        return hand.payoffs()
    taken = [sum(chips) for chips in zip(*pots_left(hand), strict=True)]
    return tuple(a - b for a, b in zip(taken, hand.contributions, strict=True))


class PersonTable:
    """Cards, seats and stacks of hand after hand at a table with people.

    The button starts at chair 0 and moves one chair on each hand.

    Parameters
    ----------
    spec
        The game.
    seed
        Of all cards, and of the bots; with a deal seed it says nothing.
    deal_seed
        What they come from instead.
    carry
        Whether stacks go on from hand to hand; who has none left buys in again.

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
        #: Hands dealt.
        self.number = 0
        #: By seat, the chair in this hand.
        self.chairs = self._seated()

    def _seated(self) -> tuple[int, ...]:
        """By seat, the chair in the hand that is counted."""
        count = self._spec.players
        first = self.number - 1 - self._spec.button
        return tuple((seat + first) % count for seat in range(count))

    def bot_seeds(self) -> list[int]:
        """Return the seed of the bot on each chair; with a deal seed it says nothing of cards."""
        if self._deal_seed is None:
            return [self._seed + chair for chair in range(self._spec.players)]
        return self._deal_seed.numbers(self._spec.players, _BOTS, 0)

    def deal(self) -> NextHand:
        """Move the button and say what is dealt to whom."""
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
        """Keep the stacks of the hand that is over, or was left."""
        for chair, *chips in zip(self.chairs, hand.starting_stacks, payoffs_of(hand), strict=True):
            self._stacks[chair] = sum(chips)

    def _hand_seed(self) -> int:
        if self._deal_seed is None:
            return self._deals.getrandbits(63)
        return self._deal_seed.numbers(1, _DEALS, self.number)[0]


class PersonLog:
    """The hands of a person against bots, one after the other.

    Parameters
    ----------
    spec
        The game.
    names
        By chair, the person's and the bots'.
    seed
        Of the session.

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
        # A server has hundreds of sessions for hours: of a hand some thirty bytes are kept.
        self._won = array("q")  # [hands, chairs] chips
        self._expected: dict[int, tuple[float, ...]] = {}  # of all-in hands, by chair
        self._ends = array("b")
        self._seated: list[tuple[int, ...]] = []
        self._ways: dict[tuple[int, ...], tuple[int, ...]] = {}  # to be seated, each once
        self._hands: list[PlayedHand] = []

    def add(self, hand: Hand, seated: tuple[int, ...], seed: int | None = None) -> None:
        """Count a hand; `seated` has the chair by seat. With its seed, keep it."""
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
        self._seated.append(self._ways.setdefault(seated, seated))
        if seed is not None:
            stacks, line = hand.starting_stacks, hand.full_line
            self._hands.append(PlayedHand(number, 0, seed, seated, stacks, line))

    def per_hand(self, chair: int) -> tuple[Estimate, Estimate | None]:
        """Return chips a hand, as played and with all-ins at expectation; None where none was.

        The numbers are those of `result`, which takes longer.

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
        chips[list(self._expected)] = [each[chair] for each in self._expected.values()]
        return won, ratio_estimate(chips, ones)

    def result(self, seconds: float) -> MatchResult:
        """Return what was won, with intervals; at least one hand must have been played."""
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
        """What is kept, by seat as in a match."""
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
