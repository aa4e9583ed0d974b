"""A bot in a process of its own: what it does there can harm nobody else.

A bot that does not answer in time is killed with its process; one whose process ends is started
again, up to three times a session, and then plays no more in it: it checks or folds.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Literal

import msgspec

from riverboat.arena._chair import ABSENT, TIMEOUT, BotError
from riverboat.arena._wire import encode_spec, encode_view
from riverboat.errors import ArenaError
from riverboat.game import GameSpec, View

__all__ = ["OutsideBot"]

#: Failures of its process after which a bot plays no more in a session.
MOST_FAILURES = 3
_START_SECONDS = 60.0
_LONGEST_ANSWER = 1 << 16
_LENGTHS = {"ready": 4, "move": 2, "done": 1, "failed": 3}
GARBLED = "garbled"

Hook = Literal["hand_started", "hand_over"]


class OutsideBot:
    """A bot that runs in another process.

    Parameters
    ----------
    text
        `path/to/file.py` or `path/to/file.py:ClassName`.
    seed
        Given to the bot if its class takes one.
    time_limit
        Seconds for one decision.
    memory_limit
        Bytes of address space.

    Raises
    ------
    ArenaError
        If the bot cannot be made.
    """

    def __init__(self, text: str, seed: int, time_limit: float, memory_limit: int) -> None:
        self._hello = ["hello", text, seed, memory_limit]
        self._limit = time_limit
        self._failures = 0
        self._spec: GameSpec | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self.learns = False
        try:
            hooks = self._start()
        except BotError as error:
            self.close()
            raise ArenaError(f"the bot {text!r} cannot be made: {error}") from error
        if hooks[0]:
            self.hand_started = lambda view: self._hook("hand_started", view)
        if hooks[1]:
            self.hand_over = lambda view: self._hook("hand_over", view)

    def act(self, view: View) -> str:
        """Ask for a move.

        Raises
        ------
        BotError
            If there is none.
        """
        return str(self._ask("act", view)[1])

    def close(self) -> None:
        """End the process."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)  # and all that it started
            self._process.wait()
            self._process = None

    def _hook(self, hook: Hook, view: View) -> None:
        if self._connection is not None:
            self._ask(hook, view)

    def _start(self) -> tuple[bool, bool]:
        """Start the process and make the bot there; return which hooks it has."""
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-m", "riverboat.arena._outside_child", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the arena
            )
        self._connection = Connection(ours.detach())
        self._spec = None
        _, self.learns, started, over = self._exchange(self._hello, _START_SECONDS)
        return bool(started), bool(over)

    def _ask(self, kind: str, view: View) -> list[Any]:
        if self._connection is None:
            if self._failures >= MOST_FAILURES:
                raise BotError(ABSENT, f"out of the session after {MOST_FAILURES} failures")
            self._start()
        if self._spec is not view.spec:
            self._send(["game", encode_spec(view.spec)])
            self._spec = view.spec
        return self._exchange([kind, encode_view(view)], self._limit)

    def _exchange(self, message: list[Any], seconds: float) -> list[Any]:
        """Send a message and return the answer; whatever goes wrong is a BotError."""
        deadline = time.monotonic() + seconds
        self._send(message)
        connection = self._open_connection()
        try:
            if not connection.poll(max(0.0, deadline - time.monotonic())):
                self._lose()
                raise BotError(TIMEOUT, f"no answer within {seconds:g} s")
            answer = msgspec.msgpack.decode(connection.recv_bytes(_LONGEST_ANSWER), type=list[Any])
        except (EOFError, OSError) as error:
            raise self._exited() from error
        except msgspec.MsgspecError as error:
            self._lose()
            raise BotError(GARBLED, f"its process sent no message: {error}") from error
        return _checked(answer)

    def _send(self, message: list[Any]) -> None:
        try:
            self._open_connection().send_bytes(msgspec.msgpack.encode(message))
        except OSError as error:
            raise self._exited() from error

    def _open_connection(self) -> Connection:
        if self._connection is None:
            raise BotError("exited", "its process is not there")
        return self._connection

    def _exited(self) -> BotError:
        """Tidy up after a process that is gone."""
        code = None
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                code = self._process.wait(1)
        self._lose()
        return BotError("exited", f"its process ended (exit code {code})")

    def _lose(self) -> None:
        self._failures += 1
        self.close()


def _checked(answer: list[Any]) -> list[Any]:
    """Return an answer that can be used; a failure or a strange one is raised."""
    kind = str(answer[0]) if answer else ""
    if _LENGTHS.get(kind) != len(answer):
        raise BotError(GARBLED, f"its process sent a strange message: {answer!r:.80}")
    if kind == "failed":
        raise BotError(str(answer[1]), str(answer[2]))
    return answer
