"""A job's work in a process of its own, which ends when the process that watches it is gone.

Messages are JSON: a process that reads files of strangers must not be able to send objects.
"""

from __future__ import annotations

import multiprocessing
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

from riverboat.errors import RiverboatError, RunError, in_words
from riverboat.runs._pool import without_interrupts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

_SPAWN: Final = multiprocessing.get_context("spawn")
_LOOK_SECONDS: Final = 0.05
_PATIENCE: Final = 10.0  # seconds that a process may take to end
_ENDED: Final = "ended"


class JobPipe:
    """One end of the line between a job and its process."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._lock = connection, threading.Lock()

    def send(self, message: Any) -> bool:
        """Send plain values; return whether the other end still exists."""
        try:
            with self._lock:
                self._connection.send_bytes(msgspec.json.encode(message))
        except OSError:
            return False
        return True

    def receive(self, seconds: float | None = 0.0) -> Any:
        """Return a message, or None where none comes in time; EOFError where nobody is left."""
        try:
            if not self._connection.poll(seconds):
                return None
            return msgspec.json.decode(self._connection.recv_bytes())
        except OSError as error:
            raise EOFError from error

    def close(self) -> None:
        """Close it."""
        self._connection.close()


class JobProcess:
    """A process that does a job; leaving the block ends it.

    Parameters
    ----------
    function
        Of a module: called in the process with its `JobPipe` and what is given.
    given
        What `multiprocessing` can send.
    """

    def __init__(self, function: Callable[..., object], *given: object) -> None:
        ours, theirs = _SPAWN.Pipe()
        self.pipe = JobPipe(ours)
        # Not a daemon: those may have no processes of their own.
        self._process = _SPAWN.Process(target=_begin, args=(function, theirs, *given))
        with without_interrupts():  # Ctrl-C is for who watches: it asks the job to stop
            self._process.start()
        theirs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.kill()
        self._process.join(_PATIENCE)
        self._process.kill()
        self._process.join()
        self.pipe.close()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def messages(self, stopping: threading.Event, stop: Callable[[], object]) -> Iterator[Any]:
        """Yield what the process sends until it ends; call `stop` once when the job is to stop.

        Raises
        ------
        RunError
            With the sentence of what went wrong in the process.
        """
        told = False
        while True:
            if stopping.is_set() and not told:
                told = True
                stop()
            try:
                message = self.pipe.receive(_LOOK_SECONDS)
            except EOFError:
                if told:
                    return
                raise RunError(
                    "the process ended by itself: perhaps there was too little memory"
                ) from None
            if isinstance(message, dict) and _ENDED in message:
                if message[_ENDED]:
                    raise RunError(str(message[_ENDED]))
                return
            if message is not None:
                yield message


def _begin(function: Callable[..., object], connection: Connection, *given: object) -> None:
    """Do the work and say how it ended."""
    pipe, problem = JobPipe(connection), ""
    try:
        function(pipe, *given)
    except RiverboatError as error:
        problem = str(error)
    except MemoryError:
        problem = "it takes more memory than it may have"
    except Exception as error:
        problem = in_words(error)
    with suppress(RecursionError):
        pipe.send({_ENDED: problem})
