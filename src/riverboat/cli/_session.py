"""A person's session against bots, without any terminal.

The person sits on chair 0 and the bots follow clockwise. The button starts with the
person and moves one chair on each hand. A *chair* stays; a *seat* is the place in
one hand, counted from the small blind as the rules do.
"""

import random
from collections.abc import Callable, Sequence

from riverboat.arena import PersonLog
from riverboat.bots import Bot, tell_hand_over, tell_hand_started
from riverboat.cli._deeds import Deed, deed_of
from riverboat.cli._moves import read_move
from riverboat.errors import GameError
from riverboat.game import Action, GameSpec, Hand, View

__all__ = ["Session"]

PERSON = 0


class Session:
    """Hands of one person against bots; nothing is drawn or saved here.

    Parameters
    ----------
    spec
        The game.
    bots
        The opponents, clockwise; one fewer than the game has seats.
    seed
        Of the cards: hand k of a seed is always dealt the same.
    carry
        Whether stacks go on from hand to hand. Who has none left buys in again.
    log
        Counts the hands that were played to the end; nothing does by default.

    Examples
    --------
    >>> from riverboat.bots import CheckCall
    >>> from riverboat.game import catalogue
    >>> session = Session(catalogue("nolimit-100bb"), [CheckCall()], seed=1)
    >>> session.deal()
    >>> session.act("pot")
    >>> [deed.words for deed in session.news]
    ['calls 20', 'checks']
    """

    def __init__(
        self,
        spec: GameSpec,
        bots: Sequence[Bot],
        seed: int,
        *,
        carry: bool = False,
        log: PersonLog | None = None,
    ) -> None:
        if len(bots) != spec.players - 1:
            raise GameError(f"{spec.players} seats need {spec.players - 1} bots, not {len(bots)}")
        self.spec = spec
        self.carry = carry
        self.log = log
        #: Hands dealt, and hands played to the end.
        self.dealt = self.played = 0
        #: Chips that the person won or lost in all, and in the last hand.
        self.total = self.last = 0
        #: What happened in this hand.
        self.deeds: list[Deed] = []
        #: Chairs that had to buy in again before this hand.
        self.bought_in: tuple[int, ...] = ()
        self._bots = tuple(bots)
        self._deals = random.Random(seed)  # noqa: S311 - a game, no secret
        self._stacks = list(spec.stacks)
        self._hand: Hand | None = None
        self._old_deeds = 0

    @property
    def hand(self) -> Hand:
        """The hand on the table."""
        if self._hand is None:
            raise GameError("no hand was dealt yet")
        return self._hand

    @property
    def waiting(self) -> bool:
        """Whether the person is to act."""
        return self._hand is not None and self._hand.actor == self.seat_of(PERSON)

    @property
    def running(self) -> bool:
        """Whether a hand was dealt and is not over."""
        return self._hand is not None and not self._hand.finished

    @property
    def news(self) -> list[Deed]:
        """What happened since the person's last move."""
        return self.deeds[self._old_deeds :]

    @property
    def view(self) -> View:
        """What the person may know."""
        return self.hand.view(self.seat_of(PERSON))

    @property
    def _small_blind_chair(self) -> int:
        button = (self.dealt - 1) % self.spec.players
        return (button - self.spec.button) % self.spec.players

    def seat_of(self, chair: int) -> int:
        """Return the seat in this hand of a chair."""
        return (chair - self._small_blind_chair) % self.spec.players

    def chair_of(self, seat: int) -> int:
        """Return the chair of a seat in this hand."""
        return (seat + self._small_blind_chair) % self.spec.players

    def by_seat(self, values: Sequence[str]) -> tuple[str, ...]:
        """Order what is given by chair by the seats of this hand."""
        return tuple(values[self.chair_of(seat)] for seat in range(self.spec.players))

    def deal(self) -> None:
        """Deal the next hand; the bots act until the person is asked or the hand is over."""
        if self.running:
            raise GameError("the hand on the table is not over")
        self.dealt += 1
        self.deeds, self._old_deeds = [], 0
        stacks = self.spec.stacks
        if self.carry:
            self._buy_in()
            stacks = tuple(self._stacks[self.chair_of(seat)] for seat in range(self.spec.players))
        self._hand = Hand(self.spec, seed=self._deals.getrandbits(63), stacks=stacks)
        self._tell_bots(tell_hand_started)
        self._go_on()

    def act(self, text: str) -> None:
        """Make the person's move; bad text raises a sentence and changes nothing."""
        if not self.waiting:
            raise GameError("it is not your turn")
        self._do(read_move(text, self.hand), own=True)
        self._old_deeds = len(self.deeds)
        self._go_on()

    def _buy_in(self) -> None:
        self.bought_in = tuple(chair for chair, chips in enumerate(self._stacks) if chips == 0)
        for chair in self.bought_in:
            self._stacks[chair] = self.spec.stacks[self.seat_of(chair)]

    def _do(self, move: Action, *, own: bool) -> None:
        deed = deed_of(self.hand, move, own=own)
        self.hand.do(move)
        self.deeds.append(deed)

    def _go_on(self) -> None:
        """Let the bots act, then settle if the hand is over."""
        while (seat := self.hand.actor) is not None and not self.waiting:
            move = self._bots[self.chair_of(seat) - 1].act(self.hand.view(seat))
            self._do(Action(move) if isinstance(move, str) else move, own=False)
        if self.hand.finished:
            self._settle()

    def _tell_bots(self, tell: Callable[[Bot, View], None]) -> None:
        for chair, bot in enumerate(self._bots, 1):
            tell(bot, self.hand.view(self.seat_of(chair)))

    def _settle(self) -> None:
        self._tell_bots(tell_hand_over)
        self.played += 1
        self.last = self.hand.payoffs()[self.seat_of(PERSON)]
        self.total += self.last
        if self.log is not None:
            chairs = tuple(self.chair_of(seat) for seat in range(self.spec.players))
            self.log.add(self.hand, chairs)
        for seat, chips in enumerate(self.hand.stacks):
            self._stacks[self.chair_of(seat)] = chips

    @property
    def unit(self) -> tuple[int, str]:
        """What results are counted in: the big blind, or the ante where there is none."""
        if self.spec.big_blind:
            return self.spec.big_blind, "bb"
        return max(*self.spec.antes, 1), "antes"

    @property
    def per_hundred(self) -> float:
        """The person's result in big blinds (or antes) for 100 hands; 0 before the first."""
        return 100 * self.total / (self.unit[0] * self.played) if self.played else 0.0
