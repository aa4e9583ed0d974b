"""One session: new bots, a fixed list of deals, every rotation of the seats.

The loop over hands only fills lists; sums are computed once, at the end of the session.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.arena._aivat import AivatLog, AivatSums, strategy_files
from riverboat.arena._chair import Chair, TimeTally, play_hand, refuse_failing
from riverboat.arena._run_outs import expected_payoffs
from riverboat.arena._settings import BotMaker, MatchSettings
from riverboat.bots import BotError, BotRef, OutsideBot
from riverboat.errors import in_words
from riverboat.game import GameSpec, Hand, View


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A played hand as data, sufficient to replay it."""

    deal: int
    """Number of the deal (or game) in the match, from 0."""
    rotation: int
    seed: int
    bots: tuple[int, ...]
    """The chair of the bot on each seat."""
    stacks: tuple[int, ...]
    line: str


@dataclass(slots=True)
class HandLog:
    """The hands of a session, one entry per hand."""

    deals: list[int] = field(default_factory=list)
    """Number of the deal or game within the session."""
    payoffs: list[tuple[int, ...]] = field(default_factory=list)
    """Chips that each seat won."""
    expected: dict[int, tuple[float, ...]] = field(default_factory=dict)
    """All-in EV of each seat, by number of the hand."""
    ends: list[int] = field(default_factory=list)
    """The street of the last fold, or the number of streets for a showdown."""
    seated: list[tuple[int, ...]] = field(default_factory=list)
    """The chair of the bot on each seat."""
    hands: list[PlayedHand] = field(default_factory=list)
    """Recorded hands."""

    def expect(self, hand: Hand, seed: int) -> None:
        """Store the all-in EV of the hand that is added next, if it was all-in."""
        if len(hand.live) > 1:
            payoffs = expected_payoffs(hand, seed)
            if payoffs is not None:
                self.expected[len(self.payoffs)] = payoffs

    def add(
        self, hand: Hand, deal: int, seated: tuple[int, ...], payoffs: tuple[int, ...] | None = None
    ) -> None:
        """Add a hand; `seated` has the chair of each seat. Give `payoffs` if a player left."""
        showdown = hand.settled and len(hand.live) > 1
        self.deals.append(deal)
        self.payoffs.append(hand.payoffs() if payoffs is None else payoffs)
        self.ends.append(len(hand.spec.streets) if showdown else hand.street)
        self.seated.append(seated)


@dataclass(frozen=True, slots=True)
class SessionResult:
    """The sums of one session over all rotations."""

    session: int
    learns: tuple[bool, ...]
    hands: NDArray[np.int64]
    """[deals] hands of each deal (or game), over all rotations."""
    chips: NDArray[np.float64]
    """[deals, bots] chips won."""
    corrected: NDArray[np.float64]
    """[deals, bots] chips won, with all-in EV."""
    wins: NDArray[np.float64]
    """[deals, bots] freeze-outs won, ties shared; zeros if stacks are reset."""
    seats: NDArray[np.float64]
    """[bots, seats, 3] hands, chips, squared chips."""
    ends: NDArray[np.float64]
    """[streets + 1, bots, 3] hands, chips, squared chips, by street of the last fold; the last
    row has showdowns."""
    run_outs: int
    """Number of hands that were scored by all-in EV."""
    times: tuple[TimeTally, ...]
    errors: tuple[Counter[str], ...]
    said: tuple[dict[str, str], ...]
    records: tuple[PlayedHand, ...]
    aivat: AivatSums | None = None
    """AIVAT sums; None without AIVAT."""


def play_session(settings: MatchSettings, session: int) -> SessionResult:
    """Play one session of a match.

    Examples
    --------
    >>> settings = MatchSettings(("checkcall", "checkcall"), "nolimit-100bb", hands=20, seed=1)
    >>> play_session(settings, 0).chips.sum(axis=0)  # the same cards from both sides
    array([0., 0.])
    """
    log = HandLog()
    seeds = settings.deal_seeds(session)
    wins = np.zeros((len(seeds), len(settings.bots)))
    all_chairs: list[list[Chair]] = []
    aivat = _aivat_log(settings, wins.shape)
    for rotation in range(settings.rotations):
        with _seated(settings, session, rotation) as chairs:
            first = session * settings.session_length
            table = Table(settings, chairs, log, first, rotation, aivat)
            for deal, seed in enumerate(seeds):
                if settings.carried:
                    wins[deal] += table.play_game(deal, seed)
                else:
                    table.play_deal(deal, seed)
                refuse_chairs(settings, chairs)
            all_chairs.append(chairs)
    result = sum_up(settings, session, log, wins, all_chairs)
    return result if aivat is None else replace(result, aivat=aivat.sums())


