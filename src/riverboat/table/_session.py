"""A session: hands of people and bots at one table.

A *chair* stays the same from hand to hand; a *seat* is the position in one hand, counted from the
small blind. The button starts at chair 0 and moves by one chair each hand.
"""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal, TypeVar

from riverboat.arena import (
    DealSeed,
    MatchResult,
    PersonLog,
    PersonTable,
    payoffs_of,
    safe_move,
    unit_of,
)
from riverboat.bots import Bot, BotRef, OutsideBot, sit
from riverboat.errors import GameError, IllegalActionError, RiverboatError
from riverboat.game import Action, GameSpec, Hand, View, find_game
from riverboat.histories import HandRecord, record_of
from riverboat.sandbox import Mode
from riverboat.statistics import Estimate
from riverboat.table._bots import Manners
from riverboat.table._events import (
    Acted,
    BoardDealt,
    Dealt,
    TableEvent,
    act_of,
    ending,
    given_up,
)
from riverboat.table._words import YOU

_T = TypeVar("_T")


class Session:
    """Hands of any number of people and bots. A session draws and saves nothing.

    Parameters
    ----------
    game
        A game, or what `find_game` takes: a name of the catalogue or a file.
    seats
        The players by chair, clockwise: a bot, a bot's name, or None for a person. Output that the
        bot of a Python file prints goes to `riverboat.bots.prints_file`.
    seed
        Random seed of cards and named bots: hand k of a seed always has the same cards. With a
        deal seed, only a number that identifies the session.
    names
        By chair; by default `You` for the person, and the given name for a bot.
    carry
        Whether stacks carry over to the next hand. A player without chips buys in again.
    sandbox
        How bots of Python files are sandboxed, each in its own process: `auto`, `off` or
        `required`.
    deal_seed
        Secret that replaces the seed for cards and bots' choices, so that no bot can know them.
        By default one is drawn if a bot of a Python file plays.
    patience
        Time limit of a bot's decision in seconds. A bot that fails or is late checks if that is
        free and folds otherwise, and `failures` has the message. None = no limit, and a failure is
        an error.

    Raises
    ------
    GameError
        If the number of chairs is not the number of seats of the game.

    Examples
    --------
    >>> session = Session("nolimit-100bb", [None, "checkcall"], seed=1)
    >>> session.deal()
    >>> session.play("f")
    >>> session.totals, session.waiting, [type(event).__name__ for event in session.events]
    ([-5, 5], None, ['Dealt', 'Acted', 'Won'])
    """

    def __init__(  # noqa: PLR0913 - keyword options
        self,
        game: GameSpec | str,
        seats: Sequence[Bot | str | None],
        seed: int,
        *,
        names: Sequence[str] = (),
        carry: bool = False,
        sandbox: Mode = "auto",
        deal_seed: DealSeed | None = None,
        patience: float | None = None,
    ) -> None:
        self.spec = find_game(game, len(seats)) if isinstance(game, str) else game
        if len(seats) != self.spec.players:
            raise GameError(
                f"{self.spec.name or 'the game'} has {self.spec.players} seats, not {len(seats)}: "
                "name a bot for each, or None for a person"
            )
        self.seed, self.carry = seed, carry
        self.names = tuple(names) or _names(seats)
        #: Number of finished hands.
        self.played = 0
        #: Chips won or lost by chair, in total and in the last hand.
        self.totals = [0] * len(seats)
        self.last = (0,) * len(seats)
        #: Chairs that had to buy in again before this hand.
        self.bought_in: tuple[int, ...] = ()
        outside = any(isinstance(seat, str) and BotRef.parse(seat).untrusted for seat in seats)
        #: To be published after the bots' processes have ended (`close`); None if there is none.
        self.deal_seed = DealSeed.draw() if deal_seed is None and outside else deal_seed
        self._table = PersonTable(self.spec, seed, self.deal_seed, carry=carry)
        self._bots = [
            sit(seat, bot_seed, sandbox) if isinstance(seat, str) else seat
            for seat, bot_seed in zip(seats, self._table.bot_seeds(), strict=True)
        ]
        self._manners = Manners(self.names, self._bots, patience)
        self._log = PersonLog(self.spec, self.names, seed)
        self._hand_seed: int | None = None
        self._hand: Hand | None = None
        self._given_up = False
        self._events: list[TableEvent] = []
        self._board = 0

    @property
    def hand(self) -> Hand:
        """The current hand with all cards; never show it to a person."""
        if self._hand is None:
            raise GameError("no hand has been dealt yet")
        return self._hand

    @property
    def dealt(self) -> int:
        """Number of hands dealt."""
        return self._table.number

    @property
    def running(self) -> bool:
        """Whether a hand is being played."""
        return self._hand is not None and not self._hand.finished and not self._given_up

    @property
    def waiting(self) -> int | None:
        """The chair of the person whose turn it is; None if it is nobody's turn."""
        if self._hand is None or self._hand.actor is None or self._given_up:
            return None
        chair = self.chair_of(self._hand.actor)
        return chair if self._bots[chair] is None else None

    @property
    def failures(self) -> list[str]:
        """Messages about failures of bots in this hand, at a table with a time limit."""
        return self._manners.failures

    @property
    def person(self) -> int:
        """The chair of the person to act; else of the first person; 0 if all are bots."""
        if self.waiting is not None:
            return self.waiting
        return self._bots.index(None) if None in self._bots else 0

    @property
    def view(self) -> View:
        """The view of the person."""
        return self.view_of(self.person)

    def view_of(self, chair: int) -> View:
        """Return the view of a chair."""
        return self.hand.view(self.seat_of(chair))

    @property
    def events(self) -> list[TableEvent]:
        """The events of this hand that the person may know."""
        return self.events_of(self.person)

    def events_of(self, chair: int) -> list[TableEvent]:
        """Return the events of this hand that a chair may know."""
        seat = self.seat_of(chair)
        return [e.seen_by(seat) if isinstance(e, Acted) else e for e in self._events]

    @property
    def news(self) -> list[Acted]:
        """The actions since the person's last one."""
        seat = self.seat_of(self.person)
        acts = [event for event in self.events if isinstance(event, Acted)]
        last = max((i for i, act in enumerate(acts, 1) if act.seat == seat), default=0)
        return acts[last:]

    def seat_of(self, chair: int) -> int:
        """Return the seat of a chair in this hand."""
        return self._table.chairs.index(chair % self.spec.players)

    def chair_of(self, seat: int) -> int:
        """Return the chair of a seat in this hand."""
        return self._table.chairs[seat % self.spec.players]

    def by_seat(self, values: Sequence[_T]) -> tuple[_T, ...]:
        """Reorder values by chair into values by seat of this hand."""
        return tuple(values[self.chair_of(seat)] for seat in range(self.spec.players))

    def deal(self, actions: Sequence[str] = ()) -> None:
        """Deal the next hand; the bots act until it is a person's turn or the hand is over.

        Parameters
        ----------
        actions
            Actions of this hand so far, to restore an interrupted session.
        """
        if self.running:
            raise GameError("the current hand is not over")
        seed, chairs, stacks, self.bought_in = self._table.deal()
        self._hand_seed = (
            seed if self.deal_seed else None
        )  # with a deal seed, the ledger needs the hands
        self._hand = Hand(self.spec, seed=seed, stacks=stacks)
        self._given_up = False
        self.failures.clear()
        self._events, self._board = [Dealt(self.dealt, chairs, stacks, self.bought_in)], 0
        self._notify_bots("hand_started")
        for action in actions:
            self._do(action)
        self._run_bots()

    def play(self, action: Action | str) -> None:
        """Make the move of the person to act; an illegal move changes nothing.

        Raises
        ------
        GameError
            If it is nobody's turn, or a bot that acts next fails.
        IllegalActionError
            If the rules do not allow the move.
        """
        if self.waiting is None:
            raise GameError("it is nobody's turn: deal a hand first")
        self._do(action)
        self._run_bots()

    def fold_out(self) -> None:
        """End the current hand for people who have left: they fold.

        Where the rules do not allow a fold (checking is free, or a card must be discarded), the
        hand ends: the others share each pot that they could win, and no bot is notified.

        Examples
        --------
        >>> session = Session("nolimit-100bb", [None, "checkcall"], seed=1)
        >>> session.deal()
        >>> session.play("c")
        >>> session.fold_out()  # on the flop, where nobody has bet
        >>> session.played, session.totals, session.hand.line
        (1, [-10, 10], 'ck/k')
        """
        if self.running:
            self._run_bots()  # a bot may have been interrupted
        while self.waiting is not None:
            if self.view.legal.fold:
                self.play("f")
            else:
                self._give_up()

    def _give_up(self) -> None:
        """Fold for the seat to act where the rules have no fold."""
        self._given_up = True
        self._events.extend(given_up(self.hand))
        self._count()

    def _do(self, move: Action | str) -> None:
        hand = self.hand
        hand.verify(move)
        act = act_of(hand, Action(move) if isinstance(move, str) else move)
        hand.do(move)
        self._events.append(act)
        # A tossed card is on the board, but was not dealt.
        new = tuple(card for card in hand.board[self._board :] if card != act.card)
        self._board = len(hand.board)
        if new:
            self._events.append(BoardDealt(hand.street, new))

    def _run_bots(self) -> None:
        """Let the bots act, then settle if the hand is over."""
        while (seat := self.hand.actor) is not None:
            bot = self._bots[self.chair_of(seat)]
            if bot is None:
                return
            self._do(self._move_of(bot, seat))
        self._settle()

    def _move_of(self, bot: Bot, seat: int) -> Action | str:
        """Return the move of a bot; if it fails at a table with a time limit, a safe move."""
        try:
            return self._ask(bot, seat)
        except RiverboatError as error:
            self._manners.note(error)
            return safe_move(self.hand.view(seat))

    def _ask(self, bot: Bot, seat: int) -> Action | str:
        """Return the move of a bot; errors name the bot."""
        chair, line = self.chair_of(seat), self.hand.line
        move = self._manners.call(chair, line, bot.act, self.hand.view(seat))
        try:
            self.hand.verify(move)
        except IllegalActionError as error:
            raise GameError(
                f"{self.names[chair]} made an illegal move after {line!r}: {error}"
            ) from error
        return move

    def close(self) -> None:
        """End the processes of bots that have their own."""
        for bot in self._bots:
            if isinstance(bot, OutsideBot):
                bot.close()

    def _notify_bots(self, hook: Literal["hand_started", "hand_over"]) -> None:
        for chair, bot in enumerate(self._bots):
            if (method := getattr(bot, hook, None)) is not None:
                try:
                    self._manners.call(chair, self.hand.line, method, self.view_of(chair))
                except RiverboatError as error:
                    self._manners.note(error)

    def _settle(self) -> None:
        self._notify_bots("hand_over")
        self._events.extend(ending(self.hand))
        self._count()

    def _count(self) -> None:
        """Record the winnings of the hand."""
        payoffs = payoffs_of(self.hand)
        self._log.add(self.hand, self._table.chairs, self._hand_seed)
        self.played += 1
        self.last = tuple(payoffs[self.seat_of(chair)] for chair in range(len(self.totals)))
        self.totals = [a + b for a, b in zip(self.totals, self.last, strict=True)]
        self._table.settle(self.hand)

    @property
    def unit(self) -> tuple[int, str]:
        """The unit of results in chips and its name: big blind, or ante if there are no blinds."""
        chips, name = unit_of(self.spec)
        return chips, "antes" if name == "ante" else name

    @property
    def per_hundred(self) -> float:
        """The person's winnings in big blinds (or antes) per 100 hands; 0 before the first."""
        chips = self.totals[self.person]
        return 100 * chips / (self.unit[0] * self.played) if self.played else 0.0

    def per_hand(self, chair: int) -> tuple[Estimate, Estimate | None]:
        """Return the winnings of a chair in chips per hand, as played and with all-in EV.

        The second is None if nobody was all-in. At least one hand must be finished.
        """
        return self._log.per_hand(chair)

    def result(self, seconds: float) -> MatchResult:
        """Return the winnings of each chair with confidence intervals, like the result of a match.

        Parameters
        ----------
        seconds
            Duration of the session.

        Raises
        ------
        GameError
            If no hand is finished.
        """
        if not self.played:
            raise GameError("no hand is finished: there is no result yet")
        return self._log.result(seconds)

    def settings(self) -> dict[str, Any]:
        """Return the settings of a finished session for the ledger.

        They contain the deal seed, if there is one, so all bots must have left.

        Examples
        --------
        >>> values = Session("kuhn", [None, "checkcall"], seed=1).settings()
        >>> [values[key] for key in ("game", "bots", "seed", "carry")]
        ['kuhn', ['You', 'checkcall'], 1, False]
        """
        values = {
            "game": self.spec.name,
            "bots": list(self.names),
            "seed": self.seed,
            "carry": self.carry,
            "rules": asdict(self.spec),
        }
        return values | ({"deal_seed": self.deal_seed.hex()} if self.deal_seed else {})

    def record(self, date: datetime | None = None, names: Sequence[str] = ()) -> HandRecord:
        """Return the current hand as a record, seen from the person's chair.

        Parameters
        ----------
        date
            When it was played.
        names
            By chair; empty = the names of the session.
        """
        chairs = self.by_seat(range(self.spec.players))
        return record_of(
            self.hand,
            date=date,
            names=self.by_seat(names or self.names),
            seat_numbers=tuple(chair + 1 for chair in chairs),
            hero=self.seat_of(self.person),
        )


def _names(seats: Sequence[Bot | str | None]) -> tuple[str, ...]:
    """Return a name for each chair: `You`, `Person 1`, or the bot."""
    alone = sum(seat is None for seat in seats) == 1
    return tuple(
        (YOU if alone else f"Person {chair}") if seat is None else _bot_name(seat)
        for chair, seat in enumerate(seats, 1)
    )


def _bot_name(seat: Bot | str) -> str:
    return seat if isinstance(seat, str) else type(seat).__name__
