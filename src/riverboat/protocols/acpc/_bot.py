"""An ACPC player, somebody else's program, as a bot: at our tables, and at a dealer of ours.

The player is told a state after every action, as a dealer would, and its answers are read as a
dealer reads them: what is not understood is a call, a raise out of bounds is the nearest one. At
our dealer (`deal`) players connect, and bots of ours may sit beside them. Positions move on by one
after every hand, as with the competition's own dealer. A player that is late, gone or not
understood has checked or folded, and it is counted: the match goes on.
"""

import math
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from riverboat.arena import Chair, play_hand
from riverboat.bots import Engine
from riverboat.errors import ArenaError, GameError, ProtocolError
from riverboat.game import GameSpec, Hand, View, actions_of, write_acpc_game
from riverboat.protocols.acpc._states import action_of, read_state, state_line
from riverboat.protocols.client import LineLink, Link, Program, accept, program_file
from riverboat.statistics import Estimate, mean_estimate

_CONNECT_SECONDS = 60.0
_MOST_LINES = 1000  # that answer something else, one after the other
_END = "\r\n"


def _make(path: str, seed: int) -> "AcpcBot":
    """Make the bot of `acpc:path`: a program that is started with a host and a port."""
    del seed  # theirs is their own
    file = program_file(path)
    program = Program([str(file)], file.parent)
    return AcpcBot(lambda: program.by_port(("127.0.0.1",), _CONNECT_SECONDS, _END), program)


