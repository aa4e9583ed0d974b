"""A program that reads messages and writes answers in JSON lines, as a bot."""

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

from riverboat.bots import Engine
from riverboat.cards import card_text
from riverboat.errors import GameError, ProtocolError
from riverboat.game import GameSpec, View
from riverboat.protocols.client import Link, Program, program_file

PROTOCOL, VERSION = "riverboat-lines", 1

_READY_SECONDS = 30.0
_PATIENT = 86_400.0  # the arena's limit is shorter


def _make(path: str, seed: int) -> "LinesBot":
    """Create the bot of `lines:path`: a program that runs in its own folder."""
    file = program_file(path)
    program = Program([str(file)], file.parent)
    return LinesBot(program.by_pipes, seed, program)


class LinesBot:
    """A bot at the other end of a link.

    Parameters
    ----------
    connect
        Starts it.
    seed
        It is told, and may use it.
    program
        That plays, if we started it.

    Examples
    --------
    >>> class Caller:
    ...     def send(self, line):
    ...         self.heard = json.loads(line)
    ...     def receive(self, seconds):
    ...         if self.heard["type"] == "hello":
    ...             return '{"type": "ready", "version": 1}'
    ...         return '{"type": "move", "move": "c"}'
    >>> from riverboat.game import Hand, catalogue
    >>> LinesBot(Caller, seed=1).act(Hand(catalogue("nolimit-100bb"), seed=1).view(0))
    'c'
    """

    def __init__(
        self, connect: Callable[[], Link], seed: int, program: Program | None = None
    ) -> None:
        self._program = program
        self._link = connect()
        self._spec: GameSpec | None = None
        self._say({"type": "hello", "protocol": PROTOCOL, "version": VERSION, "seed": seed})
        ready = self._hear("ready", _READY_SECONDS)
        if ready.get("version") != VERSION:
            raise GameError(f"the bot uses version {ready.get('version')!r}, not {VERSION}")
        self.learns = bool(ready.get("learns", False))
        if ready.get("hears", False):
            self.hand_started: Callable[[View], None] = partial(self._tell, "hand_started")
            self.hand_over: Callable[[View], None] = partial(self._tell, "hand_over")

    def act(self, view: View) -> str:
        """Return the program's move."""
        self._tell("act", view)
        move = self._hear("move", _PATIENT).get("move")
        if not isinstance(move, str):
            raise ProtocolError(f"{move!r:.40} is not a move: a move is text such as 'c' or 'b30'")
        return move

    def close(self) -> None:
        """Close the connection and end the program."""
        self._link.close()
        if self._program is not None:
            self._program.end()

    def _tell(self, kind: str, view: View) -> None:
        if view.spec is not self._spec:
            self._spec = view.spec
            self._say({"type": "game", "game": asdict(view.spec)})
        self._say({"type": kind, "view": describe(view)})

    def _say(self, message: dict[str, Any]) -> None:
        self._link.send(json.dumps(message, separators=(",", ":")))

    def _hear(self, kind: str, seconds: float) -> dict[str, Any]:
        line = self._link.receive(seconds)
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ProtocolError(f"{line[:80]!r} is not a JSON object") from error
        if not isinstance(message, dict) or message.get("type") != kind:
            raise ProtocolError(f"{line[:80]!r} is not an object with the type {kind!r}")
        return message


def describe(view: View) -> dict[str, Any]:
    """Return a view as JSON values, with cards as text.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> describe(Hand.from_line(catalogue("leduc"), "k", seed=1).view(1))["line"]
    'k'
    """
    legal = view.legal
    return {
        "seat": view.seat,
        "button": view.button,
        "actor": view.actor,
        "street": view.street,
        "hole": view.hole_text,
        "board": view.board_text,
        "line": view.line,
        "live": list(view.live),
        "stacks": list(view.stacks),
        "starting_stacks": list(view.starting_stacks),
        "bets": list(view.bets),
        "pot": view.pot,
        "to_call": view.to_call,
        "legal": {
            "fold": legal.fold,
            "check": legal.check,
            "call": legal.call,
            "bet": None if legal.raise_to is None else list(legal.raise_to),
            "stand": legal.stand,
            "discard": ["" if card < 0 else card_text(card) for card in legal.discards],
        },
        "finished": view.finished,
        "shown": ["".join(map(_text, cards)) for cards in view.shown],
        "payoffs": None if view.payoffs is None else list(view.payoffs),
        "seconds_left": view.seconds_left,
    }


def _text(card: int) -> str:
    return "??" if card < 0 else card_text(card)


ENGINE = Engine(_make)