def _aivat_log(settings: MatchSettings, shape: tuple[int, ...]) -> AivatLog | None:
    """Return the AIVAT scorer of a session; None without AIVAT."""
    if not settings.aivat:
        return None
    return AivatLog(
        settings.spec, strategy_files(settings.bots, settings.spec), (shape[0], shape[1])
    )


def refuse_chairs(settings: MatchSettings, chairs: Sequence[Chair]) -> None:
    """Raise `ArenaError` if a bot failed more than half of 100 or more decisions of a session.

    With `keep_going` nothing is checked.
    """
    if settings.keep_going:
        return
    for bot, chair in enumerate(chairs):
        if chair.errors:
            name = settings.names[bot]
            refuse_failing(name, len(chair.times), chair.errors, chair.said)


@contextmanager
def _seated(settings: MatchSettings, session: int, rotation: int) -> Iterator[list[Chair]]:
    """Create the bots of one rotation; processes of bots from files end with the context."""
    chairs: list[Chair] = []
    try:
        seeds = settings.bot_seeds(session, rotation)
        for maker, seed in zip(settings.bots, seeds, strict=True):
            chairs.append(Chair(_player_or_none(maker, seed, settings), settings.time_limit))
        yield chairs
    finally:
        for chair in chairs:
            if isinstance(chair.bot, OutsideBot):
                chair.bot.close()


def make_player(maker: BotMaker, seed: int, settings: MatchSettings) -> object:
    """Create a bot: a built-in one in this process, a bot from a file in its own process."""
    if not isinstance(maker, str):
        return maker(seed)
    ref = BotRef.parse(maker)
    if ref.untrusted:
        limits = settings.time_limit, settings.memory_limit
        return OutsideBot(maker, seed, *limits, settings.sandbox, hide=settings.hide)
    return ref.make(seed)


class _Missing:
    """Replaces a bot that could not be created; it checks or folds."""

    def __init__(self, sentence: str) -> None:
        self._sentence = sentence

    def act(self, view: View) -> str:  # noqa: ARG002 - it always fails
        raise BotError("absent", self._sentence)


def _player_or_none(maker: BotMaker, seed: int, settings: MatchSettings) -> object:
    """Create a bot; if that fails in a running match, a replacement checks or folds."""
    try:
        return make_player(maker, seed, settings)
    except (Exception, SystemExit) as error:
        return _Missing(f"the bot could not be created: {in_words(error)}")


class Table:
    """Deals hands to the chairs of one rotation and logs them."""

    def __init__(  # noqa: PLR0913, PLR0917 - the table's state
        self,
        settings: MatchSettings,
        chairs: list[Chair],
        log: HandLog,
        first: int,
        rotation: int,
        aivat: AivatLog | None = None,
    ) -> None:
        count = len(chairs)
        self._aivat = aivat
        self._settings = settings
        self._spec = settings.spec
        self._chairs = chairs
        self._log = log
        self._first_deal = first
        self._rotation = rotation
        self._keep = settings.keeps_hands
        self._tell = any(c.hand_started or c.hand_over for c in chairs)
        #: For each shift of the seats, the number of the chair on each seat.
        self._orders = [
            tuple((seat + shift) % count for seat in range(count)) for shift in range(count)
        ]
        self._seatings = [[chairs[chair] for chair in order] for order in self._orders]

    def play_deal(self, deal: int, seed: int) -> None:
        """Play one hand with full stacks; deal and rotation shift the seats."""
        shift = (deal + self._rotation) % len(self._orders)
        hand = Hand(self._spec, seed=seed)
        play_hand(hand, self._seatings[shift], tell=self._tell)
        if self._settings.correct:
            self._log.expect(hand, seed)
        if self._aivat is not None:
            self._aivat.add(hand, deal, self._orders[shift], self._seatings[shift])
        self._log_hand(hand, deal, seed, self._orders[shift])

    def play_game(self, game: int, seed: int) -> NDArray[np.float64]:
        """Play a freeze-out; return the share of it that each bot won."""
        shift = (game + self._rotation) % len(self._orders)
        order = list(self._orders[shift])
        stacks = dict(zip(order, self._spec.stacks, strict=True))
        for played in range(self._settings.rounds):
            if len(order) == 1:
                break
            spec = fewer_seats(self._spec, len(order))
            number = self._settings.hand_seed(seed, played)
            hand = Hand(spec, seed=number, stacks=tuple(stacks[chair] for chair in order))
            play_hand(hand, [self._chairs[chair] for chair in order], tell=self._tell)
            self._log_hand(hand, game, number, tuple(order))
            stacks.update(zip(order, hand.stacks, strict=True))
            order = [chair for chair in order[1:] + order[:1] if stacks[chair] > 0]
        most = max(stacks.values())
        best = [chair for chair, chips in stacks.items() if chips == most]
        wins = np.zeros(len(self._chairs))
        wins[best] = 1 / len(best)
        return wins

    def _log_hand(self, hand: Hand, deal: int, seed: int, order: tuple[int, ...]) -> None:
        log = self._log
        log.add(hand, deal, order)
        if self._keep:
            log.hands.append(
                PlayedHand(
                    self._first_deal + deal,
                    self._rotation,
                    seed,
                    order,
                    hand.starting_stacks,
                    hand.full_line,
                )
            )