class AcpcBot:
    """A player on the other side of a link.

    Parameters
    ----------
    connect
        Waits for the player; called when it is needed first, and again if it hung up.
    program
        That plays, if we started it.
    seconds
        For an answer.

    Examples
    --------
    >>> class Caller:
    ...     def __init__(self):
    ...         self.lines = ["VERSION:2.0.0"]
    ...     def send(self, line):
    ...         self.lines.append(f"{line}:c")
    ...     def receive(self, seconds):
    ...         return self.lines.pop(0)
    >>> from riverboat.game import catalogue
    >>> AcpcBot(Caller).act(Hand(catalogue("nolimit-200bb"), seed=1).view(0))
    'c'
    """

    def __init__(
        self, connect: Callable[[], Link], program: Program | None = None, seconds: float = math.inf
    ) -> None:
        self._connect, self._program, self._seconds = connect, program, seconds
        self._link: Link | None = None
        self._number = -1
        self._last: View | None = None
        self._told = -1

    def act(self, view: View) -> str:
        """Tell the player all that happened, and return its answer."""
        self._catch_up(view)
        hand = _replay(view)
        line = state_line(hand, view.seat, self._number)
        try:
            self._send(line)
            return action_of(hand, self._answer(line))
        except (EOFError, BrokenPipeError, ConnectionError):
            # It may have been cut, and come again: it is told the same once more.
            self._hang_up()
            self._send(line)
            return action_of(hand, self._answer(line))

    def hand_started(self, view: View) -> None:
        """Begin a hand."""
        self._begin(view)

    def hand_over(self, view: View) -> None:
        """Tell the player how it ended."""
        self._catch_up(view)
        self._send(state_line(_replay(view), view.seat, self._number))
        self._last = None

    def close(self) -> None:
        """Hang up, and end the program."""
        self._hang_up()
        if self._program is not None:
            self._program.end()

    def _begin(self, view: View) -> None:
        write_acpc_game(view.spec)  # refuses what the protocol has no words for
        self._number += 1
        self._last, self._told = view, -1

    def _catch_up(self, view: View) -> None:
        """Send the states of all actions since the last one, but for the newest."""
        last = self._last
        if last is None or (last.seat, last.hole) != (view.seat, view.hole):
            self._begin(view)
        actions = actions_of(view.line)
        for count in range(self._told + 1, len(actions)):
            self._send(state_line(_replay(view, count), view.seat, self._number))
        self._last, self._told = view, len(actions)

    def _send(self, line: str) -> None:
        self._linked().send(line)

    def _linked(self) -> Link:
        if self._link is None:
            self._link = self._connect()
            version = self._link.receive(_CONNECT_SECONDS)
            if not version.startswith("VERSION:2."):
                raise GameError(f"{version[:40]!r} is not VERSION:2.0.0")
        return self._link

    def _hang_up(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

    def _answer(self, line: str) -> str:
        """Return the action of the answer to a state; answers to older states are skipped."""
        deadline = time.monotonic() + self._seconds
        for _ in range(_MOST_LINES):
            answer = self._linked().receive(deadline - time.monotonic())
            said, _, action = answer.rpartition(":")
            if said == line:
                return action
            if not answer.startswith(("#", ";")) and said:
                _refuse_other(said, self._number)
        raise ProtocolError(f"{_MOST_LINES} lines came that answer nothing")


def _refuse_other(said: str, number: int) -> None:
    """Refuse an answer to a hand that is still to come; older ones are late, no more."""
    if read_state(said).number > number:
        raise ProtocolError(f"an answer to {said[:80]!r}, which was never said")


def _replay(view: View, count: int | None = None) -> Hand:
    """Play a view's hand again, up to so many actions; cards that it does not know stay unknown."""
    spec = view.spec
    holes = [list(view.shown[seat]) or None for seat in range(spec.players)]
    holes[view.seat] = list(view.hole)
    hand = Hand(spec, hole=holes, board=list(view.board), stacks=view.starting_stacks)
    for action in actions_of(view.line)[:count]:
        hand.do(action)
    return hand


ENGINE = Engine(_make, uses_network=True)


_END = "\r\n"


@dataclass(frozen=True, slots=True)
class DealtMatch:
    """What came out, by player: not by position.

    Attributes
    ----------
    hands
        All of them, with the player of each seat.
    chips
        By player, in all.
    mbb_per_hand
        By player.
    errors
        By player: what went wrong, by kind.
    """

    hands: tuple[tuple[Hand, tuple[int, ...]], ...]
    chips: tuple[int, ...]
    mbb_per_hand: tuple[Estimate, ...]
    errors: tuple[dict[str, int], ...]


def remote(server: socket.socket, start_seconds: float, seconds: float) -> AcpcBot:
    """Return the player that connects to a socket that listens; it may come again if it is cut."""
    waits = iter((start_seconds,))

    def connect() -> LineLink:
        return accept(server, next(waits, seconds), _END)

    return AcpcBot(connect, seconds=seconds)


def deal(  # noqa: PLR0913 - each is one word of the docstring
    spec: GameSpec,
    players: Sequence[Any],
    hands: int,
    seed: int,
    *,
    time_limit: float = 600.0,
    progress: Callable[[], object] = lambda: None,
) -> DealtMatch:
    """Deal a match.

    Parameters
    ----------
    spec
        The game; one that the protocol has words for.
    players
        Bots, by `remote` or of ours, as many as the game has seats.
    hands, seed
        The cards of a hand depend on the seed and its number alone: with the players in another
        order the same seed makes a duplicate match.
    time_limit
        Seconds for a decision.
    progress
        Called after every hand.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> from riverboat.game import catalogue
    >>> bots = [make_bot("fish", 1), make_bot("fold", 2)]
    >>> deal(catalogue("nolimit-200bb"), bots, hands=4, seed=1).chips  # big blind, small blind
    (300, -300)
    """
    if len(players) != spec.players:
        raise ArenaError(f"the game has {spec.players} seats, not {len(players)}")
    write_acpc_game(spec)  # refuses what the protocol has no words for
    chairs = [Chair(player, time_limit) for player in players]
    played = []
    for number in range(hands):
        order = _order(spec, number)
        hand = Hand(spec, seed=_hand_seed(seed, number))
        seated = [chairs[player] for player in order]
        play_hand(hand, seated, tell=True)
        played.append((hand, order))
        progress()
    return _summed(spec, tuple(played), chairs)


def _order(spec: GameSpec, number: int) -> tuple[int, ...]:
    """By seat, the player: player 0 begins in position 0, which is seat 1 of two."""
    shift = number + (1 if spec.players == 2 and spec.big_blind else 0)
    return tuple((seat + shift) % spec.players for seat in range(spec.players))


def _hand_seed(seed: int, number: int) -> int:
    return int.from_bytes(blake2b(b"acpc %d %d" % (seed, number), digest_size=8).digest())


def _summed(
    spec: GameSpec, played: tuple[tuple[Hand, tuple[int, ...]], ...], chairs: list[Chair]
) -> DealtMatch:
    chips = np.zeros((len(played), spec.players))
    for row, (hand, order) in enumerate(played):
        chips[row, list(order)] = hand.payoffs()
    unit = 1000 / (spec.big_blind or 1)
    return DealtMatch(
        played,
        tuple(int(each) for each in chips.sum(axis=0)),
        tuple(mean_estimate(unit * column) for column in chips.T),
        tuple(dict(chair.errors) for chair in chairs),
    )
