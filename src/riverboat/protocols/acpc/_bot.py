"""An ACPC player (another program) as a bot, at our tables and at our dealer.

The player gets a state after every action, and its answers are read like at the competition's
dealer: an invalid answer is a call, and a raise outside the limits is the nearest legal one.
Players connect to our dealer (`deal`), and our bots may play there, too. Positions move by one
after every hand, like at the competition's dealer. If a player is late, disconnects or sends an
invalid message, it checks or folds, and the failure is counted; the match continues.
"""

import math
import socket
import time
from collections.abc import Callable, Sequence
from typing import Any

from riverboat.bots import Engine
from riverboat.errors import GameError, ProtocolError
from riverboat.game import GameSpec, Hand, View, actions_of, write_acpc_game
from riverboat.protocols.acpc._states import action_of, read_state, state_line
from riverboat.protocols.client import (
    DealtMatch,
    LineLink,
    Link,
    Program,
    accept,
    deal_match,
    program_file,
)

_CONNECT_SECONDS = 60.0
_MOST_LINES = 1000  # consecutive lines that do not answer the state
_END = "\r\n"


def _make(path: str, seed: int) -> "AcpcBot":
    """Create the bot of `acpc:path`: a program that is started with a host and a port."""
    del seed  # the program has its own
    file = program_file(path)
    program = Program([str(file)], file.parent)
    return AcpcBot(lambda: program.by_port(("127.0.0.1",), _CONNECT_SECONDS, _END), program)


class AcpcBot:
    """An ACPC player at the other end of a link.

    Parameters
    ----------
    connect
        Waits for the player; called at the first message, and again after a lost connection.
    program
        The player's program, if we started it.
    seconds
        Time limit of an answer in seconds.

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
        """Send all new states to the player and return its answer."""
        self._catch_up(view)
        hand = _replay(view)
        line = state_line(hand, view.seat, self._number)
        try:
            self._send(line)
            return action_of(hand, self._answer(line))
        except (EOFError, BrokenPipeError, ConnectionError):
            # The player may reconnect after a lost connection; send the state again.
            self._hang_up()
            self._send(line)
            return action_of(hand, self._answer(line))

    def hand_started(self, view: View) -> None:
        """Begin a hand."""
        self._begin(view)

    def hand_over(self, view: View) -> None:
        """Send the last state of the hand to the player."""
        self._catch_up(view)
        self._send(state_line(_replay(view), view.seat, self._number))
        self._last = None

    def close(self) -> None:
        """Close the connection and end the program."""
        self._hang_up()
        if self._program is not None:
            self._program.end()

    def _begin(self, view: View) -> None:
        write_acpc_game(view.spec)  # refuses games that the protocol cannot represent
        self._number += 1
        self._last, self._told = view, -1

    def _catch_up(self, view: View) -> None:
        """Send the states after all new actions, except the last one."""
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
        raise ProtocolError(f"the player sent {_MOST_LINES} lines that do not answer the state")


def _refuse_other(said: str, number: int) -> None:
    """Refuse an answer to a future hand; answers to older hands are only late."""
    if read_state(said).number > number:
        raise ProtocolError(f"the player answered {said[:80]!r}, which was never sent")


def _replay(view: View, count: int | None = None) -> Hand:
    """Replay the hand of a view, up to `count` actions; unknown cards stay unknown."""
    spec = view.spec
    holes = [list(view.shown[seat]) or None for seat in range(spec.players)]
    holes[view.seat] = list(view.hole)
    hand = Hand(spec, hole=holes, board=list(view.board), stacks=view.starting_stacks)
    for action in actions_of(view.line)[:count]:
        hand.do(action)
    return hand


ENGINE = Engine(_make, uses_network=True)


_END = "\r\n"


def remote(server: socket.socket, start_seconds: float, seconds: float) -> AcpcBot:
    """Return the player that connects to a listening socket; it may reconnect."""
    waits = iter((start_seconds,))

    def connect() -> LineLink:
        return accept(server, next(waits, seconds), _END)

    return AcpcBot(connect, seconds=seconds)


def deal(spec: GameSpec, players: Sequence[Any], hands: int, seed: int, **more: Any) -> DealtMatch:
    """Deal a match of a game that the protocol can represent: `riverboat.protocols.client.deal`.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> from riverboat.game import catalogue
    >>> bots = [make_bot("fish", 1), make_bot("fold", 2)]
    >>> deal(catalogue("nolimit-200bb"), bots, hands=4, seed=1).chips  # big blind, small blind
    (300, -300)
    """
    write_acpc_game(spec)  # refuses games that the protocol cannot represent
    first = 1 if spec.players == 2 and spec.big_blind else 0
    return deal_match(spec, players, hands, seed, first_seat=first, **more)