@lru_cache(maxsize=64)
def fewer_seats(spec: GameSpec, players: int) -> GameSpec:
    """Return the game with the first seats only, when other players are out."""
    if players == spec.players:
        return spec
    return spec.replace(
        stacks=spec.stacks[:players], blinds=spec.blinds[:players], antes=spec.antes[:players]
    )


def sum_up(
    settings: MatchSettings,
    session: int,
    log: HandLog,
    wins: NDArray[np.float64],
    all_chairs: list[list[Chair]],
) -> SessionResult:
    """Return the sums of a session from its log."""
    by_bot = list(zip(*all_chairs, strict=True))
    return SessionResult(
        session=session,
        learns=tuple(chairs[0].learns for chairs in by_bot),
        wins=wins,
        times=tuple(
            TimeTally.of([t for chair in chairs for t in chair.times]) for chairs in by_bot
        ),
        errors=tuple(sum((chair.errors for chair in chairs), Counter()) for chairs in by_bot),
        said=tuple({k: v for chair in chairs for k, v in chair.said.items()} for chairs in by_bot),
        **sum_hands(settings, log, len(wins)),
    )


def sum_hands(settings: MatchSettings, log: HandLog, num_deals: int) -> dict[str, Any]:
    """Return the fields of `SessionResult` that depend on hands only."""
    deals, ends = np.array(log.deals), np.array(log.ends)
    chips, seats = _by_bot(log.payoffs, log.seated, len(settings.bots))
    corrected = chips.copy()
    for number, payoffs in log.expected.items():
        corrected[number, list(log.seated[number])] = payoffs
    return {
        "hands": np.bincount(deals, minlength=num_deals),
        "chips": _sum_by(deals, chips, num_deals),
        "corrected": _sum_by(deals, corrected, num_deals),
        "seats": _moments_by_seat(chips, seats),
        "ends": _moments_by_end(chips, seats, ends, len(settings.spec.streets) + 1),
        "run_outs": len(log.expected),
        "records": tuple(log.hands),
    }


def _by_bot(
    payoffs: list[tuple[int, ...]], seated: list[tuple[int, ...]], num_bots: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return chips and seat of each bot, [hands, bots]; seat -1 for a bot that is out."""
    chips = np.zeros((len(payoffs), num_bots))
    seats = np.full((len(payoffs), num_bots), -1)
    counts = np.array([len(row) for row in payoffs])
    for count in np.unique(counts):
        rows = np.flatnonzero(counts == count)
        bots = np.array([seated[row] for row in rows])
        chips[rows[:, None], bots] = [payoffs[row] for row in rows]
        seats[rows[:, None], bots] = np.arange(count)
    return chips, seats


def _sum_by(
    groups: NDArray[np.int64], values: NDArray[np.float64], num: int
) -> NDArray[np.float64]:
    """Sum the rows of each group, [num, columns]."""
    columns = [np.bincount(groups, values[:, i], num) for i in range(values.shape[1])]
    return np.stack(columns, axis=1)


def _moments(chips: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([len(chips), chips.sum(), (chips * chips).sum()])


def _moments_by_seat(chips: NDArray[np.float64], seats: NDArray[np.int64]) -> NDArray[np.float64]:
    bots = range(chips.shape[1])
    return np.array([[_moments(chips[seats[:, b] == s, b]) for s in bots] for b in bots])


def _moments_by_end(
    chips: NDArray[np.float64], seats: NDArray[np.int64], ends: NDArray[np.int64], num: int
) -> NDArray[np.float64]:
    bots = range(chips.shape[1])
    return np.array(
        [[_moments(chips[(ends == e) & (seats[:, b] >= 0), b]) for b in bots] for e in range(num)]
    )
